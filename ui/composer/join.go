package composer

// join adapts a replacement to its neighbours: a mark joins the letter before
// it, removing a letter can unite what stood around it. It widens the range
// until both seams are grapheme boundaries, and returns with range and content
// how many units of the last content line stand before the caret.
func (e *Editor) join(from, to pos, content []*line) (pos, pos, []*line, int) {
	var left unit
	if from.col > 0 {
		left = e.lines.at(from.row).at(from.col - 1)
	}
	after := e.lines.at(to.row)
	right := func(i int) (unit, bool) {
		if to.col+i >= after.len() {
			return unit{}, false
		}
		return after.at(to.col + i), true
	}
	var s stitch
	n := len(content)
	if n == 1 {
		s = stitched(left, content[0], right)
		content[0] = s.line
	} else {
		s = stitched(left, content[0], nothing)
		content[0] = s.line
		widened := s.widened
		s = stitched(unit{}, content[n-1], right)
		content[n-1], s.widened = s.line, widened
	}
	if s.widened {
		from.col--
	}
	to.col += s.used
	return from, to, content, s.col
}

// stitch is a line of a replacement after it met its neighbours.
type stitch struct {
	line    *line
	widened bool // it now holds the unit that stood before it
	used    int  // units that stood behind it and are in it now
	col     int  // units of line up to the end of what was put in
}

func nothing(int) (unit, bool) { return unit{}, false }

// stitched fits ln between the unit left (no text: none, or a chip) and the units
// that right numbers. Text that has no neighbours is not looked at.
func stitched(left unit, ln *line, right func(int) (unit, bool)) stitch {
	lead := left.text != ""
	if _, follows := right(0); !lead && (!follows || ln.empty()) {
		return stitch{line: ln, col: ln.len()}
	}
	units, want := ln.open().slice(0, ln.len()), ln.size
	if lead {
		units, want = append([]unit{left}, units...), want+left.size()
	}
	out, used := settle(units, lead, right)
	widened := lead
	if lead && out[0] == left {
		out, want, widened = out[1:], want-left.size(), false
	}
	return stitch{line: lineOf(out), widened: widened, used: used, col: reach(out, want)}
}

// settle makes the boundaries of units right: the first one if lead is set, and
// the one to what follows on the right. It returns how much of that it took in.
func settle(units []unit, lead bool, right func(int) (unit, bool)) (out []unit, used int) {
	n := len(units)
	at := 0 // units before it are settled
	if lead {
		rest := func(i int) (unit, bool) {
			if i+1 < n {
				return units[i+1], true
			}
			return right(i + 1 - n)
		}
		out, used = weave(units[0], rest)
		at = 1 + used
	}
	if at >= n {
		return out, at - n
	}
	out = append(out, units[at:n-1]...)
	tail, used := weave(units[n-1], right)
	return append(out, tail...), used
}

// weave divides head together with as many of the following units as its end
// depends on, and returns how many. Units are found from left to right and
// depend on nothing before their own beginning: once one old boundary holds, all
// behind it do.
func weave(head unit, rest func(int) (unit, bool)) (out []unit, used int) {
	if head.chip != nil {
		return []unit{head}, 0
	}
	text := head.text
	for {
		units := divide(text)
		last := len(units) - 1
		out = append(out, units[:last]...)
		text = units[last].text
		next, ok := rest(used)
		if !ok || next.chip != nil || first(text+next.text) == len(text) {
			return append(out, unit{text: text}), used
		}
		text += next.text
		used++
	}
}

// reach returns how many units it takes to cover want bytes.
func reach(units []unit, want int) int {
	n := 0
	for ; n < len(units) && want > 0; n++ {
		want -= units[n].size()
	}
	return n
}
