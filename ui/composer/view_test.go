package composer

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

func TestWrap(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		width    int
		want     string // rows, | is the caret
	}{
		{"fits", "hello|", 6, "hello|"},
		{"at a space", "hello big world|", 10, "hello big /world|"},
		{"inside a long word", "abcdefghij|", 5, "abcd/efgh/ij|"},
		{"a long word moves first", "ab cdefghij|", 5, "ab /cdef/ghij|"},
		{"the space hangs", "abcd efgh|", 5, "abcd /efgh|"},
		{"the caret before the hanging space", "abcd| efgh", 5, "abcd| /efgh"},
		{"the caret behind it", "abcd |", 5, "abcd /|"},
		{"two spaces", "abcd  e|", 5, "abcd / e|"},
		{"wide", "你好吗我|", 6, "你好吗/我|"},
		{"wide beside letters", "ab你好cd|", 6, "ab你好/cd|"},
		{"wide to the edge", "你好吗|", 6, "你好吗/|"},
		{"wide beside the edge", "你好吗|", 5, "你好/吗|"},
		{"wide before a space", "你好吗 我|", 6, "你好/吗 我|"},
		{"wide before a space that fits", "你好 吗|", 6, "你好 /吗|"},
		{"the caret before wide", "你好吗|我", 6, "你好吗/|我"},
		{"wide does not fit", "你a|", 1, "…/a/|"},
		{"width one", "ab|", 1, "a/b/|"},
		{"lines", "a\n\n|b", 9, "a//|b"},
		{"tab", "\tab\tc|", 20, "    ab  c|"},
		{"family", "a" + family + "b|", 9, "a" + family + "b|"},
		{"controls", "a\x00\x1b[31m\u202e|", 40, "a␀␛[31m<U+202E>|"},
		{"too long to show", "\u202e|", 6, "<U+2…|"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := with(tc.in)
			lines, x, y := e.View(tc.width, 20)
			at := 0
			for i := range x {
				if i < ansi.StringWidth(lines[y]) {
					at = len(ansi.Truncate(lines[y], i+1, ""))
				}
			}
			lines[y] = lines[y][:at] + "|" + lines[y][at:]
			if got := strings.Join(lines, "/"); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

var sample = strings.Join([]string{
	"The quick brown fox jumps over", "", "你好世界，这是一个很长的句子没有空格", "a\tb\t\tc", family + family + "🇩🇪🇫🇷",
	"nul\x00 esc\x1b[2J \x9b \u202e\u200b", strings.Repeat("x", 90), "e\u0301e\u0301e\u0301 " + strings.Repeat("\u0301", 400), "   spaces   at   all   places   ", "end",
}, "\n")

// TestGeometry: at every size, with the caret at every place, each line is within
// the width and the caret within the view.
func TestGeometry(t *testing.T) {
	for width := 0; width <= 40; width += 1 + width/20 {
		for height := 0; height <= 10; height += 1 + height/4 {
			e := New()
			e.Reset(sample)
			e.Paste(strings.Repeat("p\n", 50))
			e.Insert("tail")
			e.DocStart()
			for moved := true; moved; {
				inside(t, &e, width, height)
				before := e.caret
				for range 7 {
					e.Right()
				}
				moved = e.caret != before
			}
			for e.Up() {
				inside(t, &e, width, height)
			}
			for e.Down() {
				inside(t, &e, width, height)
			}
		}
	}
}

func inside(t *testing.T, e *Editor, width, height int) {
	t.Helper()
	lines, x, y := e.View(width, height)
	if len(lines) < 1 || len(lines) > max(height, 1) {
		t.Fatalf("%dx%d: %d lines", width, height, len(lines))
	}
	for _, ln := range lines {
		if w := ansi.StringWidth(ln); w > max(width, 1) {
			t.Fatalf("%dx%d: %q is %d wide", width, height, ln, w)
		}
		if !utf8.ValidString(ln) || strings.IndexFunc(ln, func(r rune) bool { return r < ' ' || r >= 0x7f && r <= 0x9f }) >= 0 {
			t.Fatalf("%dx%d: %q is not printable", width, height, ln)
		}
	}
	if x < 0 || x >= max(width, 1) || y < 0 || y >= len(lines) {
		t.Fatalf("%dx%d: caret at %d,%d of %d lines", width, height, x, y, len(lines))
	}
}

// TestScroll: the view moves no further than it must and leaves no room empty.
func TestScroll(t *testing.T) {
	e := New()
	e.Reset("0\n1\n2\n3\n4\n5\n6")
	see := func(want string) {
		t.Helper()
		lines, _, y := e.View(10, 3)
		lines[y] += "|"
		if got := strings.Join(lines, " "); got != want {
			t.Errorf("shown %q, want %q", got, want)
		}
	}
	see("4 5 6|")
	e.Up()
	e.Up()
	see("4| 5 6")
	e.Up()
	see("3| 4 5")
	e.Down()
	see("3 4| 5")
	e.DocStart()
	see("0| 1 2")
	e.DocEnd()
	see("4 5 6|")
	for range 6 {
		e.Backspace()
	}
	see("1 2 3|")
	e.Clear()
	see("|")
}

// TestGrows: as many lines as the text needs, up to the height.
func TestGrows(t *testing.T) {
	e := New()
	for n := 1; n <= 12; n++ {
		if lines, _, y := e.View(20, 8); len(lines) != min(n, 8) || y != len(lines)-1 {
			t.Errorf("%d lines of text: %d shown, caret in %d", n, len(lines), y)
		}
		e.Newline()
	}
}

// TestEndlessCluster: marks without end are divided, a key stays cheap.
func TestEndlessCluster(t *testing.T) {
	e := New()
	e.Reset("a" + strings.Repeat("\u0301", 60_000))
	if n := e.line().len(); n < 60_000*2/maxUnit {
		t.Fatalf("%d units", n)
	}
	few, many := New(), e
	few.Reset("a" + strings.Repeat("\u0301", 10_000))
	if small, big := typing(&few, 20, 2), typing(&many, 20, 2); big > 2*small {
		t.Errorf("keys allocate %d bytes against %d", big, small)
	}
}

func FuzzView(f *testing.F) {
	f.Add(sample, 7, 3, 11)
	f.Add("a\u0301\u200d👩\u0600\u0600b", 1, 1, 2)
	f.Add(strings.Repeat("\u0301", 300)+"\t \t", 4, 2, 0)
	f.Fuzz(func(t *testing.T, text string, width, height, steps int) {
		width, height = width%200, height%50
		e := New()
		e.Insert(text)
		inside(t, &e, width, height)
		for i := range min(max(steps, 0), 40) {
			switch i % 4 {
			case 0:
				e.Left()
			case 1:
				e.WordLeft()
			case 2:
				e.Backspace()
			case 3:
				e.Up()
			}
			inside(t, &e, width, height)
		}
		e.Insert(text)
		inside(t, &e, width, height)
		for e.Undo() {
			inside(t, &e, width, height)
		}
		if e.Value() != "" {
			t.Errorf("after all undo: %q", e.Value())
		}
	})
}

// A row's beginning may have been decided by a unit two rows on, one that is too wide to stand there.
func TestRowsThatFarUnitsDecided(t *testing.T) {
	e := New()
	e.Insert("b a \u200d")
	if lines, _, _ := e.View(5, 10); len(lines) != 3 {
		t.Fatalf("%q", lines)
	}
	e.Backspace()
	if lines, _, _ := e.View(5, 10); len(lines) != 1 || lines[0] != "b a" {
		t.Errorf("%q", lines)
	}
}

// Whatever was typed and deleted where, rows are broken as if the text had been there from the beginning.
func TestRowsAreThoseOfTheText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "你", " ", "👍", "\u0301", "bc ", "好吗", "\t", "\u200d"}
	for range 300 {
		width, e := 1+random.IntN(9), New()
		for range 60 {
			switch random.IntN(6) {
			case 0:
				e.Backspace()
			case 1:
				e.Left()
			case 2:
				e.LineStart()
			default:
				e.Insert(pieces[random.IntN(len(pieces))])
			}
			inside(t, &e, width, 100)
			got, _, _ := e.View(width, 100)
			fresh := New()
			fresh.Reset(e.Value())
			want, _, _ := fresh.View(width, 100)
			if e.Value() == "" || e.caret.col < e.line().len() { // a caret behind a full last row has a row of its own
				want, got = trimmed(want), trimmed(got)
			}
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Fatalf("%d cells, %q: %q, want %q", width, e.Value(), got, want)
			}
		}
	}
}

func trimmed(lines []string) []string {
	for len(lines) > 1 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
