package composer

import (
	"slices"
	"strings"
)

const (
	// HistoryEntries and HistoryBytes bound the prompt history; the oldest
	// entries go first, the newest always stays.
	HistoryEntries = 1000
	HistoryBytes   = 4 << 20
)

// Draft is a text put aside with its chips and its caret.
type Draft struct {
	lines []*line
	caret pos
}

// Save returns a copy of the text as it is now.
func (e *Editor) Save() Draft {
	e.ready()
	return Draft{lines: e.copyOf(pos{}, e.end()), caret: e.caret}
}

// Load replaces everything by a saved text, as one step that can be undone. The
// zero Draft is an empty text.
func (e *Editor) Load(d Draft) {
	e.ready()
	if len(d.lines) == 0 {
		e.Clear()
		return
	}
	e.replaceAll(clone(d.lines))
	e.caret = d.caret
}

// History holds earlier prompts, oldest first, and walks an editor through them.
// What was in the editor when the walk began, and every change made to a recalled
// prompt, is kept until the next Add. The zero value is ready.
type History struct {
	entries []string
	bytes   int
	at      int // entry in the editor; len(entries) is the person's own text
	edits   map[int]Draft
}

// NewHistory returns a history of entries, oldest first, as far as they fit.
func NewHistory(entries []string) *History {
	h := &History{}
	for _, text := range entries {
		h.Add(text)
	}
	return h
}

// Add appends a prompt and ends the walk. Blank text is not kept; a prompt that is there
// already moves to the end.
func (h *History) Add(text string) {
	if strings.TrimSpace(text) != "" {
		if i := slices.Index(h.entries, text); i >= 0 {
			h.entries = slices.Delete(h.entries, i, i+1)
			h.bytes -= len(text)
		}
		h.entries = append(h.entries, text)
		h.bytes += len(text)
	}
	h.bound()
	h.Rewind()
}

// bound lets the oldest go, and returns how many went.
func (h *History) bound() (gone int) {
	for len(h.entries) > HistoryEntries || h.bytes > HistoryBytes && len(h.entries) > 1 {
		h.bytes -= len(h.entries[0])
		h.entries[0] = ""
		h.entries = h.entries[1:]
		gone++
	}
	return gone
}

// Precede puts older prompts, oldest first, before all that are there, as far as they fit
// and are not among them. A walk goes on where it is.
func (h *History) Precede(older []string) {
	seen := map[string]bool{}
	for _, text := range h.entries {
		seen[text] = true
	}
	var fresh []string
	for _, text := range slices.Backward(older) {
		if strings.TrimSpace(text) != "" && !seen[text] {
			seen[text] = true
			fresh = append(fresh, text)
			h.bytes += len(text)
		}
	}
	slices.Reverse(fresh)
	h.entries = append(fresh, h.entries...)
	by := len(fresh) - h.bound()
	h.at = max(h.at+by, 0)
	edits := map[int]Draft{}
	for at, d := range h.edits {
		edits[at+by] = d
	}
	h.edits = edits
}

// Rewind ends the walk: the next Prev recalls the newest prompt.
func (h *History) Rewind() { h.at, h.edits = len(h.entries), nil }

// Entries returns the prompts, oldest first.
func (h *History) Entries() []string { return append([]string(nil), h.entries...) }

// Prev puts the prompt before the present one into the editor. It returns false
// at the oldest.
func (h *History) Prev(e *Editor) bool { return h.walk(e, -1) }

// Next puts the prompt after the present one into the editor, at last the text
// that was there before the walk. It returns false at that.
func (h *History) Next(e *Editor) bool { return h.walk(e, +1) }

func (h *History) walk(e *Editor, by int) bool {
	to := h.at + by
	if to < 0 || to > len(h.entries) {
		return false
	}
	if h.at == len(h.entries) || e.Value() != h.entries[h.at] {
		if h.edits == nil {
			h.edits = map[int]Draft{}
		}
		h.edits[h.at] = e.Save()
	}
	h.at = to
	if d, ok := h.edits[to]; ok {
		e.Load(d)
	} else {
		e.SetValue(h.entries[to])
	}
	return true
}
