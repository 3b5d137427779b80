package sanitize

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

const family = "👩\u200d👩\u200d👧\u200d👦"

// textCases holds cases H1-H7 and 103, each as outside text and what is printed.
var textCases = []struct{ name, in, want string }{
	{"plain", "hello, world\n\tgo", "hello, world\n\tgo"},
	{"latin", "café naïve Ωμέγα Привет", "café naïve Ωμέγα Привет"},
	{"cjk", "你好 こんにちは 안녕하세요", "你好 こんにちは 안녕하세요"},
	{"H1 clipboard", "\x1b]52;c;aGk=\a", "␛]52;c;aGk=␇"},
	{"H2 title", "\x1b]0;x\a\x1b]2;x\x1b\\", "␛]0;x␇␛]2;x␛\\"},
	{"H2 link", "\x1b]8;;https://evil\x1b\\", "␛]8;;https://evil␛\\"},
	{"H2 DCS APC PM SOS", "\x1bP\x1b_\x1b^\x1bX", "␛P␛_␛^␛X"},
	{"H3 queries", "\x1b[6n\x1b[c\x1b]11;?", "␛[6n␛[c␛]11;?"},
	{"H4 resets", "\x1bc\x1b[?1049l\x1b[2J\x1b]", "␛c␛[?1049l␛[2J␛]"},
	{"H5 C1", "\u0080\u009b6n\u0085\u009f", "<U+0080><U+009B>6n<U+0085><U+009F>"},
	{"H5 raw C1", "\x9b6n\x9d", "\ufffd6n\ufffd"},
	{"H5 carriage return", "safe\revil", "safe␍evil"},
	{"H5 at the end", "safe\r", "safe␍"},
	{"CR LF", "a\r\nb\r\r\nc\n\rd", "a\nb␍\nc\n␍d"},
	{"H5 BS VT FF NUL DEL", "a\b\b\v\f\x00\x7f", "a␈␈␋␌␀␡"},
	{"H6 bidi", "a\u202eb\u2066c\u2069\u200e\u200f\u061c", "a<U+202E>b<U+2066>c<U+2069><U+200E><U+200F><U+061C>"},
	{"H6 zero width", "a\u200bb\u2060c\ufeffd\u00ade", "a<U+200B>b<U+2060>c<U+FEFF>d<U+00AD>e"},
	{"H6 tags", "x\U000e0041\U000e007f", "x<U+E0041><U+E007F>"},
	{"separators", "a\u2028b\u2029", "a<U+2028>b<U+2029>"},
	{"fillers", "\u3164\u115f\u034f\u180e", "<U+3164><U+115F><U+034F><U+180E>"},
	{"noncharacters", "\ufffe\U0010ffff\ufdd0", "<U+FFFE><U+10FFFF><U+FDD0>"},
	{"H6 family", family + "!", family + "!"},
	{"family with tones", "👩🏽\u200d❤\ufe0f\u200d💋\u200d👨🏿", "👩🏽\u200d❤\ufe0f\u200d💋\u200d👨🏿"},
	{"flags", "🇩🇪🇫🇷🇩", "🇩🇪🇫🇷🇩"},
	{"stray ZWJ", "a\u200db\u200d", "a<U+200D>b<U+200D>"},
	{"stray ZWJ after a picture", "👩\u200da 👩\u200d", "👩<U+200D>a 👩<U+200D>"},
	{"two ZWJ", "👩\u200d\u200d👦", "👩<U+200D><U+200D>👦"},
	{"Persian", "می\u200cخواهم", "می\u200cخواهم"},
	{"Sinhala", "ක\u0dca\u200dෂ", "ක\u0dca\u200dෂ"},
	{"stray ZWNJ", "a\u200cb می\u200c\u200cخ", "a<U+200C>b می<U+200C><U+200C>خ"},
	{"variation", "❤\ufe0f 1\ufe0f\u20e3 a\ufe0f ❤\ufe0f\ufe0f", "❤\ufe0f 1\ufe0f\u20e3 a<U+FE0F> ❤\ufe0f<U+FE0F>"},
	{"ideographic variation", "葛\U000e0100 a\U000e0100", "葛\U000e0100 a<U+E0100>"},
	{"composed by marks", "e\u0301 ệ สระอำ नमस्ते", "e\u0301 ệ สระอำ नमस्ते"},
	{"mark alone", "\u0301a\n\u0301", "◌\u0301a\n◌\u0301"},
	{"mark after a control", "\x1b\u0301", "␛\u0301"},
	{"H7 overlong", "\xc0\xaf", "\ufffd\ufffd"},
	{"H7 surrogate", "\xed\xa0\x80", "\ufffd\ufffd\ufffd"},
	{"H7 truncated", "a\xe4\xbd", "a\ufffd\ufffd"},
	{"object replacement", "\ufffd\ufffc", "\ufffd\ufffc"},
}

func TestText(t *testing.T) {
	for _, tc := range textCases {
		t.Run(tc.name, func(t *testing.T) {
			if got := Text(tc.in); got != tc.want {
				t.Errorf("Text(%q)\n got %q\nwant %q", tc.in, got, tc.want)
			}
			verify(t, tc.in)
		})
	}
}

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                         "",
		"  a \t\r\n b\n":           "a b",
		"safe\revil":               "safe␍evil",
		"\n\n\u0301x":              "◌\u0301x",
		"bad gateway\n<html>\n":    "bad gateway <html>",
		"a \u3000 b":               "a \u3000 b",
		"\x1b]0;title\a\n\x1b[31m": "␛]0;title␇ ␛[31m",
	} {
		if got := Line(in); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestEveryCodePoint puts each code point at the start, after a letter, after a
// picture and between two. Of large uniform blocks it takes the first and the last.
func TestEveryCodePoint(t *testing.T) {
	uniform := [][2]rune{{0x3400, 0x9fff}, {0xac00, 0xd7a3}, {0xe000, 0xf8ff}, {0x12000, 0x16fff}, {0x17000, 0x1cfff}, {0x20000, 0xdfffd}, {0xe0200, 0x10fffd}}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		for _, u := range uniform {
			if r > u[0] && r < u[1] {
				r = u[1]
			}
		}
		s := string(r)
		if problem := check(s + "a" + s + "👩" + s + "👩" + s); problem != "" {
			t.Fatalf("U+%04X: %s", r, problem)
		}
	}
}

func verify(t *testing.T, in string) {
	t.Helper()
	if problem := check(in); problem != "" {
		t.Errorf("%q: %s", in, problem)
	}
	whole := Text(in)
	for size := 1; size <= 5; size++ {
		var st Stream
		var out strings.Builder
		for rest := in; rest != ""; {
			n := min(size, len(rest))
			out.WriteString(st.Feed(rest[:n]))
			rest = rest[n:]
		}
		out.WriteString(st.Flush())
		if out.String() != whole {
			t.Errorf("%q in pieces of %d\n got %q\nwant %q", in, size, out.String(), whole)
		}
	}
}

// check states what every result has to fulfil, and says what does not hold.
func check(in string) string {
	out := Text(in)
	if !utf8.ValidString(out) {
		return "not UTF-8"
	}
	for _, r := range out {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || hidden(r) && r != zwj && r != zwnj {
			return "a control is left"
		}
	}
	if again := Text(out); again != out {
		return "not stable: " + again
	}
	sum := 0
	for rest := out; rest != ""; {
		c, w := Cluster(rest)
		if w < 1 && c != "\n" && c != "\t" {
			return "a cluster nobody can see"
		}
		if utf8.RuneCountInString(c) > MaxCluster+1 {
			return "a cluster without bound"
		}
		sum += w
		rest = rest[len(c):]
	}
	if sum != Width(out) {
		return "clusters and Width disagree"
	}
	if line := Line(in); strings.ContainsAny(line, "\n\t\r") || Line(line) != line {
		return "Line is not one stable line"
	}
	return ""
}

func FuzzText(f *testing.F) {
	for _, tc := range textCases {
		f.Add(tc.in)
	}
	f.Add(strings.Repeat("क\u094d", 40) + strings.Repeat("ᄀ", 40) + strings.Repeat("\U000110bd", 40) + "a")
	f.Add(strings.Repeat("\u0600", 40) + "\u0301\u200d\u0915")
	f.Add("e" + strings.Repeat("\u0301", 40) + "\u200d" + strings.Repeat("👩\u200d", 40) + "🏽🏽🏽")
	f.Fuzz(func(t *testing.T, in string) { verify(t, in) })
}

func TestTruncateWords(t *testing.T) {
	const text = "one two three four"
	for n, want := range map[int]string{0: "", 1: "…", 4: "one…", 5: "one…", 8: "one two…", 9: "one two…", 10: "one two…", 14: "one two three…", 17: "one two three…", 18: text, 99: text} {
		if got := TruncateWords(text, n); got != want {
			t.Errorf("%d cells: %q, want %q", n, got, want)
		}
	}
	for text, want := range map[string]string{"Donaudampfschifffahrt": "Donaudamp…", "a Donaudampfschifffahrt": "a Donauda…", "写一首关于接力赛的诗": "写一首关…"} {
		if got := TruncateWords(text, 10); got != want {
			t.Errorf("%q in 10 cells: %q, want %q", text, got, want)
		}
	}
}
