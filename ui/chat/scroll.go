package chat

// place is a line: of a part of an item. It stays the same line whatever happens
// to the blocks above, as long as its item is told from the others.
type place struct{ item, part, line int }

func (p place) before(q place) bool {
	switch {
	case p.item != q.item:
		return p.item < q.item
	case p.part != q.part:
		return p.part < q.part
	}
	return p.line < q.line
}

// down returns the line after p; the place behind the last line is the end.
func (m *Model) down(p place) place {
	p.line++
	return m.at(p)
}

// at returns p if there is a line, else the first line after it, else the end.
func (m *Model) at(p place) place {
	for p.item < len(m.items) {
		for n := m.parts(p.item); p.part < n; p.part++ {
			if _, lines := m.lines(p.item, p.part); p.line < len(lines) {
				return p
			}
			p.line = 0
		}
		p = place{item: p.item + 1}
	}
	return m.end()
}

func (m *Model) end() place { return place{item: len(m.items)} }

// up returns the line before p, false if there is none.
func (m *Model) up(p place) (place, bool) {
	if p.line > 0 {
		p.line--
		return p, true
	}
	q := p
	for {
		switch {
		case q.part > 0:
			q.part--
		case q.item > 0:
			q.item--
			q.part = m.parts(q.item) - 1
		default:
			return p, false
		}
		if _, lines := m.lines(q.item, q.part); len(lines) > 0 {
			q.line = len(lines) - 1
			return q, true
		}
	}
}

// climb goes up n lines, or to the beginning.
func (m *Model) climb(p place, n int) place {
	for ok := true; ok && n > 0; n-- {
		p, ok = m.up(p)
	}
	return p
}

// room is how many lines of the transcript are in view.
func (m *Model) room() int {
	if m.marked() {
		return m.height - 1
	}
	return m.height
}

// marked reports whether the last line says that there is news.
func (m *Model) marked() bool { return m.news && m.height >= 3 }

// last is the first line in view when the end is in view.
func (m *Model) last() place { return m.climb(m.end(), m.room()) }

// settle puts the place right after anything changed. Whoever sees the end follows
// it again. It returns the first line in view.
func (m *Model) settle() place {
	if !m.follow {
		m.top = m.clamp(m.top)
		if last := m.last(); m.top.before(last) {
			return m.top
		}
		m.End()
	}
	return m.last()
}

// clamp moves p to the last line of its part, if the part has become shorter, and
// to a line at all, if the part is gone.
func (m *Model) clamp(p place) place {
	if p.item < len(m.items) {
		p.part = min(p.part, m.parts(p.item)-1)
		if _, lines := m.lines(p.item, p.part); p.line >= len(lines) {
			p.line = max(len(lines)-1, 0)
		}
	}
	return m.at(p)
}

// Following reports whether the end was in view when the transcript was drawn last.
func (m *Model) Following() bool { return m.follow }

// AtEnd reports whether the end is in view, and so will stay in view.
func (m *Model) AtEnd() bool {
	m.settle()
	return m.follow
}

// ScrollUp moves the view n lines towards the beginning.
func (m *Model) ScrollUp(n int) {
	from := m.settle()
	if to := m.climb(from, n); to.before(from) {
		m.top, m.follow = to, false
	}
}

// ScrollDown moves the view n lines towards the end; arriving there follows it.
func (m *Model) ScrollDown(n int) {
	if m.settle(); m.follow {
		return
	}
	last := m.last()
	for ; n > 0 && m.top.before(last); n-- {
		m.top = m.down(m.top)
	}
	m.settle()
}

// Above reports whether at least n lines lie above the view.
func (m *Model) Above(n int) bool {
	p := m.settle()
	for ok := true; n > 0; n-- {
		if p, ok = m.up(p); !ok {
			return false
		}
	}
	return true
}

// PageUp moves the view by a screen less one line towards the beginning.
func (m *Model) PageUp() { m.ScrollUp(max(m.room()-1, 1)) }

// PageDown moves the view by a screen less one line towards the end.
func (m *Model) PageDown() { m.ScrollDown(max(m.room()-1, 1)) }

// Home shows the beginning.
func (m *Model) Home() {
	if from, to := m.settle(), m.at(place{}); to.before(from) {
		m.top, m.follow = to, false
	}
}

// End shows the end and follows it.
func (m *Model) End() { m.follow, m.news, m.top = true, false, place{} }
