package markdown

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"

	"baton/ui/markdown/gfm"
	"baton/ui/markdown/gfmtest"
)

// TestLooksAsWithGoldmark: texts are drawn as they were with goldmark's own extensions.
func TestLooksAsWithGoldmark(t *testing.T) {
	st := styles(t)
	draw := func(src string, width int, root ast.Node) []string {
		b := block{src: []byte(src), st: &st, floor: 2, number: -1}
		var lines []string
		for _, r := range b.children(root, width, st.text, false) {
			lines = append(lines, r.text)
		}
		return lines
	}
	check := func(name, src string) {
		t.Run(name, func(t *testing.T) {
			for _, width := range []int{100, 20} {
				ours, theirs := draw(src, width, gfm.Parse([]byte(src))), draw(src, width, gfmtest.Parse([]byte(src)))
				if diff := cmp.Diff(theirs, ours); diff != "" {
					t.Errorf("%d columns (-goldmark +ours)\n%s", width, diff)
				}
			}
			ours, theirs := gfmtest.Dump([]byte(src), gfm.Parse([]byte(src))), gfmtest.Dump([]byte(src), gfmtest.Parse([]byte(src)))
			if diff := cmp.Diff(theirs, ours); diff != "" {
				t.Errorf("the tree (-goldmark +ours)\n%s", diff)
			}
		})
	}
	for name, src := range corpus {
		check(name, src)
	}
	for name, src := range benchTexts {
		check("bench "+name, src)
	}
	for name, src := range blocks() {
		check("block "+name, src)
	}
	for name, text := range hostile {
		check("hostile "+name, text(1000))
	}
}
