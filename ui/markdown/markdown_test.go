package markdown

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"

	"baton/ui/markdown/gfm"
)

func TestRender(t *testing.T) {
	tests := []struct {
		name, src string
		width     int
		want      string
	}{
		{"words wrap", "one two three four", 9, "one two\nthree\nfour"},
		{"runs of spaces", "a   b", 9, "a b"},
		{"long words break", "a bbbbbbbbbb c", 4, "a\nbbbb\nbbbb\nbb c"},
		{"wide text breaks anywhere", "ab世界你好", 5, "ab世\n界你\n好"},
		{"one cell", "ab 世", 1, "a\nb\n…"},
		{"hard break", "a  \nb\\\nc\nd", 9, "a\nb\nc d"},
		{"headings keep their marks", "## *T* x\ntext", 9, "## T x\n\ntext"},
		{"setext", "T\n---\ntext", 9, "## T\n\ntext"},
		{"rule", "a\n\n***\nb", 4, "a\n\n────\n\nb"},
		{"tight list", "- a\n- b\n  - c", 9, "• a\n• b\n  • c"},
		{"loose list", "- a\n\n- b", 9, "• a\n\n• b"},
		{"ordered list counts", "3. a\n3. b\n\n   c\n3. d", 9, "3. a\n\n4. b\n\n   c\n\n5. d"},
		{"items that were shown stay close", "- a\n- b\n\n- c\n- d", 9, "• a\n• b\n\n• c\n• d"},
		{"new list", "1. a\n1) b", 9, "1. a\n\n1) b"},
		{"list text wraps beside its mark", "- a b c d", 6, "• a b\n  c d"},
		{"no room for marks", "> - a b", 2, "a\nb"},
		{"tasks", "- [ ] a\n- [x] b\n- c", 9, "[ ] a\n[x] b\n• c"},
		{"tasks apart", "* [X] a\n\n* [ ] b\n\n  c", 12, "[x] a\n\n[ ] b\n\n    c"},
		{"a task in a task", "- [x] a b c d e f\n  - [ ] g h i", 16, "[x] a b c d e f\n    [ ] g h i"},
		{"a task's text wraps beside its box", "- [x] a b c d e f", 12, "[x] a b c d\n    e f"},
		{"a numbered task keeps its number", "1. [x] a\n2. [ ] b", 12, "1. [x] a\n2. [ ] b"},
		{"no room beside a box", "- [x] ab cd", 6, "[x] ab\ncd"},
		{"no room for more than a box", "- [x] a", 3, "[x]\na"},
		{"a box that is text", "- a [x] b", 12, "• a [x] b"},
		{"quote", "> a b c d e\n> > f", 9, "│ a b c d\n│ e\n│\n│ │ f"},
		{"code keeps white space", "```go\na  b\n\n\tc\n```", 20, "  a  b\n\n      c"},
		{"code breaks anywhere", "```\nab cd efg\n```", 6, "  ab c\n↳ d ef\n↳ g"},
		{"indented code", "    a\n\n      b\nc", 9, "  a\n\n    b\n\nc"},
		{"fence without an end", "```\na\n\n# b", 9, "  a\n\n  # b"},
		{"code in a list", "- a\n\n  ```\n  x\n\n  y\n  ```\n- b", 9, "• a\n\n    x\n\n    y\n\n• b"},
		{"a fence ends a list", "- a\n```\nb\n\nc\n```", 9, "• a\n\n  b\n\n  c"},
		{"grid", "|a|b|\n|-|-:|\n|1|2|\n|10|20|", 20, "a  │  b\n───┼───\n1  │  2\n10 │ 20"},
		{"grid squeezed", "|a|b|\n|-|-|\n|1|two words here|", 15, "a │ b\n──┼────────────\n1 │ two words\n  │ here"},
		{"records", "|name|age|town|\n|-|-|-|\n|ann maria|30 years|oslo city|\n|bo lundgren||", 20,
			"name: ann maria\nage: 30 years\ntown: oslo city\n──\nname: bo lundgren"},
		{"html is text", "<p>\n<b>a</b>\n\nx <i>y</i>", 20, "<p>\n<b>a</b>\n\nx <i>y</i>"},
		{"definitions are text", "[a]\n\n[a]: /x", 20, "[a]\n\n[a]: /x"},
		{"entities", "&lt;&copy;&#27;&#x202e;&nope;\\&amp;", 40, "<©␛<U+202E>&nope;&amp;"},
		{"address shown", "[a](https://b.c) d", 40, "a (https://b.c) d"},
		{"address shown once", "[https://b.c](https://b.c) <https://d.e>", 40, "https://b.c https://d.e"},
		{"words of a table stay whole", "|configuration|b|\n|-|-|\n|x|some words that are wrapped|", 30, "configuration │ b\n──────────────┼───────────────\nx             │ some words\n              │ that are\n              │ wrapped"},
		{"no room for whole words", "|configuration|documentation|\n|-|-|\n|retry|some words that are wrapped|\n|a|b|", 24, "configuration: retry\ndocumentation: some\n  words that are wrapped\n──\nconfiguration: a\ndocumentation: b"},
		{"line breaks in cells", "|a|b|\n|-|-|\n|x<br>y|z<BR />w|", 30, "a │ b\n──┼──\nx │ z\ny │ w"},
		{"line breaks of other kinds", "a<br>b `<br>` <broken> <br", 30, "a\nb <br> <broken> <br"},
		{"source keeps its breaks", "<p>a<br>b</p>", 30, "<p>a<br>b</p>"},
		{"image", "![a](x.png)", 40, "image: a (x.png)"},
		{"line ends", "a\r\n\r\nb\rc", 40, "a\n\nb␍c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lines := Render(tt.src, tt.width, styles(t))
			checkLines(t, lines, tt.width)
			if diff := cmp.Diff(strings.Split(tt.want, "\n"), unstyled(lines)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEveryWidth(t *testing.T) {
	st := styles(t)
	for name, src := range corpus {
		t.Run(name, func(t *testing.T) {
			for width := -1; width <= 70; width++ {
				if len(src) > 4000 && width%13 != 0 {
					continue
				}
				checkLines(t, Render(src, width, st), max(width, 1))
			}
		})
	}
}

// A style goes on after a line break and is closed on each line.
func TestStylesAcrossLines(t *testing.T) {
	st := Styles{bold: "\x1b[1m", italic: "\x1b[3m"}
	got := Render("**a *b c***", 3, st)
	want := []string{"\x1b[1ma \x1b[0m\x1b[1m\x1b[3mb\x1b[0m", "\x1b[1m\x1b[3mc\x1b[0m"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// H9: only what opens in a browser over HTTP looks like a link.
func TestOnlyWebAddressesLookLikeLinks(t *testing.T) {
	t.Run("H9", func(t *testing.T) {
		st := Styles{link: "\x1b[4m"}
		for src, want := range map[string]string{
			"[t](https://a.b)":          "\x1b[4mt\x1b[0m (\x1b[4mhttps://a.b\x1b[0m)",
			"[t](HTTP://a.b)":           "\x1b[4mt\x1b[0m (\x1b[4mHTTP://a.b\x1b[0m)",
			"[t](javascript:alert)":     "t (javascript:alert)",
			"[t](javascript&#58;alert)": "t (javascript:alert)",
			"[t](file:///etc/passwd)":   "t (file:///etc/passwd)",
			"[t](data:text/html,x)":     "t (data:text/html,x)",
			"[t](//a.b)":                "t (//a.b)",
			"[t](ahttps://a.b)":         "t (ahttps://a.b)",
			"<javascript:alert>":        "javascript:alert",
			"see https://a.b.":          "see \x1b[4mhttps://a.b\x1b[0m.",
			"ftp://a.b":                 "ftp://a.b",
		} {
			if got := Render(src, 60, st); len(got) != 1 || got[0] != want {
				t.Errorf("%s: %q, want %q", src, got, want)
			}
		}
	})
}

// Cutting a text into parts must not change what CommonMark makes of it: each
// sample parsed whole has the same top-level blocks as its parts.
func TestPartsAgreeWithWholeText(t *testing.T) {
	for _, name := range []string{"prose", "links", "headings", "tasks", "quotes", "code", "unclosed", "table", "rules"} {
		src := corpus[name]
		var whole, parts []string
		kinds := func(list *[]string, src string) {
			doc := gfm.Parse([]byte(src))
			for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
				kind := n.Kind().String()
				if kind == "FencedCodeBlock" {
					kind = "CodeBlock"
				}
				if n.Kind() == ast.KindList && len(*list) > 0 && (*list)[len(*list)-1] == kind {
					continue // items are parts
				}
				*list = append(*list, kind)
			}
		}
		kinds(&whole, src)
		s := New(Styles{})
		s.Append(src)
		s.End()
		for _, v := range s.done {
			if v.kind == code {
				parts = append(parts, "CodeBlock")
				continue
			}
			kinds(&parts, v.text)
		}
		if diff := cmp.Diff(whole, parts); diff != "" {
			t.Errorf("%s (-whole +parts):\n%s", name, diff)
		}
	}
}
