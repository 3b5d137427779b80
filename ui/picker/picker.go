// Package picker draws a small list that is narrowed down by typing, such as
// the completions of a slash command.
// It must not read keys or act on what is chosen.
package picker

import (
	"strings"

	"baton/ui/sanitize"
	"baton/ui/theme"

	"github.com/sahilm/fuzzy"
)

// Item is a choice: what it is called, what is typed behind it, and a few words about
// it. They may come from outside; they are made printable when drawn.
type Item struct {
	Name, Args, Hint string
}

// Model is the list. The zero value is unusable; see New.
type Model struct {
	theme theme.Theme
	items []Item
	names []string // printable, by item
	args  []string // likewise, with the space before them
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

// Restyle draws with another theme from now on.
func (m *Model) Restyle(th theme.Theme) { m.theme = th }

// SetItems replaces the items and narrows them down by the text in force.
func (m *Model) SetItems(items []Item) {
	m.items = append([]Item(nil), items...)
	m.names, m.args, m.hints = make([]string, len(items)), make([]string, len(items)), make([]string, len(items))
	for i, it := range items {
		m.names[i], m.hints[i] = sanitize.Line(it.Name), sanitize.Line(it.Hint)
		if it.Args != "" {
			m.args[i] = " " + sanitize.Line(it.Args)
		}
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

// Moved reports whether another item than the first is selected: somebody went there.
func (m *Model) Moved() bool { return m.sel > 0 }

// MoveSelection goes by items downwards (upwards when negative), around the
// ends.
func (m *Model) MoveSelection(by int) {
	if n := len(m.found); n > 0 {
		m.sel = ((m.sel+by)%n + n) % n
	}
}
