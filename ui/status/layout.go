package status

import (
	"strings"

	"baton/ui/sanitize"
	"baton/ui/theme"

	"github.com/charmbracelet/lipgloss"
)

const (
	dot = " · "
	gap = 2 // least cells between left and right
)

// shorten makes the part excess cells narrower, if it can, or at least narrower.
func (p part) shorten(excess int) (part, bool) {
	if p.short != "" {
		p.text, p.short = p.short, ""
		if p.state {
			p.rank = rankState
		}
		return p, true
	}
	if n := sanitize.Width(p.text) - excess; p.least > 0 && n >= p.least {
		p.text = sanitize.Truncate(p.text, n)
		return p, true
	}
	return p, false
}

// side picks the parts of one side.
func side(parts []part, right bool) []part {
	var list []part
	for _, p := range parts {
		if p.right == right {
			list = append(list, p)
		}
	}
	return list
}

// separator stands before part i of one side.
func separator(parts []part, i int) string {
	switch {
	case i == 0:
		return ""
	case parts[i].rank == rankElapsed && parts[i-1].state, parts[i-1].state && sanitize.Width(parts[i-1].text) == 1:
		return " "
	}
	return dot
}

// cells is the width of the parts of one side.
func cells(parts []part) int {
	n := 0
	for i, p := range parts {
		n += sanitize.Width(separator(parts, i)) + sanitize.Width(p.text)
	}
	return n
}

// length is the least width of the whole line.
func length(parts []part) int {
	left, right := cells(side(parts, false)), cells(side(parts, true))
	if right > 0 {
		right += gap
	}
	return left + right
}

// join draws the parts of one side.
func join(th theme.Theme, parts []part) string {
	var b strings.Builder
	for i, p := range parts {
		if s := separator(parts, i); s != "" {
			b.WriteString(th.Dim.Render(s))
		}
		b.WriteString(p.style.Render(p.text))
	}
	return b.String()
}

// tight draws a line with no room for more than the state and how to stop.
func tight(parts []part, width int) string {
	state := parts[0]
	mark, _ := sanitize.Cluster(state.text)
	if last := parts[len(parts)-1]; last.rank == rankStop {
		if short := mark + " " + last.text; sanitize.Width(short) <= width {
			return state.style.Render(mark) + " " + last.style.Render(last.text)
		}
		return last.style.Render(sanitize.Truncate(last.text, width))
	}
	return state.style.Render(sanitize.Truncate(state.text, width))
}

// wrapped lays text out beside a mark, in at most width x height cells; what is beyond is
// cut off.
func wrapped(style lipgloss.Style, mark, text string, width, height int) []string {
	if text = sanitize.Line(text); text == "" || width < 1 || height < 1 {
		return nil
	}
	indent := sanitize.Width(mark) + 1
	if width < 4*indent || height == 1 {
		return []string{style.Render(sanitize.Truncate(mark+" "+text, width))}
	}
	lines := sanitize.Wrap(text, width-indent, height)
	for i, l := range lines {
		before := strings.Repeat(" ", indent)
		if i == 0 {
			before = mark + " "
		}
		lines[i] = style.Render(before + l)
	}
	return lines
}
