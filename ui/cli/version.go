package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"baton/ui/sanitize"
)

// Build says which program this is. What the linker was not told is read from what the go
// command recorded.
type Build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Time     string `json:"time,omitempty"` // of the commit, RFC 3339
	Modified bool   `json:"modified"`       // built from files that differ from the commit
	Go       string `json:"go"`
	System   string `json:"system"` // such as linux/amd64
}

func (a *app) build() Build {
	b := Build{Version: a.Version, Commit: a.Commit, Time: a.Date, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok || b.Commit != "" {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// shownCommit is how much of a commit's name is shown to people.
const shownCommit = 12

// String is the one line for people.
func (b Build) String() string {
	s := "baton " + b.Version
	if b.Commit != "" {
		s += ", commit " + b.Commit[:min(shownCommit, len(b.Commit))]
		if b.Modified {
			s += " with changes"
		}
	}
	return sanitize.Line(s + ", " + b.Go + ", " + b.System)
}

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "version", Short: "Print the version, its commit and the Go it was built with",
		Example: "  baton version\n  baton version --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.output(func(w *bufio.Writer) error {
				if asJSON {
					return json.NewEncoder(w).Encode(a.build())
				}
				_, err := fmt.Fprintln(w, a.build())
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
