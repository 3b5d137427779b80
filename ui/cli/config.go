package cli

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"baton/model/config"
	"baton/ui/keymap"
	"baton/ui/sanitize"
)

func (a *app) configCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "config", Short: "Say where the configuration is and what is in force", Args: cobra.NoArgs,
		Example: "  baton config check",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usage("", "config takes one of path, show, check, init, keys, trust and schema")
		}}
	sub := func(use, short string, run func() error) {
		cmd.AddCommand(&cobra.Command{Use: use, Short: short, Args: cobra.NoArgs, Example: "  baton config " + use,
			RunE: func(*cobra.Command, []string) error { return run() }})
	}
	sub("path", "Print the path of the configuration file", a.configPath)
	sub("schema", "Print a JSON schema of the configuration file, for editors", a.configSchema)
	sub("check", "Report every mistake in the configuration", a.configCheck)
	sub("init", "Write a configuration file to begin with, every setting in it commented out", a.configInit)
	sub("keys", "List the actions that [keys] can name, and the keys in force", a.configKeys)
	cmd.AddCommand(a.configShowCommand(), a.configTrustCommand())
	return cmd
}

func (a *app) configShowCommand() *cobra.Command {
	var long bool
	cmd := &cobra.Command{Use: "show", Short: "List every setting in force and who set it; keys and headers stay hidden", Args: cobra.NoArgs,
		Example: "  baton config show --origin",
		RunE:    func(*cobra.Command, []string) error { return a.configShow(long) }}
	cmd.Flags().BoolVar(&long, "origin", false, "name the layer and the whole path of who set it")
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
	if err != nil {
		return err
	}
	return a.outputLines(path)
}

func (a *app) configShow(long bool) error {
	conf, notice, err := a.configuration()
	if err != nil {
		return err
	}
	var lines []string
	for _, e := range conf.Entries() {
		who := e.Origin.String()
		if long {
			who = e.Origin.Long()
		}
		lines = append(lines, fmt.Sprintf("%s = %s  # %s", e.Key, e.Value, who))
	}
	err = a.outputLines(lines...)
	a.remark(notice)
	return err
}

// configKeys lists what can be bound. It is where a mistake in [keys] sends the person, so it does not fail for one.
func (a *app) configKeys() error {
	keys, wrong := keymap.Default(), "" // why these are not the person's
	if conf, _, err := a.configuration(); err != nil {
		wrong = "the configuration has mistakes, so these are the keys without it; baton config check lists them"
	} else if b, err := keysOf(conf); err == nil {
		keys = b.keys
	}
	err := a.output(func(w *bufio.Writer) error {
		for _, r := range keys.Table() {
			var named []string
			for _, k := range r.Keys {
				named = append(named, keymap.Label(k))
			}
			row := fmt.Sprintf("%-10s  %-18s  %-20s  %s", r.Scope, r.Action, cmp.Or(strings.Join(named, ", "), "none"), r.Help)
			if _, err := fmt.Fprintln(w, wrapped(row, columns(a.Stdout))); err != nil {
				return err
			}
		}
		return nil
	})
	a.remark(wrong)
	return err
}

func (a *app) configSchema() error {
	return a.output(func(w *bufio.Writer) error { _, err := fmt.Fprint(w, config.Schema(known())); return err })
}

// remark says on standard error what is no mistake.
func (a *app) remark(text string) {
	if text != "" {
		fmt.Fprintln(a.Stderr, wrapped(sanitize.Line("baton: "+text), columns(a.Stderr)))
	}
}

// configCheck lists all mistakes, a line each with its place and next step.
func (a *app) configCheck() error {
	conf, notice, err := a.configuration()
	var table bound
	if err == nil {
		table, err = keysOf(conf)
	}
	if err != nil {
		return a.mistakes(err)
	}
	err = a.outputLines("the configuration is in order")
	for _, c := range table.clash {
		a.remark(clashed(table.keys, c) + " · " + clashStep)
	}
	a.remark(notice)
	return err
}

// mistakes lists what is wrong with a configuration, a line each. What is no such list is
// returned.
func (a *app) mistakes(err error) error {
	var all config.Problems
	if !errors.As(err, &all) {
		return err
	}
	for _, p := range all {
		line := p.Error()
		if p.Next != "" {
			line += " · " + p.Next
		}
		a.remark(line)
	}
	if len(all) == config.MaxProblems {
		a.remark(fmt.Sprintf("no more than %d mistakes are listed at once", config.MaxProblems))
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
	return a.outputLines(path)
}
