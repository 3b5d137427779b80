package status

import (
	"fmt"
	"strings"
	"time"
)

const day = 24 * time.Hour

// Elapsed words a time that has passed: 0:42, 12:05, 1:02:03, 3d 01:02:03.
// Parts of a second are not counted; a negative time is 0:00.
func Elapsed(d time.Duration) string {
	s := int64(max(d, 0) / time.Second)
	switch {
	case s < 3600:
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	case s < 86400:
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%dd %02d:%02d:%02d", s/86400, s/3600%24, s/60%60, s%60)
}

// Countdown words a time to come, rounded up so that it never promises too
// much: tenths under 10 s (1.2s, 0.1s), seconds under a minute (42s), then
// 1m05s, 2h05m and 3d04h. What is over is "now".
func Countdown(d time.Duration) string {
	switch {
	case d <= 0:
		return "now"
	case d <= 10*time.Second-100*time.Millisecond:
		tenths := up(d, 100*time.Millisecond)
		if tenths%10 == 0 {
			return fmt.Sprintf("%ds", tenths/10)
		}
		return fmt.Sprintf("%d.%ds", tenths/10, tenths%10)
	case d <= time.Minute-time.Second:
		return fmt.Sprintf("%ds", up(d, time.Second))
	case d <= time.Hour-time.Second:
		s := up(d, time.Second)
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	case d <= day-time.Minute:
		m := up(d, time.Minute)
		return fmt.Sprintf("%dh%02dm", m/60, m%60)
	}
	h := up(d, time.Hour)
	return fmt.Sprintf("%dd%02dh", h/24, h%24)
}

// up is d in units, rounded up.
func up(d, unit time.Duration) int64 {
	n := int64(d / unit)
	if d%unit > 0 {
		n++
	}
	return n
}

// Tokens words a count: 999 tok, 1.2k tok, 13k tok, 1.2M tok. It is rounded
// down.
func Tokens(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d tok", n)
	case n < 10_000:
		return fmt.Sprintf("%d.%dk tok", n/1000, n/100%10)
	case n < 1_000_000:
		return fmt.Sprintf("%dk tok", n/1000)
	}
	return fmt.Sprintf("%d.%dM tok", n/1_000_000, n/100_000%10)
}

// fill words how much of a window is used, rounded down: " · 38% of 32k"; "" if it is not known.
func fill(used, window int) string {
	if window <= 0 {
		return ""
	}
	return fmt.Sprintf(" · %d%% of %s", int64(used)*100/int64(window), strings.TrimSuffix(Tokens(window), " tok"))
}
