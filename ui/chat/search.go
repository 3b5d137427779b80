package chat

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"

	"baton/ui/sanitize"
)

// search is what is looked for in the transcript. Upper and lower case are the same.
type search struct {
	text  string
	count []int // places in each item, when it was last counted
	total int
	at    int // which of them was gone to last, from 0; -1 for none
}

// Search looks for text in what the blocks say, shows where it stands, and goes to the
// last place at or above the end of the view. An empty text ends the search. What is
// folded is counted, and going there shows its title.
func (m *Model) Search(text string) {
	m.find = search{text: text, at: -1}
	if text == "" {
		return
	}
	m.recount()
	if m.find.total == 0 {
		return
	}
	bottom := m.bottom()
	for i, n := range m.find.count {
		if i <= bottom {
			m.find.at += n
		}
	}
	m.find.at = max(m.find.at, 0)
	m.reveal()
}

// Searched is what is looked for, how many places have it, and which of them was gone to
// last, from 1; 0 for none.
func (m *Model) Searched() (text string, total, at int) {
	return m.find.text, m.find.total, m.find.at + 1
}

// NextMatch goes by places towards the end, backwards when by is negative, and around
// the ends.
func (m *Model) NextMatch(by int) {
	if m.find.text == "" {
		return
	}
	m.recount() // there may be more by now
	if m.find.total == 0 {
		return
	}
	m.find.at = ((m.find.at+by)%m.find.total + m.find.total) % m.find.total
	m.reveal()
}

func (m *Model) recount() {
	m.find.count, m.find.total = make([]int, len(m.items)), 0
	for i, it := range m.items {
		text := it.Text
		if it.live {
			text = it.laid.raw.String()
		}
		n := len(places(text, m.find.text))
		if it.Title != "" && it.Title != it.Text {
			n += len(places(it.Title, m.find.text))
		}
		m.find.count[i] = n
		m.find.total += n
	}
}

// bottom is the last item in view.
func (m *Model) bottom() int {
	if m.follow || m.height == 0 {
		return len(m.items) - 1
	}
	p := m.settle()
	for range m.room() - 1 {
		q := m.down(p)
		if q.item >= len(m.items) {
			break
		}
		p = q
	}
	return p.item
}

// reveal puts the place that was chosen into view, with some lines above it.
func (m *Model) reveal() {
	nth := m.find.at
	for i, n := range m.find.count {
		if nth < n {
			m.show(m.lineOf(i, nth))
			return
		}
		nth -= n
	}
}

// lineOf is the line with an item's nth place, or where the item begins if layout hides it.
func (m *Model) lineOf(i, nth int) place {
	first := m.at(place{item: i})
	for p := first; p.item == i; p = m.down(p) {
		_, lines := m.lines(p.item, p.part)
		nth -= len(places(ansi.Strip(lines[p.line]), m.find.text))
		if nth < 0 {
			return p
		}
	}
	return first
}

// show puts a line into view, unless it is there.
func (m *Model) show(p place) {
	top := m.settle()
	if !p.before(top) {
		q := top
		for range m.room() {
			if q == p {
				return
			}
			q = m.down(q)
		}
	}
	m.top, m.follow = m.climb(p, m.room()/3), false
	m.settle()
}

// places are the byte offsets at which text has what, without overlaps.
func places(text, what string) (at [][2]int) {
	if what == "" {
		return nil
	}
	for i := 0; i < len(text); {
		if n := foldedPrefix(text[i:], what); n > 0 {
			at = append(at, [2]int{i, i + n})
			i += n
			continue
		}
		_, n := utf8.DecodeRuneInString(text[i:])
		i += n
	}
	return at
}

// foldedPrefix is how many bytes of text are what, in either case; 0 if it does not begin so.
func foldedPrefix(text, what string) (n int) {
	for _, w := range what {
		r, size := utf8.DecodeRuneInString(text[n:])
		if size == 0 || unicode.ToLower(r) != unicode.ToLower(w) {
			return 0
		}
		n += size
	}
	return n
}

// highlight sets what is looked for off from the rest of a line, in whole characters as a
// person counts them.
func highlight(line, what string, style lipgloss.Style) string {
	plain := ansi.Strip(line)
	at := places(plain, what)
	if len(at) == 0 {
		return line
	}
	var b strings.Builder
	column, done := 0, 0 // cells before rest, cells written
	from := -1           // where what is set off begins, in bytes
	for i := 0; i < len(plain); {
		cluster, cells := sanitize.Cluster(plain[i:])
		end := i + len(cluster)
		within := len(at) > 0 && at[0][0] < end
		if within && from < 0 {
			from = i
			b.WriteString(ansi.Cut(line, done, column))
		}
		column += cells
		for len(at) > 0 && at[0][1] <= end {
			at = at[1:]
		}
		if from >= 0 && (len(at) == 0 || at[0][0] >= end) {
			b.WriteString(style.Render(plain[from:end]))
			from, done = -1, column
		}
		i = end
	}
	b.WriteString(ansi.Cut(line, done, column))
	if marked := b.String(); ansi.Strip(marked) == plain {
		return marked
	}
	return line // a character that a style cuts in two has no width to go by
}
