package composer

// gap is a sequence with a hole at the place of the last change, so that an edit
// costs what it changes plus the way from the previous edit, never the length.
// Elements are buf[:lo] followed by buf[hi:].
type gap[T any] struct {
	buf    []T
	lo, hi int
}

func newGap[T any](items []T) gap[T] {
	return gap[T]{buf: items, lo: len(items), hi: len(items)}
}

func (g *gap[T]) len() int { return len(g.buf) - (g.hi - g.lo) }

func (g *gap[T]) at(i int) T {
	if i >= g.lo {
		i += g.hi - g.lo
	}
	return g.buf[i]
}

// seek moves the hole to i. What it leaves behind is cleared, or it would keep
// removed text alive.
func (g *gap[T]) seek(i int) {
	switch {
	case i < g.lo:
		n := g.lo - i
		copy(g.buf[g.hi-n:g.hi], g.buf[i:g.lo])
		g.lo, g.hi = i, g.hi-n
		clear(g.buf[g.lo:min(g.lo+n, g.hi)])
	case i > g.lo:
		n := i - g.lo
		copy(g.buf[g.lo:], g.buf[g.hi:g.hi+n])
		g.lo, g.hi = i, g.hi+n
		clear(g.buf[max(g.lo, g.hi-n):g.hi])
	}
}

func (g *gap[T]) insert(i int, items ...T) {
	g.seek(i)
	if len(items) > g.hi-g.lo {
		g.grow(len(items))
	}
	copy(g.buf[g.lo:], items)
	g.lo += len(items)
}

// grow makes room for n more elements and as many again, so that growing is
// amortised over the edits that made it necessary.
func (g *gap[T]) grow(n int) {
	size := g.len()
	buf := make([]T, size+n+max(size/2, 16))
	copy(buf, g.buf[:g.lo])
	tail := len(g.buf) - g.hi
	copy(buf[len(buf)-tail:], g.buf[g.hi:])
	g.buf, g.hi = buf, len(buf)-tail
}

// remove takes elements i..j out and returns them in a slice of their own.
func (g *gap[T]) remove(i, j int) []T {
	out := g.slice(i, j)
	g.seek(i)
	clear(g.buf[g.hi : g.hi+j-i])
	g.hi += j - i
	return out
}

// slice copies elements i..j.
func (g *gap[T]) slice(i, j int) []T {
	out := make([]T, 0, j-i)
	if i < g.lo {
		out = append(out, g.buf[i:min(j, g.lo)]...)
	}
	if j > g.lo {
		shift := g.hi - g.lo
		out = append(out, g.buf[max(i, g.lo)+shift:j+shift]...)
	}
	return out
}
