package model

import (
	"testing"
	"time"
)

// Memory is given back a while after the last turn has settled, whatever became of it, and
// never while something runs.
func TestRest(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("one"), after(time.Minute, says("two")), answers(400))
		freed := 0
		p.m.deps.Free = func() { freed++ }
		want := func(n int, when string) {
			t.Helper()
			p.soon()
			if freed != n {
				t.Errorf("%s: given back %d times, want %d", when, freed, n)
			}
		}
		p.say("a")
		p.run(restBy / 10)
		want(0, "at once")
		p.say("b") // goes on for a minute
		p.run(10 * restBy)
		want(0, "while a turn runs")
		p.run(time.Minute + 2*restBy)
		want(1, "after the second")
		p.run(time.Hour)
		want(1, "an hour later")
		p.say("c")
		p.run(2 * restBy)
		want(2, "after a failure")
		p.end()
	})
}
