package agentclient

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"baton/retrypolicy"
)

// C12: a stop works in every phase, at once, and nothing is sent or told after it.
func TestStopInEveryPhase(t *testing.T) {
	tests := []struct {
		name   string
		script []step
		want   string
	}{
		{"connecting", []step{hangs(Piece{Phase: Connecting})}, "AttemptStarted1 Stopped"},
		{"waiting", []step{hangs(Piece{Phase: Waiting})}, "AttemptStarted1 Stopped"},
		{"streaming", []step{hangs(Piece{Phase: Streaming, Text: "par"})}, "AttemptStarted1 Stopped"},
		{"tool", []step{hangs(Piece{Phase: Tool, Tool: &ToolPart{}})}, "AttemptStarted1 ToolActivity Stopped"},
		{"approval", []step{hangs(Piece{Phase: Approval})}, "AttemptStarted1 Stopped"},
		{"backoff", []step{asks(503, 30*time.Second)}, "AttemptStarted1 RetryScheduled1/5 Stopped"},
		{"second attempt", []step{status(500), hangs(Piece{})},
			"AttemptStarted1 RetryScheduled1/5 RetryStarted2 AttemptStarted2 Stopped"},
	}
	for _, tt := range tests {
		bubble(t, "cases_56_59_"+tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			begun := time.Now()
			time.AfterFunc(2*time.Second, func() { cancel(errors.New("esc")) })
			news, _ := play(ctx, plain(), tt.script...)
			if took := time.Since(begun); told(news) != tt.want || took != 2*time.Second {
				t.Errorf("%s: after %v %s, want %s", tt.name, took, told(news), tt.want)
			}
			stopped := only[Stopped](news)[0]
			if last := stopped.Attempts[len(stopped.Attempts)-1]; stopped.N != len(stopped.Attempts) || last.Cause.Kind == "" {
				t.Errorf("%s: %+v", tt.name, stopped)
			}
		})
	}
}

func TestStopBeforeTheStart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	news, agent := play(ctx, plain(), says("a"))
	if told(news) != "Stopped" || len(agent.sent) != 0 || only[Stopped](news)[0].N != 0 {
		t.Errorf("%d requests, %s", len(agent.sent), told(news))
	}
}

// retry-go alone would send once more in about half of these.
func TestStopDuringAWaitNeverSends(t *testing.T) {
	t.Run("cases_56_57", func(t *testing.T) {
		for range 200 {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(100*ms, cancel)
				news, agent := play(ctx, plain(), status(500))
				if len(agent.sent) != 1 || told(news) != "AttemptStarted1 RetryScheduled1/5 Stopped" {
					t.Fatalf("%d requests, %s", len(agent.sent), told(news))
				}
				if a := only[Stopped](news)[0].Attempts[0]; a.Delay != 250*ms || a.Waited != 100*ms {
					t.Fatalf("receipt %+v", a)
				}
			})
		}
	})
}

func TestStopBetweenFailureAndWait(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	turn := plain()
	turn.Policy.Classify = func(err error, wait time.Duration) retrypolicy.Verdict {
		cancel() // the stop arrives while the failure is judged
		return retrypolicy.Classify(err, wait)
	}
	news, agent := play(ctx, turn, status(500))
	if len(agent.sent) != 1 || told(news) != "AttemptStarted1 Stopped" {
		t.Errorf("%d requests, %s", len(agent.sent), told(news))
	}
	// A failure for good was decided first, and stays.
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	if news, _ = play(ctx, turn, status(401)); told(news) != "AttemptStarted1 GaveUp" {
		t.Errorf("%s", told(news))
	}
}

func TestSuccessBesideAStopIsKept(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	news, _ := play(ctx, plain(), func(_ context.Context, sink Sink) (Finish, error) {
		sink(Piece{Text: "whole"})
		cancel()
		return Finish{Reason: "stop"}, nil
	})
	if told(news) != "AttemptStarted1 Ready Promote" {
		t.Errorf("%s", told(news))
	}
}

func TestTurnLimit(t *testing.T) {
	tests := []struct {
		name   string
		script []step
		sends  int
	}{
		{"while streaming", []step{hangs(Piece{Text: "drip"})}, 1},
		{"while waiting to retry", []step{asks(503, 30*time.Second)}, 1},
		{"in a later attempt", []step{status(500), hangs(Piece{})}, 2},
	}
	for _, tt := range tests {
		bubble(t, "case_9_"+tt.name, func(t *testing.T) {
			turn := plain()
			turn.Limit = 2 * time.Second
			begun := time.Now()
			news, agent := play(t.Context(), turn, tt.script...)
			gave := only[GaveUp](news)
			if len(gave) != 1 || time.Since(begun) != turn.Limit || len(agent.sent) != tt.sends {
				t.Fatalf("%s: after %v %s", tt.name, time.Since(begun), told(news))
			}
			if c := gave[0].Cause; c.Kind != retrypolicy.Timeout || gave[0].Exhausted || !strings.Contains(c.Message, "limit of 2s") {
				t.Errorf("%s: %+v", tt.name, gave[0])
			}
		})
	}
}

func TestTurnLimitAfterAFailureForGoodChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turn := plain()
		turn.Limit = 2 * time.Second
		turn.Policy.Classify = func(err error, wait time.Duration) retrypolicy.Verdict {
			time.Sleep(turn.Limit)
			return retrypolicy.Classify(err, wait)
		}
		news, _ := play(t.Context(), turn, status(401))
		if got := only[GaveUp](news); len(got) != 1 || got[0].Cause.Kind != retrypolicy.Auth {
			t.Errorf("%s, %+v", told(news), got)
		}
	})
}

// synctest.Test fails when a goroutine of its bubble is left behind; here Run's own
// cleanup is all that ends one, since the outer context lives on.
func TestRunLeavesNothingBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		watched := func(ctx context.Context, sink Sink) (Finish, error) {
			go func() { <-ctx.Done() }()
			return says("a")(ctx, sink)
		}
		play(context.Background(), plain(), status(500), watched)
	})
}
