package sanitize

import (
	"runtime"
	"strings"
	"testing"
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
