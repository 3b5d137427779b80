package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"baton/model/config"
	"baton/ui/sanitize"
)

// How a finding stands.
const (
	fine    = "ok"
	warning = "warning" // works, with less comfort or less safety
	problem = "problem" // something does not work
)

// finding is one thing that was looked at. Next is what to do about it; behind what is
// fine it is a hint.
type finding struct {
	Area  string `json:"area"`
	State string `json:"state"`
	Says  string `json:"says"`
	Next  string `json:"next,omitempty"`
}

// doctor collects findings.
type doctor struct {
	*app
	offline bool
	wait    time.Duration // for the server
	conf    config.Config // the zero one if it cannot be read
	agents  *agents       // know the secrets that are not to be shown
	area    string
	found   []finding
}

func (d *doctor) say(state, next, format string, args ...any) {
	clean := func(s string) string { return sanitize.Line(d.agents.redact(s)) }
	d.found = append(d.found, finding{d.area, state, clean(fmt.Sprintf(format, args...)), clean(next)})
}

// fine, warn and bad add a finding.
func (d *doctor) fine(format string, args ...any)       { d.say(fine, "", format, args...) }
func (d *doctor) warn(next, format string, args ...any) { d.say(warning, next, format, args...) }
func (d *doctor) bad(next, format string, args ...any)  { d.say(problem, next, format, args...) }

func (a *app) doctorCommand() *cobra.Command {
	var asJSON, offline bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look at terminal, files, configuration, key and server, and say what to do about what is wrong",
		Long: "doctor looks at what baton needs and says of each thing whether it is in order. It sends no prompt: the server of the chosen\n" +
			"agent is asked for its list of models, with its key, once. It changes nothing, runs no program but the agent's own\n" +
			"api_key_command, asks the terminal nothing, and shows no key.\n\n" +
			"Exit codes: 0 no problem, 1 a problem, 78 a problem in the configuration. Warnings count for nothing.",
		Example: "  baton doctor\n  baton doctor --agent work               … of this agent\n  baton doctor --offline --json           without network and key program, for programs",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := &doctor{app: a, offline: offline, wait: reachWait, agents: newAgents(config.Config{}, nil)}
			d.examine(cmd.Context())
			a.code = d.verdict()
			return a.output(func(w *bufio.Writer) error { return d.write(w, asJSON) })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON, for programs")
	cmd.Flags().BoolVar(&offline, "offline", false, "leave the server and an api_key_command alone")
	return cmd
}

// examine looks at everything, in the order it is shown.
func (d *doctor) examine(ctx context.Context) {
	for _, part := range []struct {
		area string
		look func(context.Context)
	}{
		{"program", d.program},
		{configurationArea, d.configured},
		{"files", d.places},
		{"sessions", d.sessions},
		{"terminal", d.terminal},
		{"agent", d.agent},
		{"programs", d.programs},
	} {
		d.area = part.area
		part.look(ctx)
	}
}

func (d *doctor) program(context.Context) {
	d.fine("baton %s, %s, %s/%s", d.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

const configurationArea = "configuration"

// verdict is the exit code.
func (d *doctor) verdict() int {
	code := ExitOK
	for _, f := range d.found {
		switch {
		case f.State == problem && f.Area == configurationArea:
			return ExitConfig
		case f.State == problem:
			code = ExitFailed
		}
	}
	return code
}

func (d *doctor) count(state string) (n int) {
	for _, f := range d.found {
		if f.State == state {
			n++
		}
	}
	return n
}

func (d *doctor) write(w *bufio.Writer, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(struct {
			Version  string    `json:"version"`
			Exit     int       `json:"exit"`
			Findings []finding `json:"findings"`
		}{sanitize.Line(d.Version), d.code, d.found})
	}
	area, wide := "", columns(d.Stdout)
	for _, f := range d.found {
		if f.Area != area {
			area = f.Area
			fmt.Fprintf(w, "%s\n", area)
		}
		fmt.Fprintln(w, wrapped(fmt.Sprintf("  %-8s %s", f.State, f.Says), wide))
		if f.Next != "" {
			fmt.Fprintln(w, wrapped("           → "+f.Next, wide))
		}
	}
	_, err := fmt.Fprintf(w, "\n%s, %s\n", howMany(d.count(problem), "problem"), howMany(d.count(warning), "warning"))
	return err
}

// howMany is "no problem", "1 problem", "2 problems".
func howMany(n int, what string) string {
	switch n {
	case 0:
		return "no " + what
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// inWords joins names, "none" for none.
func inWords(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
