package termtest

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// cell is one place of a grid. The right half of a wide character has no text and half set.
type cell struct {
	text string
	half bool
	look Look
}

// maxCluster bounds the bytes of one cell, so that a flood of combining marks stays cheap.
const maxCluster = 256

// grid is what one of a terminal's two screens shows.
type grid struct {
	w, h        int
	rows        [][]cell
	x, y        int // x == w: behind a full line
	top, bottom int // scroll region, inclusive
	last        int // column of the cell printed last, on line y; -1: nothing may combine with it any more
	pen         Look
}

func newGrid(w, h int) *grid {
	g := &grid{w: w, h: h, bottom: h - 1, last: -1}
	for range h {
		g.rows = append(g.rows, make([]cell, w))
	}
	return g
}

// resize keeps what fits from the top left, as the alternate screen of most terminals does.
func (g *grid) resize(w, h int) {
	n := newGrid(w, h)
	for y := range min(h, g.h) {
		copy(n.rows[y], g.rows[y])
		if w < g.w && g.rows[y][w].half {
			n.rows[y][w-1] = cell{}
		}
	}
	n.x, n.y, n.pen = min(g.x, w-1), min(g.y, h-1), g.pen
	*g = *n
}

// moveTo sets the cursor, kept within the grid.
func (g *grid) moveTo(x, y int) {
	g.x, g.y, g.last = min(max(x, 0), g.w-1), min(max(y, 0), g.h-1), -1
}

// put prints one code point, joining it to the character before the cursor if both are one grapheme (UAX 29).
func (g *grid) put(r rune, wrap bool) {
	if g.join(r) {
		return
	}
	s := string(r)
	width := ansi.StringWidth(s)
	if width == 0 {
		return // nothing to join it to
	}
	if g.x+width > g.w {
		switch {
		case wrap && width <= g.w:
			g.x = 0
			g.lineFeed()
		case width > g.w:
			return
		default:
			g.x = g.w - width // what sticks out lands at the margin
		}
	}
	g.set(s, width)
}

// set writes a character at the cursor and moves behind it.
func (g *grid) set(s string, width int) {
	for i := range width {
		g.split(g.x + i)
	}
	row := g.rows[g.y]
	row[g.x] = cell{text: s, look: g.pen}
	for i := 1; i < width; i++ {
		row[g.x+i] = cell{half: true, look: g.pen}
	}
	g.last = g.x
	g.x += width
}

func (g *grid) join(r rune) bool {
	if g.last < 0 {
		return false
	}
	before := g.rows[g.y][g.last].text
	if r < 0x80 && before[len(before)-1] < 0x80 {
		return false
	}
	joined := before + string(r)
	first, width := ansi.FirstGraphemeCluster(joined, ansi.GraphemeWidth)
	if len(first) < len(joined) {
		return false
	}
	if len(joined) > maxCluster {
		return true
	}
	at := g.last
	if at+width > g.w {
		width = g.w - at
	}
	g.x = at
	g.set(joined, width)
	return true
}

// split blanks the wide character of which column x is a half.
func (g *grid) split(x int) {
	row := g.rows[g.y]
	for x > 0 && row[x].half {
		x--
	}
	row[x] = cell{}
	for i := x + 1; i < g.w && row[i].half; i++ {
		row[i] = cell{}
	}
}

// eraseLine is EL: 0 from the cursor, 1 up to it, 2 all.
func (g *grid) eraseLine(how int) {
	from, to := min(g.x, g.w-1), g.w
	switch how {
	case 1:
		from, to = 0, from+1
	case 2:
		from = 0
	}
	for x := from; x < to; x++ {
		g.split(x)
	}
	g.last = -1
}

// eraseScreen is ED: 0 from the cursor, 1 up to it, 2 and 3 all.
func (g *grid) eraseScreen(how int) {
	from, to := g.y+1, g.h
	switch how {
	case 0:
		g.eraseLine(0)
	case 1:
		g.eraseLine(1)
		from, to = 0, g.y
	default:
		from = 0
	}
	for y := from; y < to; y++ {
		g.rows[y] = make([]cell, g.w)
	}
	g.last = -1
}

// setRegion is DECSTBM, lines from 1; an invalid one is ignored, as terminals do.
func (g *grid) setRegion(top, bottom int) {
	if bottom == 0 || bottom > g.h {
		bottom = g.h
	}
	top = max(top, 1)
	if top < bottom {
		g.top, g.bottom = top-1, bottom-1
	} else if g.h == 1 {
		g.top, g.bottom = 0, 0
	}
	g.moveTo(0, 0)
}

// scroll moves the region's lines up by n, or down for a negative n.
func (g *grid) scroll(n int) {
	g.last = -1
	for ; n > 0; n-- {
		copy(g.rows[g.top:g.bottom+1], g.rows[g.top+1:g.bottom+1])
		g.rows[g.bottom] = make([]cell, g.w)
	}
	for ; n < 0; n++ {
		copy(g.rows[g.top+1:g.bottom+1], g.rows[g.top:g.bottom])
		g.rows[g.top] = make([]cell, g.w)
	}
}

func (g *grid) lineFeed() {
	g.last = -1
	if g.y == g.bottom {
		g.scroll(1)
	} else if g.y < g.h-1 {
		g.y++
	}
}

// lines are the rows without the blanks at their ends.
func (g *grid) lines() []string {
	lines := make([]string, g.h)
	for y, row := range g.rows {
		var b strings.Builder
		for _, c := range row {
			switch {
			case c.half:
			case c.text == "":
				b.WriteByte(' ')
			default:
				b.WriteString(c.text)
			}
		}
		lines[y] = strings.TrimRight(b.String(), " ")
	}
	return lines
}
