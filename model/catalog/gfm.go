package catalog

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// beyond draws what GitHub Flavored Markdown has beyond CommonMark: tables, struck text, the boxes of tasks.
type beyond struct{}

func (b beyond) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(east.KindTable, tagged("<table>\n", "</table>\n"))
	r.Register(east.KindTableHeader, b.header)
	r.Register(east.KindTableRow, b.row)
	r.Register(east.KindTableCell, b.cell)
	r.Register(east.KindStrikethrough, tagged("<del>", "</del>"))
	r.Register(east.KindTaskCheckBox, b.box)
}

// tagged writes something before a node and something behind it.
func tagged(before, behind string) renderer.NodeRendererFunc {
	return func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		write(w, before, behind, entering)
		return ast.WalkContinue, nil
	}
}

func write(w util.BufWriter, before, behind string, entering bool) {
	if entering {
		_, _ = w.WriteString(before)
	} else {
		_, _ = w.WriteString(behind)
	}
}

// header is the first row; the body begins behind it, if there is one.
func (beyond) header(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	behind := "</tr>\n</thead>\n"
	if n.NextSibling() != nil {
		behind += "<tbody>\n"
	}
	write(w, "<thead>\n<tr>\n", behind, entering)
	return ast.WalkContinue, nil
}

func (beyond) row(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	behind := "</tr>\n"
	if n.NextSibling() == nil {
		behind += "</tbody>\n"
	}
	write(w, "<tr>\n", behind, entering)
	return ast.WalkContinue, nil
}

// cell says its alignment as a style: the attribute of that name is obsolete in HTML.
func (beyond) cell(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	tag, style := "td", ""
	if n.Parent().Kind() == east.KindTableHeader {
		tag = "th"
	}
	if to := n.(*east.TableCell).Alignment; to != east.AlignNone {
		style = ` style="text-align:` + to.String() + `"`
	}
	write(w, "<"+tag+style+">", "</"+tag+">\n", entering)
	return ast.WalkContinue, nil
}

func (beyond) box(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	checked := ""
	if n.(*east.TaskCheckBox).IsChecked {
		checked = `checked="" `
	}
	write(w, "<input "+checked+`disabled="" type="checkbox"> `, "", entering)
	return ast.WalkContinue, nil
}
