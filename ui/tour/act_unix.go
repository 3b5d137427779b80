//go:build unix

package tour

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"baton/ui/termtest"
)

const (
	// apart is how long the same key waits for itself, so that it is not taken for one that is held down.
	apart = 250 * time.Millisecond
	// resting is longer than Enter on an empty line is ignored after a turn has ended, and than a turn needs to be seen.
	resting = 500 * time.Millisecond
	// watching is how long a step watches that nothing happens.
	watching = 300 * time.Millisecond
)

func (p *player) number(s string) int {
	p.t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		p.t.Fatalf("%q is no number", s)
	}
	return n
}

func (p *player) models(args []string) { p.server.Models(args...) }

func (p *player) answer(args []string) { p.server.Then(termtest.OK(args...)) }

func (p *player) think(args []string) {
	p.server.Then(func(a *termtest.Answer) {
		a.Thought(args[0])
		termtest.OK(args[1:]...)(a)
	})
}

func (p *player) gate(args []string) {
	g := termtest.NewGate(p.t, args[1:]...)
	p.gates[args[0]] = g
	p.server.Then(g.Response())
}

func (p *player) theGate(name string) *termtest.Gate {
	p.t.Helper()
	g, ok := p.gates[name]
	if !ok {
		p.t.Fatalf("there is no gate called %s", name)
	}
	return g
}

func (p *player) reached(args []string) { p.theGate(args[0]).Wait() }
func (p *player) release(args []string) { p.theGate(args[0]).Release(args[1:]...) }

func (p *player) fail(args []string) {
	args = append(args, "", "scripted failure "+args[0])
	kind, message := args[1], args[2]
	p.server.Then(termtest.Status(p.number(args[0]), nil, termtest.ErrorBody(kind, "", message)))
}

func (p *player) limit(args []string) {
	p.server.Then(termtest.Status(429, map[string]string{"Retry-After": args[0]}, termtest.ErrorBody("rate_limit_error", "", "too many requests")))
}

// mark remembers the screen before a key.
func (p *player) mark() { p.drawn, p.before = p.redraws(), p.Screen() }

func (p *player) redraws() int { return bytes.Count(p.Output(), []byte("\x1b[2J")) }

func (p *player) try([]string) {
	p.t.Helper()
	key, bytes := p.now.sent()
	if bytes == "" {
		p.press([]string{key})
		return
	}
	p.wait(key)
	p.mark()
	p.Type(bytes)
	p.last, p.lastAt = key, time.Now()
}

func (p *player) press(keys []string) {
	p.t.Helper()
	for _, k := range keys {
		if other, ok := p.options.Swap[k]; ok {
			k = other
		}
		p.wait(k)
		p.mark()
		p.Key(k)
		p.last, p.lastAt = k, time.Now()
	}
}

// wait lets a key that is pressed once more come late enough.
func (p *player) wait(key string) {
	if key == p.last && !strings.HasPrefix(key, "wheel") {
		time.Sleep(apart - time.Since(p.lastAt))
	}
}

func (p *player) typed(args []string) { p.Type(args[0]) }

// say types a prompt of one line and sends it.
func (p *player) say(args []string) {
	p.t.Helper()
	p.Type(args[0])
	p.Until(fmt.Sprintf("%q in the composer", args[0]), func() bool { return p.composer(false) == args[0] })
	p.press([]string{"enter"})
	p.Until("an empty composer", func() bool { return p.composer(false) == "" })
}

func (p *player) paste(args []string)  { p.Paste(args[0]) }
func (p *player) resize(args []string) { p.Resize(p.number(args[0]), p.number(args[1])) }
func (p *player) rest([]string)        { time.Sleep(resting) }

// never watches for a while that a text does not come.
func (p *player) never(args []string) {
	p.t.Helper()
	for end := time.Now().Add(watching); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if p.Has(args[0]) {
			p.t.Fatalf("%q is on the screen\n%s", args[0], p.Picture())
		}
	}
}

// quiet watches for a while that no further request comes.
func (p *player) quiet(args []string) {
	p.t.Helper()
	for end := time.Now().Add(watching); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if n := p.server.Count(); n != p.number(args[0]) {
			p.t.Fatalf("%d requests, want %s and no more\n%s", n, args[0], p.Picture())
		}
	}
}
