package catalog

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	page "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
	"pgregory.net/rapid"

	"baton/ui/markdown/gfm"
	"baton/ui/sanitize"
)

// theirs draws a page with goldmark's own extensions.
var theirs = renderer.NewRenderer(renderer.WithNodeRenderers(
	util.Prioritized(links{}, 100),
	util.Prioritized(headings{}, 100),
	util.Prioritized(extension.NewTableHTMLRenderer(), 500),
	util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
	util.Prioritized(extension.NewTaskCheckBoxHTMLRenderer(), 500),
	util.Prioritized(page.NewRenderer(page.WithWriter(printableWriter{})), 1000),
))

func drawnWith(t interface{ Fatal(...any) }, r renderer.Renderer, src string, tree ast.Node) string {
	var b bytes.Buffer
	if err := r.Render(&b, []byte(src), tree); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestBeyondCommonMark: tables, struck text and boxes are drawn as goldmark's own extensions draw them.
func TestBeyondCommonMark(t *testing.T) {
	for _, src := range []string{
		"a|b|c|d\n:-|-:|:-:|-\n1|*2*|`a\\|b`|4\n<b>|5", // all alignments, a row that is too short
		"|a|\n|-|", "|a|\n|:-:|", // no body
		"> a|b\n> -|-\n> c|~~d~~ &#27;\n\nx", "- a|b\n  -|-\n  c",
		"~~a~~ *~b~ c*", "# ~~a~~",
		"- [ ] a\n- [x] **b**\n  - [X] c\n\n- [x]\n\n  d", "1. [ ]",
	} {
		tree := gfm.Parse([]byte(src))
		if diff := cmp.Diff(drawnWith(t, theirs, src, tree), drawnWith(t, pageRenderer(), src, tree)); diff != "" {
			t.Errorf("%q (-goldmark +ours)\n%s", src, diff)
		}
	}
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a|b", "|-|:-|", "-:|:-:", "c|d|e", "- [ ] f", "- [x] g", "> a|b", "~~h~~|`i\\|j`", "", "text", "<td>"}), 0, 9)
	rapid.Check(t, func(t *rapid.T) {
		src := sanitize.Text(strings.Join(lines.Draw(t, "lines"), "\n"))
		tree := gfm.Parse([]byte(src))
		if diff := cmp.Diff(drawnWith(t, theirs, src, tree), drawnWith(t, pageRenderer(), src, tree)); diff != "" {
			t.Fatalf("%q (-goldmark +ours)\n%s", src, diff)
		}
	})
}
