package gfm

import (
	"flag"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"pgregory.net/rapid"

	"baton/ui/markdown/gfmtest"
)

// sketch writes a tree so that people can read it: a block a line, what is in it behind its kind.
func sketch(src string, n ast.Node) string {
	var out strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if out.Len() > 0 && c.Type() == ast.TypeBlock {
			out.WriteString("; ")
		}
		inside := sketch(src, c)
		switch c := c.(type) {
		case *ast.Text:
			out.Write(c.Value([]byte(src)))
			if c.SoftLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.CodeSpan:
			out.WriteString("`" + inside + "`")
		case *ast.Paragraph, *ast.TextBlock:
			out.WriteString(inside)
		case *east.TaskCheckBox:
			out.WriteString(map[bool]string{true: "(done)", false: "(open)"}[c.IsChecked])
		case *east.Table:
			fmt.Fprintf(&out, "Table%v(%s)", c.Alignments, inside)
		case *east.TableHeader, *east.TableRow:
			out.WriteString("Row(" + inside + ")")
		case *east.TableCell:
			out.WriteString("<" + inside + ">")
		default:
			out.WriteString(c.Kind().String() + "(" + inside + ")")
		}
	}
	return strings.ReplaceAll(out.String(), ">; <", "><")
}

// TestSpecification holds the examples of GFM 0.29-gfm by their numbers, and what stands between their lines.
func TestSpecification(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"198 a table", "| foo | bar |\n| --- | --- |\n| baz | bim |", "Table[none none](Row(<foo><bar>); Row(<baz><bim>))"},
		{"199 bars at the ends are optional", "| abc | defghi |\n:-: | -----------:\nbar | baz", "Table[center right](Row(<abc><defghi>); Row(<bar><baz>))"},
		{"200 escaped bars", "| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |", "Table[none](Row(<f\\|oo>); Row(<b `|` az>); Row(<b Emphasis(\\|) im>))"},
		{"201 another block ends it", "| abc | def |\n| --- | --- |\n| bar | baz |\n> bar", "Table[none none](Row(<abc><def>); Row(<bar><baz>)); Blockquote(bar)"},
		{"202 an empty line ends it", "| abc | def |\n| --- | --- |\n| bar | baz |\nbar\n\nbar", "Table[none none](Row(<abc><def>); Row(<bar><baz>); Row(<bar><>)); bar"},
		{"203 more header cells than delimiters", "| abc | def |\n| --- |\n| bar |", "| abc | def | | --- | | bar |"},
		{"204 too few and too many cells", "| abc | def |\n| --- | --- |\n| bar |\n| bar | baz | boo |", "Table[none none](Row(<abc><def>); Row(<bar><>); Row(<bar><baz>))"},
		{"205 no body", "| abc | def |\n| --- | --- |", "Table[none none](Row(<abc><def>))"},
		{"279 tasks", "- [ ] foo\n- [x] bar", "List(ListItem((open)foo); ListItem((done)bar))"},
		{"280 tasks in tasks", "- [x] foo\n  - [ ] bar\n  - [x] baz\n- [ ] bim", "List(ListItem((done)foo; List(ListItem((open)bar); ListItem((done)baz))); ListItem((open)bim))"},
		{"491 one and two tildes", "~~Hi~~ Hello, ~there~ world!", "Strikethrough(Hi) Hello, Strikethrough(there) world!"},
		{"492 another paragraph", "This ~~has a\n\nnew paragraph~~.", "This ~~has a; new paragraph~~."},
		{"493 three tildes", "This will ~~~not~~~ strike.", "This will ~~~not~~~ strike."},

		{"alignments", "a|b|c|d\n:-|-:|:-:|-", "Table[left right center none](Row(<a><b><c><d>))"},
		{"not a delimiter", "a|b\n:-|::", "a|b :-|::"},
		{"a colon inside", "a|b\n-:-|-", "a|b -:-|-"},
		{"a delimiter row far in", "a|b\n    -|-", "a|b -|-"},
		{"fewer header cells than delimiters", "a\n-|-", "Table[none none](Row(<a><>))"},
		{"a table below text", "x\ny\na|b\n-|-\nc|d", "x y; Table[none none](Row(<a><b>); Row(<c><d>))"},
		{"a second delimiter row is a row", "a|b\n-|-\n-|-", "Table[none none](Row(<a><b>); Row(<-><->))"},
		{"a later row may be the delimiter", "a|b|c\nd|e\n-|-", "a|b|c; Table[none none](Row(<d><e>))"},
		{"but not below one that does not fit", "a|b|c\n-|-\n-|-", "a|b|c -|- -|-"},
		{"empty cells", "|a|b|\n|-|-|\n| | x |\n||\n", "Table[none none](Row(<a><b>); Row(<><x>); Row(<><>))"},
		{"a backslash that is escaped itself", "a\n-|\nb\\\\|c", "Table[none](Row(<a>); Row(<b\\\\|c>))"},
		{"a bar in code", "a|b\n-|-\n`c|d`", "Table[none none](Row(<a><b>); Row(<`c><d`>))"},
		{"bars in code", "a\n-|\n`\\|b\\|\\|`", "Table[none](Row(<a>); Row(<`|b||`>))"},
		{"a bar in code outside of tables", "`a\\|b`", "`a\\|b`"},
		{"a quote with a table", "> a|b\n> -|-\n> c", "Blockquote(Table[none none](Row(<a><b>); Row(<c><>)))"},
		{"dashes below a table", "a|b\n-|-\n---\nx", "Table[none none](Row(<a><b>)); ThematicBreak(); x"},
		{"a table of a task has no box", "- [ ] a|b\n  -|-", "List(ListItem(Table[none none](Row(<[ ] a><b>))))"},

		{"a box in upper case", "1. [X] a", "List(ListItem((done)a))"},
		{"a box not at the start", "- a [x] b", "List(ListItem(a [x] b))"},
		{"a box in a second paragraph", "- a\n\n  [x] b", "List(ListItem(a; [x] b))"},
		{"a box in a second line", "- a\n  [x] b", "List(ListItem(a [x] b))"},
		{"a box outside of lists", "[x] a", "[x] a"},
		{"a box alone", "- [ ]", "List(ListItem((open)))"},
		{"an escaped box", "- \\[x] a", "List(ListItem(\\[x] a))"},
		{"another letter", "- [y] a", "List(ListItem([y] a))"},
		{"two boxes", "- [x] [ ] a", "List(ListItem((done)[ ] a))"},

		{"a word struck in a word", "a~~b~~c", "aStrikethrough(b)c"},
		{"spaces inside", "~~ a ~~", "~~ a ~~"},
		{"a strike in a strike", "~~a ~b~ c~~", "Strikethrough(a Strikethrough(b) c)"},
		{"unequal tildes", "~~a~", "~Strikethrough(a)"},
		{"three tildes against two", "a ~~~b~~ c~~~", "a ~~~b~~ c~~~"},
		{"an escaped tilde", "\\~~a~~", "\\~~a~~"},
		{"across emphasis", "*a ~~b* c~~", "Emphasis(a ~~b) c~~"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := sketch(tt.src, Parse([]byte(tt.src))); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if got := sketch(tt.src, gfmtest.Parse([]byte(tt.src))); got != tt.want {
				t.Errorf("goldmark's extensions: %s", got)
			}
		})
	}
}

// TestBetterThanGoldmark: where goldmark's extensions lose a text or its order, they are not followed.
func TestBetterThanGoldmark(t *testing.T) {
	for _, tt := range []struct{ name, src, want, theirs string }{
		{"an escaped bar at the end of a row", "a|b\n-|-\nc|\\|", "Table[none none](Row(<a><b>); Row(<c><\\|>))", "Table[none none](Row(<a><b>); Row(<c><\\>))"},
		{"a link after a mark", "- [x](https://a.example) b", "List(ListItem(Link(x) b))", "List(ListItem((done)(https://a.example) b))"},
		{"dashes below a table below text", "x\na|b\n-|-\nc|d\n---\ny", "x; Table[none none](Row(<a><b>); Row(<c><d>)); ThematicBreak(); y",
			"Table[none none](Row(<a><b>); Row(<c><d>)); Heading(x); y"},
		{"dashes that go on with an item", "- a\n--\n", "List(ListItem(a --))", "List(ListItem(Table[none](Row(<a>))))"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := sketch(tt.src, Parse([]byte(tt.src))); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			reference := gfmtest.Parse([]byte(tt.src))
			if got := sketch(tt.src, reference); got != tt.theirs {
				t.Errorf("goldmark's extensions have changed: %s", got)
			}
			if !better([]byte(tt.src), reference) {
				t.Error("the comparison does not know of it")
			}
		})
	}
}

var (
	gluedBox  = regexp.MustCompile(`\[[ \t\r\fxX]\][^ \t\r\n\f]`)
	barAtEnd  = regexp.MustCompile(`(?m)\\\|[ \t\r]*$`)
	onlyDash  = regexp.MustCompile(`(?m)^[ \t>]*-+[ \t\r]*$`)
	hasBox    = func(n ast.Node) bool { return n.Kind() == east.KindTaskCheckBox }
	hasTable  = func(n ast.Node) bool { return n.Kind() == east.KindTable }
	oneColumn = func(n ast.Node) bool {
		t, ok := n.(*east.Table)
		return ok && len(t.Alignments) == 1
	}
)

// better reports a tree of goldmark's extensions in which something may have gone wrong that is right here.
func better(src []byte, reference ast.Node) bool {
	goesOn := func(n ast.Node) bool { // with hyphens, which decided that there is no table
		return n.Type() == ast.TypeBlock && n.Lines().Len() > 1 && onlyDash.Match(n.Lines().Value(src))
	}
	return gluedBox.Match(src) && some(reference, hasBox) || barAtEnd.Match(src) && some(reference, hasTable) ||
		onlyDash.Match(src) && some(reference, oneColumn) || some(reference, goesOn) || disordered(reference)
}

func some(root ast.Node, is func(ast.Node) bool) bool {
	found := false
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		found = found || entering && is(n)
		return ast.WalkContinue, nil
	})
	return found
}

// disordered reports a tree whose blocks stand in another order than in the source.
func disordered(root ast.Node) bool {
	last := 0
	return some(root, func(n ast.Node) bool {
		at := last
		switch {
		case n.Kind() == east.KindTableHeader:
			at = n.Pos()
		case n.Type() == ast.TypeBlock && n.Lines().Len() > 0:
			at = n.Lines().At(0).Start
		}
		before := at < last
		last = max(last, at)
		return before
	})
}

// tester is what tests and property tests have in common.
type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkSame fails if the tree of a text is not that of goldmark's extensions. It returns false if theirs may be wrong.
func checkSame(t tester, src string) bool {
	t.Helper()
	reference := gfmtest.Parse([]byte(src))
	ours, theirs := gfmtest.Dump([]byte(src), Parse([]byte(src))), gfmtest.Dump([]byte(src), reference)
	if ours == theirs {
		return true
	}
	if !better([]byte(src), reference) {
		t.Fatalf("%q (-goldmark +ours)\n%s", src, cmp.Diff(theirs, ours))
	}
	return false
}

var more = flag.Int("gfm.more", 0, "how many letters longer the short texts are")

// TestShortTexts looks at all short texts of what matters in one place: that is where the corners are.
func TestShortTexts(t *testing.T) {
	for _, tt := range []struct {
		name, before, letters, behind string
		length                        int
	}{
		{"delimiter rows", "a|b\n", "-|: \\\ta", "", 4},
		{"delimiter rows of one column", "a\n", "-|: \t", "\nx|y", 5},
		{"headers", "", "-|:\\\ta`", "\n-|-\nx", 4},
		{"rows", "a|b\n-|-\n", "|-\\\n`a ", "", 4},
		{"tildes", "", "a~*\\ ", "", 6},
		{"boxes", "- [", "] xX\n\t\r([", "", 4},
		{"starts of items", "- ", "[] x\n-|", "", 4},
		{"items and tables", "- a\n- |b\n", "-| \n:", "", 5},
		{"what follows", "x\n", "-|=\n:>", "\ny", 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			same, all := 0, 0
			texts(tt.letters, tt.length+*more, func(middle string) {
				all++
				if checkSame(t, tt.before+middle+tt.behind) {
					same++
				}
			})
			if same < all*9/10 {
				t.Errorf("of %d texts only %d could be compared", all, same)
			}
		})
	}
}

// texts calls f with all texts of so many letters and fewer.
func texts(letters string, length int, f func(string)) {
	f("")
	if length == 0 {
		return
	}
	for _, first := range letters {
		texts(letters, length-1, func(rest string) { f(string(first) + rest) })
	}
}

// pieces are what the generated lines are made of.
var pieces = []string{
	"|", "|", "|", " | ", `\|`, `\\|`, "`", "``", "`a\\|b`", "~", "~~", "~~", "~~~", "*", "**", "_", "a", "b c", "世界", "e\u0301", "\u00a0", " ", "  ", "\t",
	"[ ] ", "[x] ", "[X]\t", "[", "]", "[a](b\\|c)", "<https://a.example>", "![", "&amp;", "\\", "\\~", "<br>", "\f", "\v", "\x00", "\xff",
	"-", "--", ":-", "-:", ":-:", ":", "=", "---", "```", "#",
}

var starts = []string{"", "", "", "- ", "- [ ] ", "- [x] ", "1. ", "> ", "> - ", "  ", "   ", "    ", "\t", "# ", "-\t"}

var delimiters = []string{"-|-", "|-|-|", ":-|-:", "|:-:|-|-|", "-|", ":-", "| - | :-: |", "|-", "--", "- | -"}

func aLine(t *rapid.T) string {
	if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
		return rapid.SampledFrom(starts).Draw(t, "start") + rapid.SampledFrom(delimiters).Draw(t, "delimiters")
	}
	return rapid.SampledFrom(starts).Draw(t, "start") + strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 8).Draw(t, "pieces"), "")
}

// TestAnyText: texts full of bars, tildes and boxes give the same trees.
func TestAnyText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lines := rapid.SliceOfN(rapid.Custom(aLine), 0, 8).Draw(rt, "lines")
		checkSame(rt, strings.Join(lines, rapid.SampledFrom([]string{"\n", "\n", "\n\n", "\r\n"}).Draw(rt, "line end")))
	})
}
