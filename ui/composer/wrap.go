package composer

import "sort"

const tabWidth = 4

// rows remembers where the screen rows of a line begin, as far as anyone asked.
type rows struct {
	width  int
	starts []int // first unit of each row found so far; starts[0] is 0
	done   bool  // there are no more
}

// touch forgets the rows that a change at unit i can move. Where a row begins was
// decided by the unit that did not fit into the row before. That unit stands in the
// row itself, or at the beginning of the next if it is too wide to stand behind what
// went there before it: so the changed row and the one before it may begin elsewhere now.
func (r *rows) touch(i int) {
	if len(r.starts) == 0 {
		return
	}
	row := sort.SearchInts(r.starts, i+1) - 1
	r.starts = r.starts[:max(row-1, 1)]
	r.done = false
}

// limit is where rows are broken: a column is kept free for the caret.
func limit(width int) int { return max(width-1, 1) }

// rowStart returns the first unit of screen row sub, and whether there is such a
// row at this width.
func (l *line) rowStart(width, sub int) (int, bool) {
	if l.rows.width != width || len(l.rows.starts) == 0 {
		l.rows = rows{width: width, starts: append(l.rows.starts[:0], 0)}
	}
	for sub >= len(l.rows.starts) && !l.rows.done {
		l.wrapOne(width)
	}
	if sub >= len(l.rows.starts) {
		return 0, false
	}
	return l.rows.starts[sub], true
}

// rowEnd returns the unit behind screen row sub, and whether the row is the last.
func (l *line) rowEnd(width, sub int) (int, bool) {
	if next, ok := l.rowStart(width, sub+1); ok {
		return next, false
	}
	return l.len(), true
}

// rowOf returns the screen row that holds unit i; the end belongs to the last.
func (l *line) rowOf(width, i int) int {
	l.rowStart(width, 0)
	for !l.rows.done && l.rows.starts[len(l.rows.starts)-1] <= i {
		l.wrapOne(width)
	}
	return sort.SearchInts(l.rows.starts, i+1) - 1
}

func (l *line) rowCount(width int) int {
	l.rowStart(width, 0)
	for !l.rows.done {
		l.wrapOne(width)
	}
	return len(l.rows.starts)
}

// wrapOne finds the next row. A row is broken behind white space or beside
// something wide if it can be, else anywhere; one space, or the second half of
// something wide, may stand in the column kept free for the caret.
func (l *line) wrapOne(width int) {
	from := l.rows.starts[len(l.rows.starts)-1]
	x, brk, edge := 0, from, limit(width)
	for i := from; i < l.len(); i++ {
		u := l.at(i)
		_, cells := u.draw(x, edge)
		hang := x == edge && u.text == " " && edge < width
		wide := cells > 1 && !u.space()
		if wide {
			brk = i
			hang = edge < width && x+cells == width && u.chip == nil && !l.spaceAt(i+1) // which would stand at the beginning of the next row
		}
		if x += cells; x > edge && !hang {
			if brk == from {
				brk = max(i, from+1)
			}
			l.rows.starts = append(l.rows.starts, brk)
			return
		}
		if wide || u.space() {
			brk = i + 1
		}
	}
	l.rows.done = true
}

// spaceAt reports whether unit i is white space.
func (l *line) spaceAt(i int) bool { return i < l.len() && l.at(i).space() }

// columnAt returns the unit of screen row sub that covers column x, or the last
// place of the row.
func (l *line) columnAt(width, sub, x int) int {
	i, _ := l.rowStart(width, sub)
	end, last := l.rowEnd(width, sub)
	if !last {
		end--
	}
	for at := 0; i < end; i++ {
		_, cells := l.at(i).draw(at, limit(width))
		if at += cells; at > x {
			break
		}
	}
	return i
}
