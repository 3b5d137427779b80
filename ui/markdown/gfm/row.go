package gfm

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

var bar = []byte("|")

// deepest is how far a delimiter row may be indented, in columns: further in it continues the text above it.
const deepest = 3

// delimiterRow is how each column is aligned, or nil if the line is no delimiter row: hyphens with a colon on the sides that the
// text keeps to, a bar between two columns, and at the ends if there is one. Hyphens alone are the underline of a heading, or text.
func delimiterRow(src []byte, line text.Segment) []east.Alignment {
	if len(bytes.Trim(src[line.Start:line.Stop], "|:- \t\r\n")) > 0 {
		return nil // as most lines
	}
	if indent, _ := util.IndentWidth(line.Value(src), 0); indent > deepest {
		return nil
	}
	line = trimmed(src, line)
	row := src[line.Start:line.Stop]
	if !bytes.ContainsAny(row, "|:") {
		return nil
	}
	row = bytes.TrimSuffix(bytes.TrimPrefix(row, bar), bar)
	columns := make([]east.Alignment, 0, bytes.Count(row, bar)+1)
	for column := range bytes.SplitSeq(row, bar) {
		alignment, ok := aligned(bytes.Trim(column, " \t"))
		if !ok {
			return nil
		}
		columns = append(columns, alignment)
	}
	return columns
}

// aligned is what one column of a delimiter row says.
func aligned(column []byte) (east.Alignment, bool) {
	hyphens, left := bytes.CutPrefix(column, []byte(":"))
	hyphens, right := bytes.CutSuffix(hyphens, []byte(":"))
	if len(hyphens) == 0 || len(bytes.Trim(hyphens, "-")) > 0 {
		return 0, false
	}
	switch {
	case left && right:
		return east.AlignCenter, true
	case left:
		return east.AlignLeft, true
	case right:
		return east.AlignRight, true
	}
	return east.AlignNone, true
}

// rowCells appends the cells of a line to cells, without the whitespace around them, as far as there is room. A bar ends a cell
// unless a backslash is right before it, also in code; the bars at the ends belong to the row.
func rowCells(cells []text.Segment, src []byte, line text.Segment) []text.Segment {
	line = trimmed(src, line)
	row := src[line.Start:line.Stop]
	from, end := 0, len(row)
	if bytes.HasPrefix(row, bar) {
		from = 1
	}
	if end > from && endsCell(row, end-1) {
		end--
	}
	for i := from; from < end && len(cells) < cap(cells); i++ {
		if i == end || endsCell(row, i) {
			cells = append(cells, trimmed(src, text.NewSegment(line.Start+from, line.Start+i)))
			from = i + 1
		}
	}
	return cells
}

// endsCell reports a bar with no backslash right before it. Whether that one is escaped itself does not matter.
func endsCell(row []byte, i int) bool { return row[i] == '|' && (i == 0 || row[i-1] != '\\') }

// trimmed is a segment without the whitespace around it.
func trimmed(src []byte, s text.Segment) text.Segment {
	s = s.TrimLeftSpace(src)
	return s.TrimRightSpace(src)
}

// escapedBar is where the first \| begins, or -1.
func escapedBar(b []byte) int { return bytes.Index(b, []byte(`\|`)) }

// withEscapedBars is where a context keeps the cells with \| in them, as []*east.TableCell.
var withEscapedBars = parser.NewContextKey()

func escaped(pc parser.Context) []*east.TableCell {
	cells, _ := pc.Get(withEscapedBars).([]*east.TableCell)
	return cells
}

// escapedBars takes the backslash of \| out of code in tables, where it would be text: it is the row's, not the code's
// (GFM 4.10). Elsewhere a backslash before punctuation is an escape anyway.
type escapedBars struct{}

func (escapedBars) Transform(_ *ast.Document, reader text.Reader, pc parser.Context) {
	for _, cell := range escaped(pc) {
		_ = ast.Walk(cell, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if n.Kind() != ast.KindCodeSpan || !entering {
				return ast.WalkContinue, nil
			}
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*ast.Text); ok {
					cut(n, t, reader.Source())
				}
			}
			return ast.WalkSkipChildren, nil
		})
	}
}

// cut divides a text in code before and behind the backslash of its first \|.
func cut(code ast.Node, t *ast.Text, src []byte) {
	i := escapedBar(t.Value(src))
	if i < 0 {
		return
	}
	at := t.Segment.Start + i
	rest := ast.NewRawTextSegment(t.Segment.WithStart(at + 1))
	code.InsertAfter(code, t, rest)
	t.Segment = t.Segment.WithStop(at)
}
