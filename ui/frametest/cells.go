package frametest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// pen is what SGR (ECMA-48 §8.3.117) has switched on.
type pen struct {
	fg, bg string
	on     [20]bool // by the number that switches it on
}

// attributes are those that themes use, by their numbers.
var attributes = map[int]string{1: "bold", 2: "faint", 3: "italic", 4: "underline", 7: "reverse", 9: "strike"}

// cellStyles says in words how each cell of a line looks, "" for a cell without a style.
func cellStyles(line string) []string {
	var cells []string
	var p pen
	state, parser := byte(0), ansi.NewParser()
	for line != "" {
		seq, width, n, next := ansi.DecodeSequence(line, state, parser)
		if width > 0 {
			for range width {
				cells = append(cells, p.String())
			}
		} else if strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m") {
			p.take(strings.Split(seq[2:len(seq)-1], ";"))
		}
		line, state = line[n:], next
	}
	return cells
}

// take reads the parameters of one sequence.
func (p *pen) take(params []string) {
	for i := 0; i < len(params); i++ {
		n, _ := strconv.Atoi(params[i])
		switch {
		case n == 0:
			*p = pen{}
		case n == 22:
			p.on[1], p.on[2] = false, false
		case n < 30:
			p.on[n%20] = n < 20
		case n%10 == 8 && i+2 < len(params):
			*p.ground(n) = params[i+2]
			i += 2
		case n%10 == 9:
			*p.ground(n) = ""
		case n < 90:
			*p.ground(n) = strconv.Itoa(n % 10)
		default:
			*p.ground(n - 60) = strconv.Itoa(n%10 + 8)
		}
	}
}

// ground is the colour that a parameter of 30 to 49 sets.
func (p *pen) ground(n int) *string {
	if n < 40 {
		return &p.fg
	}
	return &p.bg
}

func (p pen) String() string {
	var words []string
	if p.fg != "" {
		words = append(words, p.fg)
	}
	if p.bg != "" {
		words = append(words, "on "+p.bg)
	}
	var on []string
	for n, name := range attributes {
		if p.on[n] {
			on = append(on, name)
		}
	}
	slices.Sort(on)
	return strings.Join(append(words, on...), " ")
}
