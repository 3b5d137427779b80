package retrypolicy

import (
	"strings"
	"time"
)

func readRetryAfter(h fields, clock time.Time, best *longest) {
	for _, v := range h["retry-after"] {
		if seconds, ok := decimal(v); ok {
			best.offer(saturated(seconds), "Retry-After")
		} else if date, ok := httpDate(v); ok {
			best.offer(until(date, clock), "Retry-After")
		}
	}
	for _, v := range h["retry-after-ms"] {
		if ms, ok := decimal(v); ok {
			best.offer(saturated(ms/1000), "retry-after-ms")
		}
	}
}

const (
	resetPrefix       = "x-ratelimit-reset"
	resetAfter        = "-reset-after"
	resetAfterSeconds = "-reset-after-seconds"
)

// readResets reads x-ratelimit-reset, x-ratelimit-reset-<dimension> and any header that
// ends in -reset-after or -reset-after-seconds.
func readResets(h fields, clock time.Time, best *longest) {
	for _, name := range h.names() {
		r, ok := resetOf(name)
		if !ok || !usedUp(h.first(r.remaining), h.first(r.usedPercent)) {
			continue
		}
		for _, v := range h[name] {
			if r.relative {
				best.offer(span(v), name)
			} else {
				best.offer(spanOrTime(v, clock), name)
			}
		}
	}
}

// reset is a header that says when a dimension of a rate limit is refilled.
type reset struct {
	relative               bool   // always a span, never a clock time
	remaining, usedPercent string // the headers that say how much of it is left
}

func resetOf(name string) (reset, bool) {
	if !plainName(name) {
		return reset{}, false
	}
	for _, suffix := range []string{resetAfterSeconds, resetAfter} {
		if stem, ok := strings.CutSuffix(name, suffix); ok {
			return reset{true, stem + "-remaining", stem + "-used-percent"}, true
		}
	}
	dimension, ok := strings.CutPrefix(name, resetPrefix)
	if !ok || dimension != "" && dimension[0] != '-' {
		return reset{}, false
	}
	return reset{false, "x-ratelimit-remaining" + dimension, "x-ratelimit-used-percent" + dimension}, true
}

// usedUp says whether a dimension of a rate limit can be the one that was hit: nothing
// remains of it, or it does not say.
func usedUp(remaining, usedPercent string) bool {
	left, said := number(remaining)
	if said && left > 0 {
		return false
	}
	percent, said := number(usedPercent)
	return !said || percent >= 100
}

// plainName says whether a header's name is plain enough to be shown as a source.
func plainName(name string) bool {
	for _, r := range name {
		if r != '-' && (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return false
		}
	}
	return true
}
