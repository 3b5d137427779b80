//go:build unix

package cli_test

import (
	"testing"

	"baton/ui/termtest"
)

// Two follow-ups queued while a prompt streams run one at a time, in order, each as a turn with the answers before it
// (C1, C4, case 20).
func TestFollowUpsRunInOrder(t *testing.T) {
	t.Parallel()
	t.Run("case 20", func(t *testing.T) {
		g, h := termtest.NewGate(t, "first "), termtest.NewGate(t, "about A ")
		p := termtest.NewProvider(t, g.Response(), h.Response(), termtest.OK("about B"))
		c := open(t, p, termtest.Options{})
		c.say("the prompt")
		g.Wait()
		c.WaitFor("first")
		c.say("row A")
		c.wantRows("row A")
		c.say("row B")
		c.wantRows("row A", "row B")
		t.Log("\n" + c.Picture())
		g.Release("answer")
		h.Wait()
		c.wantRows("row B")
		c.WaitFor("about A")
		c.quiet(2, 200e6)
		h.Release("done")
		rs := c.asked(3)
		c.ready()
		c.WaitFor("about B")
		c.wantRows()
		wantSpoken(t, rs[0], "user: the prompt")
		wantSpoken(t, rs[1], "user: the prompt", "assistant: first answer", "user: row A")
		wantSpoken(t, rs[2], "user: the prompt", "assistant: first answer", "user: row A", "assistant: about A done", "user: row B")
		for _, text := range []string{"the prompt", "row A", "row B"} {
			if n := c.user(text); n != 1 {
				t.Errorf("%d user rows %q\n%s", n, text, c.Picture())
			}
		}
		if n := kinds(c.facts()); n["turn.started"] != 3 || n["turn.succeeded"] != 3 || n["row.promoted"] != 2 {
			t.Errorf("facts: %v", n)
		}
	})
}
