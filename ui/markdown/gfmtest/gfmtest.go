// Package gfmtest is what parsers of GitHub Flavored Markdown are held against: the same grammar with goldmark's own extensions,
// and trees written down. It must not be imported by anything but tests, since those extensions compile patterns before main, nor use gfm itself.
package gfmtest

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

var grammar = parser.NewParser(
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
		util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
		util.Prioritized(parser.NewCodeSpanParser(), 100),
		util.Prioritized(parser.NewLinkParser(), 200),
		util.Prioritized(parser.NewAutoLinkParser(), 300),
		util.Prioritized(parser.NewEmphasisParser(), 500),
		util.Prioritized(extension.NewStrikethroughParser(), 500),
	),
	parser.WithParagraphTransformers(util.Prioritized(extension.NewTableParagraphTransformer(), 200)),
	parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
)

// Parse reads a text with goldmark's own extensions.
func Parse(src []byte) ast.Node { return grammar.Parse(text.NewReader(src)) }

// Dump writes down a tree: of each node its kind, what it says of itself, and where in the source it stands.
func Dump(src []byte, root ast.Node) string {
	var out strings.Builder
	depth := 0
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			depth--
			return ast.WalkContinue, nil
		}
		fmt.Fprintf(&out, "%s%s%s", strings.Repeat("  ", depth), n.Kind(), about(src, n))
		if n.Type() != ast.TypeInline {
			fmt.Fprintf(&out, " blank=%v", n.HasBlankPreviousLines())
			for i := range n.Lines().Len() {
				s := n.Lines().At(i)
				fmt.Fprintf(&out, " %d-%d+%d%q", s.Start, s.Stop, s.Padding, s.Value(src))
			}
		}
		out.WriteByte('\n')
		depth++
		return ast.WalkContinue, nil
	})
	return out.String()
}

// about is what a node says of itself.
func about(src []byte, n ast.Node) string {
	switch n := n.(type) {
	case *ast.Text:
		return fmt.Sprintf(" %d-%d+%d%q soft=%v hard=%v raw=%v", n.Segment.Start, n.Segment.Stop, n.Segment.Padding, n.Value(src),
			n.SoftLineBreak(), n.HardLineBreak(), n.IsRaw())
	case *ast.String:
		return fmt.Sprintf(" %q", n.Value)
	case *ast.Heading:
		return fmt.Sprintf(" %d", n.Level)
	case *ast.Emphasis:
		return fmt.Sprintf(" %d", n.Level)
	case *ast.List:
		return fmt.Sprintf(" %q %d tight=%v", n.Marker, n.Start, n.IsTight)
	case *ast.Link:
		return fmt.Sprintf(" %q %q", n.Destination, n.Title)
	case *ast.Image:
		return fmt.Sprintf(" %q %q", n.Destination, n.Title)
	case *ast.AutoLink:
		return fmt.Sprintf(" %q", n.Label(src))
	case *ast.FencedCodeBlock:
		return fmt.Sprintf(" %q", n.Language(src))
	case *east.Table:
		return fmt.Sprint(" ", n.Alignments)
	case *east.TableRow:
		return fmt.Sprint(" ", n.Alignments)
	case *east.TableHeader:
		return fmt.Sprint(" ", n.Alignments)
	case *east.TableCell:
		return fmt.Sprint(" ", n.Alignment)
	case *east.TaskCheckBox:
		return fmt.Sprint(" ", n.IsChecked)
	}
	return ""
}
