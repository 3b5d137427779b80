//go:build unix

package cli_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"baton/ui/termtest"
)

// What stood on the screen for a while, and every row, is there after a crash; nothing is sent by itself (C3, cases
// 28 to 30).
func TestCrashLosesNothing(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t, termtest.StallAfter(40))
	c := open(t, p, termtest.Options{})
	c.say("the prompt")
	c.WaitFor("word40")
	c.say("row A")
	c.say("row B")
	c.wantRows("row A", "row B")
	c.Until("the text in the log", func() bool { // it is saved once a second
		log, err := os.ReadFile(c.Sessions()[0])
		return err == nil && strings.Contains(string(log), "word40")
	})
	c.Kill9()

	p.Always(termtest.Echo())
	d := open(t, p, termtest.Options{Home: c.Home, Args: []string{"--continue"}})
	d.WaitFor("word40")
	d.WaitFor("held: restored")
	d.wantRows("row A", "row B")
	if d.user("the prompt") != 1 || d.count("Interrupted") != 1 {
		t.Errorf("the interrupted turn:\n%s", d.Picture())
	}
	d.quiet(1, watch(2*time.Second))
	d.play()
	rs := d.asked(3)
	d.ready()
	d.wantRows()
	partial := "assistant: " + strings.TrimSpace(numbered(40))
	for i, want := range [][]string{
		{"user: the prompt", partial, "user: row A"},
		{"user: the prompt", partial, "user: row A", "assistant: echo: row A", "user: row B"},
	} {
		got := spoken(rs[i+1])
		for j := range got {
			got[j] = strings.TrimSpace(got[j])
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("request %d says %q, want %q", i+2, got, want)
		}
	}
}

// Each prompt of a crash in a wait is kept as well; the turn is offered again, not repeated.
func TestCrashInAWait(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t, termtest.Fail(503))
	c := open(t, p, termtest.Options{Env: map[string]string{"BATON_RETRY_BASE": "1h", "BATON_RETRY_CAP": "1h"}})
	c.say("the prompt")
	c.WaitFor("retrying 2/5")
	c.say("row A")
	c.wantRows("row A")
	c.Kill9()
	d := open(t, p, termtest.Options{Home: c.Home, Args: []string{"resume"}})
	d.WaitFor("held: restored")
	d.wantRows("row A")
	d.quiet(1, time.Second)
	d.Key("ctrl+y")
	rs := d.asked(2)
	d.ready()
	wantSame(t, rs[:2])
	d.wantRows("row A") // restored rows wait for the person
	if n := d.user("the prompt"); n != 1 {
		t.Errorf("%d user rows\n%s", n, d.Picture())
	}
}

// An error row looks the same after a restart (case 98).
func TestErrorRowAfterARestart(t *testing.T) {
	t.Parallel()
	t.Run("case 98", func(t *testing.T) {
		told := make(chan struct{})
		p := termtest.NewProvider(t, held(told, termtest.Fail(500)))
		p.Always(termtest.Fail(500))
		c := open(t, p, termtest.Options{Env: quick})
		c.say("the prompt")
		c.say("row A")
		c.wantRows("row A")
		close(told)
		c.failed()
		c.WaitFor("Turn failed")
		c.wantRows("Continue the current turn", "row A")
		before := transcript(c)
		c.Key("ctrl+d")
		if code := c.Wait(); code != 0 {
			t.Error("exit code", code)
		}
		d := open(t, p, termtest.Options{Home: c.Home, Args: []string{"--continue"}})
		d.failed()
		d.wantRows("Continue the current turn", "row A")
		if after := transcript(d); after != before {
			t.Errorf("before:\n%s\nafter:\n%s", before, after)
		}
	})
}

// transcript is what stands between the header and the queue.
func transcript(c chat) string {
	var kept []string
	for _, l := range c.Lines()[1:] {
		if strings.HasPrefix(l, "───") {
			break
		}
		kept = append(kept, l)
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(fmt.Sprintf("word%d ", i+1))
	}
	return b.String()
}
