package composer

func (e *Editor) left(p pos) pos {
	switch {
	case p.col > 0:
		p.col--
	case p.row > 0:
		p = pos{p.row - 1, e.lines.at(p.row - 1).len()}
	}
	return p
}

func (e *Editor) right(p pos) pos {
	switch {
	case p.col < e.lines.at(p.row).len():
		p.col++
	case p.row < e.lines.len()-1:
		p = pos{p.row + 1, 0}
	}
	return p
}

// move puts the caret at p, which ends the run of typing.
func (e *Editor) move(p pos) {
	e.caret, e.goal = p, -1
	e.log.seal()
}

// Left moves the caret one grapheme, chip or line end back.
func (e *Editor) Left() { e.ready(); e.move(e.left(e.caret)) }

// Right moves the caret one grapheme, chip or line end on.
func (e *Editor) Right() { e.ready(); e.move(e.right(e.caret)) }

// LineStart moves the caret to the start of its line (not of its screen row).
func (e *Editor) LineStart() { e.ready(); e.move(pos{e.caret.row, 0}) }

// LineEnd moves the caret to the end of its line.
func (e *Editor) LineEnd() { e.ready(); e.move(pos{e.caret.row, e.line().len()}) }

// DocStart moves the caret to the start of the text.
func (e *Editor) DocStart() { e.ready(); e.move(pos{}) }

// DocEnd moves the caret to the end of the text.
func (e *Editor) DocEnd() { e.ready(); e.move(e.end()) }

// WordLeft moves the caret to the start of the word it is in or behind. A word
// is a run of letters, digits and underscores, or a chip.
func (e *Editor) WordLeft() { e.ready(); e.move(e.wordLeft()) }

// WordRight moves the caret to the end of the word it is in or before.
func (e *Editor) WordRight() { e.ready(); e.move(e.wordRight()) }

func (e *Editor) wordLeft() pos {
	p := e.caret
	inside := false
	for {
		q := e.left(p)
		if q == p {
			return p
		}
		u, ok := e.unitAt(q)
		switch {
		case ok && u.chip != nil && !inside:
			return q
		case ok && u.word():
			inside = true
		case inside:
			return p
		}
		p = q
	}
}

func (e *Editor) wordRight() pos {
	p := e.caret
	inside := false
	for {
		q := e.right(p)
		if q == p {
			return p
		}
		u, ok := e.unitAt(p)
		switch {
		case ok && u.chip != nil && !inside:
			return q
		case ok && u.word():
			inside = true
		case inside:
			return p
		}
		p = q
	}
}

// unitAt returns the unit behind p; there is none at a line's end.
func (e *Editor) unitAt(p pos) (unit, bool) {
	ln := e.lines.at(p.row)
	if p.col == ln.len() {
		return unit{}, false
	}
	return ln.at(p.col), true
}

// Up moves the caret one screen row up, at the width of the last View. It
// returns false on the first row, where the caller may turn to the history.
func (e *Editor) Up() bool {
	e.ready()
	at, x := e.place(e.port.width)
	p, ok := e.above(at)
	if ok {
		e.vertical(p, x)
	}
	return ok
}

// Down moves the caret one screen row down. It returns false on the last row.
func (e *Editor) Down() bool {
	e.ready()
	at, x := e.place(e.port.width)
	p, ok := e.below(at)
	if ok {
		e.vertical(p, x)
	}
	return ok
}

// vertical puts the caret on a row, in the column where a series of Up and Down
// began as far as the row reaches.
func (e *Editor) vertical(p place, x int) {
	goal := e.goal
	if goal < 0 {
		goal = x
	}
	e.move(pos{p.row, e.lines.at(p.row).columnAt(e.port.width, p.sub, goal)})
	e.goal = goal
}
