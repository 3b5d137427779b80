package chat

import "slices"

const (
	// keptBytes is about how much memory is kept for what was laid out and is out of
	// view, for those who scroll back and forth.
	keptBytes = 1 << 20
	// keptFrames is how many frames it is kept beyond that, so that a large block at
	// the edge of the view is not cut into parts again and again.
	keptFrames = 16
	// laidBytes is about what an item takes that is laid out, and laidTimes how many
	// times its text: once more in parts, and in lines with their styles.
	laidBytes = 2 << 10
	laidTimes = 6
)

// use returns what was laid out of it and notes that it is needed.
func (m *Model) use(it *item) *laid {
	if it.laid == nil {
		it.laid = &laid{}
		m.laid = append(m.laid, it)
	}
	it.laid.used = m.frame
	return it.laid
}

// weight is about how many bytes are kept for it.
func (it *item) weight() int { return laidBytes + laidTimes*max(len(it.Text), it.laid.raw.Len()) }

// sweep ends a frame: what was not in view lately is let go if there is much of it.
// An item that is far from the view is then its block and nothing more.
func (m *Model) sweep() {
	held := 0
	for _, it := range m.laid {
		held += it.weight()
	}
	if held > keptBytes {
		m.laid = slices.DeleteFunc(m.laid, func(it *item) bool {
			i, ok := m.index[it.ID]
			there := ok && m.items[i] == it
			if there && (it.live || it.laid.used+keptFrames > m.frame) {
				return false
			}
			it.laid = nil
			return true
		})
	}
	m.frame++
}
