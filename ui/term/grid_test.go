//go:build unix

package term

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// cell is one place of the grid. The right half of a wide character is empty and names its owner by wide = -1.
type cell struct {
	text, style string
	wide        int
}

var blank = cell{text: " ", wide: 1}

// grid is a terminal of the size and skill that the painter needs: wide characters, SGR, scroll regions, no autowrap. It
// fails the test on anything else, so a new sequence has to be taught to it first.
type grid struct {
	t           *testing.T
	w, h        int
	cells       [][]cell
	x, y        int // x == w: behind a full line, the cursor is drawn on its last cell
	top, bottom int
	style       string
	cursor      bool
}

func newGrid(t *testing.T, w, h int) *grid {
	g := &grid{t: t, w: w, h: h, bottom: h - 1}
	for range h {
		g.cells = append(g.cells, g.empty())
	}
	return g
}

func (g *grid) empty() []cell {
	row := make([]cell, g.w)
	for i := range row {
		row[i] = blank
	}
	return row
}

func (g *grid) write(s string) {
	var state byte
	for s != "" {
		seq, width, n, next := ansi.DecodeSequence(s, state, nil)
		state = next
		switch {
		case seq[0] == esc:
			g.control(seq)
		case width > 0:
			g.print(seq, width)
		case seq[0] < 0x20 || seq[0] == 0x7f:
			g.t.Fatalf("control character %q", seq)
		default:
			g.combine(seq)
		}
		s = s[n:]
	}
}

// print puts a character down as a terminal does that does not wrap: what would stick out lands at the margin.
func (g *grid) print(s string, width int) {
	if g.x+width > g.w {
		g.t.Fatalf("%q sticks out of line %d at column %d", s, g.y, g.x)
	}
	for i := range width {
		g.split(g.x + i)
	}
	g.cells[g.y][g.x] = cell{s, g.style, width}
	for i := 1; i < width; i++ {
		g.cells[g.y][g.x+i] = cell{wide: -1}
	}
	g.x += width
}

// split blanks the wide character of which column x is a half.
func (g *grid) split(x int) {
	row := g.cells[g.y]
	for x > 0 && row[x].wide < 0 {
		x--
	}
	for i := max(row[x].wide, 1) - 1; i > 0; i-- {
		row[x+i] = blank
	}
	row[x] = blank
}

// combine adds a mark to the character before the cursor.
func (g *grid) combine(s string) {
	x := g.x - 1
	for x > 0 && g.cells[g.y][x].wide < 0 {
		x--
	}
	if x >= 0 {
		g.cells[g.y][x].text += s
	}
}

func (g *grid) control(seq string) {
	if !strings.HasPrefix(seq, "\x1b[") {
		g.t.Fatalf("sequence %q", seq)
	}
	params, final := seq[2:len(seq)-1], seq[len(seq)-1]
	if seq == beginFrame || seq == endFrame {
		return
	}
	v := numbers(params)
	switch final {
	case 'm':
		if params == "" || params == "0" {
			g.style = ""
		} else {
			g.style += seq
		}
	case 'H':
		v = append(v, 1)
		g.y, g.x = max(v[0], 1)-1, max(v[1], 1)-1
		if g.y >= g.h || g.x >= g.w {
			g.t.Fatalf("cursor at %d,%d", g.x, g.y)
		}
	case 'K':
		for x := min(g.x, g.w-1); x < g.w; x++ {
			g.split(x)
			g.cells[g.y][x].style = g.style // the colour is kept by terminals with BCE
		}
	case 'J':
		for y := range g.cells {
			g.cells[y] = g.empty()
		}
	case 'r':
		g.top, g.bottom, g.x, g.y = 0, g.h-1, 0, 0
		if params != "" {
			g.top, g.bottom = v[0]-1, v[1]-1
		}
	case 'S':
		for range v[0] {
			copy(g.cells[g.top:g.bottom+1], g.cells[g.top+1:g.bottom+1])
			g.cells[g.bottom] = g.empty()
		}
	case 'h', 'l':
		if params != "?25" {
			g.t.Fatalf("mode %q", seq)
		}
		g.cursor = final == 'h'
	default:
		g.t.Fatalf("sequence %q", seq)
	}
}

// String shows all that a person could see a difference in.
func (g *grid) String() string {
	var b strings.Builder
	for _, row := range g.cells {
		for _, c := range row {
			if c.wide < 0 {
				continue
			}
			b.WriteString(strconv.Quote(c.text + c.style))
		}
		b.WriteByte('\n')
	}
	fmt.Fprint(&b, g.x, g.y, g.cursor)
	return b.String()
}
