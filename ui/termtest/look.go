package termtest

// Look is how a character is drawn: colours and the attributes of SGR (ECMA-48 §8.3.117).
type Look struct {
	Fg, Bg                                          Colour
	Bold, Faint, Italic, Underline, Reverse, Strike bool
}

// Colour is 0 for the terminal's own, else one more than the colour's number in xterm's palette of 256.
type Colour uint16

// Cell is one place of the screen. The right half of a wide character has no text and Half set; a place that nothing
// was written to has no text either.
type Cell struct {
	Text string
	Half bool
	Look Look
}

// with is the look behind these parameters of SGR. What the program has no use for changes nothing.
func (l Look) with(params []int) Look {
	for i := 0; i < len(params); i++ {
		switch p := params[i]; {
		case p == 0:
			l = Look{}
		case p < 30:
			l.attribute(p)
		case (p == 38 || p == 48) && i+2 < len(params) && params[i+1] == 5:
			l.colour(p == 48, Colour(params[i+2]+1))
			i += 2
		case p == 38 || p == 48: // a colour by its parts, which no theme has
			i += 4
		case p < 50:
			l.colour(p >= 40, own(p))
		case p >= 90 && p < 108:
			l.colour(p >= 100, own(p)+8)
		}
	}
	return l
}

// own is one of the terminal's own colours: the last digit counts them, and 9 is none of them.
func own(p int) Colour {
	if p%10 > 7 {
		return 0
	}
	return Colour(p%10 + 1)
}

// attribute sets one below 10 and takes away the one that a number from 20 on names.
func (l *Look) attribute(n int) {
	on := n < 10
	switch n {
	case 22:
		l.Bold, l.Faint = false, false
	case 1:
		l.Bold = on
	case 2:
		l.Faint = on
	case 3, 23:
		l.Italic = on
	case 4, 24:
		l.Underline = on
	case 7, 27:
		l.Reverse = on
	case 9, 29:
		l.Strike = on
	}
}

func (l *Look) colour(ground bool, c Colour) {
	if ground {
		l.Bg = c
		return
	}
	l.Fg = c
}

// Cells returns what a person sees, row by row. It may be called when no update is half drawn (mode 2026).
func (s *Screen) Cells() [][]Cell {
	rows := make([][]Cell, s.now.h)
	for y, row := range s.now.rows {
		for _, c := range row {
			rows[y] = append(rows[y], Cell{c.text, c.half, c.look})
		}
	}
	return rows
}
