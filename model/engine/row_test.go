package engine

import (
	"strings"
	"testing"

	"baton/model/session"
	"baton/queue"
)

// A row is rewritten in its place, or stays as it was; without an editor.
func TestRewrite(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := open(t, "", hangs)
		d.say("runs")
		d.say("one")
		d.say("two")
		r, err := d.Row(2)
		if err != nil {
			t.Fatal(err)
		}
		if out := d.took(d.Step(session.Rewrite{Row: r.ID, Text: "another"})); out.Refused != nil {
			t.Fatal(out.Refused.Text)
		}
		d.want("rows", "one,another", d.rows())
		if out := d.took(d.Step(session.Rewrite{Row: r.ID, Text: strings.Repeat("x", queue.MaxBytes+1)})); out.Refused == nil {
			t.Error("a row that is too long was taken")
		}
		d.want("rows", "one,another", d.rows())
		if d.State().Editing != "" || d.State().Undo != nil {
			t.Errorf("editing %q, undo %+v", d.State().Editing, d.State().Undo)
		}
		for _, n := range []int{-1, 0, 3} {
			if _, err := d.Row(n); err == nil {
				t.Errorf("there is a row %d", n)
			}
		}
		d.end()
	})
}
