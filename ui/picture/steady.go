package picture

import (
	"regexp"
	"strings"

	"baton/ui/termtest"
)

// Replace puts text, one cell a character, in the place of all that matches: what differs from run to run, such as a
// clock. What stands behind it on the row stays where it was if there are blanks between.
func (f *Frame) Replace(pattern *regexp.Regexp, text string) {
	for y, row := range f.Cells {
		line, starts := lineOf(row)
		at := pattern.FindStringIndex(line)
		if at == nil || at[0] == at[1] {
			continue
		}
		from, to := starts[at[0]], starts[at[1]]
		cells := append([]termtest.Cell(nil), row[:from]...)
		for _, r := range text {
			cells = append(cells, termtest.Cell{Text: string(r), Look: row[from].Look})
		}
		f.Cells[y] = fill(cells, row[to:], len(row))
	}
}

// lineOf is a row as text, and the cell at which each byte of it begins.
func lineOf(row []termtest.Cell) (string, []int) {
	var b strings.Builder
	var starts []int
	for x, c := range row {
		text := c.Text
		if text == "" && !c.Half {
			text = " "
		}
		for range len(text) {
			starts = append(starts, x)
		}
		b.WriteString(text)
	}
	return b.String(), append(starts, len(row))
}

// fill puts the rest behind cells so that the row is n cells wide. What stands behind the next gap stays at its place; where
// there is none the row is full up to its end, and the gap before grows or shrinks instead.
func fill(cells, rest []termtest.Cell, n int) []termtest.Cell {
	at := gap(rest)
	if at == len(rest) {
		cells, rest, at = nil, append(cells, rest...), 0
		for i := 1; i < len(rest); i++ {
			if !blank(rest[i-1]) && gap(rest[i:]) == 0 {
				at = i
			}
		}
	}
	cells = append(cells, rest[:at]...)
	rest = rest[at:]
	over := len(cells) + len(rest) - n
	for ; over > 0 && len(rest) > 0 && blank(rest[0]); over-- {
		rest = rest[1:]
	}
	for ; over < 0; over++ {
		cells = append(cells, termtest.Cell{})
	}
	return append(cells, rest...)[:n]
}

// gap is where two blanks or more begin that no text follows at once, the length of the row if nowhere.
func gap(row []termtest.Cell) int {
	for x := range row {
		if blank(row[x]) && (x+1 == len(row) || blank(row[x+1])) {
			return x
		}
	}
	return len(row)
}

func blank(c termtest.Cell) bool { return strings.TrimSpace(c.Text) == "" && !c.Half }
