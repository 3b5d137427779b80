//go:build unix

package crashtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// world is where every text of a session must be, by what the screen has acknowledged. It is a value: an act makes
// another one.
type world struct {
	rows []string        // the texts that wait, in order
	sent map[string]bool // the texts that became a turn's user row
	gone map[string]bool // the texts that were removed, replaced or never sent
	undo *undo           // nil: nothing that is known
	held bool            // the rows were there when the session was taken up, and nothing let them go since
	open *writing        // what is being written into the editor of a row, nil if none is open
}

// writing is an edit that is under way: its text is put before the old one, a key at a time.
type writing struct{ old, text string }

// may reports whether a text is the edit at some moment of it.
func (e writing) may(text string) bool {
	front, ok := strings.CutSuffix(text, e.old)
	return ok && strings.HasPrefix(e.text, front)
}

// undo is what can be undone: entries of the queue with their places, or an edit of a row.
type undo struct {
	rows  []string
	at    []int
	draft string
	of    string // the row that the draft is an edit of, "" if it is not there any more
}

func (u undo) texts() []string {
	all := texts(u.rows)
	if u.draft != "" {
		all = append(all, u.draft)
	}
	return all
}

func (w world) clone() world {
	w.rows, w.sent, w.gone = slices.Clone(w.rows), maps.Clone(w.sent), maps.Clone(w.gone)
	return w
}

func newWorld() world { return world{sent: map[string]bool{}, gone: map[string]bool{}} }

// asSent is the world in which a text, which may have waited, is a user row.
func (w world) asSent(text string) world {
	w = w.clone()
	if i := slices.Index(w.rows, text); i >= 0 {
		w.rows = slices.Delete(w.rows, i, i+1)
	}
	delete(w.gone, text)
	w.sent[text] = true
	return w
}

// asQueued is the world in which a new text waits.
func (w world) asQueued(text string) world {
	w = w.clone()
	delete(w.gone, text)
	w.rows = append(w.rows, text)
	return w
}

// other marks an entry of the queue that is no text of a person: a generated row or a command.
const other = "\x00"

func texts(entries []string) []string {
	return slices.DeleteFunc(slices.Clone(entries), func(e string) bool { return strings.HasPrefix(e, other) })
}

// asRemoved is the world without some of the queue's entries, which can be undone. A generated row cannot.
func (w world) asRemoved(queue []string, which ...string) world {
	w = w.clone()
	u := &undo{}
	for i, e := range queue {
		if !slices.Contains(which, e) || e == generated {
			continue
		}
		u.rows, u.at = append(u.rows, e), append(u.at, i)
		if !strings.HasPrefix(e, other) {
			w.gone[e] = true
		}
	}
	if len(u.rows) > 0 {
		w.undo = u
	}
	rest := slices.DeleteFunc(slices.Clone(queue), func(e string) bool { return slices.Contains(which, e) })
	w.rows = texts(rest)
	if len(rest) == 0 {
		w.held = false
	}
	return w
}

// asUndone is the world in which the removed rows are back in the queue, each at the place where it stood.
func (w world) asUndone(queue []string) world {
	u := w.undo
	w = w.clone()
	w.undo = nil
	queue = slices.Clone(queue)
	for i, e := range u.rows {
		delete(w.gone, e)
		queue = slices.Insert(queue, min(u.at[i], len(queue)), e)
	}
	w.rows = texts(queue)
	return w
}

// asEdited is the world in which a row has a new text.
func (w world) asEdited(old, text string) world {
	w = w.clone()
	w.open = nil
	w.rows[slices.Index(w.rows, old)] = text
	w.gone[old] = true
	delete(w.gone, text)
	if u := w.undo; u != nil && u.of == old {
		w.undo = &undo{draft: u.draft, of: text}
	}
	return w
}

// asDiscarded is the world in which an edit of a row can be undone.
func (w world) asDiscarded(row, draft string) world {
	w = w.clone()
	w.undo, w.open = &undo{draft: draft, of: row}, nil
	w.gone[draft] = true
	return w
}

// inNewSession is the world after /new: what can be undone stays in the session that was left.
func (w world) inNewSession(held bool) world {
	w = w.clone()
	w.undo, w.held = nil, held && len(w.rows) > 0
	return w
}

// asOrdered is the world in which the rows have another order.
func (w world) asOrdered(queue []string) world {
	w = w.clone()
	w.rows = texts(queue)
	return w
}

// differs says how what is on disk is not this world, "" if it is. Rows that are not there any more must have become
// turns; nothing else may be missing, be twice, or be there though nobody sent it.
func (w world) differs(a actual) string {
	var rest []string
	for _, text := range w.rows {
		if a.turns[text] == 0 {
			rest = append(rest, text)
		}
	}
	if !slices.Equal(rest, a.rows) {
		return fmt.Sprintf("rows %s, want %s", brief(a.rows), brief(rest))
	}
	for text := range w.sent {
		if a.turns[text] == 0 {
			return fmt.Sprintf("%s was sent, and there is no such turn", brief([]string{text}))
		}
	}
	for text, n := range a.turns {
		if n > 1 {
			return fmt.Sprintf("%s has %d user rows", brief([]string{text}), n)
		}
		if !w.sent[text] && !slices.Contains(w.rows, text) {
			return fmt.Sprintf("nobody sent %s", brief([]string{text}))
		}
	}
	if w.open != nil && len(a.undo) == 1 && w.open.may(a.undo[0]) {
		return "" // the program ended while it was open: what was kept of it can be undone
	}
	if w.undo != nil && !slices.Equal(w.undo.texts(), a.undo) {
		return fmt.Sprintf("undo holds %s, want %s", brief(a.undo), brief(w.undo.texts()))
	}
	for _, text := range a.undo {
		if !w.gone[text] {
			return fmt.Sprintf("undo holds %s, which nobody took away", brief([]string{text}))
		}
	}
	return ""
}

// brief are texts as people can tell them apart.
func brief(texts []string) string {
	var short []string
	for _, t := range texts {
		first, rest, more := strings.Cut(t, "\n")
		if len(first) > 40 {
			first = first[:40] + "…"
		}
		if more {
			first += fmt.Sprintf("⏎%d", 1+strings.Count(rest, "\n"))
		}
		short = append(short, first)
	}
	return fmt.Sprintf("%q", short)
}
