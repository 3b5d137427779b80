// Package catalog tells which sessions there are: their titles, what stands in their texts, how they read as a document,
// and what a removal takes away. It must not open a session for writing, decide anything about it, or send anything.
package catalog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"baton/model/journal"
	"baton/model/session"
	"baton/queue"
	"baton/ui/sanitize"
)

// titleCells is the longest title, in cells of a terminal.
const titleCells = 200

// Info is what a list says of a session. Its texts are printable.
type Info struct {
	ID       string
	Title    string    // the first line of the first prompt, "" if there is none; of a fork with the turn it ended with before it
	Created  time.Time // zero if the header does not tell
	Modified time.Time // of the last write
	Bytes    int64
	Waiting  int             // rows in its queue
	Last     session.Outcome // of its last turn; Unsettled if there is none, or one that runs
	Holder   int             // process that has it open, 0 for none; -1 if that cannot be named
	Trouble  string          // why not all of it can be read, "" if it can
}

// List returns the sessions in dir, the one written last first. It costs a bounded read for each.
func List(dir string) ([]Info, error) {
	all, err := lookAll(context.Background(), dir)
	if err != nil {
		return nil, err
	}
	infos := make([]Info, len(all))
	for i, l := range all {
		infos[i] = l.info
	}
	return infos, nil
}

// Latest returns at most n of the sessions in dir whose names begin so, the one written
// last first, and fewer if ctx ends meanwhile. One that cannot be read has no title.
func Latest(ctx context.Context, dir, begin string, n int) []Info {
	found, err := journal.List(dir)
	if err != nil {
		return nil
	}
	var infos []Info
	for _, f := range found {
		if len(infos) == n || ctx.Err() != nil {
			break
		}
		if !strings.HasPrefix(f.ID, begin) {
			continue
		}
		if l := lookAt(dir, f); !l.gone {
			infos = append(infos, l.info)
		}
	}
	return infos
}

// look is what a glance at a session finds.
type look struct {
	info  Info
	state session.State // its end; what came before may be missing
	gone  bool          // it was removed meanwhile
}

func lookAll(ctx context.Context, dir string) ([]look, error) {
	found, err := journal.List(dir)
	if err != nil {
		return nil, err
	}
	all := make([]look, 0, len(found))
	for _, f := range found {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if l := lookAt(dir, f); !l.gone {
			all = append(all, l)
		}
	}
	return all, nil
}

func lookAt(dir string, f journal.Summary) look {
	r, held := readEnd(dir, f.ID), holder(dir, f.ID)
	return look{state: r.state, gone: errors.Is(r.err, fs.ErrNotExist), info: Info{
		ID: f.ID, Title: forked(r.header, firstPrompt(dir, f.ID, r.state)), Created: r.header.Created, Modified: f.Modified, Bytes: f.Size,
		Waiting: r.state.Queue.Len(), Last: last(r.state, held), Holder: held, Trouble: trouble(r),
	}}
}

// last is how a session's last turn ended. One that ran when its process ended has been stopped, as whoever takes the
// session up finds it.
func last(s session.State, holder int) session.Outcome {
	t, ok := s.LastTurn()
	if ok && t.Outcome == session.Unsettled && holder == 0 {
		return session.Stopped
	}
	return t.Outcome
}

// trouble names in a few printable words why a session cannot be read whole.
func trouble(r reading) string {
	switch {
	case errors.Is(r.err, journal.ErrHeader):
		return "its header is damaged"
	case errors.Is(r.err, journal.ErrEmpty):
		return "empty"
	case r.err != nil:
		return sanitize.Truncate(sanitize.Line(r.err.Error()), titleCells)
	case r.unread > 0:
		return "damaged"
	}
	return ""
}

// Title makes a title of a prompt: its first line that is not blank, else the names of its files; printable, on one line.
func Title(text string, files []queue.Attachment) string {
	for line := range strings.Lines(text) {
		if t := sanitize.Line(line); t != "" && !queue.Blank(line) {
			return sanitize.Truncate(t, titleCells)
		}
	}
	var names []string
	for _, f := range files {
		names = append(names, fmt.Sprintf("[%s]", baseName(f.Path)))
	}
	return sanitize.Truncate(sanitize.Line(strings.Join(names, " ")), titleCells)
}

// forked tells the title of a copy from that of the session it was copied from: by the turn it ended with.
func forked(h journal.Header, title string) string {
	if h.Turn == 0 {
		return title
	}
	return sanitize.Truncate(strings.TrimSuffix(fmt.Sprintf("fork at turn %d: %s", h.Turn, title), ": "), titleCells)
}

// baseName is the last element of a path of whatever system wrote it.
func baseName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }
