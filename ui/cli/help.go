package cli

import (
	"bufio"
	"bytes"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// toServer are the flags that say who is talked to.
const toServer = "agent base-url model api-key-env allow-plain-http "

// meaningful says which of the flags that every command takes mean something to one and to
// those below it.
var meaningful = map[string]string{
	"baton":               toServer + "fault fault-file plain debug config",
	"baton run":           toServer + "fault fault-file debug config",
	"baton demo":          "fault fault-file plain config",
	"baton sandbox":       "fault fault-file",
	"baton doctor":        toServer + "config",
	"baton config":        "config",
	"baton config show":   toServer + "fault fault-file plain debug config", // what flags say is in force, too
	"baton config check":  toServer + "fault fault-file plain debug config",
	"baton config schema": "", // of this program, whatever is set
	"baton sessions":      "config",
	"baton queue":         "config",
	"baton completion":    "",
	"baton help":          "",
	"baton man":           "",
	"baton version":       "",
}

// hideMeaningless keeps flags that do nothing there out of a command's help, and out of
// what a shell offers for it. They are taken all the same: an alias may give them to
// every call.
func hideMeaningless(c *cobra.Command) {
	at := c
	for _, named := meaningful[at.CommandPath()]; !named && at.HasParent(); _, named = meaningful[at.CommandPath()] {
		at = at.Parent()
	}
	shown := strings.Fields(meaningful[at.CommandPath()])
	c.Root().PersistentFlags().VisitAll(func(f *pflag.Flag) { f.Hidden = !slices.Contains(shown, f.Name) })
}

// help writes a command's help like any other output: Cobra drops what goes wrong with it.
func (a *app) help(write func(*cobra.Command, []string)) func(*cobra.Command, []string) {
	return func(c *cobra.Command, args []string) {
		hideMeaningless(c)
		var text bytes.Buffer
		out := c.OutOrStdout()
		c.SetOut(&text)
		write(c, args)
		c.SetOut(out)
		said := wrappedHelp(text.String(), columns(a.Stdout))
		err := a.output(func(w *bufio.Writer) error { _, err := w.WriteString(said); return err })
		if err != nil {
			a.code = report(err, a.Stderr)
		}
	}
}
