package retrypolicy

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func fixed(j float64) func() float64 { return func() float64 { return j } }

func TestDelay(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name string
		kind Kind
		hint time.Duration
		want []time.Duration // of retries 1, 2, …, before jitter
	}{
		{"default", Network, 0, []time.Duration{250 * ms, 500 * ms, 1000 * ms, 2000 * ms, 4000 * ms, 4000 * ms}},
		{"rate limited", RateLimited, 0, []time.Duration{1000 * ms, 2000 * ms, 4000 * ms, 8000 * ms, 16000 * ms, 30000 * ms, 30000 * ms}},
		{"overloaded", Overloaded, 0, []time.Duration{1000 * ms, 2000 * ms, 4000 * ms, 8000 * ms}},
	}
	for _, tt := range tests {
		for i, want := range tt.want {
			for _, j := range []struct{ jitter, factor float64 }{{0, 0.8}, {0.5, 1}, {0.75, 1.1}} {
				got := Delay(i+1, tt.kind, DefaultPolicy(), Hint{}, fixed(j.jitter))
				if exact := time.Duration(float64(want) * j.factor); (got - exact).Abs() > time.Microsecond {
					t.Errorf("%s, retry %d, factor %v: %v, want %v", tt.name, i+1, j.factor, got, exact)
				}
			}
		}
	}
}

func TestHintIsAMinimum(t *testing.T) {
	p := DefaultPolicy()
	if got := Delay(1, RateLimited, p, hinted(7*time.Second), fixed(0.99)); got != 7*time.Second {
		t.Errorf("hint 7s gave %v", got)
	}
	if got := Delay(5, Server, p, hinted(time.Second), fixed(0.5)); got != 4*time.Second {
		t.Errorf("a hint below the backoff gave %v, want the backoff", got)
	}
	if got := Delay(1, RateLimited, p, hinted(time.Millisecond), fixed(0.5)); got != 250*time.Millisecond {
		t.Errorf("a rate limit with a hint gave %v, want the ordinary backoff", got)
	}
	if got := Delay(1, Server, p, hinted(Forever), nil); got != Forever {
		t.Errorf("the longest hint gave %v", got)
	}
}

func TestDelayNeverLeavesItsRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		span := rapid.OneOf(rapid.Int64(), rapid.Int64Range(0, int64(time.Hour)))
		p := Policy{
			Base: time.Duration(span.Draw(t, "base")), Cap: time.Duration(span.Draw(t, "cap")),
			LimitedBase: time.Duration(span.Draw(t, "lbase")), LimitedCap: time.Duration(span.Draw(t, "lcap")),
		}
		kind := rapid.SampledFrom([]Kind{Network, RateLimited, Overloaded}).Draw(t, "kind")
		hint := hinted(time.Duration(span.Draw(t, "hint")))
		jitter := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1)})).Draw(t, "jitter")
		got := Delay(rapid.Int().Draw(t, "n"), kind, p, hint, fixed(jitter))
		if got < 0 || got < hint.Wait {
			t.Fatalf("delay %v, hint %v", got, hint.Wait)
		}
		limit := p.Cap
		if kind != Network && hint.Wait <= 0 {
			limit = p.LimitedCap
		}
		// Both sides are rounded: a part in 10^12 is a nanosecond of a quarter of an hour.
		if most := 1.2*float64(max(limit, 0))*(1+1e-12) + 1; float64(got) > max(most, float64(hint.Wait)) {
			t.Fatalf("delay %v is above its cap %v", got, limit)
		}
	})
}

func TestValidate(t *testing.T) {
	if err := DefaultPolicy().Validate(); err != nil {
		t.Errorf("the default is refused: %v", err)
	}
	tests := []struct {
		name  string
		spoil func(*Policy)
		want  string
	}{
		{"no attempts", func(p *Policy) { p.Attempts = 0 }, "retry.attempts must be at least 1, not 0"},
		{"negative attempts", func(p *Policy) { p.Attempts = -1 }, "retry.attempts"},
		{"negative base", func(p *Policy) { p.Base = -1 }, "retry.base"},
		{"negative limited base", func(p *Policy) { p.LimitedBase = -1 }, "rate limits"},
		{"negative max_wait", func(p *Policy) { p.MaxWait = -1 }, "retry.max_wait"},
		{"cap below base", func(p *Policy) { p.Cap = p.Base - 1 }, "retry.cap"},
		{"limited cap below base", func(p *Policy) { p.LimitedCap = 0 }, "rate limits"},
	}
	for _, tt := range tests {
		p := DefaultPolicy()
		tt.spoil(&p)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want a word on %q", tt.name, err, tt.want)
		}
	}
	for _, n := range []int{1, 2, 12} {
		p := DefaultPolicy()
		p.Attempts = n
		if err := p.Validate(); err != nil {
			t.Errorf("%d attempts: %v", n, err)
		}
	}
}

func TestJudgeAsksThePolicysClassifier(t *testing.T) {
	p := DefaultPolicy()
	p.Classify = nil
	if got := p.Judge(&Failure{Status: 503}); got.Kind != Overloaded {
		t.Errorf("no classifier: %v", got)
	}
	p.Classify = func(_ error, maxWait time.Duration) Verdict { return Verdict{Kind: Kind(maxWait.String())} }
	if got := p.Judge(nil); got.Kind != "1m0s" {
		t.Errorf("own classifier: %v", got)
	}
}

func TestTooLong(t *testing.T) {
	p := DefaultPolicy()
	for d, want := range map[time.Duration]bool{0: false, p.MaxWait - 1: false, p.MaxWait: false, p.MaxWait + 1: true} {
		if got := p.TooLong(hinted(d)); got != want {
			t.Errorf("TooLong(%v) = %v", d, got)
		}
	}
}
