package agentclient

import (
	"time"

	"github.com/avast/retry-go/v4"

	"baton/retrypolicy"
)

// clockCheck is how often a wait compares itself with the wall clock.
const clockCheck = time.Second

// delay is retry-go's DelayType; n counts the retries from 1.
func (r *run) delay(n uint, _ error, _ *retry.Config) time.Duration {
	return retrypolicy.Delay(int(n), r.failed.kind, r.turn.Policy, r.failed.hint, r.turn.Jitter)
}

// timer is the run as retry-go's timer: the one place that knows the final delay, so it
// is here that the retry is announced.
type timer run

// After waits for d itself, on the goroutine of Run, and returns a channel that is
// ready. So news stay in order and a wait leaves nothing behind.
func (t *timer) After(d time.Duration) <-chan time.Time {
	r := (*run)(t)
	due := r.turn.Now().Round(0).Add(d)
	receipt := r.last()
	receipt.Delay = d
	r.emit(RetryScheduled{
		Turn: r.turn.ID, N: r.n, Max: r.turn.Policy.Attempts, Delay: d, Due: due,
		Hint: r.failed.hint, Cause: r.failed.cause, Attempt: *receipt,
	})
	receipt.Waited = r.wait(d, due)
	over := make(chan time.Time)
	close(over)
	return over
}

// wait returns when the wall clock has reached due, when d has passed by the monotonic
// clock, when the person skips the wait, or when the turn ends, and how long it took.
// The wall clock counts because a machine may sleep meanwhile, and the monotonic clock
// because a wall clock set back must not make the wait longer.
func (r *run) wait(d time.Duration, due time.Time) time.Duration {
	start, skip := time.Now(), r.turn.Skip
	for {
		left := min(d-time.Since(start), due.Sub(r.turn.Now().Round(0)))
		if left <= 0 {
			break
		}
		tick := time.NewTimer(min(left, clockCheck))
		select {
		case <-tick.C:
			continue
		case <-r.ctx.Done():
		case n, open := <-skip:
			if !open {
				skip = nil
			}
			if n != r.n || !open {
				tick.Stop()
				continue
			}
		}
		tick.Stop()
		break
	}
	return max(time.Since(start), r.turn.Now().Round(0).Sub(due.Add(-d)))
}
