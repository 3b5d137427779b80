package catalog

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"baton/ui/sanitize"
)

// rounds is how often markup is looked for in an answer: to escape one piece of it may bring another to light.
const rounds = 4

// answered is an agent's text in a markdown document, ended by LF. It stays as it is if it keeps to itself. Markup gets a
// backslash, headings as large as the document's own are quoted, and what reaches beyond its end stands between fences.
func answered(answer string) string {
	answer = strings.Trim(sanitize.Text(answer), "\n")
	if answer == "" {
		return ""
	}
	if tooHeavy(answer) {
		return fenced(answer)
	}
	plain := answer // between fences a backslash would be read as one
	for range rounds {
		f := inspect(answer)
		switch {
		case f.open:
			return fenced(plain)
		case len(f.markup) > 0:
			answer = escapeAt(answer, f.markup)
		case f.large:
			return quotation(answer, plain)
		default:
			return answer + "\n"
		}
	}
	return fenced(plain)
}

// quotation quotes a text, unless a quotation would read it otherwise, as tabs may: then plain stands between fences.
func quotation(text, plain string) string {
	q := prefixed("> ", text)
	if tooHeavy(text) || inspect(q).any() {
		return fenced(plain)
	}
	return q
}

func escapeAt(s string, at []int) string {
	slices.Sort(at)
	var b strings.Builder
	from := 0
	for _, i := range slices.Compact(at) {
		b.WriteString(s[from:i] + `\`)
		from = i
	}
	return b.String() + s[from:]
}

// findings are what a text would do to the document around it.
type findings struct {
	markup []int // where HTML begins
	large  bool  // it has headings of the document's own levels
	open   bool  // it does not end where its text ends, or defines a link
}

func (f findings) any() bool { return f.open || f.large || len(f.markup) > 0 }

// sentinel is a paragraph behind the text; a text that keeps to itself leaves it one.
const sentinel = "end of the answer"

func inspect(answer string) findings {
	src := []byte(answer + "\n\n" + sentinel + "\n")
	ctx := parser.NewContext()
	root := commonMark().Parse(text.NewReader(src), parser.WithContext(ctx))
	var f findings
	last, ok := root.LastChild().(*ast.Paragraph)
	f.open = !ok || string(last.Lines().Value(src)) != sentinel || len(ctx.References()) > 0
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			f.large = f.large || n.Level <= 2 && n.Parent() == root
		case *ast.RawHTML:
			f.markup = append(f.markup, n.Segments.At(0).Start)
		case *ast.HTMLBlock:
			start := n.Lines().At(0)
			f.markup = append(f.markup, start.Start+max(0, strings.IndexByte(string(start.Value(src)), '<')))
			f.open = false // it is not, once it is text
		}
		return ast.WalkContinue, nil
	})
	if len(f.markup) > 0 {
		f.open = false // to be judged without the markup
	}
	return f
}
