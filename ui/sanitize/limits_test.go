package sanitize

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"unicode/utf8"
)

// TestMarksOnOneLetter is case H7: one cell, whatever is piled on it.
func TestMarksOnOneLetter(t *testing.T) {
	t.Run("H7", func(t *testing.T) {
		got := Text("a" + strings.Repeat("\u0301", 100_000) + "b")
		if want := "a" + strings.Repeat("\u0301", MaxMarks) + "b"; got != want {
			t.Fatalf("%d bytes, want %d", len(got), len(want))
		}
		if w := Width(got); w != 2 {
			t.Fatalf("width %d, want 2", w)
		}
		for n := MaxMarks - 1; n <= MaxMarks+1; n++ {
			kept := utf8.RuneCountInString(Text("a"+strings.Repeat("\u0301", n))) - 1
			if kept != min(n, MaxMarks) {
				t.Errorf("%d marks: kept %d", n, kept)
			}
		}
	})
}

func TestEndlessClusters(t *testing.T) {
	for name, unit := range map[string]string{
		"pictures joined": "👩\u200d",
		"conjuncts":       "क\u094d",
		"jamo":            "ᄀ",
		"tones":           "🏽",
		"prepended":       "\U000110bd",
		"stray joiners":   "\u200d",
		"spacing marks":   "\u0903",
	} {
		t.Run(name, func(t *testing.T) {
			if problem := check("👩" + strings.Repeat(unit, 500)); problem != "" {
				t.Error(problem)
			}
		})
	}
}

// TestLinear compares the segmenter's and the copying work of a text with that
// of one ten times as long: allocated bytes and output grow by about ten.
func TestLinear(t *testing.T) {
	for name, unit := range map[string]string{
		"marks":    "\u0301",
		"bells":    "\a",
		"pictures": "👩\u200d",
		"jamo":     "ᄀ",
		"ideogram": "你",
		"invalid":  "\xff",
		"tags":     "\U000e0041",
	} {
		t.Run(name, func(t *testing.T) {
			small := allocated(t, "a"+strings.Repeat(unit, 10_000))
			big := allocated(t, "a"+strings.Repeat(unit, 100_000))
			if big > 14*small {
				t.Errorf("ten times the text allocates %d bytes against %d", big, small)
			}
		})
	}
}

// TestPendingIsBounded: whatever a stream holds back, it is a few bytes.
func TestPendingIsBounded(t *testing.T) {
	var st Stream
	st.Feed("a" + strings.Repeat("\u0301", 10_000))
	for range 10_000 {
		st.Feed("\u200d")
		st.Feed("\xf0")
	}
	if n := len(st.tail) + cap(st.cluster); n > 8*utf8.UTFMax*MaxCluster {
		t.Errorf("a stream holds %d bytes", n)
	}
}

// allocated returns the bytes that sanitising s allocates.
func allocated(t *testing.T, s string) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if Text(s) == "" {
		t.Fatal("nothing is left")
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestTruncate(t *testing.T) {
	for _, tc := range []struct {
		in    string
		cells int
		want  string
	}{
		{"hello", 5, "hello"},
		{"hello", 4, "hel…"},
		{"hello", 1, "…"},
		{"hello", 0, ""},
		{"hello", -1, ""},
		{"", 3, ""},
		{"你好", 4, "你好"},
		{"你好", 3, "你…"},
		{"你好", 2, "…"},
		{"你", 1, "…"},
		{family + "ab", 3, family + "…"},
		{family, 2, family},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"e\u0301e\u0301", 2, "e\u0301e\u0301"},
	} {
		got := Truncate(tc.in, tc.cells)
		if got != tc.want {
			t.Errorf("Truncate(%q, %d) = %q, want %q", tc.in, tc.cells, got, tc.want)
		}
		if w := Width(got); w > max(tc.cells, 0) {
			t.Errorf("Truncate(%q, %d) is %d cells wide", tc.in, tc.cells, w)
		}
	}
}

// Lines are broken behind spaces and hyphens, and where there is neither, anywhere.
func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text         string
		cells, lines int
		want         string
	}{
		{"one two three", 9, 9, "one two/three"},
		{"one two three", 7, 2, "one two/three"},
		{"one two three", 7, 1, "one tw…"},
		{"one two three four", 7, 2, "one two/three …"},
		{"well-known thing", 6, 9, "well-/known/thing"},
		{"well-known thing", 6, 1, "well-…"},
		{"say --session x", 12, 9, "say/--session x"},
		{"-longword", 8, 9, "-longwor/d"},
		{"a longword", 4, 9, "a/long/word"},
		{"one  two ", 4, 9, "one/two"},
		{" a", 1, 9, "a"},
		{"你好吗", 4, 9, "你好/吗"},
		{"a你", 1, 9, "a/…"},
		{"a\u00a0b c", 3, 9, "a\u00a0b/c"}, // a space that is not to be broken at
		{"", 4, 9, ""}, {" ", 4, 9, ""}, {"a", 0, 9, ""}, {"a", 4, 0, ""},
	} {
		if got := strings.Join(Wrap(c.text, c.cells, c.lines), "/"); got != c.want {
			t.Errorf("%q, %d cells, %d lines: %q, want %q", c.text, c.cells, c.lines, got, c.want)
		}
	}
}

// Whatever is laid out fits, and as long as there are lines nothing is lost.
func TestWrapFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "bb", "你", " ", "  ", "-", "👍🏽", "e\u0301", "longword", "\u00a0", "."}), 0, 12).Draw(t, "text"), "")
		cells, lines := rapid.IntRange(1, 9).Draw(t, "cells"), rapid.IntRange(1, 9).Draw(t, "lines")
		all := Wrap(text, cells, len(text)+1)
		some := Wrap(text, cells, lines)
		if len(some) != min(len(all), lines) {
			t.Fatalf("%d of %d lines: %q", lines, len(all), some)
		}
		for _, l := range slices.Concat(all, some) {
			if l == "" || Width(l) > cells {
				t.Fatalf("%q takes %d cells", l, Width(l))
			}
		}
		bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if got := strings.Join(all, ""); cells > 1 && bare(got) != bare(text) {
			t.Fatalf("%q became %q", text, got)
		}
		if cut := len(all) > len(some); cut != (cells > 1 && strings.HasSuffix(strings.Join(some, ""), "…")) && cells > 1 {
			t.Fatalf("cut is %v: %q", cut, some)
		}
	})
}

func BenchmarkText(b *testing.B) {
	for name, unit := range map[string]string{
		"ascii": "the quick brown fox ", "cjk": "你好世界", "mixed": "a👩\u200d👩é你\x1b[", "marks": "\u0301",
	} {
		s := strings.Repeat(unit, 1<<20/len(unit))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for range b.N {
				Text(s)
			}
		})
	}
}
