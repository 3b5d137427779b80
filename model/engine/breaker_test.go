package engine

import (
	"strings"
	"testing"
	"time"

	"baton/model/session"
)

// Three turns that run out of attempts within a minute leave the next ones a single
// probing attempt, and say so; an answer, or half a minute, ends that. Nothing is refused.
func TestBreakerProbes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		script := []step{}
		for range 3*5 + 1 {
			script = append(script, status(500))
		}
		o, a := options(t, t.TempDir(), append(script, says("back"), status(500))...)
		e, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		d := drive(t, e, a)
		ask := func(what string, requests int, probing bool) {
			t.Helper()
			before := len(a.requests())
			out := d.Step(session.Submit{Draft: session.Draft{Text: what}})
			if got := strings.Contains(out.Said, "one attempt"); got != probing {
				t.Errorf("%s: said %q", what, out.Said)
			}
			d.took(out)
			d.run(15 * time.Second)
			if got := len(a.requests()) - before; got != requests {
				t.Errorf("%s: %d requests, want %d", what, got, requests)
			}
		}
		ask("first", 5, false)
		ask("second", 5, false)
		ask("third", 5, false)
		ask("a probe that fails", 1, true)
		ask("a probe that is answered", 1, true)
		ask("all is well", 5, false)
		d.end()
	})
}
