package chat

// Stream adds text to the live block called id and begins it if need be. Text is
// raw and may end anywhere, also within a character. A block that was closed is
// opened again with its text.
func (m *Model) Stream(id string, kind Kind, text string) {
	i, ok := m.index[id]
	if !ok {
		m.push(&item{Block: Block{ID: id, Kind: kind, Foldable: kind == Reasoning || kind == Tool}, live: true})
		i = len(m.items) - 1
	}
	it := m.items[i]
	if ok && !it.live {
		it = &item{Block: it.Block, live: true}
		m.items[i] = it
		it.stream(m, it.Text)
	}
	it.stream(m, text)
	if text != "" {
		m.arrived()
	}
}

// DropLive takes a live block away: the text of an attempt that failed leaves the
// view when the next attempt starts. A block that is closed or unknown stays.
func (m *Model) DropLive(id string) {
	if i, ok := m.index[id]; ok && m.items[i].live {
		m.Remove(id)
	}
}

// CloseLive says that the live block called id is complete and became b. Nothing
// is laid out again if the text is the one that was streamed. An unknown id
// appends b.
func (m *Model) CloseLive(id string, b Block) {
	i, ok := m.index[id]
	if !ok {
		m.Append(b)
		return
	}
	it := &item{Block: b}
	if old := m.items[i]; old.live && old.Kind == b.Kind && old.laid.raw.String() == b.Text && old.laid.doc != nil {
		doc := old.laid.doc
		doc.End()
		m.use(it).doc = doc
	}
	m.put(id, it)
	m.arrived()
}
