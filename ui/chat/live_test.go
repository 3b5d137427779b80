package chat

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const answer = "# Title\n\nSome **bold text** over\ntwo lines 世界 👨‍👩‍👧‍👦.\n\n- a\n- b\n\n```go\nx := 1\n\ny\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quote\r\nend"

// However an answer came, it looks as if it had been there from the beginning.
func TestStreamedEqualsWhole(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		whole, live := newModel(t), newModel(t)
		kind := rapid.SampledFrom([]Kind{Agent, Reasoning, Tool}).Draw(rt, "kind")
		width := rapid.IntRange(1, 60).Draw(rt, "width")
		b := Block{ID: "x", Kind: kind, Text: answer}
		whole.Append(b)
		for rest := answer; rest != ""; {
			n := rapid.IntRange(1, min(len(rest), 40)).Draw(rt, "cut")
			live.Stream("x", kind, rest[:n])
			rest = rest[n:]
			live.View(width, 10)
		}
		live.CloseLive("x", b)
		for _, height := range []int{3, 60} {
			if diff := cmp.Diff(whole.View(width, height), live.View(width, height)); diff != "" {
				rt.Fatalf("at %dx%d (-whole +streamed):\n%s", width, height, diff)
			}
		}
	})
}

// A complete answer that says something else than was streamed wins.
func TestCloseWithAnotherText(t *testing.T) {
	m := newModel(t)
	m.Stream("x", Agent, "partial")
	m.CloseLive("x", Block{ID: "y", Kind: Agent, Text: "final"})
	if got := strings.TrimSpace(unstyled(m.View(20, 5))); got != "final" {
		t.Errorf("got %q", got)
	}
	m.Stream("y", Agent, " words")
	if got := strings.TrimSpace(unstyled(m.View(20, 5))); got != "final words" {
		t.Errorf("after more text: %q", got)
	}
	m.CloseLive("unknown", Block{ID: "z", Kind: Agent, Text: "new"})
	if got := strings.TrimSpace(unstyled(m.View(20, 5))); got != "final words\n\nnew" {
		t.Errorf("after closing what was not open: %q", got)
	}
}

// The text of a failed attempt leaves the view; what is complete stays.
func TestDropLive(t *testing.T) {
	m := newModel(t)
	m.Append(Block{ID: "u", Kind: User, Text: "hi"})
	m.Stream("a1", Agent, "Hel")
	m.DropLive("a1")
	m.Stream("a2", Agent, "Hello")
	m.DropLive("u")
	m.DropLive("unknown")
	if got := strings.TrimSpace(unstyled(m.View(20, 5))); got != "┃ hi\n\nHello" {
		t.Errorf("got %q", got)
	}
}

// Each way to change a block must be seen, kept lines or not.
func TestEveryChangeIsSeen(t *testing.T) {
	m := newModel(t)
	base := Block{ID: "x", Version: 1, Kind: Tool, Title: "a title", Text: "some text", Details: []string{"a detail"}}
	m.Append(base)
	before := unstyled(m.View(40, 12))
	version := 1
	for name, change := range map[string]func(*Block){
		"kind":        func(b *Block) { b.Kind = Reasoning },
		"title":       func(b *Block) { b.Title = "another" },
		"text":        func(b *Block) { b.Text = "other text" },
		"details":     func(b *Block) { b.Details = nil },
		"failed":      func(b *Block) { b.Failed = true },
		"interrupted": func(b *Block) { b.Interrupted = true },
		"foldable":    func(b *Block) { b.Foldable = true },
	} {
		b := base
		change(&b)
		version++
		b.Version = version
		m.Replace("x", b)
		if unstyled(m.View(40, 12)) == before {
			t.Errorf("%s: the frame is the old one", name)
		}
		version++
		b = base
		b.Version = version
		m.Replace("x", b)
		if unstyled(m.View(40, 12)) != before {
			t.Errorf("%s: the frame is not the first again", name)
		}
	}
	b := base
	b.Version, b.Text = version, "not looked at"
	m.Replace("x", b)
	if unstyled(m.View(40, 12)) != before {
		t.Error("the same version was drawn again")
	}
	b.Version = 0
	m.Replace("x", b)
	if unstyled(m.View(40, 12)) == before {
		t.Error("a block without a version was not drawn")
	}
	b.Text = "looked at again"
	m.Replace("x", b)
	if !strings.Contains(unstyled(m.View(40, 12)), b.Text) {
		t.Error("a change of a block without a version was not drawn")
	}
}

// A theme reaches heads, which are kept here, and texts, which are kept by markdown.
func TestThemeIsSeen(t *testing.T) {
	for name, b := range map[string]Block{
		"head": {ID: "x", Kind: Error, Title: "failed"},
		"text": {ID: "x", Kind: Agent, Text: "# title"},
		"bar":  {ID: "x", Kind: User, Text: "prompt"},
	} {
		m := newModel(t)
		m.Append(b)
		before := m.View(40, 3)
		th := m.theme
		th.ID, th.You, th.Error, th.Heading = "other", th.Dim, th.Dim, th.Dim
		m.SetTheme(th)
		after := m.View(40, 3)
		if unstyled(before) != unstyled(after) {
			t.Errorf("%s: a theme changed the text", name)
		}
		if cmp.Equal(before, after) {
			t.Errorf("%s: a theme changed nothing", name)
		}
	}
}

// A title and a detail take a line each, whatever they hold.
func TestOneLineTexts(t *testing.T) {
	m := newModel(t)
	m.Append(Block{ID: "x", Kind: Retry, Title: " a\n\tb ", Details: []string{"c\r\n  d"}})
	if got := strings.TrimSpace(unstyled(m.View(40, 5))); got != "↻ a b\n  c d" {
		t.Errorf("got %q", got)
	}
}
