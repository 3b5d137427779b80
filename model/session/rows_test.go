package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/queue"
	"baton/retrypolicy"
)

// journal takes events through their encoding, as a reader of the log gets them.
func journal(t *testing.T, evs ...Event) (back []Event) {
	t.Helper()
	for _, e := range evs {
		kind, data, ok, err := Encode(e)
		if !ok || err != nil {
			t.Fatal(kind, ok, err)
		}
		e, known, err := Decode(kind, data)
		if !known || err != nil {
			t.Fatal(kind, known, err)
		}
		back = append(back, e)
	}
	return back
}

// rowsOf folds events and lists the transcript.
func rowsOf(evs []Event) (rs []Row) {
	s := New(Settings{})
	for _, e := range evs {
		s = Apply(s, e)
	}
	for i, it := range s.Items.All() {
		rs = append(rs, it.Rows(i)...)
	}
	return rs
}

func lines(rs []Row) string {
	var b strings.Builder
	for _, r := range rs {
		fmt.Fprintf(&b, "%s %s: %s", r.ID, r.Kind, r.Text)
		for name, on := range map[string]bool{" [failed]": r.Failed, " [interrupted]": r.Interrupted} {
			if on {
				b.WriteString(name)
			}
		}
		b.WriteByte('\n')
		for _, d := range r.Details {
			b.WriteString("    " + d + "\n")
		}
	}
	return b.String()
}

var (
	overloaded = Attempt{N: 1, Took: time.Second, Bytes: 12, Delay: 7 * time.Second, Waited: 7100 * time.Millisecond,
		Hint:  retrypolicy.Hint{Wait: 7 * time.Second},
		Cause: Cause{Kind: retrypolicy.Overloaded, Status: 503, Message: "try later", RequestID: "req-9"}}
	cutOff  = Attempt{N: 2, Took: time.Second, Delay: 250 * time.Millisecond, Waited: 40 * time.Millisecond, Cause: Cause{Kind: retrypolicy.Truncated}}
	answers = Attempt{N: 3, Took: 1240 * time.Millisecond}
	receipt = `    attempt 1 · 503 overloaded: try later · took 1s · server asked 7s · wait 7s, waited 7.1s · 12 bytes discarded · request req-9
    attempt 2 · truncated · took 1s · wait 250ms, waited 40ms
`
)

// TestRows goes from a log to the transcript.
func TestRows(t *testing.T) {
	start := TurnStarted{Turn: 1, Chain: 1, Text: "P"}
	for name, c := range map[string]struct {
		evs  []Event
		want string
	}{
		"a note":   {[]Event{Noted{Text: "hello"}}, "note-0 notice: hello\n"},
		"running":  {[]Event{start, TurnPartial{Turn: 1, N: 1, Text: "so far"}}, "1-user user: P\n"},
		"answered": {[]Event{start, TurnSucceeded{Turn: 1, Answer: "A", N: 1, Max: 5}}, "1-user user: P\n1-agent agent: A\n"},
		"after retries": {
			[]Event{start, RetryPlanned{Turn: 1, N: 1, Max: 5, Attempt: overloaded}, RetryBegan{Turn: 1, N: 2}, RetryPlanned{Turn: 1, N: 2, Max: 5, Attempt: cutOff}, RetryBegan{Turn: 1, N: 3},
				TurnSucceeded{Turn: 1, Answer: "A", Reasoning: "hm", N: 3, Max: 5, Attempts: []Attempt{overloaded, cutOff, answers}}},
			"1-user user: P\n1-reasoning reasoning: hm\n1-agent agent: A\n1-retry retry: Retried model request (2/4)\n" + receipt + "    attempt 3 · answered · took 1.2s\n"},
		"cut": {[]Event{start, TurnSucceeded{Turn: 1, Answer: "A", Cut: true, N: 1}},
			"1-user user: P\n1-agent agent: A\n1-notice notice: The answer reached the output limit and was cut off\n"},
		"failed at once": {[]Event{start, TurnFailed{Turn: 1, N: 1, Max: 5, Cause: Cause{Kind: retrypolicy.Auth, Status: 401, Code: "bad_key", Message: "no such key", NextStep: "check the key in $X"}}},
			"1-user user: P\n1-error error: Turn failed · auth · 401 · no such key · 1 attempt\n    check the key in $X\n"},
		"failed by a code": {[]Event{start, TurnFailed{Turn: 1, N: 1, Max: 5, Cause: Cause{Kind: retrypolicy.RateLimited, Code: "slow_down"}}},
			"1-user user: P\n1-error error: Turn failed · rate limited · slow_down · 1 attempt\n"},
		"failed before an attempt": {[]Event{start, TurnFailed{Turn: 1, Cause: Cause{Kind: retrypolicy.Internal, Message: "no"}}},
			"1-user user: P\n1-error error: Turn failed · internal · no\n"},
		"given up": {[]Event{start, TurnFailed{Turn: 1, N: 2, Max: 2, Exhausted: true, Lost: "half", Cause: Cause{Kind: retrypolicy.Truncated}, Attempts: []Attempt{overloaded, cutOff}}},
			"1-user user: P\n1-agent agent: half [failed]\n1-retry retry: Retried model request (1/1)\n" + receipt + "1-error error: Turn failed · truncated · 2 attempts\n"},
		"stopped": {[]Event{start, StopRequested{Turn: 1}, TurnStopped{Turn: 1, N: 1, Partial: "so far"}},
			"1-user user: P\n1-agent agent: so far [interrupted]\n1-notice notice: Stopped\n"},
		"stopped in the wait": {[]Event{start, TurnStopped{Turn: 1, N: 1, Max: 5, Lost: "half", Attempts: []Attempt{cutOff}}},
			"1-user user: P\n1-agent agent: half [failed]\n1-retry retry: Model request failed, stopped before a retry\n    attempt 2 · truncated · took 1s · wait 250ms, waited 40ms\n1-notice notice: Stopped\n"},
		"interrupted": {[]Event{start, TurnStopped{Turn: 1, N: 1, Partial: "so far", Interrupted: true}},
			"1-user user: P\n1-agent agent: so far [interrupted]\n1-notice notice: Interrupted: baton ended while this turn ran; it can be retried\n"},
		"tools": {[]Event{start, ToolSeen{1, 1, ToolPart{ID: "a", Name: "grep", Title: "TODO", Status: "running"}}, ToolSeen{1, 1, ToolPart{ID: "b", Name: "ls"}},
			ToolSeen{1, 1, ToolPart{ID: "a", Name: "grep", Title: "TODO", Status: "done"}}},
			"1-user user: P\n1-tool-a tool: grep TODO\n    done\n1-tool-b tool: ls\n    \n"},
		"files": {[]Event{TurnStarted{Turn: 1, Chain: 1, Text: "P", Attachments: []queue.Attachment{{Path: "a b.png"}}}}, "1-user user: P\n    a b.png\n"},
		"retried by hand": {[]Event{start, TurnFailed{Turn: 1, N: 1, Cause: Cause{Kind: retrypolicy.Server}}, TurnStarted{Turn: 2, Chain: 1, Text: "P"}, TurnSucceeded{Turn: 2, Answer: "A", N: 1}},
			"1-user user: P\n1-error error: Turn failed · server · 1 attempt\n2-agent agent: A\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, lines(rowsOf(journal(t, c.evs...)))); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestRowsOfATail: a log read from anywhere shows rows that the whole log shows
// too, and a settlement alone is enough for all rows of its turn but those that
// earlier events made. So showing an older page only adds rows.
func TestRowsOfATail(t *testing.T) {
	evs := journal(t,
		SessionOpened{Session: "s"},
		TurnStarted{Turn: 1, Chain: 1, Text: "P"},
		TurnPartial{Turn: 1, N: 1, Text: "ha"},
		RetryPlanned{Turn: 1, N: 1, Max: 5, Attempt: overloaded},
		RetryBegan{Turn: 1, N: 2},
		ToolSeen{1, 2, ToolPart{ID: "a", Name: "ls", Status: "running"}},
		ToolSeen{1, 2, ToolPart{ID: "b", Name: "cat", Status: "running"}},
		ToolSeen{1, 2, ToolPart{ID: "b", Name: "cat", Status: "done"}},
		TurnPartial{Turn: 1, N: 2, Text: "half"},
		TurnFailed{Turn: 1, N: 2, Max: 5, Lost: "half", Reasoning: "hm", Cause: Cause{Kind: retrypolicy.Server, Status: 500}, Attempts: []Attempt{overloaded, cutOff}},
		GateChanged{Gate{Failed: true}},
		TurnStarted{Turn: 2, Chain: 1, Text: "P"},
		StopRequested{Turn: 2},
		TurnStopped{Turn: 2, N: 1, Partial: "so far"},
		TurnStarted{Turn: 3, Chain: 3, Text: "Q"},
		TurnSucceeded{Turn: 3, N: 1, Answer: "A", Cut: true},
	)
	whole := map[string]Row{}
	for _, r := range rowsOf(evs) {
		whole[r.ID] = r
	}
	before := len(whole)
	for from := range evs {
		tail := rowsOf(evs[from:])
		for _, r := range tail {
			if d := cmp.Diff(whole[r.ID], r); d != "" {
				t.Errorf("from event %d: %s", from, d)
			}
		}
		if len(tail) > before {
			t.Errorf("from event %d: a shorter log shows more", from)
		}
		before = len(tail)
	}
	alone := lines(rowsOf(evs[9:10]))
	if want := "1-reasoning reasoning: hm\n1-agent agent: half [failed]\n1-retry retry: Retried model request (1/4)\n" + receipt + "1-error error: Turn failed · server · 500 · 2 attempts\n"; alone != want {
		t.Errorf("the failure alone shows\n%swant\n%s", alone, want)
	}
}

// TestReadingALogChangesNothing: a decoded event encodes to the same bytes, whatever
// its texts hold.
func TestReadingALogChangesNothing(t *testing.T) {
	odd := TurnStarted{Turn: 1, Chain: 1, Text: "<a> & \"b\"\n\u2028 世 \x00 \ufffd \\"}
	if d := cmp.Diff([]Event{odd}, journal(t, odd)); d != "" {
		t.Error(d)
	}
	for _, e := range append(samples(), odd) {
		kind, data, _, err := Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		back, _, err := Decode(kind, data)
		if err != nil {
			t.Fatal(err)
		}
		if _, again, _, _ := Encode(back); string(again) != string(data) || !json.Valid(data) {
			t.Errorf("%s\n%s\n%s", kind, data, again)
		}
	}
}
