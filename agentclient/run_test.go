package agentclient

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/retrypolicy"
)

const ms = time.Millisecond

func TestSuccessPromotesOnce(t *testing.T) {
	news, agent := play(t.Context(), plain(), says("hello"))
	if got, want := told(news), "AttemptStarted1 Ready Promote"; got != want {
		t.Errorf("news %q, want %q", got, want)
	}
	ready := only[Ready](news)[0]
	if ready.N != 1 || ready.Finish.RequestID != "r-ok" || len(ready.Attempts) != 1 || ready.Attempts[0].Cause != (Cause{}) {
		t.Errorf("ready %+v", ready)
	}
	if len(agent.sent) != 1 {
		t.Errorf("%d requests", len(agent.sent))
	}
}

// C5, C6, C8 and the default backoff, to the exact virtual millisecond.
func TestExhaustion(t *testing.T) {
	bubble(t, "case_49", func(t *testing.T) {
		news, agent := play(t.Context(), plain(), status(500))
		want := "AttemptStarted1 RetryScheduled1/5 RetryStarted2 " +
			"AttemptStarted2 RetryScheduled2/5 RetryStarted3 AttemptStarted3 RetryScheduled3/5 RetryStarted4 " +
			"AttemptStarted4 RetryScheduled4/5 RetryStarted5 AttemptStarted5 GaveUp"
		if got := told(news); got != want {
			t.Errorf("news\n%s, want\n%s", got, want)
		}
		waits := []time.Duration{250 * ms, 500 * ms, 1000 * ms, 2000 * ms}
		if d := cmp.Diff(waits, agent.gaps()); d != "" {
			t.Error("waits", d)
		}
		gave := only[GaveUp](news)[0]
		if !gave.Exhausted || gave.N != 5 || gave.Max != 5 || gave.Cause.Kind != retrypolicy.Server || gave.Cause.Status != 500 {
			t.Errorf("gave up %+v", gave)
		}
		for i, a := range gave.Attempts {
			var asked time.Duration
			if i < len(waits) {
				asked = waits[i]
			}
			if a.N != i+1 || a.Delay != asked || a.Waited != asked || a.Cause.Status != 500 {
				t.Errorf("receipt %d: %+v", i+1, a)
			}
		}
	})
}

func TestJitterStaysInItsBounds(t *testing.T) {
	t.Run("case_51", func(t *testing.T) {
		turn := plain()
		turn.Jitter = nil // at random
		first := map[time.Duration]bool{}
		for range 20 {
			synctest.Test(t, func(t *testing.T) {
				_, agent := play(t.Context(), turn, status(500))
				for i, gap := range agent.gaps() {
					middle := 250 * ms << i
					if gap < middle*8/10 || gap > middle*12/10 {
						t.Errorf("wait %d is %v, outside %v ± 20 %%", i+1, gap, middle)
					}
				}
				first[agent.gaps()[0]] = true
			})
		}
		if len(first) < 2 {
			t.Error("20 first waits are all equal")
		}
	})
}

func TestAttemptsAreHonoured(t *testing.T) {
	for _, n := range []int{1, 2, 12} {
		bubble(t, fmt.Sprintf("case_50_%d", n), func(t *testing.T) {
			turn := plain()
			turn.Policy.Attempts = n
			news, agent := play(t.Context(), turn, status(503))
			if gave := only[GaveUp](news); len(agent.sent) != n || len(gave) != 1 || !gave[0].Exhausted || gave[0].Max != n {
				t.Errorf("%d attempts: %d requests, %s", n, len(agent.sent), told(news))
			}
			if got := len(only[RetryScheduled](news)); got != n-1 {
				t.Errorf("%d attempts: %d retries scheduled", n, got)
			}
		})
	}
}

func TestZeroAttemptsAreRefused(t *testing.T) {
	t.Run("case_50", func(t *testing.T) {
		turn := plain()
		turn.Policy.Attempts = 0
		news, agent := play(t.Context(), turn, status(503))
		if told(news) != "GaveUp" || len(agent.sent) != 0 {
			t.Fatalf("%d requests, %s", len(agent.sent), told(news))
		}
		if gave := only[GaveUp](news)[0]; !strings.Contains(gave.Cause.Message, "retry.attempts must be at least 1") {
			t.Errorf("message %q", gave.Cause.Message)
		}
	})
}

func TestPermanentFailuresGetOneRequest(t *testing.T) {
	t.Run("case_62", func(t *testing.T) {
		for _, code := range []int{400, 401, 402, 403, 404, 413, 422, 499, 501} {
			news, agent := play(t.Context(), plain(), status(code))
			gave := only[GaveUp](news)
			if len(agent.sent) != 1 || told(news) != "AttemptStarted1 GaveUp" || gave[0].Exhausted || gave[0].Cause.Status != code {
				t.Errorf("%d: %d requests, %s, %+v", code, len(agent.sent), told(news), gave)
			}
		}
	})
}

// C9: every attempt is handed the same request.
func TestRetriesSendTheSameRequest(t *testing.T) {
	bubble(t, "case_48", func(t *testing.T) {
		turn := plain()
		turn.Request = Request{Messages: []Message{{Role: User, Text: "hi"}}}
		partial := func(_ context.Context, sink Sink) (Finish, error) {
			sink(Piece{Text: "par"})
			return Finish{}, &retrypolicy.Failure{Condition: retrypolicy.CondTruncated}
		}
		news, agent := play(t.Context(), turn, partial, partial, says("whole"))
		for i, sent := range agent.sent {
			if d := cmp.Diff(turn.Request, sent); d != "" {
				t.Errorf("request %d differs: %s", i+1, d)
			}
		}
		receipts := only[Ready](news)[0].Attempts
		if len(receipts) != 3 || receipts[0].Bytes != 3 || receipts[2].Bytes != 5 {
			t.Errorf("receipts %+v", receipts)
		}
	})
}

// C11
func TestToolActivityForbidsAnotherAttempt(t *testing.T) {
	tooled := func(_ context.Context, sink Sink) (Finish, error) {
		sink(Piece{Tool: &ToolPart{ID: "1", Name: "rm"}})
		return Finish{}, &retrypolicy.Failure{Status: 503}
	}
	news, agent := play(t.Context(), plain(), tooled)
	if len(agent.sent) != 1 || told(news) != "AttemptStarted1 ToolActivity GaveUp" {
		t.Fatalf("%d requests, %s", len(agent.sent), told(news))
	}
	gave := only[GaveUp](news)[0]
	if gave.Exhausted || gave.Cause.Kind != retrypolicy.Overloaded || gave.Cause.NextStep != afterTool {
		t.Errorf("gave up %+v", gave)
	}
}

func TestEmptySuccessIsNone(t *testing.T) {
	pieces := func(cut bool, all ...Piece) step {
		return func(_ context.Context, sink Sink) (Finish, error) {
			for _, p := range all {
				sink(p)
			}
			return Finish{Reason: "stop", Cut: cut}, nil
		}
	}
	tests := []struct {
		name  string
		step  step
		kind  retrypolicy.Kind // empty: a success
		sends int
	}{
		{"nothing", pieces(false), retrypolicy.Empty, 5},
		{"white space", pieces(false, Piece{Text: " \n"}, Piece{Text: "\t"}), retrypolicy.Empty, 5},
		{"reasoning alone", pieces(false, Piece{Reasoning: "hm"}), retrypolicy.Empty, 5},
		{"cut off before any text", pieces(true, Piece{Reasoning: "hm"}), retrypolicy.Length, 1},
		{"text after white space", pieces(false, Piece{Text: " "}, Piece{Text: "a"}, Piece{Text: " "}), "", 1},
		{"cut off with text", pieces(true, Piece{Text: "a"}), "", 1},
		{"a tool part", pieces(false, Piece{Tool: &ToolPart{}}), "", 1},
	}
	for _, tt := range tests {
		bubble(t, "cases_78_80_"+tt.name, func(t *testing.T) {
			news, agent := play(t.Context(), plain(), tt.step)
			if len(agent.sent) != tt.sends {
				t.Errorf("%s: %d requests, want %d", tt.name, len(agent.sent), tt.sends)
			}
			gave := only[GaveUp](news)
			if ok := tt.kind == ""; ok != (len(gave) == 0) || !ok && gave[0].Cause.Kind != tt.kind {
				t.Errorf("%s: %s, %+v", tt.name, told(news), gave)
			}
		})
	}
}

func TestReceipts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(_ context.Context, sink Sink) (Finish, error) {
			sink(Piece{Phase: Connecting})
			time.Sleep(3 * time.Second)
			sink(Piece{Phase: Streaming, Reasoning: "ab", Text: "cde"})
			time.Sleep(time.Second)
			sink(Piece{Alive: true})
			return Finish{}, &retrypolicy.Failure{Condition: retrypolicy.CondTruncated, RequestID: "r1", Code: "c"}
		}
		begun := time.Now()
		news, _ := play(t.Context(), plain(), slow, says("done"))
		got := only[Ready](news)[0].Attempts[0]
		if got.N != 1 || !got.Started.Equal(begun) || got.FirstByte != 3*time.Second || got.Took != 4*time.Second ||
			got.Bytes != 5 || got.Cause.RequestID != "r1" || got.Cause.Kind != retrypolicy.Truncated || got.Waited != 250*ms {
			t.Errorf("receipt %+v", got)
		}
		scheduled := only[RetryScheduled](news)[0]
		if scheduled.Attempt.Delay != 250*ms || scheduled.Attempt.Waited != 0 || !scheduled.Due.Equal(begun.Add(4250*ms)) {
			t.Errorf("scheduled %+v", scheduled)
		}
		if d := cmp.Diff([]Delta{{7, 1, "cde", "ab"}, {7, 1, "", ""}, {7, 2, "done", ""}}, only[Delta](news)); d != "" {
			t.Error(d)
		}
		phases := []PhaseChanged{{7, 1, Connecting}, {7, 1, Streaming}, {7, 2, Streaming}}
		if d := cmp.Diff(phases, only[PhaseChanged](news)); d != "" {
			t.Error(d)
		}
	})
}

func TestPiecesAfterTheirAttemptAreDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stale Sink
		keeps := func(_ context.Context, sink Sink) (Finish, error) {
			stale = sink
			return Finish{}, &retrypolicy.Failure{Status: 500}
		}
		late := func(_ context.Context, sink Sink) (Finish, error) {
			stale(Piece{Text: "old", Tool: &ToolPart{}})
			sink(Piece{Text: "new"})
			return Finish{}, nil
		}
		news, _ := play(t.Context(), plain(), keeps, late)
		if got := only[Delta](news); len(got) != 1 || got[0].Text != "new" || len(only[ToolActivity](news)) != 0 {
			t.Errorf("deltas %v", got)
		}
	})
}

func TestBareErrorsAreJudgedToo(t *testing.T) {
	bare := func(err error) step { return func(context.Context, Sink) (Finish, error) { return Finish{}, err } }
	news, agent := play(t.Context(), plain(), bare(errors.New("a defect")))
	if gave := only[GaveUp](news)[0]; len(agent.sent) != 1 || gave.Cause.Kind != retrypolicy.Internal || gave.Cause.Message != "a defect" {
		t.Errorf("%+v", gave)
	}
	// An agent that gives up by itself has not been stopped by anyone.
	news, _ = play(t.Context(), plain(), bare(context.Canceled))
	if told(news) != "AttemptStarted1 GaveUp" || only[GaveUp](news)[0].Cause.Kind != retrypolicy.Cancelled {
		t.Errorf("%s", told(news))
	}
}

func TestEveryTurnSettlesOnceAndLast(t *testing.T) {
	scripts := [][]step{
		{says("a")}, {status(500)}, {status(401)}, {status(500), says("a")}, {asks(429, time.Hour)},
		{status(503), asks(429, 7*time.Second), says("a")}, {hangs(Piece{})},
	}
	for i, script := range scripts {
		for _, stop := range []time.Duration{0, 100 * ms, 300 * ms, time.Minute} {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), stop)
				defer cancel()
				news, _ := play(ctx, plain(), script...)
				settled := len(only[Ready](news)) + len(only[GaveUp](news)) + len(only[Stopped](news))
				if settled != 1 || len(only[Promote](news)) != len(only[Ready](news)) {
					t.Errorf("script %d, stop at %v: %s", i, stop, told(news))
				}
				last := strings.Fields(told(news))
				if !slices.Contains([]string{"Promote", "GaveUp", "Stopped"}, last[len(last)-1]) {
					t.Errorf("script %d, stop at %v: ends with %v", i, stop, last)
				}
			})
		}
	}
}
