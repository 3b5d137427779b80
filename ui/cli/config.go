package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"baton/model/config"
	"baton/ui/sanitize"
)

func (a *app) configCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "config", Short: "Say where the configuration is and what is in force", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usage("", "config takes one of path, show, check and init")
		}}
	sub := func(use, short string, run func() error) {
		cmd.AddCommand(&cobra.Command{Use: use, Short: short, Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error { return run() }})
	}
	sub("path", "Print the path of the configuration file", a.configPath)
	sub("show", "List every setting in force and who set it; keys and headers stay hidden", a.configShow)
	sub("check", "Report every mistake in the configuration", a.configCheck)
	sub("init", "Write a configuration file to begin with, every setting in it commented out", a.configInit)
	return cmd
}

// configFile is where the file is looked for.
func (a *app) configFile() (string, error) {
	path := config.Path(a.Env, a.Home, a.flags)
	if path == "" {
		return "", &exitError{ExitConfig, errors.New("there is no place for a configuration: no home directory is known"), "set $HOME, or name a file with --config"}
	}
	return path, nil
}

func (a *app) configPath() error {
	path, err := a.configFile()
	if err == nil {
		fmt.Fprintln(a.Stdout, sanitize.Line(path))
	}
	return err
}

func (a *app) configShow() error {
	conf, err := config.Load(a.Env, a.Home, a.flags, os.ReadFile, known())
	if err != nil {
		return err
	}
	for _, e := range conf.Entries() {
		fmt.Fprintln(a.Stdout, sanitize.Line(fmt.Sprintf("%s = %s  # %s", e.Key, e.Value, e.Origin)))
	}
	return nil
}

// configCheck lists all mistakes, a line each with its place and next step.
func (a *app) configCheck() error {
	conf, err := config.Load(a.Env, a.Home, a.flags, os.ReadFile, known())
	var all config.Problems
	if !errors.As(err, &all) {
		if err == nil {
			_, err = keysOf(conf)
		}
		if err == nil {
			fmt.Fprintln(a.Stdout, "the configuration is in order")
		}
		return err
	}
	for _, p := range all {
		line := p.Error()
		if p.Next != "" {
			line += " · " + p.Next
		}
		fmt.Fprintln(a.Stderr, sanitize.Line("baton: "+line))
	}
	a.code = ExitConfig
	return nil
}

// configInit never overwrites: what stands there is a person's.
func (a *app) configInit() error {
	path, err := a.configFile()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return failure("", "make the folder of the configuration: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return failure("edit it, or move it away first", "%s is there already", path)
	case err != nil:
		return failure("", "write the configuration: %w", err)
	}
	_, err = f.WriteString(config.Template())
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return failure("", "write the configuration: %w", err)
	}
	fmt.Fprintln(a.Stdout, sanitize.Line(path))
	return nil
}
