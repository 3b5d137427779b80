// Package picker draws a small list that is narrowed down by typing, such as
// the completions of a slash command.
// It must not read keys or act on what is chosen.
package picker

import (
	"fmt"
	"strings"

	"baton/ui/sanitize"
	"baton/ui/theme"

	"github.com/sahilm/fuzzy"
)

// Item is a choice: what it is called and a few words about it. Both may come
// from outside; they are made printable when drawn.
type Item struct {
	Name, Hint string
}

// Model is the list. The zero value is unusable; see New.
type Model struct {
	theme theme.Theme
	items []Item
	names []string // printable, by item
	hints []string // likewise
	text  string
	found []match // in the order shown
	sel   int     // index into found
}

// match is an item that fits the text.
type match struct {
	item int
	at   []int // byte offsets into its printable name of what matched
}

// New makes a list of items, all of them shown, the first selected.
func New(th theme.Theme, items []Item) Model {
	m := Model{theme: th}
	m.SetItems(items)
	return m
}

// SetItems replaces the items and narrows them down by the text in force.
func (m *Model) SetItems(items []Item) {
	m.items = append([]Item(nil), items...)
	m.names, m.hints = make([]string, len(items)), make([]string, len(items))
	for i, it := range items {
		m.names[i], m.hints[i] = sanitize.Line(it.Name), sanitize.Line(it.Hint)
	}
	m.Filter(m.text)
}

// Filter shows the items whose name has the characters of text in their order,
// in either case, and selects the best: names that begin with text in the
// order given, then the others by how well they fit. An empty text shows all.
func (m *Model) Filter(text string) {
	m.text, m.sel, m.found = text, 0, nil
	pattern := sanitize.Line(text)
	if pattern == "" {
		for i := range m.items {
			m.found = append(m.found, match{item: i})
		}
		return
	}
	begins := make([]bool, len(m.items))
	for i, name := range m.names {
		if begins[i] = hasPrefix(name, pattern); begins[i] {
			m.found = append(m.found, match{i, offsets(name, pattern)})
		}
	}
	for _, f := range fuzzy.Find(pattern, m.names) {
		if !begins[f.Index] {
			m.found = append(m.found, match{f.Index, f.MatchedIndexes})
		}
	}
}

// hasPrefix compares as many characters as the pattern has, in either case.
func hasPrefix(name, pattern string) bool {
	head := []rune(name)
	if n := len([]rune(pattern)); len(head) >= n {
		return strings.EqualFold(string(head[:n]), pattern)
	}
	return false
}

// offsets are those of the first characters of name, as many as pattern has.
func offsets(name, pattern string) []int {
	n, list := len([]rune(pattern)), []int(nil)
	for i := range name {
		if len(list) == n {
			break
		}
		list = append(list, i)
	}
	return list
}

// Len is how many items are shown.
func (m *Model) Len() int { return len(m.found) }

// Selected is the item that would be taken; ok is false when none fits.
func (m *Model) Selected() (it Item, ok bool) {
	if len(m.found) == 0 {
		return Item{}, false
	}
	return m.items[m.found[m.sel].item], true
}

// MoveSelection goes by items downwards (upwards when negative), around the
// ends.
func (m *Model) MoveSelection(by int) {
	if n := len(m.found); n > 0 {
		m.sel = ((m.sel+by)%n + n) % n
	}
}

// View draws the list into at most width x height cells, the selected item
// always among the lines. The last line counts the rest when there are more
// and height is 3 or more.
func (m *Model) View(width, height int) []string {
	if width < 1 || height < 1 {
		return nil
	}
	if len(m.found) == 0 {
		return []string{m.theme.Dim.Render(sanitize.Truncate("  nothing fits", width))}
	}
	n := min(height, len(m.found))
	rest := len(m.found) > height && height >= 3
	if rest {
		n--
	}
	from := max(0, min(m.sel+min(1, n-1)-n+1, len(m.found)-n))
	column := 0
	for _, f := range m.found[from : from+n] {
		column = max(column, sanitize.Width(m.names[f.item]))
	}
	column = min(column, max(width/2, width-30))
	var lines []string
	for i := from; i < from+n; i++ {
		lines = append(lines, m.line(i, column, width))
	}
	if rest {
		lines = append(lines, m.theme.Dim.Render(sanitize.Truncate(fmt.Sprintf("  +%d more", len(m.found)-n), width)))
	}
	return lines
}

// line draws `› /retry  run the last turn again`.
func (m *Model) line(i, column, width int) string {
	f := m.found[i]
	name := sanitize.Truncate(m.names[f.item], min(column, max(0, width-2)))
	gap := strings.Repeat(" ", max(0, column+2-sanitize.Width(name)))
	hint := sanitize.Truncate(m.hints[f.item], width-4-column)
	if hint == "" {
		gap = ""
	}
	if i == m.sel {
		text := sanitize.Truncate("› "+name+gap+hint, width)
		return m.theme.Selected.Render(text + strings.Repeat(" ", width-sanitize.Width(text)))
	}
	if width <= 2 {
		return strings.Repeat(" ", width)
	}
	if hint != "" {
		hint = m.theme.Dim.Render(hint)
	}
	return "  " + m.mark(name, f.at) + gap + hint
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
