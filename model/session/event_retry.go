package session

import (
	"time"

	"baton/retrypolicy"
)

var _ = durable[RetryPlanned]("retry.scheduled", "an attempt failed (mode retry_failed) and another follows after a wait")

// RetryPlanned records a failed attempt that will be repeated.
type RetryPlanned struct {
	Turn    TurnID           `json:"turn"`
	N       int              `json:"n"` // the attempt that failed
	Max     int              `json:"max"`
	Mode    string           `json:"mode"` // "retry_failed"
	Delay   time.Duration    `json:"delay"`
	Due     time.Time        `json:"due"`
	Hint    retrypolicy.Hint `json:"hint,omitzero"`
	Attempt Attempt          `json:"attempt"`
}

func (e RetryPlanned) apply(s *State) {
	if l, ok := s.Life.(LifeTurn); ok {
		l.Attempt = e.N
		if _, stopping := l.Phase.(Stopping); !stopping {
			l.Phase = Backoff{Failed: e.N, Max: e.Max, Delay: e.Delay, Due: e.Due, Hint: e.Hint, Cause: e.Attempt.Cause}
		}
		s.Life = l
	}
	s.live.failed, s.live.unsaved = true, false
	s.setTurn(e.Turn, func(t *Turn) {
		t.Max = e.Max
		t.Attempts = append(append([]Attempt(nil), t.Attempts...), e.Attempt)
	})
}

var _ = durable[RetryBegan]("retry.started", "the wait is over and the next attempt starts")

// RetryBegan records that a wait ended with another attempt.
type RetryBegan struct {
	Turn   TurnID        `json:"turn"`
	N      int           `json:"n"` // the attempt that starts
	Waited time.Duration `json:"waited"`
}

func (e RetryBegan) apply(s *State) {
	AttemptBegan{e.Turn, e.N}.apply(s)
	s.setTurn(e.Turn, func(t *Turn) {
		if n := len(t.Attempts); n > 0 {
			t.Attempts = append([]Attempt(nil), t.Attempts...)
			t.Attempts[n-1].Waited = e.Waited
		}
	})
}
