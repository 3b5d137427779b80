package markdown

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"baton/ui/markdown/gfm"
	"baton/ui/sanitize"
)

// layOut turns a part into lines; the empty line before it is one of them.
func layOut(p part, width int, st *Styles) []string {
	var rows []row
	switch {
	case p.kind == code:
		rows = codeRows(p.lang, p.text, p.from, width, st)
	case p.kind == plain || heavy(p.text):
		rows = wrap([]span{{text: p.text, style: st.text}}, width, keep)
	default:
		b := block{src: []byte(p.text), st: st, floor: max(2, min(8, width/2)), number: int(p.number)}
		rows = b.children(gfm.Parse(b.src), width, st.text, false)
	}
	lines := make([]string, 0, len(rows)+1)
	if p.gap {
		lines = append(lines, "")
	}
	for _, r := range rows {
		lines = append(lines, r.text)
	}
	return lines
}

// codeRows lays out a code block or a piece of one, without touching its white
// space. from is the state at its beginning.
func codeRows(lang *language, text string, from sourceState, width int, st *Styles) []row {
	spans := coloured(lang, text, from, st)
	inner := width - len(codeIndent)
	if inner < 2 {
		return wrap(spans, width, verbatim)
	}
	rows := wrap(spans, inner, verbatim)
	for i, r := range rows {
		switch {
		case r.more:
			rows[i].text = st.rule.paint(codeGoesOn) + " " + r.text
		case r.cells > 0:
			rows[i].text = codeIndent + r.text
		default:
			continue
		}
		rows[i].cells += int32(len(codeIndent))
	}
	return rows
}

// coloured cuts source into spans; without a language it is one.
func coloured(lang *language, text string, from sourceState, st *Styles) []span {
	if lang == nil || text == "" {
		return []span{{text: text, style: st.codeBlock}}
	}
	tokens, _ := lang.colour(text, from)
	spans := make([]span, len(tokens))
	at := 0
	for i, t := range tokens {
		spans[i] = span{text: text[at:t.end], style: st.source[t.class]}
		at = t.end
	}
	return spans
}

// Before a line of source stands its indent, or in the same cells the mark of one that was
// too long for the window.
const (
	codeIndent = "  "
	codeGoesOn = "↳"
)

// block lays out what the parser made of one part.
type block struct {
	src    []byte
	st     *Styles
	floor  int // prefixes are left out where less than this would remain for text
	number int // of the item that begins the part, if it is an ordered one
}

// children lays out the blocks under n, with empty rows between them unless tight.
func (b *block) children(n ast.Node, width int, base sgr, tight bool) []row {
	var rows []row
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if len(rows) > 0 && !tight {
			rows = append(rows, row{})
		}
		rows = append(rows, b.node(c, width, base)...)
	}
	return rows
}

func (b *block) node(n ast.Node, width int, base sgr) []row {
	switch n := n.(type) {
	case *ast.Heading:
		style := base + b.st.heading
		marks := span{text: strings.Repeat("#", n.Level) + " ", style: style}
		return wrap(append([]span{marks}, b.inline(n, style)...), width, collapse)
	case *ast.ThematicBreak:
		return []row{{text: b.st.rule.paint(strings.Repeat("─", width)), cells: int32(width)}}
	case *ast.Blockquote:
		base += b.st.quote
		bar := row{text: b.st.quote.paint("│") + " ", cells: 2}
		return b.prefixed(bar, bar, width, func(inner int) []row {
			return b.children(n, inner, base, false)
		})
	case *ast.List:
		return b.list(n, width, base)
	case *ast.CodeBlock:
		return codeRows(nil, b.lines(n), sourceState{}, width, b.st)
	case *ast.FencedCodeBlock:
		return codeRows(languageNamed(string(n.Language(b.src))), b.lines(n), sourceState{}, width, b.st)
	case *east.Table:
		return b.table(n, width, base)
	}
	return wrap(b.inline(n, base), width, collapse)
}

// prefixed lays something out to the right of a prefix, if that leaves room.
func (b *block) prefixed(first, rest row, width int, lay func(inner int) []row) []row {
	inner := width - int(first.cells)
	if inner < b.floor {
		return lay(width)
	}
	rows := lay(inner)
	if len(rows) == 0 {
		rows = []row{{}}
	}
	prefix := first
	for i, r := range rows {
		rows[i] = row{text: prefix.text + r.text, cells: prefix.cells + r.cells}
		prefix = rest
	}
	return rows
}

func (b *block) list(n *ast.List, width int, base sgr) []row {
	number := n.Start
	if n.Parent().Kind() == ast.KindDocument && n.PreviousSibling() == nil && b.number >= 0 {
		number = b.number
	}
	var rows []row
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		if len(rows) > 0 && !n.IsTight {
			rows = append(rows, row{})
		}
		label := "•"
		if n.IsOrdered() {
			label = strconv.Itoa(number) + string(rune(n.Marker))
			number++
		} else if box := taskBox(item); box != nil {
			label = boxOf(box)
			if width-len(label)-1 >= b.floor { // else it stays in the text, which then has no prefix
				box.Parent().RemoveChild(box.Parent(), box)
			}
		}
		cells := sanitize.Width(label) + 1
		first := row{text: b.st.listMark.paint(label) + " ", cells: int32(cells)}
		rest := row{text: strings.Repeat(" ", cells), cells: int32(cells)}
		rows = append(rows, b.prefixed(first, rest, width, func(inner int) []row {
			return b.children(item, inner, base, n.IsTight)
		})...)
	}
	return rows
}

// taskBox is the box that an item of a list begins with, nil if it is no task.
func taskBox(item ast.Node) *east.TaskCheckBox {
	first := item.FirstChild()
	if first == nil {
		return nil
	}
	box, _ := first.FirstChild().(*east.TaskCheckBox)
	return box
}

// boxOf draws a box in ASCII, as it is typed: how it stands must not hang on a font.
func boxOf(n *east.TaskCheckBox) string {
	if n.IsChecked {
		return "[x]"
	}
	return "[ ]"
}

// lines is the raw text of a code block, without its last line end.
func (b *block) lines(n ast.Node) string {
	return strings.TrimSuffix(string(n.Lines().Value(b.src)), "\n")
}
