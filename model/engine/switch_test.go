package engine

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/model/journal"
	"baton/model/session"
)

// kept makes a session with one answered prompt and rows that wait, and closes it.
func kept(t *testing.T, dir, prompt string, rows ...string) string {
	d := openWithNew(t, dir, says("the answer to "+prompt), hangs)
	d.say(prompt)
	d.soon()
	if len(rows) > 0 {
		d.say(prompt + ", unfinished")
		for _, r := range rows {
			d.say(r)
		}
	}
	d.run(2 * time.Second) // ids are made of the time
	d.end()
	return d.Session()
}

// A queued /resume goes on in the other session. The rows behind it stay where they were
// queued, held, and none is sent in either session.
func TestResumeFromTheChat(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		other := kept(t, dir, "elsewhere", "a row there")
		d := openWithNew(t, dir, after(time.Second, says("x")), says("y"))
		d.say("here")
		d.say("/resume " + other)
		d.say("a row here")
		here := d.Session()
		d.run(10 * time.Second)
		d.want("session", other, d.Session())
		d.want("rows", "a row there", d.rows())
		d.want("sent", "1", fmt.Sprint(len(d.agent.requests())))
		head, _ := d.State().Queue.Head()
		d.want("word", "held: restored", d.State().Word(head.ID, time.Now()))
		turn, _ := d.State().LastTurn()
		d.want("turn", "elsewhere, unfinished stopped", turn.Text+" "+string(turn.Outcome))
		if _, held, _ := journal.Holder(dir, here); held {
			t.Error("the session that was left is still locked")
		}
		d.say("/resume " + here)
		d.soon()
		d.want("session", here, d.Session())
		d.want("rows", "a row here", d.rows())
		d.want("held", "true", fmt.Sprint(d.State().Gate.Restored))
		d.say("/resume " + here)
		d.soon()
		d.want("why not", "true", fmt.Sprint(counted[session.CommandEnded](d) == 3 && d.Session() == here))
		d.in(session.Play{})
		d.soon()
		rs := d.agent.requests()
		d.want("asked at last", "user: here\nassistant: x\nuser: a row here", texts(rs[len(rs)-1]))
		d.end()
	})
}

// What cannot be opened changes nothing: the row of the command says why.
func TestResumeWhatIsNotThere(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := openWithNew(t, dir, after(time.Second, says("x")))
		d.say("here")
		d.say("/resume no-such")
		d.say("a row here")
		d.run(10 * time.Second)
		d.want("rows", "/resume no-such,a row here", d.rows())
		head, _ := d.State().Queue.Head()
		d.want("word", "held: there is no session no-such; /resume lists those there are", d.State().Word(head.ID, time.Now()))
		for _, bad := range []string{"../../etc/passwd", "", strings.Repeat("x", 300), "-rf"} {
			d.in(session.ClearRows{})
			d.say("/resume " + bad)
			d.soon()
			last := d.events[len(d.events)-1]
			if ended, ok := last.(session.CommandEnded); !ok || !strings.Contains(ended.Why, "not the name of a session") {
				t.Errorf("%q: %+v", bad, last)
			}
		}
		d.end()
	})
}

// A session that is not on disk is not left while rows wait in it: they would be lost.
func TestLeavingWhatCannotBeSaved(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		other := kept(t, dir, "elsewhere")
		o, a := options(t, dir, after(time.Second, says("x")))
		e, err := New(withNew(o))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, e.Session()+".jsonl"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		d := drive(t, e, a)
		d.say("here")
		d.say("/resume " + other)
		d.say("a row here")
		d.run(10 * time.Second)
		if d.Trouble() == nil {
			t.Fatal("this session is saved")
		}
		for range 2 {
			d.in(session.Play{})
			d.soon()
			d.want("rows", "/resume "+other+",a row here", d.rows())
		}
		d.in(session.RemoveRow{Row: d.State().Queue.At(1).ID})
		for range 2 { // the first time it says what would be gone
			d.in(session.Play{})
			d.soon()
		}
		d.want("session", other, d.Session())
		d.end()
	})
}

// A fork holds the turns up to the one that was named and no other, goes on from there,
// and leaves the session it came from as it is.
func TestFork(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := openWithNew(t, dir, says("1"), status(401), says("2"), says("3"), says("4"))
		for _, p := range []string{"one", "two"} {
			d.say(p)
			d.soon()
		}
		failed, _ := d.State().LastTurn()
		d.in(session.Retry{Turn: failed.ID})
		d.soon()
		again, _ := d.State().LastTurn()
		d.want("numbers", "2 2", fmt.Sprint(d.State().Number(failed.ID), d.State().Number(again.ID)))
		d.took(d.Note("a note"))
		d.say("three")
		d.soon()
		d.run(2 * time.Second)
		from := d.Session()
		asLeft := func() string {
			s := d.State()
			s.Next = 0 // the command took a number
			return view(s)
		}
		before := asLeft()
		for range 2 {
			d.say(fmt.Sprintf("/fork %d", d.State().Number(failed.ID)))
			d.run(2 * time.Second)
			if d.Session() == from {
				t.Fatalf("not forked: %+v", d.events[len(d.events)-1])
			}
			var got []string
			for _, it := range d.State().Items.All() {
				if it.Turn == nil {
					got = append(got, "note "+it.Note)
					continue
				}
				got = append(got, fmt.Sprintf("%s %s %s", it.Turn.Text, it.Turn.Outcome, it.Turn.Answer))
			}
			d.want("items", "one succeeded 1; two failed ; two succeeded 2; note a note", strings.Join(got, "; "))
			d.say("another three")
			d.soon()
			rs := d.agent.requests()
			d.want("asked", "user: one\nassistant: 1\nuser: two\nassistant: 2\nuser: another three", texts(rs[len(rs)-1]))
			d.want("from", from+" 2", fmt.Sprint(logged(t, dir, d.Session()).Header.From, " ", logged(t, dir, d.Session()).Header.Turn))
			d.say("/resume " + from)
			d.run(2 * time.Second)
			d.want("session", from, d.Session())
			d.want("the session it came from", before, asLeft())
		}
		d.say("/fork 999")
		d.soon()
		if ended, ok := d.events[len(d.events)-1].(session.CommandEnded); !ok || ended.Why != "there is no turn 999 in this session; /fork lists them" {
			t.Errorf("%+v", d.events[len(d.events)-1])
		}
		d.end()
	})
}

// A fork of a long session is read and written piece by piece, and is whole.
func TestForkOfALongSession(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		id := long(t, dir, 60)
		s := whole(t, dir, id)
		var turns []session.TurnID
		for _, it := range s.Items.All() {
			if it.Turn != nil {
				turns = append(turns, it.Turn.ID)
			}
		}
		if n := s.Number(turns[len(turns)-1]); n != len(turns) {
			t.Fatalf("the last of %d turns has the number %d", len(turns), n)
		}
		time.Sleep(2 * time.Second)
		o, _ := options(t, dir)
		last := turns[len(turns)*3/4]
		name, err := Fork(t.Context(), o, id, s.Number(last))
		if err != nil {
			t.Fatal(err)
		}
		f := whole(t, dir, name)
		n := 0
		for i, it := range f.Items.All() {
			n++
			want := s.Items.At(i)
			if fmt.Sprint(want.Rows(i)) != fmt.Sprint(it.Rows(i)) {
				t.Fatalf("item %d: %.300v, want %.300v", i, it.Rows(i), want.Rows(i))
			}
		}
		end, _ := f.LastTurn()
		if end.ID != last || n < len(turns)/2 || f.Queue.Len() != 0 {
			t.Errorf("%d items, ends with turn %d, want %d; %d rows", n, end.ID, last, f.Queue.Len())
		}
	})
}

// A session that another process has is shown as it goes on, changed by nothing, and when
// that process is gone as it would be taken up.
func TestFollow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := openWithNew(t, dir, says("first"), and("part of the sec", after(5*time.Second, says("ond"))), hangs)
		d.say("one")
		d.soon()
		o, a := options(t, dir, says("mine"))
		o.Random = strings.NewReader("other names for sessions")
		_, err := Resume(withNew(o), d.Session())
		e, err := Follow(withNew(o), d.Session(), err)
		if err != nil {
			t.Fatal(err)
		}
		f := drive(t, e, a)
		f.took(f.Begin())
		same := func(what string) {
			t.Helper()
			both(d, f, time.Second)
			f.want(what, view(d.State()), view(f.State()))
		}
		same("at first")
		f.want("why", fmt.Sprintf("read only: process %d has this session open · /new starts another", os.Getpid()), f.ReadOnly())
		d.say("two")
		d.say("a row")
		both(d, f, 3*time.Second)
		f.want("streamed", d.State().LiveText(), f.State().LiveText())
		for _, in := range []session.Input{
			session.Submit{Draft: session.Draft{Text: "mine"}}, session.Stop{Turn: f.State().Work()}, session.Play{}, session.ClearRows{}, session.SetPaused{On: true},
			session.BeginEdit{Row: f.State().Queue.At(0).ID}, session.RetryNow{},
		} {
			if out := f.in(in); out.Refused == nil || out.Refused.Why != session.RefusedReadOnly {
				t.Errorf("%T was not refused", in)
			}
		}
		same("while a turn runs")
		both(d, f, 10*time.Second) // the row runs and hangs
		same("while the row runs")
		size := sizes(t, dir)
		d.Close() // as if it died: nothing says that the turn ended
		d.run(3 * time.Second)
		f.run(3 * time.Second)
		f.want("files", size, sizes(t, dir))
		turn, _ := f.State().LastTurn()
		f.want("the turn that ran", "true", fmt.Sprint(turn.Interrupted && !f.State().Busy()))
		f.want("why", "read only: nobody has it open any more · /resume "+d.Session()+" takes it over", f.ReadOnly())
		f.say("/resume " + d.Session())
		f.soon()
		f.want("why", "", f.ReadOnly())
		f.say("mine")
		f.soon()
		turn, _ = f.State().LastTurn()
		f.want("mine", "mine mine", turn.Text+" "+turn.Answer)
		f.end()
		d.run(time.Minute)
	})
}

// both lets two programs go on side by side.
func both(d, f *driver, long time.Duration) {
	for ; long > 0; long -= 50 * time.Millisecond {
		d.run(25 * time.Millisecond)
		f.run(25 * time.Millisecond)
	}
}

// From a session that is only shown one can go on elsewhere.
func TestFollowAndLeave(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := openWithNew(t, dir, says("first"))
		d.say("one")
		d.soon()
		for name, leave := range map[string]func(f *driver){
			"new": func(f *driver) {
				f.say("/new")
				f.soon()
				f.say("mine")
				f.soon()
				f.want("asked", "user: mine", texts(f.agent.requests()[0]))
			},
			"fork": func(f *driver) {
				f.say("/fork 1")
				f.run(2 * time.Second)
				f.say("mine")
				f.soon()
				f.want("asked", "user: one\nassistant: first\nuser: mine", texts(f.agent.requests()[0]))
			},
		} {
			o, a := options(t, dir, says("mine"))
			o.Random = strings.NewReader(name + " and other names for sessions")
			_, why := Resume(withNew(o), d.Session())
			e, err := Follow(withNew(o), d.Session(), why)
			if err != nil {
				t.Fatal(err)
			}
			f := drive(t, e, a)
			f.took(f.Begin())
			leave(f)
			if f.ReadOnly() != "" || f.Session() == d.Session() || f.Trouble() != nil {
				t.Errorf("%s: %q %v", name, f.ReadOnly(), f.Trouble())
			}
			f.end()
		}
		d.want("the other", "one", fmt.Sprint(d.State().Items.At(0).Turn.Text))
		d.end()
	})
}

// A session whose file may not be written is shown as it would be taken up, and one goes
// on from a copy of it.
func TestFollowWhatMayNotBeWritten(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := openWithNew(t, dir, and("part", hangs))
		d.say("one")
		d.run(2 * time.Second)
		killed := copied(t, dir)
		d.end()
		before := sizes(t, killed)
		o, a := options(t, killed, says("mine"))
		o.Random = strings.NewReader("other names for sessions")
		e, err := Follow(withNew(o), d.Session(), fmt.Errorf("open it: %w", fs.ErrPermission))
		if err != nil {
			t.Fatal(err)
		}
		f := drive(t, e, a)
		f.took(f.Begin())
		f.run(5 * time.Second)
		f.want("why", "read only: its file may not be written · /new starts another session, /fork goes on from a copy", f.ReadOnly())
		turn, _ := f.State().LastTurn()
		f.want("the turn that ran", "stopped true part", fmt.Sprintf("%s %v %s", turn.Outcome, turn.Interrupted, turn.Answer))
		f.want("files", before, sizes(t, killed))
		f.say("/fork 1")
		f.run(2 * time.Second)
		f.want("why", "", f.ReadOnly())
		f.say("go on")
		f.soon()
		f.want("asked", "user: one\nassistant: part\nuser: go on", texts(f.agent.requests()[0]))
		f.end()
	})
}

// A session that was removed while it was shown is nobody's: the banner names no process any more.
func TestFollowWhatIsRemoved(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := openWithNew(t, t.TempDir(), says("x"))
		d.say("one")
		d.soon()
		o, a := options(t, d.opt.Dir, says("mine"))
		_, err := Resume(withNew(o), d.Session())
		e, err := Follow(withNew(o), d.Session(), err)
		if err != nil {
			t.Fatal(err)
		}
		f := drive(t, e, a)
		f.took(f.Begin())
		if why := f.ReadOnly(); !strings.Contains(why, "has this session open") {
			t.Fatal(why)
		}
		d.end()
		if err := journal.Remove(d.opt.Dir, d.Session()); err != nil {
			t.Fatal(err)
		}
		f.run(5 * time.Second)
		f.want("why", "read only: it can be followed no longer · /new starts another session, /fork goes on from a copy", f.ReadOnly())
		f.end()
	})
}
