package markdown

import (
	"fmt"
	"strings"
	"testing"
)

// repeat makes a text of at least n bytes.
func repeat(s string, n int) string { return strings.Repeat(s, n/len(s)+1) }

func TestLimits(t *testing.T) {
	grid := func(columns, lines int) string {
		return strings.Repeat(strings.Repeat("|", columns-1)+"\n", lines)
	}
	for _, tt := range []struct {
		name  string
		limit int
		text  func(n int) string
	}{
		{"bytes", MaxBlock, func(n int) string { return strings.Repeat("x", n) }},
		{"stars", MaxDelimiters, func(n int) string { return strings.Repeat("*", n) }},
		{"mixed delimiters", MaxDelimiters, func(n int) string { return repeat("a*b_c~", 2*n)[:2*n] }},
		{"brackets", MaxDelimiters, func(n int) string { return strings.Repeat("[", n) }},
		{"backticks", MaxDelimiters, func(n int) string { return strings.Repeat("`x", n) }},
		{"quotes", MaxDepth, func(n int) string { return strings.Repeat(">", n) + "x" }},
		{"items on a line", MaxDepth, func(n int) string { return strings.Repeat("- ", n) + "x" }},
		{"items below each other", MaxDepth, func(n int) string {
			var s strings.Builder
			for i := range n {
				fmt.Fprintf(&s, "%s- x\n", strings.Repeat("  ", i))
			}
			return s.String()
		}},
		{"items in a quote", MaxDepth, func(n int) string {
			var s strings.Builder
			for i := range n - 1 {
				fmt.Fprintf(&s, "> %s- x\n", strings.Repeat("  ", i))
			}
			return s.String()
		}},
		{"depths", maxDepths, func(n int) string {
			return strings.Repeat(">\n", n%2) + "> >\n" + strings.Repeat("\n", n/2-1)
		}},
		{"cells", MaxCells, func(n int) string {
			if n%10 != 0 { // one more line of ten cells, or one line less
				return grid(10, MaxCells/10+n-MaxCells)
			}
			return grid(10, n/10)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, d := range []int{-1, 0, 1} {
				if got, want := heavy(tt.text(tt.limit+d)), d > 0; got != want {
					t.Errorf("limit%+d: heavy %v, want %v", d, got, want)
				}
			}
		})
	}
}

// What is common must not be taken for heavy.
func TestNotHeavy(t *testing.T) {
	for name, text := range map[string]string{
		"a long list": strings.Repeat("- item\n  - deeper\n    - deepest\n", 200),
		"a table":     strings.Repeat("| a | b | c | d |\n", 300),
		"quotes":      strings.Repeat("> > text\n", 500),
		"numbers":     strings.Repeat("1. a\n10. b\n100. c\n", 200),
	} {
		if heavy(text) {
			t.Error(name)
		}
	}
}

// A heavy block shows its text unparsed, and only that block.
func TestHeavyBlockIsPlain(t *testing.T) {
	src := "**a**\n\n" + strings.Repeat("> ", MaxDepth+1) + "*x*\n\n*b*"
	got := unstyled(Render(src, 200, styles(t)))
	want := []string{"a", "", strings.Repeat("> ", MaxDepth+1) + "*x*", "", "b"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q", got)
	}
}

// Nothing of a large block is lost where it is cut into parts.
func TestLargeBlocksAreWhole(t *testing.T) {
	for name, src := range map[string]string{
		"lines":        repeat("0123456789 abc\n", 5*MaxBlock),
		"one line":     repeat("0123456789 abc ", 5*MaxBlock),
		"no spaces":    repeat("0123456789", 5*MaxBlock),
		"wide letters": repeat("世界你好", 5*MaxBlock),
		"families":     repeat("👨‍👩‍👧‍👦", 5*MaxBlock),
		"marks":        "e" + repeat("\u0301", 5*MaxBlock),
		"spaces":       strings.Repeat(" ", 2*MaxBlock) + "x\ny",
		"code":         "```\n" + repeat("a\tb 世界\n\n", 5*MaxBlock),
	} {
		s := New(Styles{})
		s.Append(src)
		s.End()
		squeeze := strings.NewReplacer("↳", "", " ", "", "\n", "", "\t", "", "`", "").Replace
		want := squeeze(src)
		if name == "marks" {
			want = "e" + strings.Repeat("\u0301", 8)
		}
		if got := squeeze(strings.Join(all(s, 77), "")); got != want {
			t.Errorf("%s: %d bytes of %d came out", name, len(got), len(want))
		}
		for _, v := range s.done {
			if len(v.text) > MaxBlock {
				t.Errorf("%s: a part of %d bytes", name, len(v.text))
			}
		}
	}
}
