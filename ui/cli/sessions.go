package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"baton/model/catalog"
	"baton/model/engine"
	"baton/model/journal"
	"baton/model/session"
	"baton/ui/sanitize"
)

func (a *app) sessionsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "sessions",
		Short:   "List, find, show, export and remove the sessions that were kept",
		Example: "  baton sessions list",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return usage("baton sessions list, show ID, export ID, or rm ID", "sessions does nothing by itself")
		},
	}
	cmd.AddCommand(a.sessionsListCommand(), a.sessionsShowCommand(), a.sessionsExportCommand(), a.sessionsRemoveCommand())
	return cmd
}

func (a *app) sessionsListCommand() *cobra.Command {
	var asJSON bool
	var words string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the sessions, the one used last first",
		Example: "  baton sessions list\n" +
			"  baton sessions list --find 'retry loop'   those with both words in title, prompts, answers or waiting rows",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := a.sessionsDir()
			if err != nil {
				return err
			}
			return a.listSessions(cmd.Context(), dir, words, asJSON)
		},
	}
	cmd.Flags().StringVar(&words, "find", "", "only those that have all these `words`, the best first")
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
	Created  time.Time `json:"created,omitzero"`
	Modified time.Time `json:"modified"`
	Bytes    int64     `json:"bytes"`
	Waiting  int       `json:"waiting"`           // rows in its queue
	Last     string    `json:"last,omitempty"`    // how its last turn ended: succeeded, failed or stopped
	InUse    bool      `json:"in_use"`            // a process has it open
	PID      int       `json:"pid,omitempty"`     // which, where that is known
	Title    string    `json:"title"`             // the first line of the first prompt
	Found    string    `json:"found,omitempty"`   // where the words were found, if not in the title
	Trouble  string    `json:"trouble,omitempty"` // why not all of it can be read
}

// titleCells is how much of a title people see.
const titleCells = 60

func (a *app) listSessions(ctx context.Context, dir, words string, asJSON bool) error {
	found, err := catalog.Find(ctx, dir, words)
	if err != nil {
		return failure("", "%w", err)
	}
	if len(found) == 0 && !asJSON {
		says := "there is no session yet; baton starts one"
		if words != "" {
			says = "no session has these words"
		}
		fmt.Fprintln(a.Stderr, "baton: "+says)
	}
	return a.output(func(w *bufio.Writer) error {
		if asJSON {
			return writeListJSON(w, found)
		}
		writeList(w, found)
		return nil
	})
}

func writeListJSON(w *bufio.Writer, found []catalog.Match) error {
	all := make([]listed, 0, len(found))
	for _, f := range found {
		all = append(all, listed{f.ID, f.Created, f.Modified, f.Bytes, f.Waiting, string(f.Last), f.Holder != 0, max(f.Holder, 0), f.Title, f.Excerpt, f.Trouble})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(all)
}

// writeList writes a line for each, and below it where its words were found.
func writeList(w *bufio.Writer, found []catalog.Match) {
	column := 0
	for _, f := range found {
		if n := len(standing(f.Info)); n > 0 {
			column = max(column, n+2)
		}
	}
	for _, f := range found {
		title := sanitize.TruncateWords(f.Title, titleCells)
		if f.Trouble != "" {
			title += " [" + f.Trouble + "]"
		}
		fmt.Fprintf(w, "%-20s  %s  %7s  %-*s%s\n", f.ID, minute(f.Modified), size(f.Bytes), column, standing(f.Info), title)
		if f.Excerpt != "" {
			fmt.Fprintf(w, "    %s\n", f.Excerpt)
		}
	}
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
