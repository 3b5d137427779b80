// Package chat draws the transcript: what was said and done, block by block, with
// the newest at the end.
// It must not know where blocks come from or decide what they say; it draws what
// it is given and keeps the place of the person who reads.
//
// A frame costs what is on the screen, not what is in the history: blocks are laid
// out part by part, when they come into view, and kept as long as block, width and
// look stay the same.
package chat

import (
	"slices"

	"baton/ui/markdown"
	"baton/ui/theme"
)

// Kind says what a block is.
type Kind uint8

// The kinds of blocks.
const (
	User      Kind = iota // a prompt, shown exactly as typed
	Agent                 // an answer, in markdown
	Reasoning             // what the agent thought, in markdown
	Tool                  // an activity: Title names it, Text is its output
	Retry                 // the attempts of a turn: Title sums up, Details tell
	Error                 // how a turn failed: Title says what, Text what to do next
	Notice                // anything else worth a line
)

// Block is one entry of the transcript. Its texts may be raw, as they came from
// outside; they are made printable when drawn.
type Block struct {
	ID      string // names the block; unique
	Version int    // grows with every change; 0 if the caller does not count
	Kind    Kind
	Text    string
	Title   string   // one line; Retry, Error and Notice show Text in its place if it is empty
	Details []string // one line each; hidden while the block is folded
	Foot    string   // a few words about it all, below it: what it took

	Foldable    bool // can be reduced to its title
	Failed      bool // belongs to what failed
	Interrupted bool // was stopped by the person
}

// foldState says what the foldable blocks look like.
type foldState uint8

const (
	asItCame  foldState = iota // all folded, but unfinished answers
	allOpen                    // by the person
	allFolded                  // by the person
)

// Model is the transcript on the screen. Use New. It serves one goroutine.
type Model struct {
	theme theme.Theme
	looks looks
	items []*item
	index map[string]int
	fold  foldState

	welcome *markdown.Stream

	laid  []*item // those that have something laid out
	frame int     // counts what was drawn

	width, height int   // of the last frame, in cells
	follow        bool  // the end stays in view
	top           place // the first line in view, unless follow
	find          search
	chosen, hint  string // the ID of the block that is selected, and what can be done with it
	news          bool   // something came while the end was out of view; never while follow
}

// New returns an empty transcript that follows its end.
func New(t theme.Theme) *Model {
	m := &Model{index: map[string]int{}, follow: true, welcome: markdown.New(markdown.Styles{})}
	m.SetTheme(t)
	return m
}

// SetTheme changes the look of everything.
func (m *Model) SetTheme(t theme.Theme) {
	m.theme, m.looks = t, newLooks(t)
	m.welcome.Restyle(m.looks.agent)
}

// SetWelcome gives the markdown that is shown while there are no blocks.
func (m *Model) SetWelcome(text string) {
	m.welcome = markdown.New(m.looks.agent)
	m.welcome.Append(text)
	m.welcome.End()
}

// Len returns the number of blocks, live ones included.
func (m *Model) Len() int { return len(m.items) }

// Append adds a block to the end. If its ID is there already it is a Replace.
func (m *Model) Append(b Block) {
	if _, ok := m.index[b.ID]; ok {
		m.Replace(b.ID, b)
		return
	}
	m.push(&item{Block: b})
}

func (m *Model) push(it *item) {
	m.index[it.ID] = len(m.items)
	m.items = append(m.items, it)
	m.arrived()
}

// arrived notes that there is something new at the end.
func (m *Model) arrived() { m.news = m.news || !m.follow }

// Prepend puts an older page before the blocks that are there. What is being read stays
// where it is. IDs that are there already are left out.
func (m *Model) Prepend(blocks []Block) {
	items := make([]*item, 0, len(blocks)+len(m.items))
	for _, b := range blocks {
		if _, ok := m.index[b.ID]; !ok {
			items = append(items, &item{Block: b})
		}
	}
	n := len(items)
	m.items = append(items, m.items...)
	for i, it := range m.items {
		m.index[it.ID] = i
	}
	if !m.follow {
		m.top.item += n
	}
}

// Replace puts b in the place of the block called id; an unknown id changes
// nothing. The same Version, unless it is 0, means the same block.
func (m *Model) Replace(id string, b Block) {
	i, ok := m.index[id]
	if !ok || m.items[i].same(b) {
		return
	}
	m.put(id, &item{Block: b})
}

// put sets it in the place of the block called id. IDs stay unique: another block
// that has the ID of it goes.
func (m *Model) put(id string, it *item) {
	if it.ID != id {
		m.Remove(it.ID)
	}
	i := m.index[id]
	delete(m.index, id)
	m.index[it.ID] = i
	m.items[i] = it
}

// Remove takes the block called id away; an unknown id changes nothing. What is
// being read stays where it is.
func (m *Model) Remove(id string) {
	i, ok := m.index[id]
	if !ok {
		return
	}
	delete(m.index, id)
	m.items = slices.Delete(m.items, i, i+1)
	for j := i; j < len(m.items); j++ {
		m.index[m.items[j].ID] = j
	}
	switch {
	case m.top.item > i:
		m.top.item--
	case m.top.item == i:
		m.top = place{item: i}
	}
}

// Reset shows exactly blocks. Blocks that were there keep what was laid out, and
// whoever was reading one of them goes on reading it, so this also serves to put
// an older page before the others.
func (m *Model) Reset(blocks []Block) {
	var reading string
	if !m.follow && m.top.item < len(m.items) {
		reading = m.items[m.top.item].ID
	}
	old, items := m.index, m.items
	m.index, m.items = make(map[string]int, len(blocks)), make([]*item, 0, len(blocks))
	for _, b := range blocks {
		it := &item{Block: b}
		if i, ok := old[b.ID]; ok && items[i].same(b) {
			it = items[i]
		}
		if i, ok := m.index[b.ID]; ok {
			m.items[i] = it
			continue
		}
		m.index[b.ID] = len(m.items)
		m.items = append(m.items, it)
	}
	if i, ok := m.index[reading]; ok {
		m.top.item = i
	} else {
		m.End()
	}
}

// ToggleFold unfolds all blocks that can be folded, or folds them again.
func (m *Model) ToggleFold() {
	if m.fold == allOpen {
		m.fold = allFolded
	} else {
		m.fold = allOpen
	}
}

// folded reports whether b is reduced to its title. The unfinished answer of a
// failed turn is in view until the person folds it.
func (m *Model) folded(b *Block) bool {
	switch {
	case !b.Foldable:
		return false
	case m.fold == asItCame:
		return b.Kind != Agent
	}
	return m.fold == allFolded
}
