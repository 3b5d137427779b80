package retrypolicy

import (
	"math"
	"sort"
	"strings"
	"time"
)

// Forever bounds every wait a server can ask for. Larger numbers saturate here before
// they become a Duration, so that none wraps round to a negative or an immediate one.
const Forever = 100 * 365 * 24 * time.Hour

// ParseHints reads everything an answer says about when to come back and returns the
// longest valid wait, or the zero Hint. Zero, negative, past and unparsable values
// count as not said.
//
// It reads Retry-After (RFC 9110 §10.2.3: seconds or a date in any of its three formats;
// decimals are accepted), retry-after-ms, the reset headers of rate limits (status 429
// and 503 only, and only those of a dimension that is used up or does not say), and
// retryDelay, RetryInfo, resets_at and resets_in_seconds in a JSON body. Clock times are
// measured against the answer's own Date, so a wrong clock on either side does not
// matter.
//
// header is an http.Header, whatever the case of its names; it may be nil. body is the
// error body or the error event, or nil. now is the time the answer came.
func ParseHints(status int, header map[string][]string, body []byte, now time.Time) Hint {
	h := lowered(header)
	clock := now
	if date, ok := httpDate(h.first("date")); ok {
		clock = date
	}
	best := longest{}
	readRetryAfter(h, clock, &best)
	if status == 429 || status == 503 {
		readResets(h, clock, &best)
	}
	readBody(body, clock, &best)
	if best.wait <= 0 {
		return Hint{}
	}
	return Hint{Wait: best.wait, Until: now.Add(best.wait), Source: best.source}
}

// longest keeps the longest wait offered; of equals the first.
type longest struct {
	wait   time.Duration
	source string
}

func (l *longest) offer(wait time.Duration, source string) {
	if wait > l.wait {
		l.wait, l.source = wait, source
	}
}

// saturated turns seconds into a Duration in [0, Forever]; NaN is 0.
func saturated(seconds float64) time.Duration {
	switch {
	case !(seconds > 0):
		return 0
	case seconds >= Forever.Seconds():
		return Forever
	}
	return time.Duration(math.Round(seconds * float64(time.Second)))
}

// fields are headers by lower-case name.
type fields map[string][]string

func lowered(header map[string][]string) fields {
	low := make(fields, len(header))
	for name, values := range header {
		name = strings.ToLower(name)
		low[name] = append(low[name], values...)
	}
	return low
}

func (f fields) first(name string) string {
	if values := f[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

func (f fields) names() []string {
	names := make([]string, 0, len(f))
	for name := range f {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
