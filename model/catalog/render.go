package catalog

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	page "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"baton/ui/markdown/gfm"
	"baton/ui/sanitize"
)

// rendered writes printable markdown that nobody vouches for as HTML: its tags and definitions of links are text, so that
// nothing of it vanishes, its links go to the web or to a mailbox, its pictures are links. What would take too long to parse is plain.
func rendered(w io.Writer, markdown string) error {
	for _, piece := range pieces(markdown) {
		if tooHeavy(piece) {
			if _, err := io.WriteString(w, "<pre class=\"said\">"+html.EscapeString(piece)+"</pre>\n"); err != nil {
				return err
			}
			continue
		}
		src := []byte(piece)
		if err := pageRenderer().Render(w, src, gfm.Parse(src)); err != nil {
			return err
		}
	}
	return nil
}

var pageRenderer = sync.OnceValue(func() renderer.Renderer {
	words := page.WithWriter(printableWriter{})
	return renderer.NewRenderer(renderer.WithNodeRenderers(
		util.Prioritized(links{}, 100),
		util.Prioritized(headings{}, 100),
		util.Prioritized(beyond{}, 100),
		util.Prioritized(page.NewRenderer(words), 1000),
	))
})

// printableWriter makes text printable once more: a reference such as &#27; stands for a character that was not there
// when the whole was made printable.
type printableWriter struct{}

func (printableWriter) Write(w util.BufWriter, source []byte) {
	var b bytes.Buffer
	bw := util.BufWriter(plainBuffer{&b})
	page.DefaultWriter.Write(bw, source)
	_, _ = w.WriteString(html.EscapeString(sanitize.Text(html.UnescapeString(b.String()))))
}

func (printableWriter) RawWrite(w util.BufWriter, source []byte) {
	_, _ = w.WriteString(html.EscapeString(string(source)))
}

func (p printableWriter) SecureWrite(w util.BufWriter, source []byte) { p.RawWrite(w, source) }

// plainBuffer is a buffer as goldmark wants it.
type plainBuffer struct{ *bytes.Buffer }

func (plainBuffer) Buffered() int { return 0 }
func (plainBuffer) Flush() error  { return nil }

// headings draws headings below those of the page, so that an answer cannot pass for somebody else's part.
type headings struct{}

func (headings) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		level := min(n.(*ast.Heading).Level+2, 6)
		if entering {
			_, _ = fmt.Fprintf(w, "<h%d>", level)
		} else {
			_, _ = fmt.Fprintf(w, "</h%d>\n", level)
		}
		return ast.WalkContinue, nil
	})
}

// links draws links and pictures.
type links struct{}

func (l links) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindLink, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		return l.around(w, n.(*ast.Link).Destination, entering), nil
	})
	r.Register(ast.KindImage, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		return l.around(w, n.(*ast.Image).Destination, entering), nil
	})
	r.Register(ast.KindAutoLink, func(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		n := node.(*ast.AutoLink)
		to := n.URL(source)
		if n.AutoLinkType == ast.AutoLinkEmail {
			to = append([]byte("mailto:"), to...)
		}
		l.around(w, to, entering)
		if entering {
			printableWriter{}.RawWrite(w, n.Label(source))
		}
		return ast.WalkContinue, nil
	})
}

// around opens or closes a link to an address that may be followed; for others there is nothing but the text.
func (links) around(w util.BufWriter, to []byte, entering bool) ast.WalkStatus {
	address, ok := followed(to)
	switch {
	case !ok:
	case entering:
		_, _ = w.WriteString(`<a href="` + html.EscapeString(address) + `" rel="noopener noreferrer nofollow">`)
	default:
		_, _ = w.WriteString(`</a>`)
	}
	return ast.WalkContinue
}

// followed is the address of a link, if it leads to the web or to a mailbox.
func followed(to []byte) (address string, ok bool) {
	plain := html.UnescapeString(string(util.UnescapePunctuations(to)))
	if sanitize.Line(plain) != plain {
		return "", false
	}
	lower := strings.ToLower(plain)
	for _, scheme := range []string{"http://", "https://", "mailto:"} {
		if strings.HasPrefix(lower, scheme) {
			return string(util.URLEscape([]byte(plain), false)), true
		}
	}
	return "", false
}
