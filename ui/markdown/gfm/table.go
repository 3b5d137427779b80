package gfm

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// tables makes a table of the end of a paragraph (GFM 4.10): of the first delimiter row, the header above it, and all lines below
// it, since what begins a block of another kind has ended the paragraph.
type tables struct{}

func (tables) Transform(p *ast.Paragraph, reader text.Reader, pc parser.Context) {
	src, lines := reader.Source(), p.Lines()
	for i := 1; i < lines.Len(); i++ {
		columns := delimiterRow(src, lines.At(i))
		if columns == nil {
			continue
		}
		cells := make([]text.Segment, 0, len(columns)+1) // of one line after the other
		header := rowCells(cells, src, lines.At(i-1))
		if len(header) > len(columns) {
			return
		}
		t := table{src: src, node: east.NewTable(), columns: columns}
		t.node.Alignments = columns
		t.node.AppendChild(t.node, east.NewTableHeader(t.row(header)))
		for _, line := range lines.Sliced(i+1, lines.Len()) {
			t.node.AppendChild(t.node, t.row(rowCells(cells, src, line)))
		}
		pc.Set(withEscapedBars, append(escaped(pc), t.escaped...))
		replace(p, src, i-1, t.node)
		return
	}
}

// table is a table that is being made.
type table struct {
	src     []byte
	node    *east.Table
	columns []east.Alignment
	escaped []*east.TableCell // those that hold \|
}

// row has as many cells as the table has columns: what is missing is empty, what is too much is left out (GFM 4.10).
func (t *table) row(cells []text.Segment) *east.TableRow {
	row := east.NewTableRow(t.columns)
	for i, alignment := range t.columns {
		cell := east.NewTableCell()
		if i < len(cells) {
			cell.Alignment = alignment
			cell.Lines().Append(cells[i])
			if escapedBar(cells[i].Value(t.src)) >= 0 {
				t.escaped = append(t.escaped, cell)
			}
		}
		row.AppendChild(row, cell)
	}
	return row
}

// replace puts a table in the place of a paragraph, behind those of its lines that are above the header. They become a
// paragraph of their own: while the old one stands, goldmark takes it for one without a table, and dashes below the table make
// it a heading behind it.
func replace(p *ast.Paragraph, src []byte, above int, table *east.Table) {
	parent := p.Parent()
	if above > 0 {
		lines := p.Lines()
		lines.SetSliced(0, above)
		for i := range above {
			line := lines.At(i)
			lines.Set(i, line.TrimLeftSpace(src))
		}
		last := lines.At(above - 1)
		lines.Set(above-1, last.TrimRightSpace(src))
		before := ast.NewParagraph()
		before.SetLines(lines)
		before.SetBlankPreviousLines(p.HasBlankPreviousLines())
		parent.InsertBefore(parent, p, before)
	}
	parent.ReplaceChild(parent, p, table)
}
