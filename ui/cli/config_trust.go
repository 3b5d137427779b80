package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"baton/model/config"
	"baton/ui/sanitize"
)

// configuration reads all layers. A project's file is among them if the person trusts it;
// if there is one that is not read, notice says so in a line. Nothing is asked.
func (a *app) configuration() (conf config.Config, notice string, err error) {
	conf, err = config.Load(a.Env, a.Home, a.flags, config.ReadFile, known())
	if err != nil {
		return conf, "", err
	}
	path := config.FindProject(workingDir())
	if path == "" {
		return conf, "", nil
	}
	p, err := config.ReadProject(path)
	if err != nil {
		return conf, err.Error(), nil
	}
	trust := config.TrustIn(conf.StateDir)
	switch {
	case trust.Has(p):
		conf, err = config.LoadWith(p, a.Env, a.Home, a.flags, config.ReadFile, known())
		return conf, "", err
	case trust.Knew(p):
		return conf, config.ProjectFile + " has changed since you trusted it and is not read; baton config trust shows it", nil
	}
	return conf, "the " + config.ProjectFile + " of this project is not read; baton config trust shows it, and reads it once you agree", nil
}

func (a *app) configTrustCommand() *cobra.Command {
	var yes, revoke bool
	cmd := &cobra.Command{
		Use:   "trust [FILE | FOLDER]",
		Short: "Show what a project's " + config.ProjectFile + " would change, and read it from then on, after asking",
		Long: "trust shows what the " + config.ProjectFile + " of this project would change and, once you agree, has baton read it. A file that changes\n" +
			"afterwards is not read before you have agreed again. It can choose among your agents and tune retries, time-outs, queue, looks and\n" +
			"keys; it can never say where requests go, what is run, or which key is used.",
		Example: "  baton config trust                      the nearest file from here up to the repository's root\n" +
			"  baton config trust --yes ~/src/thing    without asking\n" +
			"  baton config trust --revoke             do not read it any more",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			path, err := projectNamed(args)
			if err != nil {
				return err
			}
			if revoke {
				return a.revokeTrust(path)
			}
			return a.trust(path, yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&revoke, "revoke", false, "do not read the file any more")
	return cmd
}

// projectNamed is the file that is meant.
func projectNamed(args []string) (string, error) {
	if len(args) == 0 {
		path := config.FindProject(workingDir())
		if path == "" {
			return "", failure("", "there is no %s from here up to the repository's root", config.ProjectFile)
		}
		return path, nil
	}
	path, err := config.ProjectPath(args[0])
	switch {
	case err != nil:
		return "", failure("", "%w", err)
	case filepath.Base(path) != config.ProjectFile:
		return "", usage("name it so", "a project's file is called %s, not %s", config.ProjectFile, filepath.Base(path))
	}
	return path, nil
}

func (a *app) trust(path string, yes bool) error {
	conf, err := config.Load(a.Env, a.Home, a.flags, config.ReadFile, known())
	if err != nil {
		return a.mistakes(err)
	}
	p, err := config.ReadProject(path)
	if err != nil {
		return err
	}
	with, err := config.LoadWith(p, a.unset, a.Home, config.Flags{ConfigFile: a.flags.ConfigFile}, config.ReadFile, known())
	if err == nil {
		_, err = keysOf(with)
	}
	if err != nil {
		return a.mistakes(err)
	}
	trust := config.TrustIn(conf.StateDir)
	a.changes(p, conf, with)
	switch {
	case trust.Has(p):
		fmt.Fprintln(a.Stdout, "it is trusted already; baton config trust --revoke ends that")
		return nil
	case yes:
	case !isTerminal(a.Stdin):
		return failure("--yes agrees to it", "without a terminal nobody can be asked, and nothing was changed")
	case !a.agreed("Read it from now on, as long as it stays as it is?"):
		fmt.Fprintln(a.Stdout, "it is not read")
		return nil
	}
	if err := trust.Add(p); err != nil {
		return failure("", "%w", err)
	}
	fmt.Fprintln(a.Stdout, "it is read from now on, as long as it stays as it is")
	return nil
}

// unset is the environment without the settings in it, which would hide those of a file.
func (a *app) unset(name string) string {
	if strings.HasPrefix(name, "BATON_") && name != "BATON_CONFIG" && name != "BATON_STATE_DIR" {
		return ""
	}
	return a.Env(name)
}

// changes lists what a project's file sets, beside what is in force without it.
func (a *app) changes(p config.Project, now, with config.Config) {
	before := map[string]string{}
	for _, e := range now.Entries() {
		before[e.Key] = e.Value
	}
	lines := []string{sanitize.Line(p.Path + " sets")}
	for _, e := range with.Entries() {
		if e.Origin.Layer != config.LayerProject {
			continue
		}
		was := "not set now"
		if v := before[e.Key]; v != "" {
			was = "now " + v
		}
		lines = append(lines, "  "+sanitize.Line(fmt.Sprintf("%s = %s # %s, line %d", e.Key, e.Value, was, e.Origin.Line)))
	}
	if len(lines) == 1 {
		lines[0] += " nothing"
	}
	fmt.Fprintln(a.Stdout, strings.Join(lines, "\n"))
}

func (a *app) revokeTrust(path string) error {
	conf, err := config.Load(a.Env, a.Home, a.flags, config.ReadFile, known())
	if err != nil {
		return a.mistakes(err)
	}
	path, err = config.ProjectPath(path)
	if err != nil {
		return failure("", "%w", err)
	}
	had, err := config.TrustIn(conf.StateDir).Remove(path)
	switch {
	case err != nil:
		return failure("", "%w", err)
	case !had:
		fmt.Fprintln(a.Stdout, "it was not trusted")
	default:
		fmt.Fprintln(a.Stdout, "it is not read any more")
	}
	return nil
}
