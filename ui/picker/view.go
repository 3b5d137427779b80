package picker

import (
	"fmt"
	"math"
	"strings"

	"baton/ui/sanitize"
)

// leastHint is the room, in cells, below which hints do not stand beside the names: then
// that of the selected item stands below its name.
const leastHint = 24

// View draws the list into at most width x height cells, the selected item
// always among the lines, its hint on as many lines as it needs and half of the height
// allows. The last line counts the rest when there are more and height is 3 or more.
func (m *Model) View(width, height int) []string {
	if width < 1 || height < 1 {
		return nil
	}
	if len(m.found) == 0 {
		return []string{m.theme.Dim.Render(sanitize.Truncate("  nothing fits", width))}
	}
	column, beside := m.columns(width)
	selected := m.selected(column, width, max(1, (height+1)/2), beside)
	room := height - len(selected) + 1
	n := min(room, len(m.found))
	rest := len(m.found) > room && height >= 3
	if rest {
		n = max(n-1, 1)
	}
	from := max(0, min(m.sel+min(1, n-1)-n+1, len(m.found)-n))
	var lines []string
	for i := from; i < from+n; i++ {
		if i == m.sel {
			lines = append(lines, selected...)
		} else {
			lines = append(lines, m.line(i, column, width, beside))
		}
	}
	if rest && len(lines) < height {
		lines = append(lines, m.theme.Dim.Render(sanitize.Truncate(fmt.Sprintf("  +%d more", len(m.found)-n), width)))
	}
	return lines
}

// columns is the width of the names with their arguments, the same wherever the list is
// scrolled to, and whether the hints stand beside them.
func (m *Model) columns(width int) (column int, beside bool) {
	hint := 0
	for _, f := range m.found {
		column = max(column, sanitize.Width(m.names[f.item])+sanitize.Width(m.args[f.item]))
		hint = max(hint, sanitize.Width(m.hints[f.item]))
	}
	if column+4+hint <= width || column+4+leastHint <= width {
		return column, true
	}
	if roomy := width - 4 - leastHint; roomy >= width/2 {
		return roomy, true
	}
	return min(column, width-2), false
}

// line draws `  /retry [now|info]  run the last turn again`.
func (m *Model) line(i, column, width int, beside bool) string {
	if width <= 2 {
		return strings.Repeat(" ", width)
	}
	f := m.found[i]
	name := sanitize.Truncate(m.names[f.item], min(column, width-2))
	args := sanitize.Truncate(m.args[f.item], min(column, width-2)-sanitize.Width(name))
	line := "  " + m.mark(name, f.at)
	if args != "" {
		line += m.theme.Dim.Render(args)
	}
	hint := m.hints[f.item]
	if hint == "" || !beside {
		return line
	}
	gap := strings.Repeat(" ", column+2-sanitize.Width(name)-sanitize.Width(args))
	return line + gap + m.theme.Dim.Render(sanitize.TruncateWords(hint, width-4-column))
}

// selected draws the item that would be taken, in at most height lines.
func (m *Model) selected(column, width, height int, beside bool) []string {
	f := m.found[m.sel]
	name := sanitize.Truncate(m.names[f.item]+m.args[f.item], max(0, min(column, width-2)))
	hint, indent := m.hints[f.item], 4
	lines := []string{"› " + name}
	if beside {
		indent = column + 4
	}
	if wrapped := sanitize.Wrap(hint, width-indent, math.MaxInt); len(wrapped) > 0 {
		if indent != 4 {
			lines[0] += strings.Repeat(" ", column+2-sanitize.Width(name)) + wrapped[0]
			wrapped = wrapped[1:]
		}
		for _, l := range wrapped {
			lines = append(lines, strings.Repeat(" ", indent)+l)
		}
	}
	if len(lines) > height {
		lines = lines[:height]
		lines[height-1] += "…"
	}
	for i, l := range lines {
		l = sanitize.Truncate(l, width)
		lines[i] = m.theme.Selected.Render(l + strings.Repeat(" ", width-sanitize.Width(l)))
	}
	return lines
}

// mark shows which characters of name the text matched. A mark covers whole
// grapheme clusters.
func (m *Model) mark(name string, at []int) string {
	var b strings.Builder
	start, marked := 0, false
	flush := func(end int) {
		style := m.theme.Text
		if marked {
			style = m.theme.Match
		}
		if start < end {
			b.WriteString(style.Render(name[start:end]))
		}
		start = end
	}
	for pos := 0; pos < len(name); {
		cluster, _ := sanitize.Cluster(name[pos:])
		end, hit := pos+len(cluster), false
		for len(at) > 0 && at[0] < end {
			at, hit = at[1:], true
		}
		if hit != marked {
			flush(pos)
			marked = hit
		}
		pos = end
	}
	flush(len(name))
	return b.String()
}
