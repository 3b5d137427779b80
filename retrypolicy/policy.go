package retrypolicy

import (
	"fmt"
	"time"
)

// TurnAttempts is the default number of requests a step may make: one and four retries.
const TurnAttempts = 5

// The default waits. See Policy.
const (
	DefaultBase        = 250 * time.Millisecond
	DefaultCap         = 4 * time.Second
	DefaultLimitedBase = time.Second
	DefaultLimitedCap  = 30 * time.Second
	DefaultMaxWait     = 60 * time.Second
)

// Policy says how often a failed attempt is repeated and how long to wait first.
type Policy struct {
	// Attempts counts all requests of a step, the first included; at least 1.
	Attempts int
	// Base and Cap bound the backoff before jitter: Base doubles with each retry up
	// to Cap. Zero Base repeats at once.
	Base, Cap time.Duration
	// LimitedBase and LimitedCap replace them for rate-limited and overloaded answers
	// that name no time themselves.
	LimitedBase, LimitedCap time.Duration
	// MaxWait is the longest wait a server may ask for; a longer one ends the turn at
	// once. Zero accepts none.
	MaxWait time.Duration
	// Classify judges the failures; nil means the function Classify.
	Classify func(err error, maxWait time.Duration) Verdict
}

// DefaultPolicy returns the documented defaults.
func DefaultPolicy() Policy {
	return Policy{
		Attempts:    TurnAttempts,
		Base:        DefaultBase,
		Cap:         DefaultCap,
		LimitedBase: DefaultLimitedBase,
		LimitedCap:  DefaultLimitedCap,
		MaxWait:     DefaultMaxWait,
		Classify:    Classify,
	}
}

// Validate reports the first setting that cannot work, by the name people give it in
// the configuration.
func (p Policy) Validate() error {
	if p.Attempts < 1 {
		return fmt.Errorf("retry.attempts must be at least 1, not %d: it counts the first request too", p.Attempts)
	}
	for _, d := range []struct {
		name string
		is   time.Duration
	}{
		{"retry.base", p.Base},
		{"the base for rate limits", p.LimitedBase},
		{"retry.max_wait", p.MaxWait},
	} {
		if d.is < 0 {
			return fmt.Errorf("%s must not be negative, not %v", d.name, d.is)
		}
	}
	if p.Cap < p.Base {
		return fmt.Errorf("retry.cap (%v) is below retry.base (%v)", p.Cap, p.Base)
	}
	if p.LimitedCap < p.LimitedBase {
		return fmt.Errorf("the cap for rate limits (%v) is below its base (%v)", p.LimitedCap, p.LimitedBase)
	}
	return nil
}

// Judge applies the policy's classifier to err.
func (p Policy) Judge(err error) Verdict {
	if p.Classify == nil {
		return Classify(err, p.MaxWait)
	}
	return p.Classify(err, p.MaxWait)
}

// TooLong says whether the server asks for a longer wait than the policy accepts.
func (p Policy) TooLong(h Hint) bool { return h.Wait > p.MaxWait }
