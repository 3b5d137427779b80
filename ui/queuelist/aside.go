package queuelist

import (
	"math"
	"strings"

	"baton/ui/sanitize"

	"github.com/charmbracelet/lipgloss"
)

// asides are the reasons that have no room in their own lines, on lines of their own: below
// the header what holds the queue, and below the selected row what its word says of it.
type asides struct{ queue, row []string }

// Aside is how many lines beside those of Height the reasons need that the header, and where
// the keys go to the list the selected row, would cut.
func (m *Model) Aside(width int, focused bool, editor *EditorView) int {
	said := m.asides(width, math.MaxInt, focused, m.editorRow(editor))
	return len(said.queue) + len(said.row)
}

// asideIndent stands before a reason on a line of its own.
const asideIndent = "  "

// asides lays the reasons out in so many lines at most. The row that is selected comes
// first: who goes there asks about it.
func (m *Model) asides(width, lines int, focused bool, open int) (said asides) {
	if focused && open < 0 && len(m.rows) > 0 {
		if word := m.word(m.sel); sanitize.Width(word) > max(mostWords(width), m.longWord(width)) {
			_, why := parted(word)
			said.row = aside(why, width, lines, m.wordStyle(m.sel))
		}
	}
	edits := focused && open >= 0
	if h := m.header; h.Hold != "" && (sanitize.Width(m.count()+" · "+h.Hold) > width || edits && !m.hintsFit(width)) {
		_, why := parted(h.Hold)
		said.queue = aside(why, width, lines-len(said.row), m.theme.Held)
	}
	return said
}

// hintsFit reports whether the header has room for the reason and all hints. In the row editor the hints come first: they
// are the way out of it, and what helps against the reason may be among them.
func (m *Model) hintsFit(width int) bool {
	all := append([]string{"queue " + m.count(), m.header.Hold}, m.header.Hints...)
	return sanitize.Width(sanitize.Line(strings.Join(all, " · "))) <= width
}

func aside(text string, width, lines int, style lipgloss.Style) []string {
	out := sanitize.Wrap(text, width-len(asideIndent), lines)
	for i, l := range out {
		out[i] = asideIndent + style.Render(l)
	}
	return out
}

// parted is the first word of a reason ("held"), and what follows it; a reason without such
// a word is all that follows.
func parted(reason string) (first, why string) {
	if first, why, ok := strings.Cut(reason, ": "); ok {
		return first, why
	}
	return "", reason
}
