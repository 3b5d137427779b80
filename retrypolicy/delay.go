package retrypolicy

import "time"

// The jitter factor is uniform in [jitterLow, jitterLow+jitterSpan).
const (
	jitterLow  = 0.8
	jitterSpan = 0.4
)

// Delay returns the wait before retry n (1 is the first): the backoff of the kind,
// doubled n-1 times up to its cap and spread by a factor in [0.8, 1.2), or the server's
// hint if that is longer. jitter returns a number in [0, 1); nil means the middle.
// The result is never negative, whatever the arguments are.
func Delay(n int, kind Kind, p Policy, hint Hint, jitter func() float64) time.Duration {
	base, limit := p.Base, p.Cap
	if (kind == RateLimited || kind == Overloaded) && hint.Wait <= 0 {
		base, limit = p.LimitedBase, p.LimitedCap
	}
	return max(spread(doubled(base, limit, n-1), jitter), hint.Wait, 0)
}

// doubled returns base·2^times, at most limit. It compares before it doubles, so that
// nothing overflows.
func doubled(base, limit time.Duration, times int) time.Duration {
	if base <= 0 {
		return 0
	}
	for ; times > 0 && base < limit; times-- {
		if base > limit/2 {
			return limit
		}
		base *= 2
	}
	return min(base, limit)
}

func spread(d time.Duration, jitter func() float64) time.Duration {
	j := 0.5
	if jitter != nil {
		j = jitter()
	}
	if !(j >= 0) { // also NaN
		j = 0
	}
	return saturated((jitterLow + jitterSpan*min(j, 1)) * d.Seconds())
}
