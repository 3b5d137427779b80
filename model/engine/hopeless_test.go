package engine

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"baton/model/session"
)

// A command that can never succeed enters no queue on any way, and changes nothing.
func TestHopelessCommandsAreRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o, a := options(t, t.TempDir(), after(time.Hour, says("x")))
		asked := 0
		var d *driver
		o.Check = func(text string, here Here) error {
			// One turn runs, and each row may become another.
			if asked++; here.Turns != 1+d.State().Queue.Len() || here.Agent.Agent != "fake" {
				t.Errorf("it is asked in %+v", here)
			}
			if strings.HasPrefix(text, "/bad") {
				return errors.New("there is no good in " + text)
			}
			return nil
		}
		e, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		d = drive(t, e, a)
		d.say("go")
		d.say("row")
		d.soon()
		row, _ := d.State().Queue.Head()
		d.in(session.BeginEdit{Row: row.ID})
		bad := session.Draft{Text: "/bad", Command: true}
		for i, in := range []session.Input{
			session.Submit{Draft: bad}, session.Add{Draft: bad}, session.Park{Draft: bad}, session.Park{Draft: bad, Pause: true},
			session.EndEdit{Row: row.ID, Save: true, Draft: bad}, session.Rewrite{Row: row.ID, Text: "/bad", Command: true},
		} {
			before := view(d.State())
			out := d.in(in)
			if out.Refused == nil || out.Refused.Why != session.RefusedCommand || out.Refused.Text != "there is no good in /bad" {
				t.Errorf("%T: refused %+v", in, out.Refused)
			}
			d.want(fmt.Sprintf("state behind %T", in), before, view(d.State()))
			if asked != i+1 {
				t.Errorf("%T is asked about %d times", in, asked-i)
			}
		}
		d.in(session.EndEdit{Row: row.ID, Draft: bad}) // which discards it
		d.in(session.Submit{Draft: session.Draft{Text: "/bad as text"}})
		d.in(session.Submit{Draft: session.Draft{Text: "/good", Command: true}})
		d.want("queue", "row,/bad as text,/good", d.rows())
		d.end()
	})
}
