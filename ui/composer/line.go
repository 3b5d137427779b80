package composer

import "strings"

// line is one line of the text, without its line end. Text nobody has looked at
// yet stays one string: a document of 26,000 lines is divided only where it is
// seen or edited.
type line struct {
	raw   string // valid until split
	split bool
	units gap[unit]
	size  int // bytes, chips counted as what they hold
	rows  rows
}

func newLine(text string) *line { return &line{raw: text, size: len(text)} }

func lineOf(units []unit) *line {
	ln := &line{split: true, units: newGap(units)}
	for _, u := range units {
		ln.size += u.size()
	}
	return ln
}

// linesOf cuts text at LF.
func linesOf(text string) []*line {
	var out []*line
	for part := range strings.SplitSeq(text, "\n") {
		out = append(out, newLine(part))
	}
	return out
}

func (l *line) open() *gap[unit] {
	if !l.split {
		l.units, l.split = newGap(divide(l.raw)), true
		l.raw = ""
	}
	return &l.units
}

func (l *line) len() int      { return l.open().len() }
func (l *line) empty() bool   { return l.size == 0 }
func (l *line) at(i int) unit { return l.open().at(i) }

// take removes units i..j and returns them as a line.
func (l *line) take(i, j int) *line {
	if i == j {
		return newLine("")
	}
	out := lineOf(l.open().remove(i, j))
	l.size -= out.size
	l.rows.touch(i)
	return out
}

// cut removes everything from unit i on.
func (l *line) cut(i int) *line {
	if i > 0 {
		return l.take(i, l.len())
	}
	out := *l // as it is: the text need not be divided to move it
	out.rows = rows{}
	l.rows.touch(0)
	*l = line{rows: l.rows}
	return &out
}

// put inserts the units of other before unit i.
func (l *line) put(i int, other *line) {
	switch {
	case other.empty():
	case l.empty():
		rows := l.rows
		rows.touch(0)
		*l = *other
		l.rows = rows
	default:
		src := other.open()
		src.seek(src.len())
		l.open().insert(i, src.buf[:src.lo]...)
		l.size += other.size
		l.rows.touch(i)
	}
}

// fold puts divided text together again, which takes a fraction of the memory.
// Dividing it anew gives the same units. A line with a chip stays as it is.
func (l *line) fold() {
	if !l.split {
		return
	}
	for i := range l.units.len() {
		if l.units.at(i).chip != nil {
			return
		}
	}
	var b strings.Builder
	b.Grow(l.size)
	l.writeTo(&b)
	*l = line{raw: b.String(), size: l.size}
}

func (l *line) clone() *line {
	if !l.split {
		return newLine(l.raw)
	}
	return lineOf(l.units.slice(0, l.units.len()))
}

func (l *line) writeTo(b *strings.Builder) {
	if !l.split {
		b.WriteString(l.raw)
		return
	}
	for i := range l.units.len() {
		b.WriteString(l.units.at(i).value())
	}
}
