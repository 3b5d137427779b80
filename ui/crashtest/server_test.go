//go:build unix

package crashtest

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"baton/ui/termtest"
)

// lifeHeader tells which life of the program sent a request, however late it arrives.
const lifeHeader = "X-Life"

// server answers by its seed: well, slowly, with failures, or when the driver says so.
type server struct {
	*termtest.Provider
	seed uint64

	mu    sync.Mutex
	asked map[string]int // requests by text
	gated int            // so many answers wait, whatever the seed says
	waits []*waiting
}

// waiting is an answer that the driver will end.
type waiting struct {
	life, text string
	end        chan string
}

func newServer(t testing.TB, seed uint64) *server {
	s := &server{Provider: termtest.NewProvider(t), seed: seed, asked: map[string]int{}}
	s.Always(s.answer)
	return s
}

func (s *server) answer(a *termtest.Answer) {
	text := a.Request.Last()
	s.mu.Lock()
	s.asked[text]++
	r := chance(s.seed, fmt.Sprint("answer ", text, s.asked[text]))
	kind := s.kind(r.IntN(100))
	var w *waiting
	if kind == "wait" {
		w = &waiting{a.Request.Header.Get(lifeHeader), text, make(chan string, 1)}
	}
	s.mu.Unlock()
	answer := fmt.Sprintf("answer %d", a.Request.N)
	switch kind {
	case "ok":
		termtest.OK(answer)(a)
	case "slow":
		termtest.Paced(time.Duration(r.IntN(30))*time.Millisecond, "slow ", answer)(a)
	case "500":
		termtest.Fail(503)(a)
	case "400":
		termtest.Fail(400)(a)
	case "cut":
		termtest.CutAfter(3)(a)
	default:
		a.Token("part of ")
		s.hold(a, w, answer)
	}
}

// kind chooses an answer; s.mu is held.
func (s *server) kind(n int) string {
	if s.gated > 0 {
		s.gated--
		return "wait"
	}
	for _, c := range []struct {
		below int
		kind  string
	}{{25, "ok"}, {38, "slow"}, {46, "500"}, {53, "400"}, {60, "cut"}} {
		if n < c.below {
			return c.kind
		}
	}
	return "wait"
}

// hold keeps an answer until the driver ends it, or the program is gone.
func (s *server) hold(a *termtest.Answer, w *waiting, answer string) {
	s.note(func() { s.waits = append(s.waits, w) })
	defer s.note(func() { s.waits = slices.DeleteFunc(s.waits, func(x *waiting) bool { return x == w }) })
	select {
	case how := <-w.end:
		if how == "cut" {
			a.Cut()
			return
		}
		a.Token(answer)
		a.Finish()
	case <-a.Gone():
	}
}

func (s *server) note(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

// gate makes the next answer wait, where the driver has to see that its turn runs.
func (s *server) gate() { s.note(func() { s.gated = 1 }) }

// waitsFor names the prompt of a life's answer that waits.
func (s *server) waitsFor(life string) (text string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.waits {
		if w.life == life {
			text, ok = w.text, true
		}
	}
	return text, ok
}

// release ends the waiting answers of a life.
func (s *server) release(life, how string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gated = 0
	s.waits = slices.DeleteFunc(s.waits, func(w *waiting) bool {
		if w.life == life {
			w.end <- how
		}
		return w.life == life
	})
}

// of counts the requests of a life by text.
func (s *server) of(life string) map[string]int {
	n := map[string]int{}
	for _, r := range s.Requests() {
		if r.Header.Get(lifeHeader) == life {
			n[r.Last()]++
		}
	}
	return n
}
