// Package choose draws a list to choose one thing from, such as a session: what is typed narrows it down, by what things
// are called and by the texts that belong to them.
// It must not read keys, of which it knows the names alone, look anything up, or act on what is chosen.
package choose

import (
	"cmp"
	"strings"

	"baton/ui/keymap"
	"baton/ui/sanitize"
	"baton/ui/theme"
)

// Item is one thing. Its texts may come from outside; they are made printable when drawn.
type Item struct {
	ID     string // names it for whoever asked; not shown
	Title  string // what it is called
	Detail string // a few words about it
	Text   string // what else it can be found by; not shown
}

// Hit is an item that was found by other means than this package's, and the place where the text was found.
type Hit struct{ ID, Excerpt string }

// Model is the list. The zero value is unusable; see New.
type Model struct {
	theme   theme.Theme
	heading string
	hints   []string // printable
	items   []Item
	typed   string
	hits    []Hit // for what is typed now
	looking bool
	shown   []entry // in the order drawn
	sel     int     // index into shown
}

// entry is an item that fits, ready to be drawn.
type entry struct {
	item           int
	title, excerpt string // printable
}

// New makes a list of items below a heading, all of them shown, the first selected.
func New(th theme.Theme, heading string, items []Item) Model {
	m := Model{theme: th, heading: sanitize.Line(heading)}
	m.SetItems(items)
	return m
}

// SetItems replaces the items. What is typed and, if it is still there, what is selected stay.
func (m *Model) SetItems(items []Item) {
	was, _ := m.Selected()
	m.items = append([]Item(nil), items...)
	m.narrow()
	m.Select(was.ID)
}

// KeyHints are hints for a list whose keys are these: what takes the selected entry, what leaves it all as it was, and the way
// to the others. takes and leaves say so in the third person ("closes").
func KeyHints(k keymap.Map, takes, leaves string) []string {
	return []string{cmp.Or(k.Does(takes, keymap.Send), k.Does(takes, keymap.PopupAccept)),
		cmp.Or(k.Does(leaves, keymap.Stop), k.Does(leaves, keymap.Interrupt)), k.Does("choose", keymap.PopupUp, keymap.PopupDown)}
}

// SetHints says which keys do what here ("enter takes it"), the most useful first. What has no room is left out, from the end.
func (m *Model) SetHints(hints ...string) {
	m.hints = nil
	for _, h := range hints {
		if h = sanitize.Line(h); h != "" {
			m.hints = append(m.hints, h)
		}
	}
}

// Restyle draws with another theme from now on.
func (m *Model) Restyle(th theme.Theme) { m.theme = th }

// Len is how many items are shown.
func (m *Model) Len() int { return len(m.shown) }

// Selected is the item that would be taken; ok is false when none fits.
func (m *Model) Selected() (it Item, ok bool) {
	if len(m.shown) == 0 {
		return Item{}, false
	}
	return m.items[m.shown[m.sel].item], true
}

// Select goes to the item with an id, if it is shown.
func (m *Model) Select(id string) {
	for i, e := range m.shown {
		if m.items[e.item].ID == id {
			m.sel = i
		}
	}
}

// MoveSelection goes by items downwards (upwards when negative). One step goes around the ends, more stop there.
func (m *Model) MoveSelection(by int) {
	n := len(m.shown)
	switch {
	case n == 0:
	case by == 1 || by == -1:
		m.sel = (m.sel + by + n) % n
	default:
		m.sel = max(0, min(m.sel+by, n-1))
	}
}

// MaxTyped is how many bytes of typed text are kept.
const MaxTyped = 400

// Typed is what narrows the list down.
func (m *Model) Typed() string { return m.typed }

// Insert adds typed or pasted text; line ends become spaces. What goes beyond MaxTyped is left out.
func (m *Model) Insert(text string) {
	text = strings.Join(strings.FieldsFunc(" "+text+" ", func(r rune) bool { return r == '\n' || r == '\r' || r == '\t' }), " ")
	m.retype(m.typed + head(text[1:len(text)-1], MaxTyped-len(m.typed)))
}

// head is as many whole characters of a text as fit into so many bytes. It costs what it returns, however long a paste is.
func head(text string, bytes int) string {
	n := 0
	for n < len(text) {
		cluster, _ := sanitize.Cluster(text[n:])
		if n+len(cluster) > bytes {
			break
		}
		n += len(cluster)
	}
	return text[:n]
}

// Erase takes the last character away, as a person counts them.
func (m *Model) Erase() {
	_, n := lastCluster(m.typed)
	m.retype(m.typed[:len(m.typed)-n])
}

// EraseWord takes the last word away.
func (m *Model) EraseWord() {
	text := strings.TrimRight(m.typed, " ")
	m.retype(text[:strings.LastIndex(text, " ")+1])
}

// Clear takes all of it away.
func (m *Model) Clear() { m.retype("") }

func (m *Model) retype(text string) {
	if text == m.typed {
		return
	}
	m.typed, m.hits, m.looking, m.sel = text, nil, false, 0
	m.narrow()
}

// Looking says that what is typed is being looked for by other means; Found ends it.
func (m *Model) Looking() {
	m.looking = true
}

// Found adds what was found for a text, unless something else is typed by now. The selected item stays selected.
func (m *Model) Found(typed string, hits []Hit) {
	if typed != m.typed {
		return
	}
	was, _ := m.Selected()
	m.hits, m.looking = append([]Hit(nil), hits...), false
	m.narrow()
	m.Select(was.ID)
}

// lastCluster is the last character of a text, as a person counts them, and its bytes.
func lastCluster(text string) (cluster string, bytes int) {
	for rest := text; rest != ""; rest = rest[len(cluster):] {
		cluster, _ = sanitize.Cluster(rest)
	}
	return cluster, len(cluster)
}
