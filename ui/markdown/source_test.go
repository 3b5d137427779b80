package markdown

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// marks are what tests write for a class: «k:func».
var marks = [classes]string{
	keywordClass: "k", stringClass: "s", numberClass: "n", commentClass: "c",
	funcClass: "f", typeClass: "t", addedClass: "a", removedClass: "r",
}

func marked(text string, tokens []token) string {
	var b strings.Builder
	at := 0
	for _, t := range tokens {
		if t.class == noClass {
			b.WriteString(text[at:t.end])
		} else {
			b.WriteString("«" + marks[t.class] + ":" + text[at:t.end] + "»")
		}
		at = t.end
	}
	return b.String()
}

func TestColour(t *testing.T) {
	for _, tt := range []struct{ name, lang, text, want string }{
		{"words", "go", "func main(x int) { return f(true) }", "«k:func» «f:main»(x «t:int») { «k:return» «f:f»(«t:true») }"},
		{"strings and comments", "go", "s := \"a\\\"// b\" // \"c\"\n/* d\ne */ 'f' `g\nh`", "s := «s:\"a\\\"// b\"» «c:// \"c\"»\n«c:/* d\ne */» «s:'f'» «s:`g\nh`»"},
		{"numbers", "go", "1 + 0x1f - 2.5e3 [1:2] a1 1..2", "«n:1» + «n:0x1f» - «n:2.5e3» [«n:1»:«n:2»] a1 «n:1»..«n:2»"},
		{"a string ends with its line", "js", "a 'b\nconst c", "a «s:'b»\n«k:const» c"},
		{"lifetimes are no strings", "rust", "fn f<'a>(x: &'a str) -> char { 'b' }", "«k:fn» f<'a>(x: &'a «t:str») -> «t:char» { «s:'b'» }"},
		{"characters", "rust", `'\'' '\n' '\u{1f600}' '世'`, `«s:'\''» «s:'\n'» «s:'\u{1f600}'» «s:'世'»`},
		{"comments nest", "rust", "/* a /* b */ c */ d", "«c:/* a /* b */ c */» d"},
		{"comments do not nest", "c", "/* a /* b */ int", "«c:/* a /* b */» «t:int»"},
		{"directives", "c", "#include <a.h>", "«t:#include» <a.h>"},
		{"types by their case", "java", "Foo MAX = new Bar();", "«t:Foo» MAX = «k:new» «f:Bar»();"},
		{"decorators and triple quotes", "python", "@x\ndef f(self):\n  '''a\n  b'''", "«t:@x»\n«k:def» «f:f»(«t:self»):\n  «s:'''a\n  b'''»"},
		{"a hash within a word", "bash", "echo ${#a} $b # c", "«k:echo» ${#a} «t:$b» «c:# c»"},
		{"strings over lines", "sh", "x=\"a\nb\" && y", "x=«s:\"a\nb\"» && y"},
		{"keywords in any case", "sql", "Select a FROM b -- c\nwhere d = 'it''s'", "«k:Select» a «k:FROM» b «c:-- c»\n«k:where» d = «s:'it''s'»"},
		{"keys", "json", `{"a" : "b", "c": [1, null]}`, `{«t:"a"» : «s:"b"», «t:"c"»: [«n:1», «t:null»]}`},
		{"keys of lines", "yaml", "a-b: c # d\nurl: http://e", "«t:a-b»: c «c:# d»\n«t:url»: http://e"},
		{"sections", "toml", "[a.b]\nc = \"d\" # e", "«k:[a.b]»\n«t:c» = «s:\"d\"» «c:# e»"},
		{"markup", "html", "<a href=\"b\">if 1</a> <!-- <c> --> d", "«k:<a» «t:href»=«s:\"b\"»«k:>»if 1«k:</a>» «c:<!-- <c> -->» d"},
		{"no markup", "html", "1 < 2", "1 < 2"},
		{"a patch", "diff", "--- a\n+++ b\n@@ -1 +1 @@\n c\n-d\n+e", "«c:--- a»\n«c:+++ b»\n«f:@@ -1 +1 @@»\n c\n«r:-d»\n«a:+e»"},
		{"properties", "css", "a { color: #fff; } @media", "a { «t:color»: #fff; } «t:@media»"},
		{"marks stay with their letter", "go", "\"a\"\u0301 x", "«s:\"a\"\u0301» x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := languageNamed(tt.lang)
			tokens, _ := l.colour(tt.text, sourceState{})
			if diff := cmp.Diff(tt.want, marked(tt.text, tokens)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLanguageNamed(t *testing.T) {
	for info, want := range map[string]string{
		"go": "func", "Go": "func", "rust,ignore": "fn", "{.python .numbered}": "def", "js title=a": "const", "c++": "class",
	} {
		l := languageNamed(info)
		if l == nil {
			t.Errorf("%q is not known", info)
		} else if c, _ := l.word(want); c != keywordClass {
			t.Errorf("%q: %s is no keyword", info, want)
		}
	}
	for _, info := range []string{"", " ", "{", "text", "nonsense", strings.Repeat("x", 5000)} {
		if languageNamed(info) != nil {
			t.Errorf("%q is known", info)
		}
	}
}

// A name means one language, and a word one thing.
func TestLanguagesAreSound(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range languages() {
		for _, n := range strings.Fields(l.names) {
			if seen[n] || n != strings.ToLower(n) {
				t.Errorf("%s stands twice, or is not lower case", n)
			}
			seen[n] = true
		}
		words := map[string]bool{}
		for _, w := range strings.Fields(l.keywords + " " + l.types) {
			if words[w] {
				t.Errorf("%s: %s stands twice", l.names, w)
			}
			words[w] = true
		}
		if (l.block[0] == "") != (l.block[1] == "") {
			t.Errorf("%s: half a comment", l.names)
		}
		for i, q := range l.quotes {
			for _, earlier := range l.quotes[:i] {
				if strings.HasPrefix(q.open, earlier.open) {
					t.Errorf("%s: %s is never seen behind %s", l.names, q.open, earlier.open)
				}
			}
		}
	}
}

var sourceScraps = []string{
	"a", "func ", "Foo", "(", "1", ".5", "%", "\"", "'", "`", "\\", "'''", "\"\"\"", "//", "/*", "*/", "#", "--", "[[", "]]", "<", ">", "</", "<!--", "-->",
	" ", "\t", "\n", "\n\n", ":", "=", "==", "://", "$", "@", "-", "+", "[", "]", "世", "\u0301", "👨‍👩‍👧", "{-", "-}", "if", "''",
}

// Colours change nothing about the text, whatever it is, and a text that is cut at
// a line end has the colours of the whole.
func TestColourProperty(t *testing.T) {
	all := languages()
	rapid.Check(t, func(rt *rapid.T) {
		l := rapid.SampledFrom(all).Draw(rt, "language")
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(sourceScraps), 0, 60).Draw(rt, "scraps"), "")
		whole, last := l.colour(text, sourceState{})
		checkTokens(rt, text, whole)
		var pieces string
		var state sourceState
		for piece := range strings.SplitAfterSeq(text, "\n") {
			var tokens []token
			tokens, state = l.colour(piece, state)
			checkTokens(rt, piece, tokens)
			pieces += marked(piece, tokens)
		}
		join := strings.NewReplacer()
		for _, m := range marks[1:] {
			join = strings.NewReplacer("\n»«"+m+":", "\n")
			pieces = join.Replace(pieces)
		}
		if want := marked(text, whole); pieces != want || state != last {
			rt.Fatalf("%s: %q\nwhole  %q %+v\npieces %q %+v", l.names, text, want, last, pieces, state)
		}
	})
}

func checkTokens(t checker, text string, tokens []token) {
	t.Helper()
	at := 0
	for _, k := range tokens {
		if k.end <= at || k.end > len(text) || k.class >= classes {
			t.Fatalf("a token from %d to %d of %d", at, k.end, len(text))
		}
		at = k.end
	}
	if at != len(text) {
		t.Fatalf("%d bytes of %d have a token", at, len(text))
	}
}

// What a language makes of a block does not depend on where a long block is cut
// into parts.
func TestLongCodeKeepsItsColours(t *testing.T) {
	st := styles(t)
	comment := string(st.source[commentClass])
	src := "```go\n/* begins\n" + repeat("still a comment\n", 3*MaxBlock) + "*/ func\n```\n"
	lines := Render(src, 60, st)
	for i, l := range lines[:len(lines)-1] {
		if !strings.HasPrefix(l, "  "+comment) {
			t.Fatalf("line %d of %d is no comment: %q", i, len(lines), l)
		}
	}
	if l := lines[len(lines)-1]; !strings.Contains(l, string(st.source[keywordClass])+"func") {
		t.Errorf("the last line is still a comment: %q", l)
	}
	random := rand.New(rand.NewPCG(7, 7))
	if diff := cmp.Diff(lines, inPieces(t, src, 60, st, func(left int) int { return random.IntN(min(left, 2000) + 1) })); diff != "" {
		t.Errorf("streamed (-whole +streamed):\n%s", diff)
	}
}

// Colours only add styles: the text of a block is the same without its language.
func TestColoursLeaveTheTextAlone(t *testing.T) {
	st := styles(t)
	code := corpus["code"] + corpus["hostile"] + corpus["wide text"]
	code = strings.ReplaceAll(strings.ReplaceAll(code, "`", ""), "~", "")
	want := unstyled(Render("```\n"+code+"\n```", 33, st))
	for _, l := range languages() {
		name, _, _ := strings.Cut(l.names, " ")
		lines := Render("```"+name+"\n"+code+"\n```", 33, st)
		checkLines(t, lines, 33)
		if diff := cmp.Diff(want, unstyled(lines)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// A piece may begin anywhere, also where a string ends with its line.
func TestColourGoesOn(t *testing.T) {
	l := languageNamed("go")
	for cut := range len(benchCode) {
		_, state := l.colour(benchCode[:cut], sourceState{})
		rest, last := l.colour(benchCode[cut:], state)
		checkTokens(t, benchCode[cut:], rest)
		if last.mode != inCode || last.midLine {
			t.Fatalf("cut at %d: the end is %+v", cut, last)
		}
	}
	_, state := l.colour("\"open", sourceState{})
	rest, _ := l.colour("\nfunc", state)
	if got := marked("\nfunc", rest); got != "\n«k:func»" {
		t.Errorf("behind a string that is not closed: %q", got)
	}
	checkTokens(t, "\nfunc", rest)
}

// hostileSource are texts on which lexers made of regular expressions take long.
var hostileSource = map[string]func(n int) string{
	"escapes":    func(n int) string { return repeat("\\\"", n) },
	"openings":   func(n int) string { return repeat("/*", n) },
	"brackets":   func(n int) string { return repeat("(", n) },
	"tags":       func(n int) string { return repeat("<a ", n) },
	"words":      func(n int) string { return repeat("a ", n) },
	"spaces":     func(n int) string { return repeat(" ", n) },
	"quotes":     func(n int) string { return repeat("'", n) },
	"keys":       func(n int) string { return repeat("a                                        ", n) },
	"signs":      func(n int) string { return repeat("$#@:", n) },
	"long lines": func(n int) string { return strings.Repeat("word(", n/5) },
	"dashes":     func(n int) string { return repeat("--[[", n) },
	"sections":   func(n int) string { return repeat("[a\n", n) },
	"marks":      func(n int) string { return repeat("\"\u0301", n) },
}

// Four times the source takes four times the work in every language: tokens cost
// memory, and the time is held by TestHostileTextIsCheap.
func TestColourIsLinear(t *testing.T) {
	for _, l := range languages() {
		for name, text := range hostileSource {
			tokens, _ := l.colour(text(1000), sourceState{})
			if more, _ := l.colour(text(4000), sourceState{}); len(more) > 5*len(tokens)+5 {
				t.Errorf("%s, %s: %d tokens, and %d for four times the text", l.names, name, len(tokens), len(more))
			}
		}
	}
}
