package gfm

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"baton/ui/markdown/gfmtest"
)

// hostile are texts of about n bytes that look for what takes long.
var hostile = map[string]func(n int) string{
	"bars":                   func(n int) string { return strings.Repeat("|", n) },
	"columns":                func(n int) string { return repeat("a|", n/2) + "\n" + repeat("-|", n/2) },
	"a header too wide":      func(n int) string { return repeat("a|", n/2) + "\n" + repeat("-|-\n", n/2) },
	"delimiter rows":         func(n int) string { return repeat("-|-\n", n) },
	"almost delimiter rows":  func(n int) string { return repeat("a|a\n-|=\n", n) },
	"one long delimiter row": func(n int) string { return "a\n" + strings.Repeat("-", n) + "|" },
	"almost such a row":      func(n int) string { return "a\n|" + strings.Repeat("-", n) + "=" },
	"colons":                 func(n int) string { return "a\n" + strings.Repeat(":", n) },
	"rows":                   func(n int) string { return "a|b\n-|-\n" + repeat("c|d\n", n) },
	"tables":                 func(n int) string { return repeat("x\na|b\n-|-\n\n", n) },
	"escaped bars":           func(n int) string { return "a\n-|\n" + repeat(`\|`, n) + "a" },
	"escaped bars in code":   func(n int) string { return "a\n-|\n`" + repeat(`\|`, n) + "`" },
	"cells with code":        func(n int) string { return "a|b\n-|-\n" + repeat("`\\|`|\\|.\n", n) },
	"backslashes":            func(n int) string { return "a\n-|\n" + strings.Repeat(`\`, n) + "|a" },
	"spaces in cells":        func(n int) string { return "|a|\n|-|\n|" + strings.Repeat(" ", n) + "|" },
	"a run of tildes":        func(n int) string { return "a" + strings.Repeat("~", n) },
	"escaped tildes":         func(n int) string { return repeat(`\~~`, n) },
	"struck words":           func(n int) string { return repeat("~~a~~ ", n) },
	"runs of three":          func(n int) string { return repeat("a~~~", n) },
	"boxes":                  func(n int) string { return repeat("- [ ] a\n", n) },
	"boxes in one item":      func(n int) string { return "- " + repeat("[x] ", n) },
	"spaces behind a box":    func(n int) string { return "- [x]" + strings.Repeat(" ", n) + "a" },
}

func repeat(s string, n int) string { return strings.Repeat(s, n/len(s)) }

// TestHostileTexts: they give the same trees.
func TestHostileTexts(t *testing.T) {
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			if src := text(2000); !checkSame(t, src) {
				t.Error("this could not be compared")
			}
		})
	}
}

// TestCostIsLinear: five times the text takes about five times the memory traffic, no more of it than with goldmark's own
// extensions, and no more time.
func TestCostIsLinear(t *testing.T) {
	Parse(nil) // and the grammars are built
	gfmtest.Parse(nil)
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			small, large := []byte(text(20_000)), []byte(text(100_000))
			one, five := allocated(func() { Parse(small) }), allocated(func() { Parse(large) })
			if five > 10*one+1<<20 {
				t.Errorf("%d bytes, and %d for five times the text", one, five)
			}
			tiny := []byte(text(5000)) // theirs take quadratic time on a run of tildes
			ours, theirs := allocated(func() { Parse(tiny) }), allocated(func() { gfmtest.Parse(tiny) })
			if ours > theirs+theirs/10+4<<10 {
				t.Errorf("%d bytes, and %d with goldmark's extensions", ours, theirs)
			}
			if a, b, ok := compared(150, 1.5, func() { Parse(tiny) }, func() { gfmtest.Parse(tiny) }); !ok {
				t.Errorf("%v, and %v with goldmark's extensions", a, b)
			}
		})
	}
}

// TestTildesAreMeasuredOnce: a long run of them takes no longer than as many bytes of words that are struck through. Were it
// measured at each of its tildes, it would take forty times that.
func TestTildesAreMeasuredOnce(t *testing.T) {
	run, words := []byte(hostile["a run of tildes"](20_000)), []byte(hostile["struck words"](20_000))
	if a, b, ok := compared(20, 1, func() { Parse(run) }, func() { Parse(words) }); !ok {
		t.Errorf("%v, and %v for words", a, b)
	}
}

// allocated returns how many bytes f allocates. It counts work that no clock can blur.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// compared reports whether f takes less than so many times what g takes, as the fastest of tries in turns. It is content as
// soon as it has seen that once.
func compared(tries int, times float64, f, g func()) (a, b time.Duration, ok bool) {
	a, b = time.Hour, time.Hour
	for range tries {
		began := time.Now()
		f()
		a = min(a, time.Since(began))
		began = time.Now()
		g()
		b = min(b, time.Since(began))
		if float64(a) < times*float64(b)+float64(5*time.Microsecond) {
			return a, b, true
		}
	}
	return a, b, false
}
