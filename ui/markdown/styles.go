package markdown

import (
	"strings"

	"baton/ui/theme"

	"github.com/charmbracelet/lipgloss"
)

// sgr is what switches a style on: SGR sequences, or nothing.
type sgr string

const reset = "\x1b[0m"

// paint wraps text in the style. Text must be printable.
func (s sgr) paint(text string) string {
	if s == "" || text == "" {
		return text
	}
	return string(s) + text + reset
}

// Styles is a theme made ready for laying text out. The zero value styles nothing.
type Styles struct {
	id                                   string
	text, bold, italic, strike           sgr
	link, code, codeBlock, heading       sgr
	quote, listMark, rule, border, table sgr
	source                               [classes]sgr // on top of codeBlock
}

// NewStyles takes from t what markdown needs.
func NewStyles(t theme.Theme) Styles {
	st := Styles{
		id:   t.ID,
		text: sgrOf(t.Text), bold: sgrOf(t.Bold), italic: sgrOf(t.Italic), strike: sgrOf(t.Strike),
		link: sgrOf(t.Link), code: sgrOf(t.Code), codeBlock: sgrOf(t.CodeBlock), heading: sgrOf(t.Heading),
		quote: sgrOf(t.Quote), listMark: sgrOf(t.ListMark), rule: sgrOf(t.Rule),
		border: sgrOf(t.TableBorder), table: sgrOf(t.TableHead),
	}
	for c, style := range map[class]lipgloss.Style{
		keywordClass: t.Keyword, stringClass: t.String, numberClass: t.Number, commentClass: t.Comment,
		funcClass: t.Func, typeClass: t.Type, addedClass: t.Added, removedClass: t.Removed,
	} {
		st.source[c] = st.codeBlock + sgrOf(style)
	}
	st.source[noClass] = st.codeBlock
	return st
}

// Over returns the styles on top of base: what has no look of its own looks like
// base, the rest adds to it. name tells these styles from those without base.
func (s Styles) Over(name string, base lipgloss.Style) Styles {
	s.id += "/" + name
	s.text = sgrOf(base) + s.text
	return s
}

// sgrOf asks lipgloss once, so that painting a span costs a concatenation.
func sgrOf(style lipgloss.Style) sgr {
	on, _, _ := strings.Cut(style.Render("x"), "x")
	return sgr(on)
}
