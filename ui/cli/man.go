package cli

import (
	"bufio"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "Print the manual page",
		Long:  "man prints the manual page of all commands, made from the same table as their help, for man(1) and mandoc(1).",
		Example: "  baton man | man -l -\n" +
			"  baton man > ~/.local/share/man/man1/baton.1",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.output(func(w *bufio.Writer) error {
				a.manual(&roff{w: w}, cmd.Root())
				return nil // what went wrong comes from the flush
			})
		},
	}
}

// manual writes the page. It says the same of the same program, whenever and wherever it
// is made: its date is that of the commit.
func (a *app) manual(p *roff, root *cobra.Command) {
	p.title("baton", "1", a.date(), "baton "+a.Version)
	p.section("NAME")
	p.raw(`baton \- ` + escapeRoff(strings.ToLower(root.Short[:1])+root.Short[1:]))
	p.section("SYNOPSIS")
	leaves := commandsOf(root)
	for i, c := range leaves {
		if i > 0 {
			p.raw(".br")
		}
		p.usage(usedSo(c))
	}
	p.section("DESCRIPTION")
	p.text(root.Long)
	p.section("OPTIONS")
	p.text("These go with every command that talks to an agent.")
	p.flags(root.PersistentFlags())
	p.section("COMMANDS")
	for _, c := range leaves {
		p.command(c)
	}
	p.section("EXIT STATUS")
	for _, c := range codes {
		p.item(c[0], c[1])
	}
	p.section("ENVIRONMENT")
	p.text("Each setting has a variable, such as $BATON_AGENT, $BATON_BASE_URL and $BATON_MODEL; baton config init writes a file that names them all. " +
		"Flags are stronger than variables, and those than the file.")
	p.section("FILES")
	p.item("$XDG_CONFIG_HOME/baton/config.toml", "the configuration, else ~/.config/baton/config.toml")
	p.item("$XDG_STATE_HOME/baton/sessions/", "the sessions, else ~/.local/state/baton/sessions/; readable by you alone")
	p.section("EXAMPLES")
	p.example(root.Example)
}

// usedSo is a command with its arguments.
func usedSo(c *cobra.Command) string {
	_, takes, _ := strings.Cut(c.Use, " ")
	line := strings.TrimSpace(c.CommandPath() + " " + takes)
	if c.LocalNonPersistentFlags().HasAvailableFlags() {
		line += " [FLAGS]"
	}
	return line
}

// date is the day of the commit, "" where that is not known.
func (a *app) date() string {
	t, err := time.Parse(time.RFC3339, a.build().Time)
	if err != nil {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// commandsOf lists what can be called, the root first, in the order of help.
func commandsOf(c *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	if c.Runnable() && (!c.HasAvailableSubCommands() || !c.HasParent()) {
		all = append(all, c)
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			all = append(all, commandsOf(sub)...)
		}
	}
	return all
}

func (p *roff) command(c *cobra.Command) {
	p.subsection(c.CommandPath())
	about := c.Long
	if about == "" {
		about = c.Short + "."
	}
	if c.HasParent() { // the root's own words and examples stand elsewhere
		p.text(about)
	} else {
		p.text("The chat.")
	}
	p.flags(c.LocalNonPersistentFlags())
	if c.HasParent() && c.Example != "" {
		p.raw(".PP")
		p.example(c.Example)
	}
}

func (p *roff) flags(set *pflag.FlagSet) {
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || f.Name == "version" {
			return
		}
		name, what := pflag.UnquoteUsage(f)
		label := "--" + f.Name
		if f.Shorthand != "" {
			label = "-" + f.Shorthand + ", " + label
		}
		if name != "" {
			label += " " + strings.ToUpper(strings.TrimSuffix(name, "Array"))
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && f.DefValue != "0" {
			what += " (default " + f.DefValue + ")"
		}
		p.item(label, what)
	})
}
