package queuelist

import (
	"fmt"
	"strings"

	"baton/ui/sanitize"

	"github.com/charmbracelet/lipgloss"
)

// headerLine is `queue 2/16 · held: paused · space plays`. Hints go first when
// there is no room, the last of them first; then the word queue; then the reason, which
// where has lines below leaves no more than its first word here, and else is cut.
func (m *Model) headerLine(width int, below bool) string {
	h := m.header
	if below {
		h.Hold, _ = parted(h.Hold)
	}
	title := m.count()
	if h.Hold == "" || sanitize.Width("queue "+title+" · "+h.Hold) <= width {
		title = "queue " + title
	}
	l := line{left: width}
	l.add(title, m.theme.QueueHead)
	if h.Hold != "" {
		l.add(" · ", m.theme.Dim)
		l.add(h.Hold, m.theme.Held)
	}
	for _, hint := range h.Hints {
		hint = " · " + sanitize.Line(hint)
		if sanitize.Width(hint) > l.left {
			break
		}
		l.add(hint, m.theme.Dim)
	}
	switch {
	case h.Ruled && h.Above && l.left > 1:
		l.add(" "+strings.Repeat("━", l.left-1), m.theme.Prompt)
	case h.Ruled && l.left > 1:
		l.add(" "+strings.Repeat("─", l.left-1), m.theme.Dim)
	}
	return l.String()
}

// count is `2/16`, and whether that is all the room there is.
func (m *Model) count() string {
	count := fmt.Sprintf("%d/%d", m.header.Count, m.header.Cap)
	if m.header.Full {
		count += " full"
	}
	return count
}

// leastText is the room, in cells, that a long word leaves to a row's text.
const leastText = 12

// look is how the rows of a View are drawn: the column of words and the whole line, in
// cells, and whether the keys go to the selected row.
type look struct {
	words, width int
	focused      bool
}

// rowLine is `› 1 next  the text… ⏎ +3 lines [notes.png]`. A word that is wider than the
// others' column is shown whole as far as the text keeps some room. An open row leaves its
// text to the editor below it.
func (m *Model) rowLine(i int, word string, to look, open bool) string {
	r, width := m.rows[i], to.width
	if open {
		r.label, r.more = "", 0
	}
	mark := "  "
	if i == m.sel {
		mark = "› "
	}
	number := fmt.Sprintf("%*d ", m.numberWidth(), i+1)
	if to.words == 0 {
		word = ""
	} else if word = pad(word, max(to.words, min(sanitize.Width(word), m.longWord(width)))) + " "; width >= 40 {
		word += " "
	}
	suffix := r.suffix(width - len(number) - 2 - sanitize.Width(word))
	text := sanitize.Truncate(r.label, width-2-len(number)-sanitize.Width(word)-sanitize.Width(suffix))
	if i == m.sel && to.focused {
		return m.theme.Selected.Render(pad(mark+number+word+text+suffix, width))
	}
	l := line{left: width}
	l.add(mark+number, m.theme.Bold)
	l.add(word, m.wordStyle(i))
	style := m.theme.Text
	if r.Generated || r.Locked {
		style = m.theme.Dim
	}
	l.add(text, style)
	l.add(suffix, m.theme.Dim)
	return l.String()
}

// longWord is how many cells a word may take beyond its column, for the text to keep some
// room.
func (m *Model) longWord(width int) int { return width - m.numberWidth() - 1 - 2 - 2 - leastText }

func (m *Model) wordStyle(i int) lipgloss.Style {
	if strings.HasPrefix(m.rows[i].Word, "held") {
		return m.theme.Held
	}
	return m.theme.Notice
}

// suffix tells what of the row its first line does not show, in the longest
// form that leaves the text at least half of room.
func (r row) suffix(room int) string {
	lines, short := "", ""
	switch {
	case r.more == 1:
		lines, short = " ⏎ +1 line", " ⏎+1"
	case r.more > 1:
		lines, short = fmt.Sprintf(" ⏎ +%d lines", r.more), fmt.Sprintf(" ⏎+%d", r.more)
	}
	name, count := "", ""
	if n := len(r.Attachments); n > 0 && strings.TrimSpace(r.Text) != "" {
		name, count = " ["+r.files+"]", fmt.Sprintf(" [%d]", n)
	}
	for _, s := range []string{lines + name, lines + count, short + count} {
		if 2*sanitize.Width(s) <= room {
			return s
		}
	}
	return ""
}

// files words a row's attachments: the name of one, the number of several.
func files(names []string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return sanitize.Truncate(sanitize.Line(names[0]), 30)
	}
	return fmt.Sprintf("%d files", len(names))
}

// line collects styled pieces until the cells are used up.
type line struct {
	b    strings.Builder
	left int
}

func (l *line) add(text string, style lipgloss.Style) {
	text = sanitize.Truncate(text, l.left)
	if text == "" {
		return
	}
	l.left -= sanitize.Width(text)
	l.b.WriteString(style.Render(text))
}

func (l *line) String() string { return l.b.String() }

// pad makes text exactly width cells wide.
func pad(text string, width int) string {
	text = sanitize.Truncate(text, width)
	return text + strings.Repeat(" ", max(0, width-sanitize.Width(text)))
}
