package chat

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"baton/ui/sanitize"
	"baton/ui/theme"
)

func newModel(t testing.TB) *Model {
	t.Helper()
	th, err := theme.Named(theme.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	return New(th)
}

var sgrSequence = regexp.MustCompile("\x1b\\[[0-9;]*m")

func bare(line string) string {
	return strings.TrimRight(sgrSequence.ReplaceAllString(line, ""), " ")
}

func unstyled(lines []string) string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = bare(l)
	}
	return strings.Join(out, "\n")
}

// failer is what testing.TB and *rapid.T have in common.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkFrame fails if a frame has not its size or holds anything but printable
// text and closed styles: no ESC, C0 or C1 besides our own SGR sequences.
func checkFrame(t failer, frame []string, width, height int) {
	t.Helper()
	if width < 1 || height < 1 {
		if len(frame) != 0 {
			t.Fatalf("%dx%d: %q", width, height, frame)
		}
		return
	}
	if len(frame) != height {
		t.Fatalf("%d lines of %d", len(frame), height)
	}
	for i, l := range frame {
		text := sgrSequence.ReplaceAllString(l, "")
		if w := sanitize.Width(text); w > width {
			t.Fatalf("%dx%d: line %d takes %d cells: %q", width, height, i, w, l)
		}
		for _, r := range text {
			if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u202e' || r == '\u200b' {
				t.Fatalf("line %d holds %U: %q", i, r, l)
			}
		}
		if !utf8.ValidString(text) || sanitize.Text(text) != text {
			t.Fatalf("line %d is not printable: %q", i, l)
		}
		if styled := sgrSequence.FindAllString(l, -1); len(styled) > 0 && styled[len(styled)-1] != "\x1b[0m" {
			t.Fatalf("line %d leaves a style open: %q", i, l)
		}
	}
}

// numbered returns n prompts of one line: with the gaps, line 2i is "row i".
func numbered(n int) []Block {
	blocks := make([]Block, n)
	for i := range blocks {
		blocks[i] = Block{ID: fmt.Sprint("b", i), Kind: User, Text: fmt.Sprint("row ", i)}
	}
	return blocks
}

// session shows every kind of block in every state.
var session = []Block{
	{ID: "u1", Kind: User, Text: "Why does **this** fail?\n\n\tgo test ./...\n  and  spaces", Details: []string{"notes.md · 1.2 kB"}},
	{ID: "r1", Kind: Reasoning, Text: "Let me *think* about that.", Foldable: true},
	{ID: "t1", Kind: Tool, Title: "read_file main.go", Text: "package main\n\nfunc main() {}", Foldable: true},
	{ID: "t2", Kind: Tool, Title: "run go test", Text: "exit status 1", Foldable: true, Failed: true},
	{ID: "a1", Kind: Agent, Text: "# Answer\nBecause **x** is nil, see [the docs](https://go.dev/ref).\n\n```go\nif x == nil {\n\treturn\n}\n```\n\n1. first\n2. second", Foot: "took 0:12 · 1.2k tok"},
	{ID: "y1", Kind: Retry, Title: "Retried model request (1/4)", Details: []string{"attempt 1 · 503 overloaded · waited 1.2s"}, Foldable: true},
	{ID: "u2", Kind: User, Text: "go on"},
	{ID: "a2", Kind: Agent, Text: "It was going to", Failed: true, Foldable: true},
	{ID: "y2", Kind: Retry, Title: "Retried model request (4/4)", Details: []string{"attempt 1 · network", "attempt 2 · 500"}, Foldable: true},
	{ID: "e2", Kind: Error, Title: "Turn failed · overloaded · 503 · the server is busy (5 attempts)", Text: "ctrl+y tries again"},
	{ID: "u3", Kind: User, Text: "again"},
	{ID: "a3", Kind: Agent, Text: "Half an ans", Interrupted: true},
	{ID: "n3", Kind: Notice, Text: "The answer was cut at the output limit."},
}
