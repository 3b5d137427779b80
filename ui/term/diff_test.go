//go:build unix

package term

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

func paintOn(g *grid, p *painter, f Frame) string {
	var b bytes.Buffer
	p.paint(&b, f)
	g.write(b.String())
	return b.String()
}

var pieces = []string{
	"a", "b", "word ", "   ", "日", "日本語", "e\u0301", "é", "👩‍👩‍👧", "🇩🇪", "\x1b[1mbold\x1b[m", "\x1b[31mred", "\x1b[7m \x1b[m", "\x1b[m", "x\x1b[4m\u0301", "-",
}

func randomLine(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(7) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// change is what a chat does to its lines between two frames.
func change(r *rand.Rand, doc []string) []string {
	switch r.IntN(6) {
	case 0, 1:
		for range r.IntN(4) {
			doc = append(doc, randomLine(r))
		}
	case 2:
		if len(doc) > 0 {
			doc[len(doc)-1] += pieces[r.IntN(len(pieces))]
		}
	case 3:
		if len(doc) > 0 {
			doc[r.IntN(len(doc))] = randomLine(r)
		}
	case 4:
		doc = doc[:len(doc)-min(len(doc), r.IntN(3))]
	case 5:
		if i := len(doc) - 1; i > 0 && doc[i] != "" && doc[i][len(doc[i])-1] < 0x80 && !strings.Contains(doc[i], "\x1b") {
			doc[i] = doc[i][:len(doc[i])-1]
		}
	}
	return doc
}

// What a diff leaves on the screen is what drawing the same frame anew leaves there.
func TestDiffIsRepaint(t *testing.T) {
	scrolled := 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		w, h := 1+r.IntN(24), 1+r.IntN(10)
		g, p := newGrid(t, w, h), &painter{}
		var doc []string
		for step := range 40 {
			doc = change(r, doc)
			tail := doc[max(0, len(doc)-max(h-2, 0)):]
			f := Frame{W: w, H: h, X: r.IntN(w+4) - 2, Y: r.IntN(h+4) - 2, ShowCursor: r.IntN(4) > 0}
			f.Text = strings.Join(append(append([]string{}, tail...), "row", "comp"+strings.Repeat("o", r.IntN(5))), "\n")
			out := paintOn(g, p, f)
			if strings.Contains(out, "S\x1b[r") {
				scrolled++
			}
			want := newGrid(t, w, h)
			paintOn(want, &painter{}, f)
			if got, want := g.String(), want.String(); got != want {
				t.Fatalf("seed %d step %d\nwrote %q\ngot\n%s\nwant\n%s", seed, step, out, got, want)
			}
			if again := paintOn(g, p, f); again != "" {
				t.Fatalf("the same frame once more writes %q", again)
			}
		}
	}
	if scrolled < 50 {
		t.Errorf("only %d scrolls: the test does not try them", scrolled)
	}
}

// A frame drawn anew shows the text itself, cut to the window.
func TestRepaintShowsText(t *testing.T) {
	g := newGrid(t, 6, 3)
	paintOn(g, &painter{}, Frame{Text: "dropped\na日b日cut\n\x1b[1mx\ny", W: 6, H: 3, X: 99, Y: 1, ShowCursor: true})
	want := `"a""日""b""日"` + "\n" + `"x\x1b[1m"" "" "" "" "" "` + "\n" + `"y"" "" "" "" "" "` + "\n5 1 true"
	if g.String() != want {
		t.Errorf("got\n%s\nwant\n%s", g, want)
	}
}

func TestOddWindows(t *testing.T) {
	t.Run("K5", func(t *testing.T) {
		for _, size := range [][2]int{{0, 0}, {0, 5}, {5, 0}, {-1, -1}, {1, 1}, {1, 40}, {40, 1}} {
			var b bytes.Buffer
			p := &painter{}
			for _, text := range []string{"", "日本\n語", strings.Repeat("x\n", 100), "y"} {
				p.paint(&b, Frame{Text: text, W: size[0], H: size[1], X: 3, Y: 3, ShowCursor: true})
			}
			if size[0] < 1 || size[1] < 1 {
				if b.Len() != 0 {
					t.Error(size, "is drawn on")
				}
				continue
			}
			newGrid(t, size[0], size[1]).write(b.String())
		}
		var b bytes.Buffer
		p := &painter{}
		p.paint(&b, Frame{Text: strings.Repeat("\n", 9999), W: 10_000, H: 10_000})
		b.Reset()
		p.paint(&b, Frame{Text: "x" + strings.Repeat("\n", 9999), W: 10_000, H: 10_000})
		if b.Len() > 60 {
			t.Errorf("one letter in a huge window: %d bytes", b.Len())
		}
	})
}

// The bytes are what a slow line pays for.
func TestDiffIsFrugal(t *testing.T) {
	lines := make([]string, 200)
	for i := range lines {
		lines[i] = strings.Repeat(string(rune('a'+i%26)), 60)
	}
	frame := func(from int, draft string) Frame {
		return Frame{Text: strings.Join(lines[from:from+22], "\n") + "\nstatus\n> " + draft, W: 80, H: 24, X: 2 + len(draft), Y: 23}
	}
	p := &painter{}
	cost := func(f Frame) int {
		var b bytes.Buffer
		p.paint(&b, f)
		return b.Len()
	}
	cost(frame(0, "hello"))
	if n := cost(frame(0, "hello!")); n > 40 {
		t.Errorf("a key costs %d bytes", n)
	}
	if n := cost(frame(2, "hello!")); n > 220 {
		t.Errorf("two new lines cost %d bytes", n)
	}
	if n := cost(frame(2, "hello!")); n != 0 {
		t.Errorf("nothing costs %d bytes", n)
	}
}
