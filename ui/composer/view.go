package composer

import "strings"

// place is a screen row: of line row, the sub-th.
type place struct{ row, sub int }

func (p place) before(q place) bool {
	return p.row < q.row || p.row == q.row && p.sub < q.sub
}

// viewport remembers what the last View showed.
type viewport struct {
	width int
	top   place
}

// View draws the text softly wrapped to width cells, scrolled so that the caret
// is visible: as many lines as the text needs, at least 1 and at most maxHeight.
// No line is wider than width; a width or height below 1 counts as 1. The caret
// is at column x of lines[y], both from 0 and inside. Text is drawn printable,
// tabs as spaces; the value keeps what was entered.
func (e *Editor) View(width, maxHeight int) (lines []string, x, y int) {
	e.ready()
	width, maxHeight = max(width, 1), max(maxHeight, 1)
	e.port.width = width
	caret, x := e.place(width)
	shown := e.scroll(caret, maxHeight)
	for i, p := range shown {
		lines = append(lines, e.drawRow(p, width))
		if p == caret {
			y = i
		}
	}
	return lines, x, y
}

// place returns the screen row and column of the caret.
func (e *Editor) place(width int) (place, int) {
	ln := e.line()
	sub := ln.rowOf(width, e.caret.col)
	x := 0
	for i, _ := ln.rowStart(width, sub); i < e.caret.col; i++ {
		_, cells := ln.at(i).draw(x, limit(width))
		x += cells
	}
	if x >= width {
		return place{e.caret.row, sub + 1}, 0 // behind a full last row
	}
	return place{e.caret.row, sub}, x
}

// scroll returns the rows to show. The view moves no further than it must: the
// caret has to be in it, and no room stays empty while text is above.
func (e *Editor) scroll(caret place, height int) []place {
	top := e.port.top
	if !e.exists(top) || caret.before(top) {
		top = caret
	}
	if lowest := e.back(caret, height-1); top.before(lowest) {
		top = lowest
	}
	shown := e.rowsFrom(top, height)
	if missing := height - len(shown); missing > 0 {
		top = e.back(top, missing)
		shown = e.rowsFrom(top, height)
	}
	e.port.top = top
	return shown
}

func (e *Editor) rowsFrom(p place, n int) []place {
	shown := []place{p}
	for ok := true; len(shown) < n; {
		if p, ok = e.below(p); !ok {
			break
		}
		shown = append(shown, p)
	}
	return shown
}

// back returns the place n rows above p, or the first.
func (e *Editor) back(p place, n int) place {
	for ok := true; ok && n > 0; n-- {
		p, ok = e.above(p)
	}
	return p
}

func (e *Editor) above(p place) (place, bool) {
	switch {
	case p.sub > 0:
		return place{p.row, p.sub - 1}, true
	case p.row > 0:
		return place{p.row - 1, e.lines.at(p.row-1).rowCount(e.port.width) - 1}, true
	}
	return p, false
}

func (e *Editor) below(p place) (place, bool) {
	if q := (place{p.row, p.sub + 1}); e.exists(q) {
		return q, true
	}
	if p.row+1 < e.lines.len() {
		return place{p.row + 1, 0}, true
	}
	return p, false
}

// exists reports whether there is such a row, the one of a caret behind a full
// last row included.
func (e *Editor) exists(p place) bool {
	if p.row >= e.lines.len() {
		return false
	}
	if _, ok := e.lines.at(p.row).rowStart(e.port.width, p.sub); ok {
		return true
	}
	caret, _ := e.place(e.port.width)
	return p == caret
}

func (e *Editor) drawRow(p place, width int) string {
	ln := e.lines.at(p.row)
	i, ok := ln.rowStart(width, p.sub)
	if !ok {
		return ""
	}
	end, _ := ln.rowEnd(width, p.sub)
	var b strings.Builder
	for x := 0; i < end; i++ {
		u := ln.at(i)
		text, cells := u.draw(x, limit(width))
		if u.chip != nil && e.ChipStyle != nil {
			text = e.ChipStyle(text)
		}
		b.WriteString(text)
		x += cells
	}
	return b.String()
}
