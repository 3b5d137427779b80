package markdown

import (
	"strings"

	east "github.com/yuin/goldmark/extension/ast"
)

// narrowest is the width below which a column is not squeezed.
const narrowest = 8

const (
	bar      = " │ "
	barCells = 3
)

// tableCell is a cell's text and the width of its longest row when unwrapped.
type tableCell struct {
	spans   []span
	natural int
}

// table lays a table out as a grid, squeezed if need be, or folded into one
// record per row where the columns have no room.
func (b *block) table(n *east.Table, width int, base sgr) []row {
	var grid [][]tableCell
	for r := n.FirstChild(); r != nil; r = r.NextSibling() {
		style := base
		if r.Kind() == east.KindTableHeader {
			style += b.st.table
		}
		var cells []tableCell
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			cell := tableCell{spans: b.inline(c, style)}
			for _, r := range wrap(cell.spans, 1<<30, collapse) {
				cell.natural = max(cell.natural, r.cells)
			}
			cells = append(cells, cell)
		}
		grid = append(grid, cells)
	}
	if columns, ok := fit(grid, width); ok {
		return b.grid(grid, columns, n.Alignments)
	}
	return b.records(grid, width)
}

// fit chooses column widths that add up to at most width; false if the columns
// would become too narrow to read.
func fit(grid [][]tableCell, width int) ([]int, bool) {
	columns := make([]int, len(grid[0]))
	for _, cells := range grid {
		for i := range min(len(cells), len(columns)) {
			columns[i] = max(columns[i], cells[i].natural, 1)
		}
	}
	room := width - barCells*(len(columns)-1)
	if room < len(columns) {
		return nil, false
	}
	// Columns that need less than an equal share keep their width; the others
	// share what is left. Each round settles at least one column.
	open, wide := room, len(columns)
	settled := make([]bool, len(columns))
	for again := true; again && wide > 0; {
		again = false
		share := open / wide
		for i, c := range columns {
			if !settled[i] && c <= share {
				settled[i], again = true, true
				open -= c
				wide--
			}
		}
	}
	for i := range columns {
		if !settled[i] {
			if columns[i] = open / wide; columns[i] < narrowest {
				return nil, false
			}
		}
	}
	return columns, true
}

func (b *block) grid(grid [][]tableCell, columns []int, align []east.Alignment) []row {
	var rows []row
	for i, cells := range grid {
		rows = append(rows, b.gridRow(cells, columns, align)...)
		if i == 0 {
			rows = append(rows, b.gridRule(columns))
		}
	}
	return rows
}

func (b *block) gridRule(columns []int) row {
	var lines []string
	total := barCells * (len(columns) - 1)
	for _, c := range columns {
		lines = append(lines, strings.Repeat("─", c))
		total += c
	}
	return row{b.st.border.paint(strings.Join(lines, "─┼─")), total}
}

// gridRow lays out one row of the table, as high as its highest cell.
func (b *block) gridRow(cells []tableCell, columns []int, align []east.Alignment) []row {
	laid := make([][]row, len(columns))
	height := 1
	for i := range columns {
		if i < len(cells) {
			laid[i] = wrap(cells[i].spans, columns[i], collapse)
		}
		height = max(height, len(laid[i]))
	}
	rows := make([]row, height)
	for y := range rows {
		var line strings.Builder
		for i, c := range columns {
			if i > 0 {
				line.WriteString(b.st.border.paint(bar))
				rows[y].cells += barCells
			}
			var r row
			if y < len(laid[i]) {
				r = laid[i][y]
			}
			left, right := pads(align[i], c-r.cells)
			line.WriteString(strings.Repeat(" ", left) + r.text + strings.Repeat(" ", right))
			rows[y].cells += c
		}
		rows[y].text = line.String()
	}
	return rows
}

// pads splits free cells to both sides of a text.
func pads(align east.Alignment, free int) (left, right int) {
	switch align {
	case east.AlignRight:
		return free, 0
	case east.AlignCenter:
		return free / 2, free - free/2
	}
	return 0, free
}

// records lays out each row as lines of "header: value", with a rule between.
func (b *block) records(grid [][]tableCell, width int) []row {
	var rows []row
	if len(grid) == 1 {
		grid = append(grid, nil)
	}
	for i, cells := range grid[1:] {
		if i > 0 {
			rows = append(rows, row{b.st.border.paint("──"[:3*min(2, width)]), min(2, width)})
		}
		for column, head := range grid[0] {
			if column < len(cells) && len(cells[column].spans) == 0 {
				continue
			}
			spans := append(head.spans[:len(head.spans):len(head.spans)], span{text: ": ", style: b.st.table})
			if column < len(cells) {
				spans = append(spans, cells[column].spans...)
			}
			rows = append(rows, wrap(spans, width, collapse)...)
		}
	}
	return rows
}
