//go:build unix

package cli_test

import (
	"strings"
	"testing"

	"baton/ui/termtest"
)

// The demonstration plays by itself: the first prompt is retried while the others wait,
// its success lets them follow, and nothing is left behind.
func TestDemo(t *testing.T) {
	t.Parallel()
	c := chat{termtest.Start(t, termtest.Options{Args: []string{"demo"}, Env: quick, Width: 120, Height: 40}), t, nil}
	c.WaitFor("This is a demonstration")
	c.WaitFor("server asked 3s")
	c.wantRows("And then: what is the queue?", "Last: which keys are there?")
	if c.Has("Retried model request") {
		t.Errorf("a turn settled too early\n%s", c.Picture())
	}
	c.Key("ctrl+y", "ctrl+y") // the server's wait has not passed: it asks once
	c.WaitFor("Retried model request (3/4)")
	c.Until("the baton passed", func() bool { return len(c.rows()) == 1 })
	c.WaitFor("While I work")
	c.Key("ctrl+d")
	if code := c.Wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if left := c.Sessions(); len(left) != 0 {
		t.Errorf("sessions %q", left)
	}
	if end := string(c.Output()); strings.Contains(end, "--continue takes it up") {
		t.Error("it offers a session that was not kept")
	}
}

// With faults that end a turn, the queue is held, and Enter lets it go on.
func TestDemoHeld(t *testing.T) {
	t.Parallel()
	c := chat{termtest.Start(t, termtest.Options{Args: []string{"demo", "--fault", "401"}, Env: quick, Width: 120, Height: 40}), t, nil}
	c.WaitFor("held: last turn failed")
	c.WaitFor("Continue the current turn")
	c.WaitFor("the faults 401:")
}
