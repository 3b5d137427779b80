package model

import (
	"path/filepath"
	"testing"
	"time"

	"baton/model/engine"
	"baton/model/session"
)

// A row that another process adds to, or changes in, the session of a chat that was killed is
// no text of its composer: the draft comes back, also where the row has been sent since.
func TestDraftsBesideRowsFromOutside(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := keptIn(t, dir, "", says("x"), hangs)
		p.say("one")
		p.run(time.Second)
		p.say("two")
		p.say("row")
		p.typ("draft")
		p.half()
		killed, sentBefore := crash(t, dir), t.TempDir()
		p.press("enter")
		copyDir(t, sentBefore, dir)
		part(t, "drafts", sentBefore, killed)

		beside := func(dir string) *pump {
			id := entriesOf(t, dir)[0]
			e, err := engine.Parked(engineOptions(filepath.Join(dir, "sessions"), &fake{}), id)
			if err != nil {
				t.Fatal(err)
			}
			SpareDrafts(dir, e.State(), "parked", time.Now())
			e.Step(session.Park{Draft: session.Draft{Text: "parked"}})
			row, _ := e.Row(1)
			SpareDrafts(dir, e.State(), "changed", time.Now())
			e.Step(session.Rewrite{Row: row.ID, Text: "changed"})
			if err := e.Close(); err != nil {
				t.Fatal(err)
			}
			return keptIn(t, dir, id, says("x"))
		}
		q := beside(killed)
		q.want("rows and draft", "changed,parked draft", q.rows()+" "+q.draft())
		q.quits()
		q = beside(sentBefore)
		q.want("a draft that was sent", "changed,draft,parked ", q.rows()+" "+q.draft())
		q.quits()
		p.quits()
	})
}

// What the program says of itself when it has opened hides neither the first word nor a question, and both can be answered.
func TestRemarksHideNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := &fake{}
		e, err := engine.New(engineOptions(t.TempDir(), a))
		if err != nil {
			t.Fatal(err)
		}
		p := around(t, e, a, func(d *Deps) {
			d.Offer = "keys: two want ctrl+l"
			d.Open = func() string { return "nobody can reach this chat" }
			d.Later = func() string { return "3 old sessions are gone" }
		})
		p.soon()
		p.sees("· keys: two want ctrl+l · nobody can reach this chat")
		p.press("ctrl+c")
		p.seesNot("nobody")
		p.run(laterBy)
		p.sees("ctrl+c once more quits · 3 old sessions are gone")
		p.keys("ctrl+c")
		p.soon()
		if !p.state().Quitting {
			t.Error("ctrl+c is not taken for the answer")
		}
		p.end()
	})
}
