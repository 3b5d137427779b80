package model

import (
	"strings"
	"testing"
	"time"
)

// With reduced motion a picture changes once a second at most, and counts in seconds.
func TestReducedMotion(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, after(3*time.Second, asks), hangs)
		p.m.deps.Calm = true
		p.say("go")
		pictures := map[string]bool{}
		for range 29 {
			p.run(100 * time.Millisecond)
			pictures[p.screen()] = true
		}
		if len(pictures) > 4 {
			t.Errorf("%d pictures in three seconds", len(pictures))
		}
		p.seesNot("⠋", "⠙", "⠹", "⠸")
		p.run(time.Second)
		p.sees("retrying 2/5 in")
		for range 40 {
			p.run(100 * time.Millisecond)
			if _, rest, ok := strings.Cut(p.screen(), "retrying 2/5 in "); ok && strings.Contains(strings.SplitN(rest, "s", 2)[0], ".") {
				t.Fatalf("tenths of a second\n%s", p.screen())
			}
		}
		p.end()
	})
}

// Below its answer a settled turn says quietly how long it took, with its retries and the waits between them; a running one says
// how long it runs, and one that was over at once says nothing.
func TestTook(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, after(2*time.Second, asks), after(3*time.Second, says("an answer")), after(500*time.Millisecond, says("fast")))
		p.say("go")
		p.run(time.Second)
		p.seesNot("took")
		p.run(14 * time.Second)
		p.sees("an answer", "○ Ready", "· took 0:12")
		p.say("again")
		p.run(2 * time.Second)
		p.sees("fast")
		if n := strings.Count(p.screen(), "took"); n != 1 {
			t.Errorf("%d answers say how long they took\n%s", n, p.screen())
		}
		p.end()
	})
}
