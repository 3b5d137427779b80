package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// ends lists the ways a turn can end, as what happens after its first attempt
// began, and what the turn then says to later turns. %s is a text of its own.
var ends = []struct {
	name string
	do   func(turn TurnID, text string) []Input
	says func(text string) string
}{
	{"answered", func(t TurnID, s string) []Input {
		return []Input{Delta{Turn: t, N: 1, Text: s, At: epoch}, Ready{Turn: t, N: 1}}
	}, same},
	{"answered at the second attempt", func(t TurnID, s string) []Input {
		return append(failsOnce(t, "LOST"), Delta{Turn: t, N: 2, Text: s, At: epoch}, Ready{Turn: t, N: 2})
	}, same},
	{"tools alone", func(t TurnID, s string) []Input {
		return []Input{ToolActivity{t, 1, ToolPart{ID: "x", Name: s}}, Ready{Turn: t, N: 1}}
	}, always(silentAnswer)},
	{"failed with text", func(t TurnID, s string) []Input {
		return []Input{Delta{Turn: t, N: 1, Text: "LOST", At: epoch}, GaveUp{Turn: t, N: 1}}
	}, always(failedAnswer)},
	{"failed without text", func(t TurnID, s string) []Input {
		return append(failsOnce(t, "LOST"), GaveUp{Turn: t, N: 2})
	}, always(failedAnswer)},
	{"stopped with text", func(t TurnID, s string) []Input {
		return []Input{Delta{Turn: t, N: 1, Text: s, At: epoch}, Stop{t}, StoppedByClient{Turn: t}}
	}, same},
	{"stopped with blank text", func(t TurnID, s string) []Input {
		return []Input{Delta{Turn: t, N: 1, Text: " \n", At: epoch}, Stop{t}, StoppedByClient{Turn: t}}
	}, always(stoppedAnswer)},
	{"stopped before text", func(t TurnID, s string) []Input {
		return []Input{Stop{t}, StopTimedOut{t}}
	}, always(stoppedAnswer)},
	{"stopped in the wait", func(t TurnID, s string) []Input {
		return append(failsOnce(t, "LOST")[:2], Stop{t}, StoppedByClient{Turn: t})
	}, always(stoppedAnswer)},
	{"failed while stopping", func(t TurnID, s string) []Input {
		return []Input{Delta{Turn: t, N: 1, Text: "LOST", At: epoch}, Stop{t}, GaveUp{Turn: t, N: 1}}
	}, always(stoppedAnswer)},
	{"answered while stopping", func(t TurnID, s string) []Input {
		return []Input{Delta{Turn: t, N: 1, Text: s, At: epoch}, Stop{t}, Ready{Turn: t, N: 1}}
	}, same},
	{"the program ended", func(t TurnID, s string) []Input {
		return []Input{Delta{Turn: t, N: 1, Text: s, At: epoch}, Opened{Session: "s"}}
	}, same},
}

func failsOnce(t TurnID, text string) []Input {
	return []Input{Delta{Turn: t, N: 1, Text: text, At: epoch}, RetryScheduled{Turn: t, N: 1, Max: 5}, RetryStarted{Turn: t, N: 2}}
}

func same(s string) string                  { return s }
func always(s string) func(s string) string { return func(string) string { return s } }

// TestContext builds histories of chains that end in every way and are retried by
// hand, and compares what the next request would carry with what it must.
func TestContext(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := with(New(Settings{}), Opened{Session: "s"})
		var want []Message
		for c := range rapid.IntRange(1, 6).Draw(t, "chains") {
			text := fmt.Sprintf("prompt %d", c)
			s = fold(s, Submit{Draft{Text: text}})
			answer := runTurn(t, &s)
			for last, _ := s.LastTurn(); last.Outcome != Succeeded && rapid.Bool().Draw(t, "again"); last, _ = s.LastTurn() {
				s = fold(s, Retry{Turn: last.ID})
				if last, _ = s.LastTurn(); cmp.Diff(append(want[:len(want):len(want)], Message{Text: text}), s.Context(last.ID, Items{})) != "" {
					t.Fatal("a retry must send what the first try sent")
				}
				answer = runTurn(t, &s)
			}
			want = append(want, Message{Text: text}, Message{Assistant: true, Text: answer})
		}
		s = fold(s, Submit{Draft{Text: "now"}})
		last, _ := s.LastTurn()
		got := s.Context(last.ID, Items{})
		if d := cmp.Diff(append(want, Message{Text: "now"}), got); d != "" {
			t.Fatal(d)
		}
		for i, m := range got {
			if m.Assistant != (i%2 == 1) || strings.TrimSpace(m.Text) == "" || strings.Contains(m.Text, "LOST") {
				t.Fatalf("message %d: %+v", i, m)
			}
		}
	})
}

func runTurn(t *rapid.T, s *State) string {
	turn, _ := s.LastTurn()
	end := ends[rapid.IntRange(0, len(ends)-1).Draw(t, "end")]
	text := fmt.Sprintf("answer %d", turn.ID)
	*s = with(*s, append([]Input{AttemptStarted{turn.ID, 1}}, end.do(turn.ID, text)...)...)
	if s.Busy() {
		t.Fatalf("%s did not end the turn", end.name)
	}
	return end.says(text)
}

func TestContextSlashes(t *testing.T) {
	for text, want := range map[string]string{"//x": "/x", "//new session": "/new session", "//x\ny": "/x\ny",
		"a //x": "a //x", "/x": "/x", "//": "//", "///x": "///x", "// a comment": "// a comment", "//go:build linux": "//go:build linux", "//etc/hosts": "//etc/hosts", "//Note": "//Note"} {
		s := with(New(Settings{}), Opened{Session: "s"}, Submit{Draft{Text: text}})
		if got := s.Context(1, Items{})[0].Text; got != want {
			t.Errorf("%q is sent as %q, want %q", text, got, want)
		}
		if got := s.Items.At(0).Rows(0)[0].Text; got != want {
			t.Errorf("%q reads %q", text, got)
		}
		again := with(New(Settings{}), Opened{Session: "s"}, Submit{Draft{Text: Typed(want)}})
		if got := again.Items.At(0).Turn.Text; got != want {
			t.Errorf("%q is typed %q, which is kept as %q", want, Typed(want), got)
		}
		old := Apply(with(New(Settings{}), Opened{Session: "s"}), TurnStarted{Turn: 1, Chain: 1, Text: text}) // as logs were once
		if got := old.Context(1, Items{})[0].Text; got != want {
			t.Errorf("%q in an old log is sent as %q, want %q", text, got, want)
		}
	}
}

func TestContextOfUnknownTurn(t *testing.T) {
	if got := New(Settings{}).Context(7, Items{}); got != nil {
		t.Error(got)
	}
}
