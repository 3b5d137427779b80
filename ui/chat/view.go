package chat

import (
	"baton/ui/markdown"
	"baton/ui/sanitize"
)

const newsText = "↓ new messages below"

// View draws what is in view: height lines of at most width cells, none if either
// is below 1. The movements (ScrollUp and the like) go by the size drawn last.
func (m *Model) View(width, height int) []string {
	if width < 1 || height < 1 {
		return nil
	}
	m.width, m.height = width, height
	out := make([]string, 0, height)
	if len(m.items) == 0 {
		out = m.drawWelcome(out)
	} else {
		out = m.draw(out, m.settle())
		m.sweep()
	}
	for len(out) < height {
		out = append(out, "")
	}
	if m.marked() {
		style := m.theme.Notice
		out[height-1] = markdown.Wrap(sanitize.Truncate(newsText, width), width, style)[0]
	}
	return out
}

// draw adds lines from p on, until the view is full.
func (m *Model) draw(out []string, p place) []string {
	room := m.room()
	for p = m.at(p); p.item < len(m.items) && len(out) < room; p = m.at(p) {
		prefix, lines := m.lines(p.item, p.part)
		for _, l := range lines[p.line:min(len(lines), p.line+room-len(out))] {
			if m.find.text != "" {
				l = highlight(l, m.find.text, m.theme.Match)
			}
			out = append(out, prefix+l)
		}
		p = place{p.item, p.part + 1, 0}
	}
	return out
}

func (m *Model) drawWelcome(out []string) []string {
	for i := 0; i < m.welcome.Len() && len(out) < m.height; i++ {
		lines := m.welcome.Lines(i, m.width)
		out = append(out, lines[:min(len(lines), m.height-len(out))]...)
	}
	return out
}
