package status

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"baton/ui/frametest"
	"baton/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

func look(t *testing.T) theme.Theme {
	t.Helper()
	th, err := theme.Named(theme.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	return th
}

var backoff = Facts{
	State: Busy, Elapsed: 42 * time.Second, Attempt: 2, Max: 5, Waiting: true, Wait: 1180 * time.Millisecond,
	Cause: "503 overloaded", Asked: 7 * time.Second, Stop: "esc stops", Hints: []string{"ctrl+y retries now", "f1 help"},
	Agent: "sandbox", Model: "scripted-1", Origin: "127.0.0.1:8080", Tokens: 1234,
}

var others = map[string]Facts{
	"ready":  {State: Ready, Hints: []string{"f1 help"}, Agent: "sandbox", Model: "scripted-1", Origin: "127.0.0.1:8080", Tokens: 999},
	"error":  {State: Error, Notice: "the queue is full", Hints: []string{"ctrl+y retries"}, Agent: "work", Model: "large 模型", Origin: "https://example.org"},
	"stream": {State: Busy, Elapsed: time.Hour, Phase: "streaming", Attempt: 3, Max: 5, Silent: 34 * time.Second, Stop: "esc stops", Agent: "a\x1b[31m", Model: "m"},
	"start":  {},
}

func TestFrames(t *testing.T) {
	for _, w := range []int{20, 40, 80, 120} {
		lines := []string{Line(look(t), backoff, w)}
		for _, name := range []string{"ready", "error", "stream", "start"} {
			lines = append(lines, Line(look(t), others[name], w))
		}
		lines = append(lines, Banner(look(t), "could not write the session log: no space left on device\n(trying again)", w, 3)...)
		lines = append(lines, Notice(look(t), "no list of models: the server at https://llm.example.com/v1 answered 503 · it asks to wait until 14:05", w, 3)...)
		frametest.Golden(t, fmt.Sprintf("status/lines-%d", w), lines)
	}
}

func TestGeometry(t *testing.T) {
	others["backoff"] = backoff
	for _, f := range others {
		for w := -1; w <= 300; w++ {
			for h := -1; h < 5; h++ {
				frametest.Fits(t, []string{Line(look(t), f, w)}, max(w, 0), 1)
				frametest.Fits(t, Banner(look(t), "词 could not\r\n write, nor will", w, h), max(w, 0), max(h, 0))
				frametest.Fits(t, Notice(look(t), strings.Repeat("词汇", 30), w, h), max(w, 0), max(h, 0))
			}
		}
	}
}

// TestOrder checks the documented order: walking from wide to narrow, each
// part goes no earlier than the one listed before it.
func TestOrder(t *testing.T) {
	f := backoff
	f.Notice, f.Silent = "noticed", 34*time.Second
	order := []string{"127.0.0.1:8080", "1.2k tok", "f1 help", "ctrl+y retries now", "sandbox", "scripted-1",
		"server asked 7s", "asked 7s", "0:42", "503 overloaded", "503", "silent 34s", "retrying 2/5 in 1.2s", "retrying 2/5", "noticed", "●", "esc stops"}
	gone := 0
	for w := 300; w >= len("esc stops"); w-- {
		line := ansi.Strip(Line(look(t), f, w))
		for i, p := range order {
			switch has := strings.Contains(line, p); {
			case has && i < gone:
				t.Fatalf("width %d: %q is back, or went before %q: %q", w, p, order[gone-1], line)
			case !has && i > gone:
				t.Fatalf("width %d: %q is gone before %q: %q", w, p, order[gone], line)
			case !has && i == gone:
				gone++
			}
		}
	}
	if gone != len(order)-1 {
		t.Errorf("at the width of the stop hint %q is still there", order[gone:])
	}
}

// While a retry waits, what it waits for is said in as few words as the window leaves room for, and so is silence.
func TestWaitingOnNarrowScreens(t *testing.T) {
	silent := Facts{State: Busy, Elapsed: 34 * time.Second, Phase: "streaming", Silent: 34 * time.Second, Stop: "esc stops"}
	for _, c := range []struct {
		f    Facts
		w    int
		want string
	}{
		{backoff, 82, "● Busy 0:42 · retrying 2/5 in 1.2s · 503 overloaded · server asked 7s · esc stops"},
		{backoff, 80, "● Busy 0:42 · retrying 2/5 in 1.2s · 503 overloaded · asked 7s · esc stops"},
		{backoff, 60, "● Busy · retrying 2/5 in 1.2s · 503 overloaded · esc stops"},
		{backoff, 40, "● retrying 2/5 in 1.2s · 503 · esc stops"},
		{backoff, 39, "● retrying 2/5 in 1.2s · esc stops"},
		{backoff, 30, "● retrying 2/5 · esc stops"},
		{silent, 60, "● Busy 0:34 · streaming · silent 34s · esc stops"},
		{silent, 40, "● Busy · silent 34s · esc stops"},
	} {
		if got := ansi.Strip(Line(look(t), c.f, c.w)); got != c.want {
			t.Errorf("%d cells show %q, want %q", c.w, got, c.want)
		}
	}
}

// A word that fits stays in the line; one that does not stands above it, whole where there is room.
func TestNoticeAboveTheLine(t *testing.T) {
	f := Facts{State: Busy, Stop: "esc stops", Notice: "twenty cells, to be so"}
	if least := len("x Busy - twenty cells, to be so - esc stops"); Fits(f, least-1) || !Fits(f, least) || !strings.Contains(Line(look(t), f, least), f.Notice) {
		t.Error("a notice that fits is not told from one that does not")
	}
	for h, want := range map[int]string{1: "· one two t…", 2: "· one two|  three fou…", 3: "· one two|  three four|  five"} {
		if got := ansi.Strip(strings.Join(Notice(look(t), "one two three four five", 12, h), "|")); got != want {
			t.Errorf("%d lines are %q, want %q", h, got, want)
		}
	}
}

func TestTightLines(t *testing.T) {
	for w, want := range map[int]string{18: "● Busy · esc stops", 17: "● esc stops", 11: "● esc stops", 10: "esc stops", 6: "esc s…"} {
		if got := ansi.Strip(Line(look(t), backoff, w)); got != want {
			t.Errorf("%d cells show %q, want %q", w, got, want)
		}
	}
	if got := ansi.Strip(Line(look(t), Facts{State: Error, Stop: "esc stops"}, 4)); got != "✗ E…" {
		t.Errorf("4 cells show %q", got)
	}
}

func TestSidesStayApart(t *testing.T) {
	f := Facts{State: Ready, Agent: "sandbox"}
	for w, want := range map[int]string{18: "○ Ready    sandbox", 16: "○ Ready  sandbox", 15: "○ Ready"} {
		if got := ansi.Strip(Line(look(t), f, w)); got != want {
			t.Errorf("%d cells show %q, want %q", w, got, want)
		}
	}
}

func TestLongNoticeIsCut(t *testing.T) {
	f := Facts{State: Busy, Stop: "esc stops", Phase: "streaming", Notice: strings.Repeat("kept ", 40)}
	line := ansi.Strip(Line(look(t), f, 60))
	if ansi.StringWidth(line) != 60 || !strings.HasPrefix(line, "● Busy · kept kept") || !strings.HasSuffix(line, "… · esc stops") {
		t.Errorf("a long notice gives %q", line)
	}
}

func TestStopOnlyWhileBusy(t *testing.T) {
	for _, s := range []State{Starting, Ready, Error} {
		f := backoff
		f.State = s
		if strings.Contains(Line(look(t), f, 200), "esc stops") {
			t.Errorf("%s offers to stop", states[s].word)
		}
	}
}

// TestStateIsAWord: with the colours gone the states still differ.
func TestStateIsAWord(t *testing.T) {
	seen := map[string]bool{}
	for s := range states {
		line := ansi.Strip(Line(look(t), Facts{State: State(s)}, 80))
		if seen[line] || len(strings.Fields(line)) < 2 {
			t.Errorf("state %d reads %q", s, line)
		}
		seen[line] = true
	}
}

func TestWords(t *testing.T) {
	const ms, s, m, h = time.Millisecond, time.Second, time.Minute, time.Hour
	for _, c := range []struct{ got, want string }{
		{Elapsed(0), "0:00"}, {Elapsed(-s), "0:00"}, {Elapsed(42*s + 999*ms), "0:42"}, {Elapsed(12*m + 5*s), "12:05"},
		{Elapsed(h - ms), "59:59"}, {Elapsed(h + 2*m + 3*s), "1:02:03"}, {Elapsed(73*h + 2*m + 3*s), "3d 01:02:03"},
		{Countdown(0), "now"}, {Countdown(-s), "now"}, {Countdown(1), "0.1s"}, {Countdown(1101 * ms), "1.2s"}, {Countdown(7 * s), "7s"},
		{Countdown(9900 * ms), "9.9s"}, {Countdown(9901 * ms), "10s"}, {Countdown(59 * s), "59s"}, {Countdown(59*s + 1), "1m00s"},
		{Countdown(65 * s), "1m05s"}, {Countdown(h - s), "59m59s"}, {Countdown(h - ms), "1h00m"}, {Countdown(2*h + 4*m + s), "2h05m"},
		{Countdown(24*h - m), "23h59m"}, {Countdown(24*h - s), "1d00h"}, {Countdown(76 * h), "3d04h"}, {Countdown(math.MaxInt64), "106752d00h"},
		{Tokens(999), "999 tok"}, {fill(12_300, 32_768), " · 37% of 32k"}, {fill(1, 0), ""}, {fill(300, 200), " · 150% of 200"}, {Tokens(1299), "1.2k tok"}, {Tokens(13_999), "13k tok"}, {Tokens(999_999), "999k tok"}, {Tokens(1_290_000), "1.2M tok"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
	f := backoff
	f.Wait = 0
	if got, _ := f.phase(); got != "retrying 2/5 now" {
		t.Errorf("an ended wait reads %q", got)
	}
}

func TestSilenceIsShownLate(t *testing.T) {
	for d, want := range map[time.Duration]bool{SilentFrom: false, SilentFrom + 1: true} {
		if got := strings.Contains(Line(look(t), Facts{Silent: d}, 80), "silent 10s"); got != want {
			t.Errorf("silence of %s is shown: %v", d, got)
		}
	}
}

func TestSomethingTurnsWhileItGoesOn(t *testing.T) {
	f := Facts{State: Busy, Phase: "streaming", Spin: 1, Stop: "esc stops"}
	first := ansi.Strip(Line(look(t), f, 80))
	f.Spin++
	second := ansi.Strip(Line(look(t), f, 80))
	if first == second || !strings.Contains(first, " streaming") {
		t.Errorf("%q then %q", first, second)
	}
	f.Waiting, f.Attempt, f.Max, f.Wait = true, 2, 5, time.Second
	if got := ansi.Strip(Line(look(t), f, 80)); !strings.Contains(got, "· retrying 2/5") {
		t.Errorf("a countdown moves by itself: %q", got)
	}
}
