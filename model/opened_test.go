package model

import (
	"testing"
	"time"

	"baton/model/engine"
)

// The Enter that chose a session, or started the program, is often pressed twice or held: it plays nothing in the session
// that has just come on the screen.
func TestEnterRightAfterOpening(t *testing.T) {
	for name, enters := range map[string]func(p *pump){
		"pressed before the first frame": func(p *pump) { p.keys("enter") },
		"pressed twice":                  func(p *pump) { p.run(150 * time.Millisecond); p.keys("enter") },
		"pressed late":                   func(p *pump) { p.run(playGuard - 20*time.Millisecond); p.keys("enter") },
		"held": func(p *pump) {
			p.run(500 * time.Millisecond) // the first repeat comes late
			for range 30 {
				p.keys("enter")
				p.run(33 * time.Millisecond)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				a := &fake{script: []step{hangs}}
				dir := t.TempDir()
				e, err := engine.New(engineOptions(dir, a))
				if err != nil {
					t.Fatal(err)
				}
				p := around(t, e, a)
				p.say("one")
				p.say("row")
				p.run(time.Second)
				p.end()
				p.run(time.Hour)
				e, err = engine.Resume(engineOptions(dir, a), e.Session())
				if err != nil {
					t.Fatal(err)
				}
				q := around(t, e, a)
				enters(q)
				q.soon()
				q.run(time.Second)
				q.want("sent", "one", q.agent.prompts())
				q.want("rows", "row", q.rows())
				q.keys("enter")
				q.run(time.Second)
				q.want("meant", "one|row", q.agent.prompts())
				q.end()
			})
		})
	}
}
