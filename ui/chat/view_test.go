package chat

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/ui/frametest"
)

func TestFrames(t *testing.T) {
	for _, width := range []int{80, 40, 20} {
		m := newModel(t)
		m.SetWelcome("# baton\nType and press **enter**.\n\n- `/help` shows the keys\n")
		frame := func(name string, height int) {
			lines := m.View(width, height)
			checkFrame(t, lines, width, height)
			frametest.Golden(t, fmt.Sprintf("chat/%s-%d", name, width), lines)
		}
		frame("welcome", 12)
		m.Reset(session)
		frame("folded", 48)
		m.ToggleFold()
		frame("open", 64)
		m.ToggleFold()
		m.View(width, 10)
		m.PageUp()
		m.Append(Block{ID: "n4", Kind: Notice, Text: "news"})
		frame("news", 10)
	}
}

// Whatever is shown, at whatever size: every frame has its size and is printable.
func TestEverySize(t *testing.T) {
	m := newModel(t)
	m.SetWelcome("welcome to a **long** line of text")
	sweep := func() {
		for width := -1; width < 50; width++ {
			for _, height := range []int{-1, 0, 1, 2, 3, 4, 7, 30, 100} {
				checkFrame(t, m.View(width, height), width, height)
				m.ScrollUp(3)
				checkFrame(t, m.View(width, height), width, height)
				m.Home()
				m.PageDown()
				checkFrame(t, m.View(width, height), width, height)
			}
		}
	}
	sweep()
	m.Reset(session)
	sweep()
	m.ToggleFold()
	m.Stream("live", Agent, "some **live** text 世界\n- a\n- b")
	m.Stream("thought", Reasoning, "hm")
	sweep()
	checkFrame(t, m.View(10_000, 3), 10_000, 3)
}

// Failure, stop and folding are told in words and marks, not by colour alone.
func TestStatesInWords(t *testing.T) {
	m := newModel(t)
	m.Reset(session)
	text := unstyled(m.View(80, 80))
	for _, want := range []string{
		"✗ unfinished answer of a failed turn ▾", "■ interrupted", "↻ Retried model request (4/4) ▸",
		"✗ Turn failed · overloaded · 503 · the server is busy (5 attempts)", "  ctrl+y tries again",
		"✗ run go test · failed ▸", "◆ read_file main.go ▸", "∴ Reasoning ▸", "· The answer was cut",
		"It was going to",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	for _, hidden := range []string{"package main", "waited 1.2s", "think"} {
		if strings.Contains(text, hidden) {
			t.Errorf("%q shows in a folded block", hidden)
		}
	}
}

func TestFolding(t *testing.T) {
	m := newModel(t)
	m.Reset(session)
	shows := func(want bool, texts ...string) {
		t.Helper()
		frame := unstyled(m.View(80, 80))
		for _, text := range texts {
			if strings.Contains(frame, text) != want {
				t.Errorf("%q: shown %v, want %v", text, !want, want)
			}
		}
	}
	inside := []string{"package main", "waited 1.2s", "think"}
	shows(false, inside...)
	shows(true, "It was going to")
	m.ToggleFold()
	shows(true, inside...)
	shows(true, "It was going to")
	m.ToggleFold()
	shows(false, inside...)
	shows(false, "It was going to")
	shows(true, "unfinished answer of a failed turn ▸")
	m.ToggleFold()
	shows(true, "It was going to")
}

// A prompt is shown as it was typed.
func TestPromptsAreNotMarkdown(t *testing.T) {
	m := newModel(t)
	m.Append(Block{ID: "u", Kind: User, Text: "# a  *b*\n\n\n  - c\n```"})
	want := "┃ # a  *b*\n┃\n┃\n┃   - c\n┃ ```"
	if got := unstyled(m.View(20, 5)); got != want {
		t.Errorf("got\n%s", got)
	}
}

// H1 to H6: nothing that a terminal would obey gets through, from any field, whole
// or cut after every byte.
func TestHostileText(t *testing.T) {
	for _, text := range []string{
		"\x1b]52;c;aGk=\x07", "\x1b]0;x\x07\x1b]2;x\x1b\\", "\x1b]8;;https://evil\x1b\\x\x1b]8;;\x1b\\",
		"\x1bPq#0\x1b\\\x1b_a\x1b\\\x1b^b\x1b\\\x1bXc\x1b\\", "\x1b[6n\x1b[c\x1b]11;?\x07", "\x1bc\x1b[?1049l\x1b[2J\x1b]",
		"\u009b31m\x9b31m", "safe\revil", "\b\b\b\v\f\x00\x7f", strings.Repeat("\a", 1000),
		"\u202eevil\u2066\u2069\u200b\ufeff\U000e0041", "```\n\x1b[31m\n```", "`\x1b[31m`", "| \x1b |\n|-|\n| \a |",
		"e" + strings.Repeat("\u0301", 5000), "\xed\xa0\x80\xc0\xaf\xf0\x9f",
	} {
		for kind := User; kind <= Notice; kind++ {
			whole, live := newModel(t), newModel(t)
			whole.ToggleFold()
			live.ToggleFold()
			b := Block{ID: text, Kind: kind, Text: text, Title: text, Details: []string{text, text}, Foldable: true}
			whole.Append(b)
			checkFrame(t, whole.View(30, 12), 30, 12)
			if kind > Tool || len(text) > 500 {
				continue
			}
			for i := range len(text) {
				live.Stream(text, kind, text[i:i+1])
				checkFrame(t, live.View(30, 12), 30, 12)
			}
			live.CloseLive(text, b)
			if diff := cmp.Diff(whole.View(30, 12), live.View(30, 12)); diff != "" {
				t.Errorf("%q (-whole +streamed):\n%s", text, diff)
			}
		}
	}
}

// H6, H7: a family stays one picture, many marks stay one cell.
func TestOddText(t *testing.T) {
	m := newModel(t)
	m.Append(Block{ID: "u", Kind: User, Text: "👨‍👩‍👧‍👦 e" + strings.Repeat("\u0301", 100_000) + "x"})
	if got, want := unstyled(m.View(20, 1)), "┃ 👨‍👩‍👧‍👦 e"+strings.Repeat("\u0301", 8)+"x"; got != want {
		t.Errorf("got %q", got)
	}
}

// A number stays with the word that it counts, in a line that has room for both.
func TestNumbersStayWithTheirWords(t *testing.T) {
	for title, want := range map[string]string{
		"Turn failed · 5 attempts":            "Turn failed ·/5 attempts",
		"Turn failed · 503 · 5 attempts":      "Turn failed · 503/· 5 attempts",
		"failed · 1234 unpronounceable-words": "failed · 1234/unpronounceable-wo/rds",
	} {
		m := newModel(t)
		m.Reset([]Block{{ID: "e", Kind: Error, Title: title}})
		var got []string
		for _, l := range m.View(20, 9) {
			if l = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(bare(l)), markFailed)); l != "" {
				got = append(got, l)
			}
		}
		if s := strings.Join(got, "/"); s != want {
			t.Errorf("%q: %q, want %q", title, s, want)
		}
	}
}
