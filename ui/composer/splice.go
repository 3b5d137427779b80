package composer

// pos is a place between two units.
type pos struct{ row, col int }

func (p pos) before(q pos) bool {
	return p.row < q.row || p.row == q.row && p.col < q.col
}

// splice replaces what stands between from and to by content (at least one line)
// and returns what stood there and where the content ends. It knows nothing of
// graphemes: it is its own inverse, which is all that undo needs. The lines of
// content belong to the document afterwards.
func (e *Editor) splice(from, to pos, content []*line) (removed []*line, end pos) {
	e.version++
	e.bytes += size(content)
	head := e.lines.at(from.row)
	if from.row == to.row {
		removed = []*line{head.take(from.col, to.col)}
	} else {
		tail := e.lines.at(to.row)
		removed = append(removed, head.cut(from.col))
		if n := to.row - from.row; n > 1 {
			removed = append(removed, e.lines.remove(from.row+1, to.row)...)
		}
		e.lines.remove(from.row+1, from.row+2)
		removed = append(removed, tail.take(0, to.col))
		head.put(from.col, tail)
	}
	end = pos{from.row + len(content) - 1, content[len(content)-1].len()}
	if len(content) == 1 {
		end.col += from.col
		head.put(from.col, content[0])
	} else {
		rest := head.cut(from.col)
		head.put(from.col, content[0])
		last := content[len(content)-1]
		last.put(end.col, rest)
		e.lines.insert(from.row+1, content[1:]...)
	}
	e.bytes -= size(removed)
	return removed, end
}

// size is the length of lines in bytes, line ends included.
func size(lines []*line) int {
	n := len(lines) - 1
	for _, ln := range lines {
		n += ln.size
	}
	return n
}

func clone(lines []*line) []*line {
	out := make([]*line, len(lines))
	for i, ln := range lines {
		out[i] = ln.clone()
	}
	return out
}
