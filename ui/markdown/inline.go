package markdown

import (
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"baton/ui/sanitize"
)

// inline collects the text under n. A paragraph that begins with a tag keeps its
// line breaks, since it is most likely source.
func (b *block) inline(n ast.Node, base sgr) []span {
	t := texts{src: b.src, st: b.st}
	if lines := n.Lines(); lines.Len() > 0 {
		first := lines.At(0)
		t.breaks = strings.HasPrefix(strings.TrimLeft(string(first.Value(b.src)), " "), "<")
	}
	t.under(n, base)
	return t.finish()
}

// texts gathers spans.
type texts struct {
	src    []byte
	st     *Styles
	breaks bool
	spans  []span
	open   []byte // text of the span that is not finished
	style  sgr    // of open
}

func (t *texts) under(n ast.Node, style sgr) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t.node(c, style)
	}
}

func (t *texts) node(n ast.Node, style sgr) {
	switch n := n.(type) {
	case *ast.Text:
		t.text(n, style)
	case *ast.String:
		t.put(string(n.Value), style, false)
	case *ast.CodeSpan:
		t.put(t.raw(n), style+t.st.code, true)
	case *ast.Emphasis:
		if n.Level > 1 {
			t.under(n, style+t.st.bold)
		} else {
			t.under(n, style+t.st.italic)
		}
	case *east.Strikethrough:
		t.under(n, style+t.st.strike)
	case *ast.Link:
		t.link(n, string(n.Destination), style)
	case *ast.Image:
		t.put("image: ", style, false)
		t.link(n, string(n.Destination), style)
	case *ast.AutoLink:
		t.put(string(n.Label(t.src)), style, false) // finish styles it, if it may
	case *east.TaskCheckBox:
		t.put(boxOf(n)+" ", style+t.st.listMark, true)
	default:
		t.under(n, style)
	}
}

func (t *texts) text(n *ast.Text, style sgr) {
	value := string(n.Value(t.src))
	if !n.IsRaw() {
		value = unescape(value)
	}
	t.put(value, style, false)
	switch {
	case n.HardLineBreak(), n.SoftLineBreak() && t.breaks:
		t.flush()
		t.spans = append(t.spans, span{hard: true})
	case n.SoftLineBreak():
		t.put(" ", style, false)
	}
}

// raw is the text of a code span, where line ends count as spaces.
func (t *texts) raw(n ast.Node) string {
	var s strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c, ok := c.(*ast.Text); ok {
			s.Write(c.Value(t.src))
		}
	}
	return strings.ReplaceAll(s.String(), "\n", " ")
}

// link shows the text of a link and, unless the text is the address, the address.
// Only what opens in a browser looks like a link.
func (t *texts) link(n ast.Node, destination string, style sgr) {
	address := unescape(destination)
	look := style
	if web(address) {
		look += t.st.link
	}
	t.flush()
	from := len(t.spans)
	t.under(n, look)
	t.flush()
	var label strings.Builder
	for i := range t.spans[from:] {
		t.spans[from+i].fixed = true
		label.WriteString(t.spans[from+i].text)
	}
	if label.String() == address {
		return
	}
	if label.Len() > 0 {
		t.put(" ", style, true)
	}
	t.put("(", style, true)
	t.put(address, look, true)
	t.put(")", style, true)
}

// put adds text; entities may have made new characters, and a mark may have lost
// its base, so it is made printable once more.
func (t *texts) put(text string, style sgr, fixed bool) {
	text = strings.ReplaceAll(sanitize.Text(text), "\n", " ")
	if fixed || style != t.style {
		t.flush()
	}
	if fixed {
		t.spans = append(t.spans, span{text: text, style: style, fixed: true})
		return
	}
	t.open, t.style = append(t.open, text...), style
}

func (t *texts) flush() {
	if len(t.open) > 0 {
		t.spans = append(t.spans, span{text: string(t.open), style: t.style})
		t.open = t.open[:0]
	}
}

// finish makes of the text what stands in it without markdown's help: line breaks as
// HTML writes them, the only ones a table can have, and web addresses, which look like
// links.
func (t *texts) finish() []span {
	t.flush()
	var out []span
	for _, s := range t.spans {
		for !s.fixed && !t.breaks {
			from, to := lineBreak(s.text)
			if from == to {
				break
			}
			out = append(t.addresses(out, span{text: s.text[:from], style: s.style}), span{hard: true})
			s.text = s.text[to:]
		}
		out = t.addresses(out, s)
	}
	return out
}

// lineBreak finds the first <br> in text; from equals to if there is none.
func lineBreak(text string) (from, to int) {
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '<')
		if i < 0 {
			return 0, 0
		}
		from, at = at+i, at+i+1
		if rest := text[at:]; len(rest) > 2 && strings.EqualFold(rest[:2], "br") {
			end := at + len("br")
			for _, c := range []byte(" /") {
				if end < len(text) && text[end] == c {
					end++
				}
			}
			if end < len(text) && text[end] == '>' {
				return from, end + 1
			}
		}
	}
}

// addresses adds s to out, with the look of a link where it holds web addresses.
func (t *texts) addresses(out []span, s span) []span {
	if s.text == "" && !s.hard {
		return out
	}
	for !s.fixed {
		from, to := address(s.text)
		if from == to {
			break
		}
		out = append(out, span{text: s.text[:from], style: s.style},
			span{text: s.text[from:to], style: s.style + t.st.link})
		s.text = s.text[to:]
	}
	return append(out, s)
}

// web reports an address that a browser opens over HTTP.
func web(address string) bool {
	scheme, rest, ok := strings.Cut(address, "://")
	return ok && rest != "" && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// address finds the first web address in text; from equals to if there is none.
func address(text string) (from, to int) {
	for at := 0; ; {
		i := strings.Index(text[at:], "://")
		if i < 0 {
			return 0, 0
		}
		i += at
		at = i + len("://")
		for _, scheme := range [...]string{"https", "http"} {
			from = i - len(scheme)
			if from < 0 || text[from:i] != scheme {
				continue
			}
			end := strings.IndexAny(text[at:], " \t<>\"`|")
			if end < 0 {
				end = len(text) - at
			}
			if found := strings.TrimRight(text[at:at+end], ".,;:!?'*_)]}"); found != "" {
				return from, at + len(found)
			}
		}
	}
}

// unescape resolves backslash escapes and entities (CommonMark 0.31 §2.4, §2.5).
func unescape(text string) string {
	if !strings.ContainsAny(text, `\&`) {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && util.IsPunct(text[i+1]):
			i++
		case text[i] == '&':
			// The longest name in HTML has 32 characters.
			if end := strings.IndexByte(text[i:min(len(text), i+40)], ';'); end > 0 {
				out.WriteString(html.UnescapeString(text[i : i+end+1]))
				i += end
				continue
			}
		}
		out.WriteByte(text[i])
	}
	return out.String()
}
