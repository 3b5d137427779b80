package chat

// selectable are the kinds of blocks that something can be done with.
func selectable(k Kind) bool { return k == User || k == Agent || k == Error }

// Selected is the block that the person chose; ok is false if none is.
func (m *Model) Selected() (b Block, ok bool) {
	i, ok := m.index[m.chosen]
	if !ok || m.chosen == "" {
		return Block{}, false
	}
	return m.items[i].Block, true
}

// MoveSelection goes by messages towards the end, backwards when by is negative. The
// first step chooses the last message in view. It reports whether something is chosen.
func (m *Model) MoveSelection(by int) bool {
	at, ok := m.index[m.chosen]
	if !ok || m.chosen == "" {
		at, by = m.bottom()+1, -1
	}
	step := 1
	if by < 0 {
		step = -1
	}
	for i := at + step; i >= 0 && i < len(m.items); i += step {
		if it := m.items[i]; selectable(it.Kind) && !it.live {
			m.chosen = it.ID
			m.show(m.at(place{item: i}))
			return true
		}
	}
	return ok && m.chosen != ""
}

// Unselect forgets the choice.
func (m *Model) Unselect() { m.chosen = "" }

// UnselectHidden forgets the choice if nothing of it is in view any more: who has scrolled
// away from a message does not mean it with what they do next.
func (m *Model) UnselectHidden() {
	if m.chosen == "" {
		return
	}
	if i, ok := m.index[m.chosen]; !ok || i < m.settle().item || i > m.bottom() {
		m.chosen = ""
	}
}

// hintDot parts the things that can be done.
const hintDot = " · "

// SetSelectedHint says what can be done with the block that is chosen, the things parted
// by " · "; the line stands above it, and leaves out the last ones where it is narrow.
func (m *Model) SetSelectedHint(text string) { m.hint = text }
