//go:build unix

package crashtest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// chain is a session, or several that follow from each other by /new, and the lives of the program that work on it.
type chain struct {
	t      *testing.T
	binary string
	seed   uint64
	tally  *tally
	rand   *rand.Rand
	server *server
	home   string

	bulky   bool     // texts are long, so that the log grows beyond what is read at once
	patient bool     // waits between attempts are as good as endless
	lives   int      // so far
	texts   []string // all that were typed
}

func newChain(t *testing.T, binary string, seed uint64, all *tally) *chain {
	return &chain{t: t, binary: binary, seed: seed, tally: all, rand: chance(seed, "script"), server: newServer(t, seed), home: t.TempDir()}
}

func (c *chain) sessions() string { return filepath.Join(c.home, "state", "baton", "sessions") }

// configure writes the configuration of a life. Its requests carry its name, so that none is taken for another's.
func (c *chain) configure(name string) {
	base := "5ms"
	if c.patient {
		base = "1h"
	}
	text := fmt.Sprintf(`agent = "work"
[agents.work]
protocol = "openai-chat"
base_url = %q
model = "scripted"
headers = { %s = %q }
[retry]
base = %q
cap = %q
`, c.server.URL(), lifeHeader, name, base, base)
	dir := filepath.Join(c.home, "config", "baton")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// live goes through the lives of a chain.
func (c *chain) live() {
	c.bulky = c.seed%3 == 0
	w, a := newWorld(), actual{}
	for range lives {
		c.patient = c.rand.IntN(4) == 0
		w, a = c.life(w, a)
		for c.rand.IntN(4) == 0 && a.session != "" {
			w, a = c.stillborn(w, a)
		}
		if !c.tally.more() {
			break
		}
	}
	c.tally.count(func() {
		c.tally.texts += len(c.texts)
		c.tally.snapshots += a.events["session.snapshot"]
	})
}

// life takes the session up, checks that nothing was lost or sent, works with it and ends.
func (c *chain) life(w world, before actual) (world, actual) {
	l := c.begin(c.plan(), w, c.resume(before)...)
	l.run(func() {
		l.wake(before)
		steps := 3 + c.rand.IntN(9)
		if l.plan.point != "" {
			steps += 8 // the place may be rare
		}
		for range steps {
			l.step()
		}
		if c.rand.IntN(10) == 0 {
			l.quit()
		}
	})
	a, w := l.verify(before)
	return w, a
}

func (c *chain) resume(a actual) []string {
	if a.session == "" {
		return nil
	}
	return []string{"resume", a.session}
}

// stillborn is a life that ends while it takes the session up.
func (c *chain) stillborn(w world, before actual) (world, actual) {
	points := []string{"before-write:session.opened", "half-write:session.opened", "after-write:session.opened", "folded:session.opened", "acted:session.opened"}
	l := c.begin(plan{point: points[c.rand.IntN(len(points))] + ":1"}, w, c.resume(before)...)
	l.run(func() { l.WaitFor("nothing that is ever shown") })
	if l.ended != l.plan.point {
		l.fail("it was to end while it took the session up")
	}
	a, w := l.verify(before)
	return w, a
}

// places where a life may be told to end: stages, and what of.
var (
	stages = []string{"before-write", "half-write", "after-write", "folded", "acted"}
	kinds  = []string{
		"row.queued", "row.promoted", "turn.started", "turn.succeeded", "turn.failed", "turn.stopped", "row.edited", "editor.opened", "edit.kept", "editor.closed",
		"undo.kept", "undo.used", "row.removed", "row.moved", "row.marked", "gate.changed", "stop.requested", "retry.scheduled", "baton.passed",
		"command.started", "command.ended", "carry.started", "rows.carried", "session.snapshot",
	}
	others = []string{
		"carry:finishing", "before:Ready", "before:Promote", "before:GaveUp", "before:StoppedByClient", "before:CommandDone", "before:RetryStarted", "before:Delta",
		"carry:announced", "carry:adopted", "create:session", "half-write:session.opened", "after-write:session.opened",
	}
)

// places are all of them.
func places() []string {
	all := slices.Clone(others)
	for _, s := range stages {
		for _, k := range kinds {
			all = append(all, s+":"+k)
		}
	}
	return slices.DeleteFunc(all, func(p string) bool { return !strings.Contains(p, *onlyAt) })
}

// plan chooses how a life ends.
func (c *chain) plan() plan {
	n, all := c.rand.IntN(100), places()
	switch {
	case *onlyAt != "":
		return plan{point: all[n%len(all)] + ":1"}
	case n < 45:
		return plan{point: fmt.Sprintf("%s:%d", all[c.rand.IntN(len(all))], 1+c.rand.IntN(2))}
	case n < 60:
		return plan{point: others[c.rand.IntN(len(others))] + ":1"}
	}
	return plan{keys: 1 + c.rand.IntN(40), pause: time.Duration(c.rand.ExpFloat64() * float64(8*time.Millisecond))}
}

// wake waits until the program has opened the session, and holds the screen against what is on disk.
func (l *life) wake(before actual) {
	l.Until("an idle indicator", l.idle)
	l.leftover(before)
	if before.session == "" {
		return
	}
	if d := l.world.differs(readActual(l.c.t, l.c.sessions())); d != "" {
		l.fail("taking the session up changed it: %s", d)
	}
	l.Until(fmt.Sprintf("the rows %s", brief(before.rows)), func() bool { return slices.Equal(texts(l.entries()), before.rows) })
	for _, r := range l.queue() {
		if !strings.HasPrefix(r.word, "held") {
			l.fail("the row %s is not held", r.label)
		}
	}
	if before.running {
		l.Until("the interruption", func() bool { return l.Has("Interrupted") })
	}
	l.asksNew = slices.Contains(l.entries(), newCommand)
	if n := l.c.server.of(l.name); len(n) > 0 {
		l.fail("it sent %v without having been told to", n)
	}
}

// leftover takes away what came back into the composer: a text that had not been acknowledged as sent. It may stand
// nowhere else.
func (l *life) leftover(before actual) {
	text := l.composer()
	if text == "" {
		return
	}
	if before.turns[text] > 0 || slices.Contains(before.rows, text) {
		l.fail("the text %s is in the composer as well", brief([]string{text}))
	}
	l.note("clear what came back")
	l.press("ctrl+c")
	l.Until("an empty composer", func() bool { return l.composer() == "" })
}

// text makes one that was never there, of a shape that may matter.
func (l *life) text() string {
	c := l.c
	word := fmt.Sprintf("p%d", len(c.texts)+1)
	switch n := c.rand.IntN(100); {
	case n < 60 && !c.bulky || n < 30:
		word += " " + []string{"short", "two words", "世界 wide", "/slashed", "trailing \\ inside"}[c.rand.IntN(5)]
	case n < 80:
		word += "\nsecond line\n\nfourth"
	default:
		word += " long " + strings.Repeat("0123456789 abcdef ", 60+c.rand.IntN(300))
		if c.bulky {
			word += strings.Repeat("\nand so on, line by line, because it was pasted from somewhere", 400)
		}
	}
	c.texts = append(c.texts, word)
	return word
}
