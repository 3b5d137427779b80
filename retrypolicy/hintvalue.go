package retrypolicy

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Bare numbers in a field that may hold a clock time: from epochSeconds on they are Unix
// seconds (the year 2001), from epochMillis on Unix milliseconds; below, a span in
// seconds.
const (
	epochSeconds = 1e9
	epochMillis  = 1e11
)

// The formats of an HTTP date (RFC 9110 §5.6.7): the current one, RFC 850's, asctime's.
var httpDates = []string{
	"Mon, 02 Jan 2006 15:04:05 GMT",
	"Monday, 02-Jan-06 15:04:05 GMT",
	"Mon Jan _2 15:04:05 2006",
}

func httpDate(s string) (time.Time, bool) {
	for _, layout := range httpDates {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// until returns how far t lies after clock, in [0, Forever].
func until(t, clock time.Time) time.Duration { return min(max(t.Sub(clock), 0), Forever) }

// decimal reads digits with at most one point, however many; signs, exponents and words
// are no decimals.
func decimal(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	digits := 0
	for _, r := range s {
		if r >= '0' && r <= '9' {
			digits++
		} else if r != '.' {
			return 0, false
		}
	}
	if digits == 0 || strings.Count(s, ".") > 1 {
		return 0, false
	}
	n, _ := strconv.ParseFloat(s, 64) // out of range is +Inf, which saturates later
	return n, true
}

// number is decimal with a sign, for counts.
func number(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	rest, negative := strings.CutPrefix(s, "-")
	n, ok := decimal(rest)
	if negative {
		n = -n
	}
	return n, ok
}

// unitSeconds are the units of a span such as "6m0s".
var unitSeconds = map[string]float64{
	"d": 86400, "h": 3600, "m": 60, "s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ns": 1e-9,
}

// span reads seconds ("7", "1.5") or numbers with units ("1s", "6m0s", "20ms"); anything
// else is 0. time.ParseDuration would refuse what is out of its range; this saturates.
func span(s string) time.Duration {
	s = strings.TrimSpace(s)
	if n, ok := decimal(s); ok {
		return saturated(n)
	}
	total := 0.0
	for s != "" {
		end := strings.IndexFunc(s, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
		if end <= 0 {
			return 0
		}
		n, ok := decimal(s[:end])
		s = s[end:]
		next := strings.IndexAny(s, "0123456789.")
		if next < 0 {
			next = len(s)
		}
		unit, known := unitSeconds[s[:next]]
		if !ok || !known {
			return 0
		}
		total += n * unit
		s = s[next:]
	}
	return saturated(total)
}

// spanOrTime reads what span reads, and clock times: Unix seconds or milliseconds, ISO
// 8601 as in RFC 3339, HTTP dates.
func spanOrTime(s string, clock time.Time) time.Duration {
	s = strings.TrimSpace(s)
	if n, ok := decimal(s); ok && n >= epochSeconds {
		if n >= epochMillis {
			n /= 1000
		}
		return until(unix(n), clock)
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			return until(t, clock)
		}
	}
	if t, ok := httpDate(s); ok {
		return until(t, clock)
	}
	return span(s)
}

// unix returns the time n seconds after 1970, at most the year 33658.
func unix(n float64) time.Time {
	whole, part := math.Modf(min(n, 1e12))
	return time.Unix(int64(whole), int64(part*1e9))
}
