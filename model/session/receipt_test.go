package session

import (
	"strings"
	"testing"
	"time"

	"baton/retrypolicy"
)

// The receipt names, for each attempt, when it began, how it went, how long the first
// byte and the whole took, what the server asked, what was waited, and the request's id.
func TestReceipt(t *testing.T) {
	began := time.Date(2026, 5, 4, 12, 0, 0, 5e6, time.Local)
	turn := Turn{ID: 7, N: 2, Max: 5, Outcome: Succeeded, Attempts: []Attempt{
		{N: 1, Started: began, FirstByte: 20 * time.Millisecond, Took: 2 * time.Second, Bytes: 12, Delay: 7100 * time.Millisecond, Waited: 7200 * time.Millisecond,
			Cause: Cause{Kind: retrypolicy.Overloaded, Status: 503, Message: "busy", RequestID: "req-1"},
			Hint:  retrypolicy.Hint{Wait: 7 * time.Second, Source: "Retry-After"}},
		{N: 2, Started: began.Add(10 * time.Second), FirstByte: 300 * time.Millisecond, Took: 4 * time.Second, Bytes: 99},
	}}
	want := `turn 3 again · succeeded · 2 attempts of 5
  12:00:00.005 · attempt 1 · 503 overloaded: busy · first byte 20ms · took 2s · server asked 7s by Retry-After · wait 7.1s, waited 7.2s · 12 bytes discarded · request req-1
  12:00:10.005 · attempt 2 · answered · first byte 300ms · took 4s · 99 bytes`
	if got := strings.Join(turn.Receipt(3), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for n, want := range map[int]string{0: "turn 1 · running", 1: "turn 1 · running · 1 attempt", 2: "turn 1 · running · 2 attempts of 2"} {
		if got := (Turn{ID: 4, Chain: 4, N: n}).Receipt(1); got[0] != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What a stopped attempt had said stays in the turn, and is not told as thrown away.
func TestReceiptOfAStop(t *testing.T) {
	turn := Turn{ID: 1, Chain: 1, N: 1, Outcome: Stopped, Attempts: []Attempt{{N: 1, Bytes: 30, Cause: Cause{Kind: retrypolicy.Stopped, Message: "stopped"}}}}
	if got := turn.Receipt(1)[1]; !strings.HasSuffix(got, " · attempt 1 · stopped · 30 bytes kept") {
		t.Errorf("%q", got)
	}
}
