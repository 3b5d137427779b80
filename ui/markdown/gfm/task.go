package gfm

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// boxes finds what makes an item of a list a task: [ ] or [x] as the first of its text.
type boxes struct{}

func (boxes) Trigger() []byte { return []byte{'['} }

func (boxes) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	item := parent.Parent()
	if item == nil || item.Kind() != ast.KindListItem || item.FirstChild() != parent || parent.HasChildren() {
		return nil
	}
	line, _ := block.PeekLine()
	const width = len("[ ]")
	if len(line) < width || line[2] != ']' || len(line) > width && !whitespace(line[width]) {
		return nil
	}
	checked := line[1] == 'x' || line[1] == 'X'
	if !checked && !whitespace(line[1]) {
		return nil
	}
	end := width
	for end < len(line) && whitespace(line[end]) {
		end++
	}
	block.Advance(end)
	return east.NewTaskCheckBox(checked)
}

// whitespace is what GFM 2.1 means by it, but for the line tabulation, which goldmark takes for text.
func whitespace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\f' || b == '\r' }
