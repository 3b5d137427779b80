// Package gfm reads GitHub Flavored Markdown as far as baton draws it: CommonMark as goldmark parses it, and tables (GFM 4.10),
// task list items (5.3) and strikethrough (6.5) by parsers of its own, for goldmark's package with them compiles patterns for
// addresses before main, which every start would pay for. Tags and definitions of links stay text, since they would vanish.
// It must not draw, and takes a text as it comes: who calls it bounds what a text may cost.
//
// Where goldmark's own extensions and GFM differ, goldmark is followed, so that this package can be held against them:
//
//   - the header of a table may have fewer cells than the delimiter row; has it more, no later delimiter row counts either;
//   - ~~a~ is struck through by one tilde on either side;
//   - a box may open a heading of an item, stand alone in it, and hold any whitespace.
//
// GFM is followed where a text would be lost or come out of its order:
//
//   - \| ends a row as what it is, a bar in the last cell, and not as the row's own bar;
//   - a box is followed by whitespace, so [x](address) is a link;
//   - dashes below a table do not underline the paragraph above it;
//   - a line of hyphens alone, with which a paragraph in an item or a quote goes on, is text and no delimiter row.
package gfm

import (
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Parse reads a text. The tree refers to it by position, so it must not be changed. Tables, struck text and boxes are nodes of
// goldmark/extension/ast. Any goroutine may call it.
func Parse(src []byte) ast.Node { return grammar().Parse(text.NewReader(src)) }

// grammar is built at first use, to keep start-up free of it. What has the lower number is asked first.
var grammar = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(boxes{}, 0),
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewEmphasisParser(), 500),
			util.Prioritized(tildes{}, 500),
		),
		parser.WithParagraphTransformers(util.Prioritized(tables{}, 200)),
		parser.WithASTTransformers(util.Prioritized(escapedBars{}, 0)),
	)
})
