package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"baton/model/catalog"
	"baton/ui/sanitize"
)

func (a *app) sessionsExportCommand() *cobra.Command {
	var format, file string
	var force bool
	cmd := &cobra.Command{
		Use:   "export ID",
		Short: "Write a session as markdown, as a web page or as JSON Lines; also while it is in use",
		Example: "  baton sessions export 20261130-154210-4fzq > talk.md\n" +
			"  baton sessions export 20261130-154210-4fzq -o talk.html",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := a.sessionsDir()
			if err != nil {
				return err
			}
			f, err := exportFormat(format, file)
			if err != nil {
				return err
			}
			return a.exportSession(dir, args[0], f, file, force)
		},
	}
	cmd.Flags().StringVar(&format, "format", "", "md, html or jsonl; without it what the file's name ends in, else md")
	cmd.Flags().StringVarP(&file, "output", "o", "", "write this file, readable by you alone, in place of standard output")
	cmd.Flags().BoolVar(&force, "force", false, "overwrite the file if it exists")
	return cmd
}

// exportFormat is the format that was asked for, or that a file's name tells.
func exportFormat(format, file string) (catalog.Format, error) {
	if f := catalog.Format(format); format != "" {
		if slices.Contains(catalog.Formats(), f) {
			return f, nil
		}
		return "", usage("there are md, html and jsonl", "there is no format %q", format)
	}
	if f, ok := catalog.FormatOf(file); ok {
		return f, nil
	}
	if ext := filepath.Ext(file); ext != "" {
		return "", usage("name it .md, .html or .jsonl, or say which with --format", "a session is not written as %s", ext)
	}
	return catalog.Markdown, nil
}

func (a *app) exportSession(dir, id string, f catalog.Format, file string, force bool) error {
	if file == "" || file == "-" {
		return a.output(func(w *bufio.Writer) error { return exported(w, dir, id, f) })
	}
	if here, err := os.Stat(filepath.Dir(file)); err == nil {
		if kept, err := os.Stat(dir); err == nil && os.SameFile(here, kept) {
			return usage("name another place", "%s is where sessions are kept", filepath.Dir(file))
		}
	}
	if err := writeAside(file, force, func(w io.Writer) error { return exported(w, dir, id, f) }); err != nil {
		var ex *exitError
		if errors.As(err, &ex) {
			return err
		}
		return failure("", "cannot write %s: %w", file, err)
	}
	fmt.Fprintln(a.Stderr, "baton: wrote "+sanitize.Line(file))
	return nil
}

// exported writes a session and tells one that cannot be read from a file that cannot be written.
func exported(w io.Writer, dir, id string, f catalog.Format) error {
	into := &writing{w: w}
	err := catalog.Export(into, dir, id, f)
	if err != nil && into.err == nil {
		return unreadable(id, err)
	}
	return into.err
}

// writing remembers that a write failed.
type writing struct {
	w   io.Writer
	err error
}

func (w *writing) Write(p []byte) (n int, err error) {
	n, w.err = w.w.Write(p)
	return n, w.err
}

// writeAside makes a file that appears whole or not at all, with mode 0600. What exists is overwritten with force alone,
// and only if it is a file.
func writeAside(path string, force bool, write func(io.Writer) error) (err error) {
	switch info, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return usage("name another", "%s is not a file", path)
	case !force:
		return usage("--force overwrites it", "%s exists", path)
	}
	aside, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(aside.Name()) // it has moved, or is of no use
	err = write(aside)
	if err == nil {
		err = aside.Sync()
	}
	if cerr := aside.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return moveTo(aside.Name(), path, force)
}

// moveTo gives a file its name. Without force another that has come to have it stays.
func moveTo(aside, path string, force bool) error {
	if force {
		return os.Rename(aside, path)
	}
	err := os.Link(aside, path)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrExist):
		return usage("--force overwrites it", "%s exists", path)
	}
	return os.Rename(aside, path) // a file system without links
}
