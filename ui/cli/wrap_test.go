package cli

import (
	"strings"
	"testing"

	"baton/ui/sanitize"
)

func TestWrapped(t *testing.T) {
	const table = "global  stop  esc       close what is open, else stop the turn"
	for _, c := range []struct {
		name, text string
		columns    int
		want       string
	}{
		{"no terminal", strings.Repeat("word ", 50), 0, strings.Repeat("word ", 50)},
		{"it fits", "one two three", 13, "one two three"},
		{"an error", "baton: one two three", 16, "baton: one two\n  three"},
		{"a word is not broken", "baton: see 20261130-154210-4fzq there", 20, "baton: see\n  20261130-154210-4fzq\n  there"},
		{"below the last column", table, 50, "global  stop  esc       close what is open, else\n" + strings.Repeat(" ", 24) + "stop the turn"},
		{"a column that is too narrow", table, 40, "global stop esc close what is open, else\n  stop the turn"},
		{"what is indented", "    → one two three", 16, "    → one two\n      three"},
		{"wide characters", "日本 日本 日本", 9, "日本 日本\n  日本"},
		{"several lines", "a b\n\nlong enough\nc", 8, "a b\n\nlong\n  enough\nc"},
	} {
		if got := wrapped(c.text, c.columns); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	const help = "One sentence\nand another one.\n\nUsage:\n  baton x\n\nFlags:\n      --all   whatever there is to be had of it at all\n\nEnd.\n"
	want := "One sentence\nand another one.\n\nUsage:\n  baton x\n\nFlags:\n      --all whatever\n        there is to be\n        had of it at all\n\nEnd.\n"
	if got := wrappedHelp(help, 24); got != want {
		t.Errorf("a paragraph that fits:\n%s", got)
	}
	if got := wrappedHelp(help, 15); !strings.HasPrefix(got, "One sentence\nand another\none.\n\nUsage:\n  baton x\n") {
		t.Errorf("a paragraph that is filled anew:\n%s", got)
	}
	if got := wrappedHelp(help, 0); got != help {
		t.Errorf("for no terminal:\n%s", got)
	}
}

// Whatever the width, the words of all help stay whole and in their order, and lines are only longer where a word is.
func TestHelpFitsATerminal(t *testing.T) {
	for _, c := range tree(t) {
		text := c.Long + "\n\n" + c.UsageString()
		for _, columns := range []int{20, 40, 60, 79, 80, 100, 132} {
			got := wrappedHelp(text, columns)
			if a, b := strings.Join(strings.Fields(got), " "), strings.Join(strings.Fields(text), " "); a != b {
				t.Fatalf("%s in %d columns says\n%s", c.CommandPath(), columns, got)
			}
			for line := range strings.Lines(got) {
				line = strings.TrimSuffix(line, "\n")
				if body := strings.TrimSpace(line); sanitize.Width(line) > columns && strings.Contains(body, " ") && columns >= 60 {
					t.Errorf("%s in %d columns has %q", c.CommandPath(), columns, line)
				}
			}
		}
	}
}
