package chat

import (
	"strings"

	"baton/ui/markdown"
	"baton/ui/sanitize"
)

// item is a block on the screen. It is drawn in parts: the gap before it, its
// head, the parts of its text, its foot. Only parts in view are laid out.
type item struct {
	Block
	live bool
	laid *laid // nil while it is far from what is in view; never nil while live
}

// laid is what an item has while it is in view, or was not long ago.
type laid struct {
	raw  strings.Builder  // the text of a live block so far
	doc  *markdown.Stream // the text, once it is needed
	used int              // the frame that last asked for it

	head, foot kept
}

// kept holds lines together with all they depend on besides the block, which
// never changes within an item.
type kept struct {
	width  int
	look   string
	folded bool
	lines  []string
}

// same reports whether b is what it shows already.
func (it *item) same(b Block) bool {
	return !it.live && it.ID == b.ID && b.Version != 0 && it.Version == b.Version
}

// stream adds text to a live block.
func (it *item) stream(m *Model, text string) {
	m.use(it).raw.WriteString(text)
	it.text(m).Append(text)
}

// text returns the text, cut into parts.
func (it *item) text(m *Model) *markdown.Stream {
	st, l := m.looks.of(it.Kind), m.use(it)
	if l.doc == nil {
		if it.Kind == Agent || it.Kind == Reasoning {
			l.doc = markdown.New(st)
		} else {
			l.doc = markdown.NewPlain(st)
		}
		if !it.live {
			l.doc.Append(it.body())
			l.doc.End()
		}
	}
	l.doc.Restyle(st)
	return l.doc
}

// The parts of an item, in order; the text is between the head and the foot.
const (
	gapPart = iota
	headPart
	textPart
)

// parts returns how many parts item i has.
func (m *Model) parts(i int) int {
	it := m.items[i]
	n := textPart + 1
	if !m.folded(&it.Block) && it.hasText() {
		n += it.text(m).Len()
	}
	return n
}

// hasText reports whether there is a text to lay out.
func (it *item) hasText() bool { return it.live || it.body() != "" }

// body is the text that is not already in the head.
func (it *item) body() string {
	if it.Title == "" && it.Kind >= Retry {
		return ""
	}
	return it.Text
}

// lines returns the lines of a part of item i and what goes before each of them.
// It is where layout happens, and at most once for the same block, width and look.
func (m *Model) lines(i, part int) (prefix string, lines []string) {
	it := m.items[i]
	last := m.parts(i) - 1
	switch {
	case part == gapPart:
		return "", m.gap(i)
	case part == headPart:
		return "", it.keep(m, &m.use(it).head, it.headLines)
	case part == last:
		return "", it.keep(m, &m.use(it).foot, it.footLines)
	}
	prefix, width := m.looks.margin(it.Kind, m.width)
	return prefix, it.text(m).Lines(part-textPart, width)
}

var blankLine = []string{""}

// gap is the empty line before item i. Folded activities stand close together.
func (m *Model) gap(i int) []string {
	if m.chosen != "" && m.items[i].ID == m.chosen {
		return []string{m.theme.Selected.Render(m.chosenLine())}
	}
	activity := func(it *item) bool {
		return (it.Kind == Reasoning || it.Kind == Tool) && m.folded(&it.Block)
	}
	if i == 0 || activity(m.items[i]) && activity(m.items[i-1]) {
		return nil
	}
	return blankLine
}

// chosenLine says what can be done with the block that is chosen: as many of the things
// as there is room for.
func (m *Model) chosenLine() string {
	line := markChosen
	for i, can := range strings.Split(sanitize.Line(m.hint), hintDot) {
		more := map[bool]string{true: " ", false: hintDot}[i == 0] + can
		if sanitize.Width(line)+sanitize.Width(more) > m.width {
			break
		}
		line += more
	}
	return sanitize.Truncate(line, m.width)
}

// keep lays a head or foot out if it was not yet, for this width and look.
func (it *item) keep(m *Model, k *kept, lay func(m *Model, folded bool) []string) []string {
	folded := m.folded(&it.Block)
	if k.look != m.theme.ID || k.width != m.width || k.folded != folded || k.lines == nil {
		*k = kept{width: m.width, look: m.theme.ID, folded: folded, lines: lay(m, folded)}
	}
	return k.lines
}
