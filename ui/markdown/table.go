package markdown

import (
	"sort"
	"strings"

	east "github.com/yuin/goldmark/extension/ast"
)

const (
	// narrowest is the width below which a column is not squeezed.
	narrowest = 8
	// widestWord is how long a word may be that a column keeps in one piece.
	widestWord = 24
)

const (
	bar      = " │ "
	barCells = 3
)

// tableCell is a cell's text, the width of its longest row when unwrapped, and of its
// longest word.
type tableCell struct {
	spans         []span
	natural, word int
}

func newCell(spans []span) tableCell {
	w := wrapper{mode: collapse, width: 1 << 30}
	w.fill(spans)
	c := tableCell{spans: spans, word: w.longest}
	for _, r := range w.rows {
		c.natural = max(c.natural, int(r.cells))
	}
	return c
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
			cells = append(cells, newCell(b.inline(c, style)))
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
	columns := make([]column, len(grid[0]))
	for _, cells := range grid {
		for i := range min(len(cells), len(columns)) {
			columns[i].add(cells[i])
		}
	}
	room := width - barCells*(len(columns)-1)
	if total(columns, 0) > room {
		return nil, false
	}
	// All columns get the same width, but for those that need less or more: the
	// largest such width that there is room for.
	share := sort.Search(room+1, func(n int) bool { return total(columns, n+1) > room })
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = c.share(share)
	}
	return widths, true
}

// column is how many cells a column needs: at least, and to have nothing wrapped.
type column struct{ least, most int }

func (c *column) add(cell tableCell) {
	c.most = max(c.most, cell.natural, 1)
	c.least = max(c.least, min(c.most, max(narrowest, min(cell.word, widestWord))))
}

// share is what the column takes if each gets n cells.
func (c column) share(n int) int { return max(c.least, min(c.most, n)) }

func total(columns []column, n int) int {
	sum := 0
	for _, c := range columns {
		sum += c.share(n)
	}
	return sum
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
	return row{text: b.st.border.paint(strings.Join(lines, "─┼─")), cells: int32(total)}
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
			left, right := pads(align[i], c-int(r.cells))
			line.WriteString(strings.Repeat(" ", left) + r.text + strings.Repeat(" ", right))
			rows[y].cells += int32(c)
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
			rows = append(rows, row{text: b.st.border.paint("──"[:3*min(2, width)]), cells: int32(min(2, width))})
		}
		for column, head := range grid[0] {
			if column < len(cells) && len(cells[column].spans) == 0 {
				continue
			}
			rows = append(rows, b.pair(head, cells, column, width)...)
		}
	}
	return rows
}

// pair lays out one value beside its header; what is wrapped is indented, so that
// headers stand out.
func (b *block) pair(head tableCell, cells []tableCell, column, width int) []row {
	spans := append(head.spans[:len(head.spans):len(head.spans)], span{text: ": ", style: b.st.table})
	if column < len(cells) {
		spans = append(spans, cells[column].spans...)
	}
	if width-len(codeIndent) < b.floor {
		return wrap(spans, width, collapse)
	}
	rows := wrap(spans, width-len(codeIndent), collapse)
	for i, r := range rows[1:] {
		rows[i+1] = row{text: codeIndent + r.text, cells: int32(len(codeIndent)) + r.cells}
	}
	return rows
}
