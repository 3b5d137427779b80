package agentclient

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/avast/retry-go/v4"

	"baton/retrypolicy"
)

func TestHintIsAMinimum(t *testing.T) {
	bubble(t, "case_40", func(t *testing.T) {
		news, agent := play(t.Context(), plain(), asks(429, 7*time.Second), says("a"))
		if gap := agent.gaps()[0]; gap != 7*time.Second {
			t.Errorf("waited %v", gap)
		}
		if s := only[RetryScheduled](news)[0]; s.Hint.Source != "Retry-After" || s.Delay != 7*time.Second || s.Cause.Kind != retrypolicy.RateLimited {
			t.Errorf("scheduled %+v", s)
		}
	})
}

// retry-go's MaxDelay would cut a hint; the backoff's cap must not.
func TestHintAboveTheCapIsNotCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, hint := range []time.Duration{45 * time.Second, time.Minute} {
			_, agent := play(t.Context(), plain(), asks(503, hint), says("a"))
			if gap := agent.gaps()[0]; gap != hint {
				t.Errorf("hint %v, waited %v", hint, gap)
			}
		}
	})
}

func TestHintAboveMaxWaitGivesUpAtOnce(t *testing.T) {
	bubble(t, "cases_43_45_47", func(t *testing.T) {
		for _, hint := range []time.Duration{time.Minute + 1, 90 * time.Second, 14 * 24 * time.Hour, retrypolicy.Forever} {
			begun := time.Now()
			news, agent := play(t.Context(), plain(), asks(429, hint))
			gave := only[GaveUp](news)
			if len(agent.sent) != 1 || len(gave) != 1 || gave[0].Exhausted || time.Since(begun) != 0 {
				t.Fatalf("hint %v: %d requests, %s", hint, len(agent.sent), told(news))
			}
			if gave[0].Hint.Wait != hint || !gave[0].Hint.Until.Equal(begun.Add(hint)) {
				t.Errorf("hint %v: %+v", hint, gave[0].Hint)
			}
		}
	})
}

func TestLimitedAnswersWaitLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, agent := play(t.Context(), plain(), status(529), status(429), says("a"))
		if gaps := agent.gaps(); gaps[0] != time.Second || gaps[1] != 2*time.Second {
			t.Errorf("waits %v", gaps)
		}
	})
}

func TestRetryNow(t *testing.T) {
	bubble(t, "case_52", func(t *testing.T) {
		skip := make(chan int, 3)
		turn := plain()
		turn.Skip = skip
		time.AfterFunc(2*time.Second, func() { skip <- 0; skip <- 2; skip <- 1 })
		news, agent := play(t.Context(), turn, asks(503, 30*time.Second), status(500), says("a"))
		if gaps := agent.gaps(); gaps[0] != 2*time.Second || gaps[1] != 500*ms {
			t.Errorf("waits %v", gaps)
		}
		started := only[RetryStarted](news)
		if started[0].N != 2 || started[0].Waited != 2*time.Second || only[Ready](news)[0].N != 3 {
			t.Errorf("started %+v", started)
		}
	})
}

func TestRetryNowOfAnotherWaitChangesNothing(t *testing.T) {
	bubble(t, "case_53", func(t *testing.T) {
		skip := make(chan int, 9)
		turn := plain()
		turn.Skip = skip
		for _, stale := range []int{0, 2, 5, -1} {
			skip <- stale
		}
		_, agent := play(t.Context(), turn, asks(503, 30*time.Second), says("a"))
		if gap := agent.gaps()[0]; gap != 30*time.Second {
			t.Errorf("waited %v", gap)
		}
		close(skip) // an end of keys is no key
		_, agent = play(t.Context(), turn, asks(503, 30*time.Second), says("a"))
		if gap := agent.gaps()[0]; gap != 30*time.Second {
			t.Errorf("with a closed channel waited %v", gap)
		}
	})
}

func TestClockJumps(t *testing.T) {
	tests := []struct {
		name string
		jump time.Duration
		want time.Duration // of a 30 s wait, the jump at 10.5 s
	}{
		{"forward past the end", 8 * time.Hour, 11 * time.Second},
		{"forward by a little", 5 * time.Second, 25 * time.Second},
		{"backward", -time.Hour, 30 * time.Second},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			turn := plain()
			turn.Now = func() time.Time {
				if time.Since(begun) >= 10500*ms {
					return time.Now().Add(tt.jump)
				}
				return time.Now()
			}
			news, agent := play(t.Context(), turn, asks(503, 30*time.Second), status(500), says("a"))
			if gaps := agent.gaps(); gaps[0] != tt.want || gaps[1] != 500*ms {
				t.Errorf("%s: waits %v, want %v and no burst", tt.name, gaps, tt.want)
			}
			if waited := only[RetryStarted](news)[0].Waited; waited < tt.want {
				t.Errorf("%s: waited %v by its own account", tt.name, waited)
			}
		})
	}
}

func TestNoRetryIsScheduledAfterTheLastFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turn := plain()
		turn.Policy.Attempts = 2
		news, _ := play(t.Context(), turn, status(500))
		if got := only[RetryScheduled](news); len(got) != 1 || got[0].N != 1 || got[0].Delay != 250*ms {
			t.Errorf("scheduled %+v", got)
		}
	})
}

// What Run works around in retry-go v4.7.0. A version that behaves otherwise is news.
func TestTrapsOfRetryGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failing := func() error { return context.DeadlineExceeded }
		begun, calls := time.Now(), 0
		hint := retry.DelayType(func(uint, error, *retry.Config) time.Duration { return 7 * time.Second })
		_ = retry.Do(failing, retry.Attempts(2), hint, retry.MaxDelay(time.Second))
		if time.Since(begun) != time.Second {
			t.Errorf("MaxDelay no longer cuts every delay: %v", time.Since(begun))
		}
		_ = retry.Do(failing, retry.Attempts(2), hint, retry.OnRetry(func(uint, error) { calls++ }))
		if calls != 2 {
			t.Errorf("OnRetry spoke %d times for one retry", calls)
		}
		calls = 0
		_ = retry.Do(func() error { calls++; return retry.Unrecoverable(context.DeadlineExceeded) },
			retry.Attempts(3), hint, retry.RetryIf(func(error) bool { return true }))
		if calls != 3 {
			t.Errorf("Unrecoverable counts beside RetryIf: %d calls", calls)
		}
		calls = 0
		_ = retry.Do(func() error { calls++; return context.DeadlineExceeded },
			retry.Attempts(0), hint, retry.RetryIf(func(error) bool { return calls < 100 }))
		if calls != 100 {
			t.Errorf("Attempts(0) is limited to %d", calls)
		}
		defer func() {
			if recover() == nil {
				t.Error("MaxJitter(0) no longer panics")
			}
		}()
		_ = retry.Do(failing, retry.MaxJitter(0))
	})
}
