package composer

// KillLineEnd removes the rest of the line, or at its end the line end, and
// keeps it for Yank.
func (e *Editor) KillLineEnd() {
	e.ready()
	to := pos{e.caret.row, e.line().len()}
	if to == e.caret {
		to = e.right(to)
	}
	e.cut(e.caret, to)
}

// KillLineStart removes the line up to the caret and keeps it for Yank.
func (e *Editor) KillLineStart() {
	e.ready()
	e.cut(pos{e.caret.row, 0}, e.caret)
}

// KillWord removes back to the start of the word and keeps it for Yank.
func (e *Editor) KillWord() {
	e.ready()
	e.cut(e.wordLeft(), e.caret)
}

// Yank puts what was killed last at the caret. It returns false if nothing was.
func (e *Editor) Yank() bool {
	e.ready()
	if e.kill != nil {
		e.edit(e.caret, e.caret, clone(e.kill), whole)
	}
	return e.kill != nil
}

func (e *Editor) cut(from, to pos) {
	if !from.before(to) {
		return
	}
	e.kill = e.copyOf(from, to)
	e.edit(from, to, []*line{newLine("")}, whole)
}

// copyOf returns a copy of what stands between from and to.
func (e *Editor) copyOf(from, to pos) []*line {
	if from.row == to.row {
		return []*line{lineOf(e.lines.at(from.row).open().slice(from.col, to.col))}
	}
	ln := e.lines.at(from.row)
	out := []*line{lineOf(ln.open().slice(from.col, ln.len()))}
	for row := from.row + 1; row < to.row; row++ {
		out = append(out, e.lines.at(row).clone())
	}
	return append(out, lineOf(e.lines.at(to.row).open().slice(0, to.col)))
}
