package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"baton/model/engine"
	"baton/model/journal"
	"baton/model/session"
	"baton/ui/sanitize"
)

func (a *app) sessionsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sessions",
		Short: "List the sessions that were kept, and show one",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usage("baton sessions list, or baton sessions show ID", "sessions does nothing by itself")
		},
	}
	cmd.AddCommand(a.sessionsListCommand(), a.sessionsShowCommand())
	return cmd
}

func (a *app) sessionsListCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the sessions, the one used last first",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			dir, err := a.sessionsDir()
			if err != nil {
				return err
			}
			return a.listSessions(dir, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON array")
	return cmd
}

func (a *app) sessionsDir() (string, error) {
	s, err := a.load()
	if err != nil {
		return "", err
	}
	return s.sessions(), nil
}

// listed is one line of the list. Its texts are printable.
type listed struct {
	ID       string    `json:"id"`
	Modified time.Time `json:"modified"`
	Bytes    int64     `json:"bytes"`
	Title    string    `json:"title"`             // the first prompt, in one line
	Trouble  string    `json:"trouble,omitempty"` // why not all of it can be read
}

// Cells of a title for people, and for programs.
const (
	titleCells     = 60
	titleJSONCells = 200
)

func (a *app) listSessions(dir string, asJSON bool) error {
	found, err := journal.List(dir)
	if err != nil {
		return failure("", "%w", err)
	}
	all := make([]listed, 0, len(found))
	for _, f := range found {
		l := listed{ID: f.ID, Modified: f.Modified, Bytes: f.Size}
		r := readSession(dir, f.ID)
		l.Title = sanitize.Truncate(sanitize.Line(r.title()), titleJSONCells)
		if r.trouble != nil {
			l.Trouble = sanitize.Truncate(sanitize.Line(r.trouble.Error()), titleJSONCells)
		}
		all = append(all, l)
	}
	if asJSON {
		e := json.NewEncoder(a.Stdout)
		e.SetEscapeHTML(false)
		return e.Encode(all)
	}
	if len(all) == 0 {
		fmt.Fprintln(a.Stderr, "baton: there is no session yet; baton starts one")
	}
	for _, l := range all {
		title := sanitize.Truncate(l.Title, titleCells)
		if l.Trouble != "" {
			title += " [" + l.Trouble + "]"
		}
		fmt.Fprintf(a.Stdout, "%-20s  %s  %7s  %s\n", l.ID, l.Modified.Local().Format("2006-01-02 15:04"), size(l.Bytes), title)
	}
	return nil
}

// size writes a number of bytes the way people read it.
func size(n int64) string {
	switch {
	case n < 10<<10:
		return fmt.Sprintf("%d B", n)
	case n < 10<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

// reading is a session as it can be read without opening it.
type reading struct {
	header  journal.Header
	state   session.State
	kept    journal.Contents
	skipped string // what Replay could not use, "" for nothing
	trouble error  // why it is not whole; nil if it is
	err     error  // why there is nothing to show
}

// readSession folds a log without locking or changing anything, so that it also works
// while another process holds the session.
func readSession(dir, id string) reading {
	kept, err := journal.Read(dir, id)
	r := reading{header: kept.Header, kept: kept}
	start := session.New(session.Settings{})
	start.Session = id
	r.state, r.skipped = engine.Replay(start, kept)
	switch {
	case errors.Is(err, journal.ErrHeader):
		r.trouble = errors.New("its header is damaged")
	case err != nil:
		r.trouble, r.err = err, err
	case r.skipped != "":
		r.trouble = errors.New("damaged")
	}
	if errors.Is(err, journal.ErrEmpty) {
		r.trouble = errors.New("empty")
	}
	return r
}

// title is the first prompt, or what else there is to know a session by; not printable.
func (r reading) title() string {
	for _, it := range r.state.Items.All() {
		if it.Turn != nil && it.Turn.Text != "" {
			return it.Turn.Text
		}
	}
	if head, ok := r.state.Queue.Head(); ok {
		return head.Text
	}
	return ""
}

// unreadable says why a session cannot be shown, and what to do.
func unreadable(id string, err error) error {
	const next = "baton sessions list names those there are"
	switch {
	case errors.Is(err, journal.ErrBadID):
		return usage(next, "%q is not the name of a session", id)
	case errors.Is(err, fs.ErrNotExist):
		return failure(next, "there is no session %q", id)
	case errors.Is(err, journal.ErrNewer):
		return failure("update baton", "%w", err)
	}
	return failure(next, "%w", err)
}
