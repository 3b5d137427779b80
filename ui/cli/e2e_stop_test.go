//go:build unix

package cli_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"baton/ui/termtest"
)

// stopWithin is how soon the server sees a Stop at best; the pause that tells ESC from an alt key is in it.
const stopWithin = 100 * time.Millisecond

// A stop reaches the server in every phase (C12, case 56). Not parallel: it measures how soon the server sees the connection closed.
func TestStopClosesTheConnection(t *testing.T) {
	for name, answers := range map[string][]termtest.Response{
		"cases 56 59 60, before the head":  {termtest.Silent()},
		"cases 56 59 60, before the text":  {termtest.Hang()},
		"cases 56 59 60, while it streams": {termtest.StallAfter(20)},
		"cases 56 59 60, on attempt 2":     {termtest.Fail(500), termtest.StallAfter(3)},
	} {
		t.Run(name, func(t *testing.T) {
			p := termtest.NewProvider(t)
			c := open(t, p, termtest.Options{Env: quick})
			best := time.Hour
			for i := range 5 {
				p.Then(answers...)
				c.say(fmt.Sprintf("prompt %d", i))
				n := len(answers) * (i + 1)
				c.asked(n)
				c.wantChrome()
				pressed := time.Now()
				c.Key("esc")
				rs := p.Until("the client go", func(rs []termtest.Request) bool { return !rs[n-1].Gone.IsZero() })
				best = min(best, rs[n-1].Gone.Sub(pressed))
				c.ready()
				c.Until("the word Stopped", func() bool { return c.count("Stopped") == i+1 })
			}
			failed := 5 * (len(answers) - 1) // attempts that failed before the stop
			if n := c.count("Retried") + c.count("Model request failed"); n != failed {
				t.Errorf("%d rows tell of failed requests, want %d\n%s", n, failed, c.Picture())
			}
			c.redraws()
			if best > stopWithin {
				t.Errorf("the best of five took %v", best)
			}
			c.quiet(len(answers)*5, 300*time.Millisecond)
		})
	}
}

// wantChrome waits until the screen says that something runs and how to stop it.
func (c chat) wantChrome() {
	c.t.Helper()
	c.Until("a busy indicator with a way to stop", func() bool { return c.indicator("● Busy") && c.Has("esc stops") })
}

// After a stop nothing is sent and no row moves, until the person plays (C1, C12, case 7).
func TestStopHoldsTheQueue(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env     map[string]string
		answers []termtest.Response
		before  string // stands on the screen when esc is pressed
	}{
		"cases 7 60, on attempt 2": {quick, []termtest.Response{termtest.Fail(500), termtest.StallAfter(3)}, "word3"},
		"cases 7 56 57 60, while a retry waits": {map[string]string{"BATON_RETRY_BASE": "1h", "BATON_RETRY_CAP": "1h"},
			[]termtest.Response{termtest.CutAfter(3)}, "retrying 2/5"},
		"cases 7 57 60, while the server's wait runs": {nil,
			[]termtest.Response{termtest.Status(429, map[string]string{"Retry-After": "30"}, termtest.ErrorBody("rate_limit_error", "", "slow down"))}, "server asked 30s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, n := c.before, len(c.answers)
			p := termtest.NewProvider(t, c.answers...)
			c := open(t, p, termtest.Options{Env: c.env})
			c.say("the prompt")
			c.WaitFor(before)
			c.say("row A")
			c.say("row B")
			c.wantRows("row A", "row B")
			c.wantChrome()
			c.Key("esc")
			c.ready()
			c.WaitFor("held: you stopped")
			c.wantRows("row A", "row B")
			c.Key("esc") // a second one has nothing to stop
			c.quiet(n, watch(2*time.Second))
			c.wantRows("row A", "row B")
			if c.count("Stopped") != 1 || c.user("the prompt") != 1 {
				t.Errorf("the end of the turn:\n%s", c.Picture())
			}
			c.play()
			rs := c.asked(n + 2)
			c.ready()
			c.wantRows()
			if rs[n].Last() != "row A" || rs[n+1].Last() != "row B" {
				t.Errorf("%q, then %q", rs[n].Last(), rs[n+1].Last())
			}
			if kept := strings.Contains(string(rs[n].Body), "word3"); kept != strings.HasSuffix(name, "on attempt 2") {
				t.Errorf("text of a failed attempt is never sent, that of a stopped one is: %q", spoken(rs[n]))
			}
		})
	}
}

// enteredBehindAStop stops a turn with a row behind it and presses Enter, and reports whether that came within the moment
// in which it is ignored. On a busy machine it may not.
func enteredBehindAStop(t *testing.T) (c chat, soon bool) {
	t.Helper()
	p := termtest.NewProvider(t, termtest.Hang())
	c = open(t, p, termtest.Options{})
	c.say("the prompt")
	c.asked(1)
	c.say("row A")
	c.wantRows("row A")
	before := time.Now()
	c.Key("esc")
	c.WaitFor("held: you stopped")
	c.Key("enter")
	return c, time.Since(before) < 400*time.Millisecond
}

// Enter right behind a settlement was meant for something else.
func TestEnterBehindASettlementPlaysNothing(t *testing.T) {
	t.Parallel()
	c, soon := enteredBehindAStop(t)
	for tries := 1; !soon; tries++ {
		if tries == 20 {
			t.Fatal("on this machine no key comes close behind a settlement")
		}
		c, soon = enteredBehindAStop(t)
	}
	c.quiet(1, 300*time.Millisecond)
	c.wantRows("row A")
	c.play()
	c.asked(2)
	c.wantRows()
}
