package retrypolicy

import "time"

// The breaker's limits. They stand in docs/limits.md.
const (
	BreakerTurns  = 3                // exhausted turns that open it
	BreakerWithin = 60 * time.Second // if they come within this time
	BreakerOpen   = 30 * time.Second // how long it stays open
)

// Breaker remembers turns that ran out of attempts, for one agent and model. While it
// is open a turn gets one probing attempt. It never refuses a turn: a person's send is
// always sent. An answer closes it: whoever keeps it starts over with the zero value, which
// is closed. It is a value: its methods return the new one.
type Breaker struct {
	exhausted [BreakerTurns]time.Time // of the last turns, the oldest first
	opened    time.Time
}

// Open reports whether a turn that starts now gets one attempt only, and until when.
// A clock that was set back closes it: it never holds longer than BreakerOpen.
func (b Breaker) Open(now time.Time) (until time.Time, open bool) {
	until = b.opened.Add(BreakerOpen)
	return until, !b.opened.IsZero() && now.Before(until) && !now.Before(b.opened)
}

// Exhausted takes note of a turn that ran out of attempts.
func (b Breaker) Exhausted(now time.Time) Breaker {
	_, probing := b.Open(now)
	copy(b.exhausted[:], b.exhausted[1:])
	b.exhausted[BreakerTurns-1] = now
	first := b.exhausted[0]
	if probing || !first.IsZero() && now.Sub(first) <= BreakerWithin && !now.Before(first) {
		b.opened = now
	}
	return b
}
