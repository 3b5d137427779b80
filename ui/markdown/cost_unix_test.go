//go:build unix

package markdown

import (
	"syscall"
	"testing"
	"time"
)

// cpu returns the processor time that f takes, all threads included. Other
// programs do not count.
func cpu(f func()) time.Duration {
	var before, after syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	f()
	syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	used := func(r syscall.Rusage) int64 { return r.Utime.Nano() + r.Stime.Nano() }
	return time.Duration(used(after) - used(before))
}

// H8: no text of 100 kB takes more than a quarter of a second of CPU time. The
// best of three counts, since a collection may fall into one.
func TestHostileTextIsCheap(t *testing.T) {
	bound := 250 * time.Millisecond
	if raceDetector {
		bound *= 8
	}
	st := styles(t)
	check := func(name string, f func()) {
		t.Run("H8_"+name, func(t *testing.T) {
			best := time.Hour
			for range 3 {
				if best = min(best, cpu(f)); best < bound {
					break
				}
			}
			if best > bound {
				t.Errorf("%v of CPU time", best)
			}
			t.Log(best)
		})
	}
	for name, text := range hostile {
		check(name, func() { Render(text(100_000), 80, st) })
	}
	for name, text := range blocks() {
		if heavy(text) {
			t.Errorf("%s would not be parsed", name)
		}
		check("parsed "+name, func() { Render(text, 80, st) })
	}
	for name, text := range hostileSource {
		source := text(5000)
		check("source "+name, func() { // in all languages together
			for _, l := range languages() {
				l.colour(source, sourceState{})
			}
		})
	}
}
