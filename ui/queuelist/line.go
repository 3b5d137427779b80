package queuelist

import (
	"fmt"
	"strings"

	"baton/ui/sanitize"

	"github.com/charmbracelet/lipgloss"
)

// headerLine is `queue 2/16 · held: paused · space plays`. Hints go first when
// there is no room, the last of them first; then the word queue; then the reason is cut.
func (m *Model) headerLine(width int) string {
	h := m.header
	count := fmt.Sprintf("%d/%d", h.Count, h.Cap)
	if h.Full {
		count += " full"
	}
	title := "queue " + count
	if h.Hold != "" && sanitize.Width(title+" · "+h.Hold) > width {
		title = count
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
	if h.Ruled && l.left > 1 {
		l.add(" "+strings.Repeat("─", l.left-1), m.theme.Dim)
	}
	return l.String()
}

// leastText is the room, in cells, that a long word leaves to a row's text.
const leastText = 12

// rowLine is `› 1 next  the text… ⏎ +3 lines [notes.png]`. A word that is wider than the
// others' column is shown whole as far as the text keeps some room. An open row leaves its
// text to the editor below it.
func (m *Model) rowLine(i, words, width int, focused, open bool) string {
	r := m.rows[i]
	if open {
		r.label, r.more = "", 0
	}
	mark := "  "
	if i == m.sel {
		mark = "› "
	}
	number := fmt.Sprintf("%*d ", m.numberWidth(), i+1)
	word := ""
	if words > 0 {
		word = m.word(i)
		if w := sanitize.Width(word); w > words {
			words = max(words, min(w, width-len(number)-2-2-leastText))
		}
		word = pad(word, words) + " "
	}
	if width >= 40 && words > 0 {
		word += " "
	}
	suffix := r.suffix(width - len(number) - 2 - sanitize.Width(word))
	text := sanitize.Truncate(r.label, width-2-len(number)-sanitize.Width(word)-sanitize.Width(suffix))
	if i == m.sel && focused {
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
