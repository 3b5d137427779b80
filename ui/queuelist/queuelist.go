// Package queuelist draws the prompts that wait their turn and owns which of
// them is selected.
// It must not decide what a row's state is or change the queue; rows, words
// and numbers are given to it.
package queuelist

import (
	"strings"
	"unicode/utf8"

	"baton/ui/sanitize"
	"baton/ui/theme"
)

// Row is a queued prompt as the session describes it.
type Row struct {
	ID          string // stable while the row lives
	Text        string // raw; made printable here
	Word        string // its state in words: "next", "waiting", "held: you stopped", "editing", …
	Generated   bool   // inserted by the program, not written by a person
	Locked      bool   // being prepared: cannot be edited or removed now
	Attachments []string
}

// Header is what the line above the rows says.
type Header struct {
	Count, Cap int
	Full       bool     // a text was just refused because the queue is full
	Hold       string   // why nothing starts, as the rows word it ("held: paused"); "" when open
	Hints      []string // "enter plays", "tab to edit"; dropped from the end where there is no room
	Ruled      bool     // a rule behind it parts it from what is above
	Above      bool     // the keys go to what is above: the rule is thick, as a bar is
}

// EditorView is the row editor, drawn by the composer in EditorWidth cells.
type EditorView struct {
	ID    string   // the row it edits
	Lines []string // styled, one per screen line
	X, Y  int      // the caret, in cells and lines from the top left of Lines
}

// Frame is a drawn queue. Caret tells whether X, Y (from the top left of
// Lines) is where the row editor's caret stands.
type Frame struct {
	Lines []string
	X, Y  int
	Caret bool
}

// Model is the list. The zero value is unusable; see New.
type Model struct {
	theme  theme.Theme
	header Header
	rows   []row
	sel    int // index into rows; 0 when there are none
}

// row is a Row with what is drawn of it, worked out once per text.
type row struct {
	Row
	label string // first line that is not blank, printable
	more  int    // lines beside that one
	files string // the attachments in a word; the label too when there is no text
}

// New makes an empty list.
func New(th theme.Theme) Model { return Model{theme: th} }

// SetTheme changes the styles.
func (m *Model) SetTheme(th theme.Theme) { m.theme = th }

// SetHeader replaces what the header line says.
func (m *Model) SetHeader(h Header) {
	h.Hold = sanitize.Line(h.Hold)
	m.header = h
}

// SetRows replaces the rows. The selection stays with its row; when that row
// is gone, it goes to the nearest of the rows that were around it (the one
// below first), so that removing row by row walks down the list.
func (m *Model) SetRows(rows []Row) {
	old, sel := m.rows, m.sel
	m.rows = make([]row, len(rows))
	at := make(map[string]int, len(rows))
	known := make(map[string]row, len(old))
	for _, r := range old {
		known[r.ID] = r
	}
	for i, r := range rows {
		m.rows[i] = describe(r, known[r.ID])
		at[r.ID] = i
	}
	m.sel = 0
	for d := 0; d < len(old); d++ {
		for _, i := range []int{sel + d, sel - d} {
			if i < 0 || i >= len(old) {
				continue
			}
			if to, ok := at[old[i].ID]; ok {
				m.sel = to
				return
			}
		}
	}
}

// maxLabel is how much of a text is looked at for its label, in bytes; it is
// far more than a line of the widest screen shows.
const maxLabel = 16 << 10

// describe works out what is drawn of r, from was where that is the same row
// with the same text.
func describe(r Row, was row) row {
	d := row{Row: r, label: was.label, more: was.more, files: files(r.Attachments)}
	d.Word = sanitize.Line(r.Word)
	if was.ID == r.ID && was.Text == r.Text && was.label != "" {
		return d
	}
	text := strings.TrimSpace(r.Text)
	first, _, _ := strings.Cut(text, "\n")
	for cut := maxLabel; len(first) > maxLabel; cut-- {
		if utf8.RuneStart(first[cut]) {
			first = first[:cut]
		}
	}
	d.label, d.more = sanitize.Line(first), strings.Count(text, "\n")
	if d.label == "" && d.files != "" {
		d.label = "[" + d.files + "]"
	}
	return d
}

// Selected tells which row is selected; "", -1 when there are none.
func (m *Model) Selected() (id string, index int) {
	if len(m.rows) == 0 {
		return "", -1
	}
	return m.rows[m.sel].ID, m.sel
}

// Select selects the row id and tells whether there is one.
func (m *Model) Select(id string) bool {
	for i, r := range m.rows {
		if r.ID == id {
			m.sel = i
			return true
		}
	}
	return false
}

// MoveSelection goes by rows downwards (upwards when negative) and stops at
// either end.
func (m *Model) MoveSelection(by int) {
	m.sel = max(0, min(m.sel+by, len(m.rows)-1))
}
