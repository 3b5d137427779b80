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

// fill puts the rest behind cells so that the row is n cells wide: its first gap grows or shrinks.
func fill(cells, rest []termtest.Cell, n int) []termtest.Cell {
	gap := 0
	for gap < len(rest) && !(blank(rest, gap) && blank(rest, gap+1)) {
		gap++
	}
	over := len(cells) + len(rest) - n
	cells = append(cells, rest[:gap]...)
	for rest = rest[gap:]; over > 0 && len(rest) > 0 && blank(rest, 0); over-- {
		rest = rest[1:]
	}
	for ; over < 0; over++ {
		cells = append(cells, termtest.Cell{})
	}
	return append(cells, rest...)[:n]
}

// blank reports whether nothing stands there; behind the end nothing does.
func blank(row []termtest.Cell, x int) bool {
	return x >= len(row) || strings.TrimSpace(row[x].Text) == "" && !row[x].Half
}
