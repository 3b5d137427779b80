package markdown

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// all returns every line of a stream.
func all(s *Stream, width int) []string {
	var lines []string
	for i := range s.Len() {
		lines = append(lines, s.Lines(i, width)...)
	}
	return lines
}

// inPieces streams src cut where next says and looks at it on the way: parts that
// were final must stay as they were, and every frame must be fit to be shown.
func inPieces(t testing.TB, src string, width int, st Styles, next func(left int) int) []string {
	s := New(st)
	var final [][]string
	for rest := src; rest != ""; {
		n := min(max(next(len(rest)), 1), len(rest))
		s.Append(rest[:n])
		rest = rest[n:]
		for i := len(final); i < len(s.done); i++ {
			final = append(final, slices.Clone(s.Lines(i, width)))
		}
		if s.Len() > 0 && (len(src) < 4000 || len(rest)%16 == 0) {
			checkLines(t, s.Lines(s.Len()-1, width), width)
		}
	}
	s.End()
	for i, lines := range final {
		if !slices.Equal(lines, s.Lines(i, width)) {
			t.Fatalf("part %d changed after it was final: %q, then %q", i, lines, s.Lines(i, width))
		}
	}
	return all(s, width)
}

func TestStreamedEqualsWhole(t *testing.T) {
	st := styles(t)
	for name, src := range corpus {
		t.Run(name, func(t *testing.T) {
			want := Render(src, 40, st)
			random := rand.New(rand.NewPCG(1, uint64(len(src))))
			cuts := map[string]func(int) int{
				"by 7":   func(int) int { return 7 + len(src)/999 },
				"random": func(left int) int { return random.IntN(min(left, 600) + 1) },
			}
			if len(src) < 2000 {
				cuts["by byte"] = func(int) int { return 1 }
			}
			for how, next := range cuts {
				if diff := cmp.Diff(want, inPieces(t, src, 40, st, next)); diff != "" {
					t.Errorf("cut %s (-whole +streamed):\n%s", how, diff)
				}
			}
		})
	}
}

// A line end at the end of a text changes nothing, so an answer looks the same
// whether or not the agent sends one.
func TestFinalLineEnd(t *testing.T) {
	st := styles(t)
	for name, src := range corpus {
		if strings.HasSuffix(src, "\r") || name == "long line" {
			continue
		}
		if diff := cmp.Diff(Render(src, 30, st), Render(src+"\n", 30, st)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

// scraps are put together to random texts.
var scraps = []string{
	"a", "word ", "*", "**", "_", "~~", "`", "```", "~~~", "\n", "\n\n", "> ", "- ", "  ", "    ", "\t", "1. ", "7) ",
	"# ", "===", "---", "***", "|", "|-|-|", "[x](", "https://a.example", ")", "[ ] ", "<b>", "&amp;", "\\", "\r", "\r\n",
	"\x1b[31m", "\x9b", "\x00", "世", "\u0301", "👨‍👩‍👧", "\u200d", "\xf0\x9f", "\u202e", "go", "!",
}

func randomText(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(scraps), 0, 80).Draw(t, "scraps"), "")
}

func TestStreamedEqualsWholeProperty(t *testing.T) {
	st := styles(t)
	rapid.Check(t, func(rt *rapid.T) {
		src, width := randomText(rt), rapid.IntRange(1, 60).Draw(rt, "width")
		whole := Render(src, width, st)
		checkLines(rt, whole, width)
		streamed := inPieces(t, src, width, st, func(left int) int {
			return rapid.IntRange(1, min(left, 9)).Draw(rt, "cut")
		})
		if !slices.Equal(whole, streamed) {
			rt.Fatalf("%q at %d:\nwhole    %q\nstreamed %q", src, width, whole, streamed)
		}
	})
}

func FuzzStream(f *testing.F) {
	for _, src := range corpus {
		if len(src) < 2000 {
			f.Add(src, uint8(20), uint8(3))
		}
	}
	st := styles(f)
	f.Fuzz(func(t *testing.T, src string, width, cut uint8) {
		w := max(int(width), 1)
		whole := Render(src, w, st)
		checkLines(t, whole, w)
		if streamed := inPieces(t, src, w, st, func(int) int { return int(cut) }); !slices.Equal(whole, streamed) {
			t.Fatalf("whole    %q\nstreamed %q", whole, streamed)
		}
	})
}

func TestPlainKeepsEverything(t *testing.T) {
	s := NewPlain(styles(t))
	for _, r := range "  # not *markup*\n\n\n\tx  y\n```\n- a" {
		s.Append(string(r))
	}
	s.End()
	want := []string{"  # not *markup*", "", "", "    x  y", "```", "- a"}
	if diff := cmp.Diff(want, unstyled(all(s, 40))); diff != "" {
		t.Error(diff)
	}
}

// A look is part of what the kept lines depend on, and so is the width.
func TestLinesAreLaidOutAgain(t *testing.T) {
	s := New(styles(t))
	s.Append("**some words**")
	before := s.Lines(0, 40)
	if again := s.Lines(0, 40); &again[0] != &before[0] {
		t.Error("the same lines were laid out twice")
	}
	if narrow := s.Lines(0, 5); len(narrow) != 2 {
		t.Errorf("at 5 cells: %q", narrow)
	}
	s.Lines(0, 40)
	s.Restyle(Styles{})
	if bare := s.Lines(0, 40); bare[0] != "some words" {
		t.Errorf("without styles: %q", bare)
	}
	s.Append(" more")
	if more := s.Lines(0, 40); more[0] != "some words more" {
		t.Errorf("after more text: %q", more)
	}
}

// However much of a long text was read, only so many lines are kept.
func TestKeptLines(t *testing.T) {
	s := New(styles(t))
	s.Append(repeat("one line of text\n\n", 300_000)) // parts of two lines
	s.End()
	kept := func() (n int) {
		for i := range s.done {
			if l := s.done[i].laid; l != nil {
				n += len(l.lines)
			}
		}
		return n
	}
	first := slices.Clone(s.Lines(0, 40))
	for i := range s.Len() {
		s.Lines(i, 40)
		if i < keptLines/2 && s.done[0].laid == nil {
			t.Fatalf("the first part is gone after %d", i)
		}
	}
	if n := kept(); n > keptLines || n < keptLines-2 || n != s.rows {
		t.Errorf("%d lines are kept, counted as %d", n, s.rows)
	}
	if again := s.Lines(0, 40); !slices.Equal(first, again) {
		t.Errorf("at first %q, later %q", first, again)
	}
	for width := range 5 { // the same parts, narrower and wider
		for i := range 300 {
			s.Lines(i, 20+width)
		}
	}
	if n := kept(); n > keptLines || n != s.rows {
		t.Errorf("%d lines are kept after other widths, counted as %d", n, s.rows)
	}
	long := NewPlain(styles(t))
	long.Append(strings.Repeat("x\n", 2*keptLines))
	long.End()
	long.Lines(0, 40)
	if again := long.Lines(0, 40); &again[0] != &long.done[0].lines[0] {
		t.Error("a part of very many lines was not kept while it is in view")
	}
}
