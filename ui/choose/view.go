package choose

import (
	"fmt"
	"strings"

	"baton/ui/sanitize"

	"github.com/charmbracelet/lipgloss"
)

// From which size on the parts of the list are drawn.
const (
	headingFrom = 4  // lines
	footerFrom  = 6  // lines, where the details have no column
	hintsFrom   = 8  // lines
	columnFrom  = 56 // cells
	moreFrom    = 3  // lines of items
)

// View draws the list into at most width x height cells: a heading, what is typed, items, the selected one always among
// them, and in the last line the hints. One line shows what is typed alone.
func (m *Model) View(width, height int) []string {
	if width < 1 || height < 1 {
		return nil
	}
	hints := m.hintLine(width)
	if height < hintsFrom || hints == "" {
		return m.body(width, height)
	}
	out := m.body(width, height-1)
	for len(out) < height-1 {
		out = append(out, "")
	}
	return append(out, m.theme.Dim.Render(hints))
}

// hintLine is as many of the hints as have room.
func (m *Model) hintLine(width int) (line string) {
	for i, h := range m.hints {
		if i > 0 {
			h = " · " + h
		}
		if sanitize.Width(line+h) > width {
			break
		}
		line += h
	}
	return line
}

// body is all but the hints.
func (m *Model) body(width, height int) []string {
	var out []string
	if height >= headingFrom {
		out = append(out, m.theme.Dim.Render(sanitize.Truncate(m.headline(), width)))
	}
	out = append(out, m.typedLine(width))
	room := height - len(out)
	footer := m.footer(width)
	if height >= footerFrom && footer != "" {
		room--
	} else {
		footer = ""
	}
	out = append(out, m.list(width, room)...)
	if footer != "" {
		out = append(out, m.theme.Dim.Render(footer))
	}
	return out
}

// Caret says where in a View of that size the caret stands.
func (m *Model) Caret(width, height int) (x, y int) {
	if height >= headingFrom {
		y = 1
	}
	return max(0, min(sanitize.Width(indent+m.typedTail(width)), width-1)), y
}

// indent stands before what is typed as before an item, and is no sign: a slash there read as a key to press, and was typed.
const indent = "  "

func (m *Model) headline() string {
	text := m.heading
	if m.typed != "" {
		text += fmt.Sprintf(" · %d of %d", len(m.shown), len(m.items))
	}
	if m.looking {
		text += " · looking"
	}
	return text
}

func (m *Model) typedLine(width int) string {
	if width <= len(indent) {
		return strings.Repeat(" ", width)
	}
	if m.typed == "" {
		return indent + m.theme.Placeholder.Render(sanitize.Truncate("type to narrow down", width-len(indent)))
	}
	return indent + m.theme.Text.Render(m.typedTail(width))
}

// typedTail is as much of the end of what is typed as leaves a cell for the caret.
func (m *Model) typedTail(width int) string {
	text := sanitize.Text(strings.ReplaceAll(m.typed, "\t", " "))
	for text != "" && sanitize.Width(text) > width-len(indent)-1 {
		cluster, _ := sanitize.Cluster(text)
		text = text[len(cluster):]
	}
	return text
}

// footer is what there is to say of the selected item where its line has no room for it.
func (m *Model) footer(width int) string {
	it, ok := m.Selected()
	if !ok || width >= columnFrom {
		return ""
	}
	return sanitize.Truncate(sanitize.Line(it.Detail), width)
}

// list draws the items around the selected one.
func (m *Model) list(width, height int) []string {
	if height < 1 {
		return nil
	}
	if len(m.shown) == 0 {
		text := "  nothing fits"
		if m.looking {
			text = "  looking"
		}
		return []string{m.theme.Dim.Render(sanitize.Truncate(text, width))}
	}
	n := min(height, len(m.shown))
	rest := len(m.shown) > height && height >= moreFrom
	if rest {
		n--
	}
	from := max(0, min(m.sel-n/2, len(m.shown)-n))
	column := m.column(width, from, from+n)
	var out []string
	for i := from; i < from+n; i++ {
		out = append(out, m.line(i, width, column))
	}
	if rest {
		out = append(out, m.theme.Dim.Render(sanitize.Truncate(fmt.Sprintf("  +%d more", len(m.shown)-n), width)))
	}
	return out
}

// column is how wide the details are.
func (m *Model) column(width, from, to int) int {
	if width < columnFrom {
		return 0
	}
	widest := 0
	for _, e := range m.shown[from:to] {
		widest = max(widest, sanitize.Width(sanitize.Line(m.items[e.item].Detail)))
	}
	return min(widest, width/2)
}

// line draws `› title · …where it was found…   detail`.
func (m *Model) line(i, width, column int) string {
	e := m.shown[i]
	detail := sanitize.Truncate(sanitize.Line(m.items[e.item].Detail), column)
	room := width - len(indent)
	if column > 0 {
		room -= column + 2
	}
	if room < 1 {
		return strings.Repeat(" ", min(width, len(indent)))
	}
	title := sanitize.TruncateWords(e.title, room)
	excerpt := ""
	if e.excerpt != "" {
		title = sanitize.TruncateWords(e.title, max(room/3, min(room, 12)))
		excerpt = m.around(e.excerpt, room-sanitize.Width(title)-len(" - "))
	}
	gap := strings.Repeat(" ", room-sanitize.Width(title)-sanitize.Width(excerpt))
	if column > 0 {
		gap += "  "
		detail += strings.Repeat(" ", column-sanitize.Width(detail))
	}
	if i == m.sel {
		return m.theme.Selected.Render("› " + title + excerpt + gap + detail)
	}
	return "  " + m.marked(title, m.theme.Text) + m.marked(excerpt, m.theme.Dim) + gap + m.theme.Dim.Render(detail)
}

// around is as much of an excerpt as fits, whole words, with a dot before it. What is
// typed stays in it.
func (m *Model) around(excerpt string, room int) string {
	if room < 3 {
		return ""
	}
	at, _ := m.hit(excerpt)
	for at > 0 && sanitize.Width(excerpt) > room && sanitize.Width(excerpt[:at]) > room/3 {
		_, rest, ok := strings.Cut(strings.TrimPrefix(excerpt, "…"), " ")
		if cut := len(excerpt) - len(rest); !ok || cut > at {
			break
		}
		excerpt = "…" + rest
		at, _ = m.hit(excerpt)
	}
	return " · " + sanitize.TruncateWords(excerpt, room)
}

// hit is the first place in a printable text that is a word of what is typed; -1 if there
// is none.
func (m *Model) hit(text string) (at, end int) {
	words := strings.Fields(m.typed)
	for pos := 0; pos < len(text); {
		for _, w := range words {
			if end := pos + len(w); end <= len(text) && strings.EqualFold(text[pos:end], w) {
				return pos, end
			}
		}
		cluster, _ := sanitize.Cluster(text[pos:])
		pos += len(cluster)
	}
	return -1, 0
}

// marked draws a text and shows where it has what is typed.
func (m *Model) marked(text string, style lipgloss.Style) string {
	var b strings.Builder
	for text != "" {
		at, end := m.hit(text)
		if at < 0 {
			break
		}
		if at > 0 {
			b.WriteString(style.Render(text[:at]))
		}
		b.WriteString(m.theme.Match.Render(text[at:end]))
		text = text[end:]
	}
	if text != "" {
		b.WriteString(style.Render(text))
	}
	return b.String()
}
