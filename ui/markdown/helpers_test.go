package markdown

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"baton/ui/sanitize"
	"baton/ui/theme"
)

func styles(t testing.TB) Styles {
	t.Helper()
	th, err := theme.Named(theme.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	return NewStyles(th)
}

var sgrSequence = regexp.MustCompile("\x1b\\[[0-9;]*m")

// unstyled removes styles.
func unstyled(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.TrimRight(sgrSequence.ReplaceAllString(l, ""), " ")
	}
	return out
}

// checkLines fails if a line is too wide, leaves a style open or holds anything
// but printable text and our styles.
// checker is what tests and property tests have in common.
type checker interface {
	Helper()
	Fatalf(format string, args ...any)
}

func checkLines(t checker, lines []string, width int) {
	t.Helper()
	for i, l := range lines {
		bare := sgrSequence.ReplaceAllString(l, "")
		if w := sanitize.Width(bare); w > width {
			t.Fatalf("line %d takes %d cells of %d: %q", i, w, width, l)
		}
		if !utf8.ValidString(bare) || sanitize.Text(bare) != bare || strings.ContainsAny(bare, "\n\t") {
			t.Fatalf("line %d is not printable: %q", i, l)
		}
		if styled := sgrSequence.FindAllString(l, -1); len(styled) > 0 && styled[len(styled)-1] != reset {
			t.Fatalf("line %d leaves a style open: %q", i, l)
		}
	}
}

// corpus holds texts that show every construct, and some that break it.
var corpus = map[string]string{
	"prose":     "One *two* **three** `four` ~~five~~ ***six***\nseven  \neight \\*nine\\* &amp; &#27;[1m\n\nTen.",
	"links":     "[a](https://a.example/x_y) [b](javascript:alert\\(1\\)) <https://c.example> https://d.example/e. ![pic](file:///etc/passwd) [https://f.example](https://f.example) [](http://g.example)",
	"headings":  "# One\ntext\n## Two *em*\n\nThree\n===\nFour\n---\n#no\n####### seven",
	"lists":     "- a\n- b\n  continued\nlazy\n  - c\n\n    d\n\n    ```go\n    x := 1\n\n    y\n    ```\n- e\n\n3. f\n4. g\n4. h\n\n   i\n5) j\n* k\n\ntext",
	"tasks":     "- [ ] open\n- [x] done\n  - [X] deep\n",
	"quotes":    "> a\nlazy\n> > b\n\n> c\n> - d\n>   e\n\nf",
	"code":      "```go\nfunc main() {\n\tprintln(\"a\")\n\n}\n```\nafter\n~~~\n```\n~~~\n    indented\n\n\tmore\n\n\nend",
	"unclosed":  "text\n```\nnever\n\n# closed\n- a",
	"table":     "| a | **b** |\n|:-:|--:|\n| 1 | 2 |\n| `x\\|y` | long long long long long long text |\n|only|\n\nafter",
	"wide":      "|a|b|c|d|e|f|g|h|i|j|\n|-|-|-|-|-|-|-|-|-|-|\n|1|2|3|4|5|6|7|8|9|10|\n|x|y|",
	"html":      "<details>\n<summary>*a*</summary>\n\n<!-- b -->\n\nc <b>d</b>\n</details>",
	"rules":     "a\n***\nb\n- - -\nc\n___",
	"refs":      "[a][b] and [b]\n\n[b]: https://b.example \"title\"\n",
	"wide text": "世界你好世界你好 **你好世界你好世界** 👨‍👩‍👧‍👦 e\u0301x 🇩🇪🇫🇷 \u202eabc\u200b",
	"crlf":      "a\r\nb\r\n\r\n- c\r\n- d\r\n```\r\ne\r\n```\r\nf\rg\r",
	"hostile":   "\x1b]52;c;aGk=\x07 \x1b[2J \x9b31m \u009b1m\x00\x7f\b\v\f `\x1b[6n` [\x1b]8;;x\x1b\\](https://\x1b.example) **\x1b]0;t\x07**\n```\x1b\n\x1b[?1049l\n```\n|\x1b|\n|-|\n|\x07|\n",
	"bad utf8":  "a\xffb\xc3\n\xf0\x9f\x98\n\xed\xa0\x80 \xc0\xaf e\xe2\x80",
	"empty":     "",
	"blank":     "\n \n\t\n",
	"deep":      strings.Repeat("> ", 40) + "x\n\n" + strings.Repeat("- ", 40) + "y",
	"long line": strings.Repeat("word *em* ", 2000) + "\n\n" + strings.Repeat("x", 20000) + "\nafter",
	"long code": "```\n" + strings.Repeat("line of code 世界\n", 1500) + strings.Repeat("y", 9000) + "\n```\ndone",
	"long item": "1. a\n" + strings.Repeat("   more text\n\n", 1500) + "2. b\n",
}
