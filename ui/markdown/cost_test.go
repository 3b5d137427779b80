package markdown

import (
	"runtime"
	"strings"
	"testing"
)

// hostile are the texts of case H8 and their like: inputs on which parsers take
// quadratic time or deep recursion. n is about how many bytes.
var hostile = map[string]func(n int) string{
	"stars":       func(n int) string { return strings.Repeat("*", n) },
	"brackets":    func(n int) string { return strings.Repeat("[", n) },
	"emphasis":    func(n int) string { return repeat("a**b_", n) },
	"quotes":      func(n int) string { return strings.Repeat(">", n/10) },
	"quote lines": func(n int) string { return repeat("> > > > a\n", n) },
	"items":       func(n int) string { return strings.Repeat("- ", n/20) },
	"columns": func(n int) string {
		c := n / 100
		return repeat("|a", 2*c) + "\n" + repeat("|-", 2*c) + "\n" + repeat("|b", 2*c)
	},
	"short rows":       func(n int) string { return repeat("|a", 1000) + "\n" + repeat("|-", 1000) + "\n" + repeat("|\n", n) },
	"fence":            func(n int) string { return "```\n" + repeat("code\n", n) },
	"fence in a line":  func(n int) string { return "```\n" + strings.Repeat("c", n) },
	"links":            func(n int) string { return repeat("[a](", n) },
	"images":           func(n int) string { return repeat("![[", n) },
	"backticks":        func(n int) string { return repeat("`a``b```", n) },
	"tags":             func(n int) string { return repeat("<a ", n) },
	"entities":         func(n int) string { return repeat("&amp", n) },
	"backslashes":      func(n int) string { return strings.Repeat("\\", n) },
	"empty lines":      func(n int) string { return "- a\n" + strings.Repeat("\n", n) + "  b" },
	"list lines":       func(n int) string { return repeat("- a\n", n) },
	"paragraph lines":  func(n int) string { return repeat("a\n", n) },
	"one word":         func(n int) string { return strings.Repeat("a", n) },
	"spaces":           func(n int) string { return strings.Repeat(" ", n) + "x" },
	"marks":            func(n int) string { return "e" + repeat("\u0301", n) },
	"bells":            func(n int) string { return strings.Repeat("\a", n) },
	"addresses":        func(n int) string { return repeat("://http", n) },
	"escapes":          func(n int) string { return repeat("\x1b]8;;", n) },
	"headings":         func(n int) string { return repeat("# \n", n) },
	"small paragraphs": func(n int) string { return repeat("a*b*\n\n", n) },
}

// blocks are hostile texts just below the limits, which are parsed.
func blocks() map[string]string {
	full := func(s string) string { return repeat(s, MaxBlock)[:MaxBlock-2] }
	return map[string]string{
		"stars":     repeat("a*", 2*MaxDelimiters-2),
		"emphasis":  repeat("**a _b ", 2*MaxDelimiters),
		"mixed":     full("a*b*c _d_ [e] and more words on it "),
		"brackets":  repeat("[", MaxDelimiters-1) + repeat("a", 4000),
		"links":     repeat("[a](b", 5*(MaxDelimiters/2-1)),
		"closers":   repeat("]", MaxDelimiters-1),
		"autolinks": repeat("<http:aaa ", 8*(MaxDelimiters-1)),
		"ticks":     repeat("`a", 2*(MaxDelimiters-1)),
		"cells":     repeat("|a", 180) + "\n" + repeat("|-", 180) + "\n" + repeat("|\n", 200),
		"quotes":    full(strings.Repeat("> ", MaxDepth) + "a\n"),
		"lazy":      strings.Repeat("> ", MaxDepth) + repeat("a\n", 1200),
		"lazy 1":    "> " + full("a\n")[2:],
		"items":     full("- a\n  - b\n    - c\n      - d\n"),
		"escapes":   full("\\"),
		"entities":  full("&"),
		"exclaims":  full("!"),
		"parens":    "[a](" + full("(")[4:],
	}
}

// allocated returns how many bytes f allocates. It counts work that no clock
// can blur.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Five times the text takes about five times the memory traffic, never 25 times.
func TestCostIsLinear(t *testing.T) {
	st := styles(t)
	for name, text := range hostile {
		small, large := text(20_000), text(100_000)
		one := allocated(func() { Render(small, 80, st) })
		five := allocated(func() { Render(large, 80, st) })
		if five > 10*one+1<<20 {
			t.Errorf("%s: %d bytes, and %d for five times the text", name, one, five)
		}
	}
}

// While a text arrives, a frame costs the same however much is there already.
func TestFrameCostIsBounded(t *testing.T) {
	st := styles(t)
	for name, text := range hostile {
		frame := func(n int) uint64 {
			s := New(st)
			s.Append(text(n))
			// Enough frames to average out where the last part happens to end.
			return allocated(func() {
				for range 12 {
					s.Append("xyz ")
					s.Lines(s.Len()-1, 80)
				}
			})
		}
		if small, large := frame(30_000), frame(150_000); large > 4*small+8<<20 {
			t.Errorf("%s: frames take %d bytes after 30 kB and %d after 150 kB", name, small, large)
		}
	}
}
