//go:build unix

package crashtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/ui/termtest"
)

// crashVariable is the one that a program with crash points reads.
const crashVariable = "BATON_CRASH"

// stuck is what a wait of the terminal or a key ends with if the program is gone, or does not do its part.
type stuck struct{ why string }

// mortal is a test that outlives a program which may end at any moment: what would end the test is thrown instead.
type mortal struct {
	testing.TB
	undo []func()
}

func (m *mortal) Cleanup(f func())                { m.undo = append(m.undo, f) }
func (m *mortal) Fatal(args ...any)               { panic(stuck{fmt.Sprint(args...)}) }
func (m *mortal) Fatalf(form string, args ...any) { panic(stuck{fmt.Sprintf(form, args...)}) }
func (m *mortal) bury() {
	for _, f := range slices.Backward(m.undo) {
		f()
	}
}

// plan says how a life ends: at a named place of the program, or behind so many keys and a pause. A life that comes to
// neither is ended when its script is over.
type plan struct {
	point string
	keys  int
	pause time.Duration
}

// life is one run of the program.
type life struct {
	*termtest.Session
	c       *chain
	m       *mortal
	name    string // the value of lifeHeader
	plan    plan
	keys    int
	began   time.Time
	world   world   // by what the screen has acknowledged
	pending []world // what an act that is not acknowledged yet may lead to, the last when it is done
	acked   func() bool
	asksNew bool     // a /new waits in the queue
	did     []string // for people
	quits   bool     // it was told to end
	ended   string   // how it ended
	last    string   // the key that was pressed last
}

// begin starts the program.
func (c *chain) begin(p plan, w world, args ...string) *life {
	c.lives++
	l := &life{c: c, m: &mortal{TB: c.t}, name: fmt.Sprintf("life-%d-of-%d", c.lives, c.seed), plan: p, world: w, began: time.Now()}
	c.server.note(func() { c.server.gated = 0 })
	c.configure(l.name)
	env := map[string]string{}
	if p.point != "" {
		env[crashVariable] = p.point
	}
	c.tally.count(func() { c.tally.lives++ })
	l.Session = termtest.Start(l.m, termtest.Options{Binary: c.binary, Home: c.home, Args: args, Env: env, Width: width, Height: height})
	return l
}

// run follows a script until its end or the program's, whichever comes first, and then kills the program unless the
// script ended it well. What is not the end by a signal is the test's failure.
func (l *life) run(script func()) {
	defer l.m.bury()
	why := l.follow(script)
	if l.quits && l.code() == 0 {
		l.c.tally.count(func() { l.c.tally.quits++ })
		return
	}
	switch {
	case why == "" && l.ended == "":
		l.kill("at the end of the script")
	case l.ended == "":
		l.ended = l.plan.point
		if !l.gone() || l.plan.point == "" {
			l.fail("%s", why)
		}
	}
	if code := l.code(); code != -1 {
		l.fail("the program ended with code %d", code)
	}
	l.c.tally.killed(l.ended)
	if l.pending == nil {
		return
	}
	if l.acked() { // the last frame said so
		l.commit()
	}
}

func (l *life) follow(script func()) (why string) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stuck:
			why = r.why
		default:
			panic(r)
		}
	}()
	script()
	return ""
}

// gone waits a moment for the end of a program that takes no key any more.
func (l *life) gone() bool {
	for limit := time.Now().Add(5 * time.Second); l.Running() && time.Now().Before(limit); {
		time.Sleep(time.Millisecond)
	}
	return !l.Running()
}

func (l *life) code() (code int) {
	l.follow(func() { code = l.Wait() })
	return code
}

// kill ends the program, unless it has ended itself.
func (l *life) kill(how string) {
	l.ended = how
	l.follow(func() { l.Signal(syscall.SIGKILL) })
	if l.code() == -1 && l.plan.point != "" && how != "at the end of the script" {
		l.ended = l.plan.point
	}
}

func (l *life) fail(form string, args ...any) {
	l.c.t.Helper()
	l.c.t.Fatalf("%s, %s\nthis life: %s\nended: %s\nplan: %+v\n%s", l.name, fmt.Sprintf(form, args...), strings.Join(l.did, "; "), l.ended, l.plan, l.Picture())
}

// press sends keys, and ends the program where the plan says so.
func (l *life) press(keys ...string) {
	for _, k := range keys {
		if k == l.last { // what the first press did has been seen; soon behind it the second would count as a held key
			time.Sleep(120 * time.Millisecond)
		}
		l.last = k
		l.Key(k)
		l.pressed()
	}
}

func (l *life) pressed() {
	l.keys++
	if l.keys != l.plan.keys {
		return
	}
	time.Sleep(l.plan.pause)
	l.ended = "behind a key"
	l.Signal(syscall.SIGKILL)
	l.Wait()
	panic(stuck{"killed"})
}

// act presses the key that does something, waits until the screen acknowledges it, and takes over what it led to.
func (l *life) act(what, key string, acked func() bool, leads ...world) {
	l.note(what)
	l.pending, l.acked = leads, acked
	if len(leads) == 0 {
		l.pending = []world{l.world}
	}
	for {
		l.press(key)
		l.Until(what+" acknowledged", func() bool { return acked() || l.notice() != "" })
		if acked() {
			break
		}
		for l.notice() != "" { // any key takes it away
			time.Sleep(50 * time.Millisecond)
			l.press("ctrl+l")
			until := time.Now().Add(100 * time.Millisecond)
			l.Until("another word", func() bool { return l.notice() == "" || time.Now().After(until) })
		}
	}
	l.commit()
}

// notices say that a key was taken for one that was meant for what stood there before. Then it is to be pressed again.
var notices = []string{"that key was not used", "that turn has already ended", "the turn changed meanwhile"}

func (l *life) notice() string {
	for _, n := range notices {
		if l.Has(n) {
			return n
		}
	}
	return ""
}

// note keeps what was done, and how many seconds after the life began.
func (l *life) note(what string) {
	l.did = append(l.did, fmt.Sprintf("%.1f %s", time.Since(l.began).Seconds(), what))
}

func (l *life) commit() {
	l.world = l.pending[len(l.pending)-1]
	l.pending, l.acked = nil, nil
}

// possible are the worlds that may be on disk.
func (l *life) possible() []world {
	all := append([]world{l.world}, l.pending...)
	if l.asksNew { // it may have run
		for _, w := range all {
			all = append(all, w.inNewSession(false))
		}
	}
	return all
}

// settle waits for a state that lasts: nothing runs, or what runs waits for the driver. Then it takes over which rows
// have started meanwhile: the first ones, in order, and none that was held.
func (l *life) settle() {
	l.Until("a state that lasts", func() bool {
		if l.idle() {
			return true
		}
		if text, ok := l.c.server.waitsFor(l.name); ok && l.busy() {
			entries := l.entries()
			return !slices.Contains(entries, text) && !slices.Contains(entries, other+text) // else the frame that shows its start is still to come
		}
		return l.c.patient && strings.Contains(l.status(), "retrying")
	})
	l.reconcile()
}

func (l *life) reconcile() {
	if l.asksNew && !slices.Contains(l.entries(), newCommand) {
		l.world = l.world.inNewSession(false)
	}
	l.asksNew = slices.Contains(l.entries(), newCommand)
	shown := texts(l.entries())
	for len(l.world.rows) > len(shown) && (len(shown) == 0 || l.world.rows[0] != shown[0]) {
		if l.world.held {
			l.fail("the row %s was held and has left the queue", brief(l.world.rows[:1]))
		}
		l.world = l.world.asSent(l.world.rows[0])
	}
	if !slices.Equal(l.world.rows, shown) {
		l.fail("the screen has the rows %s, want %s", brief(shown), brief(l.world.rows))
	}
}

// verify holds what is on disk and what reached the server against what the screen had acknowledged, and returns it.
func (l *life) verify(before actual) (actual, world) {
	l.c.t.Helper()
	a := readActual(l.c.t, l.c.sessions())
	for text, n := range l.c.server.of(l.name) {
		started := a.starts[text] - before.starts[text]
		if text == generated[1:] {
			continue // it has no name of its own
		}
		if started == 0 || n > 5*started {
			l.fail("%d requests for %s in %d turns", n, brief([]string{text}), started)
		}
	}
	var why []string
	for _, w := range l.possible() {
		d := w.differs(a)
		if d == "" {
			return a, l.c.resolved(w, a)
		}
		why = append(why, d)
	}
	l.fail("%s", strings.Join(why, "\nor "))
	return a, world{}
}

// resolved is a world as it was found on disk.
func (c *chain) resolved(w world, a actual) world {
	w = w.clone()
	for _, text := range w.rows {
		if a.turns[text] > 0 {
			w = w.asSent(text)
		}
	}
	all := maps.Clone(w.gone)
	for _, text := range c.texts { // what was typed and never came to be may not come later
		if !w.sent[text] && !slices.Contains(w.rows, text) {
			all[text] = true
		}
	}
	w.gone, w.undo, w.held, w.open = all, undoOf(c.t, c.sessions(), a.session), len(w.rows) > 0, nil
	if u := w.undo; u != nil && u.draft != "" {
		w.gone[u.draft] = true // it may be an edit that was under way
		if !slices.Contains(c.texts, u.draft) {
			w.undo = nil // a part of a word, which nothing on the screen could be told by
		}
	}
	return w
}
