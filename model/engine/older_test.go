package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/model/journal"
	"baton/model/session"
)

// What cannot be read is tried again when a person wants it, and not before.
func TestOlderThatCannotBeRead(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		id := long(t, dir, 70)
		d := resume(t, dir, id, says("x"))
		path := filepath.Join(dir, id+".jsonl")
		if err := os.Rename(path, path+".away"); err != nil {
			t.Fatal(err)
		}
		out := d.took(d.Take(d.Older(1, false)()))
		if !strings.HasPrefix(out.Said, "older messages cannot be shown") {
			t.Errorf("said %q", out.Said)
		}
		if d.Older(1, false) != nil {
			t.Fatal("tried again by itself")
		}
		if err := os.Rename(path+".away", path); err != nil {
			t.Fatal(err)
		}
		d.took(d.Take(d.Older(1, true)()))
		d.all()
		d.want("items", "0", fmt.Sprint(d.State().Items.Start()))
		d.end()
	})
}

// Older pages of a session that is only shown stay, whatever its writer adds.
func TestOlderOfAFollowedSession(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		id := long(t, dir, 70)
		d := resume(t, dir, id, says("an answer"))
		o, a := options(t, dir, says("mine"))
		_, why := Resume(o, id)
		e, err := Follow(o, id, why)
		if err != nil {
			t.Fatal(err)
		}
		f := drive(t, e, a)
		f.took(f.Begin())
		f.took(f.Take(f.Older(1, false)()))
		d.say("another")
		both(d, f, time.Second)
		f.all()
		d.all()
		both(d, f, time.Second)
		f.want("the state", view(d.State()), view(f.State()))
		d.end()
		f.run(5 * time.Second)
		f.want("items", "0", fmt.Sprint(f.State().Items.Start()))
		f.end()
	})
}

// A copy opens by its end as well as its original.
func TestForkIsOpenedByItsEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		id := long(t, dir, 120)
		s := whole(t, dir, id)
		time.Sleep(2 * time.Second)
		o, _ := options(t, dir)
		last, _ := s.LastTurn()
		name, err := Fork(t.Context(), o, id, s.Number(last.ID))
		if err != nil {
			t.Fatal(err)
		}
		want := whole(t, dir, name)
		d := resume(t, dir, name, says("x"))
		if len(snapshots(t, dir, name)) < 4 || d.State().Items.Start() == 0 {
			t.Errorf("%d snapshots, items from %d", len(snapshots(t, dir, name)), d.State().Items.Start())
		}
		d.all()
		d.want("the state", view(want), view(d.State()))
		turn, _ := d.State().LastTurn()
		d.want("prompt of the last turn", last.Text, turn.Text)
		d.end()
	})
}

// A long snapshot is not written at every step: its own length is no growth.
func TestLongSnapshotsAreRare(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := open(t, dir, hangs)
		d.say("a prompt")
		for range 15 { // no line of a log can hold these as they are, so snapshots carry them
			d.say(strings.Repeat("\xff", 20_000))
		}
		d.in(session.Stop{Turn: d.State().Work()})
		d.run(time.Second)
		before := len(snapshots(t, dir, d.Session()))
		for range 10 {
			d.took(d.Note("a note"))
		}
		if n := len(snapshots(t, dir, d.Session())) - before; before == 0 || n != 0 {
			t.Errorf("%d snapshots, then %d for ten notes", before, n)
		}
		id := d.Session()
		d.end()
		d = resume(t, dir, id, says("x"))
		before = len(snapshots(t, dir, id))
		d.took(d.Note("a note"))
		if n := len(snapshots(t, dir, id)) - before; n != 0 {
			t.Errorf("%d snapshots for a note behind an opening", n)
		}
		d.want("rows", "15", fmt.Sprint(d.State().Queue.Len()))
		d.end()
	})
}

// One damaged snapshot in the midst costs a longer page and not the whole log.
func TestDamagedSnapshotInTheMidst(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		id := long(t, dir, 300)
		at := snapshots(t, dir, id)
		path := filepath.Join(dir, id+".jsonl")
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b[at[len(at)-2]+40] ^= 1
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		d := resume(t, dir, id, says("x"))
		for d.State().Items.Len()-d.State().Items.Start() < openItems {
			d.took(d.Take(d.Older(1, true)()))
		}
		if d.State().Items.Start() == 0 {
			t.Error("all of it was read")
		}
		d.all()
		d.want("items", "0", fmt.Sprint(d.State().Items.Start()))
		d.end()
	})
}

// What a request read of the older part serves the next one; a stop ends the reading.
func TestOlderPartOfRequests(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		id := long(t, dir, 70)
		d := resume(t, dir, id, says("an answer"))
		d.say("and now?")
		d.soon()
		path := filepath.Join(dir, id+".jsonl")
		if err := os.Rename(path, path+".away"); err != nil {
			t.Fatal(err)
		}
		d.say("and then?")
		d.soon()
		rs := d.agent.requests()
		if len(rs) != 2 || len(rs[1].Messages) != len(rs[0].Messages)+2 {
			t.Fatalf("%d requests", len(rs))
		}
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if _, err := d.past.context(ctx, d.State().Items, &remembered{}); err == nil {
			t.Error("nothing stops the reading")
		}
		d.end()
	})
}

// A copy that nobody goes to does not stay.
func TestCopyThatIsNotGoneTo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := openWithNew(t, dir, says("1"), hangs)
		d.say("one")
		d.soon()
		d.say("two")
		d.say("a row")
		d.run(2 * time.Second)
		d.in(session.Stop{Turn: d.State().Work()})
		d.run(time.Second)
		run := d.opt.Command
		d.opt.Command = func(ctx context.Context, text string, here Here) (Finish, error) {
			finish, err := run(ctx, text, here)
			time.Sleep(time.Second)
			return finish, err
		}
		d.say("/fork 1")
		d.in(session.BeginEdit{Row: d.State().Queue.At(0).ID})
		d.run(3 * time.Second)
		files, err := journal.List(dir)
		if err != nil || len(files) != 1 {
			t.Errorf("%d files, %v", len(files), err)
		}
		d.end()
	})
}

// A session that was left and is not whole on disk yet is not shown as somebody else's.
func TestBackToASessionThatIsBeingSaved(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		other := kept(t, dir, "elsewhere")
		d := openWithNew(t, dir, says("1"))
		d.say("one")
		d.soon()
		here := d.Session()
		d.in(session.Submit{Draft: session.Draft{Text: "/resume " + other, Command: true}})
		for d.Session() == here { // the job that closes the old log waits for its turn
			d.took(d.Take(<-d.results))
		}
		out := d.GoTo(here)
		d.took(out)
		if d.Session() != other || d.ReadOnly() != "" {
			t.Errorf("session %s, %s", d.Session(), d.ReadOnly())
		}
		d.run(time.Second)
		d.say("/resume " + here)
		d.run(time.Second)
		d.want("session", here, d.Session())
		d.want("why", "", d.ReadOnly())
		d.end()
	})
}

func TestShown(t *testing.T) {
	for err, want := range map[error]bool{
		&journal.LockedError{Session: "s"}: true, os.ErrPermission: true, os.ErrNotExist: false, errors.New("x"): false, journal.ErrHeader: false,
	} {
		if got := Shown(fmt.Errorf("open: %w", err)); got != want {
			t.Errorf("%v: %v", err, got)
		}
	}
}

// A session without a file is left by /new and /resume only when that was said.
func TestLeavingASessionWithoutAFile(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		other := kept(t, dir, "elsewhere")
		for _, command := range []string{"/new", "/resume " + other} {
			o, a := options(t, dir, says("1"))
			o.Random = strings.NewReader(command + " and other names")
			e, err := New(withNew(o))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, e.Session()+".jsonl"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			d := drive(t, e, a)
			d.say("one")
			d.soon()
			here := d.Session()
			d.say(command)
			d.soon()
			d.want("session", here, d.Session())
			ended, ok := d.events[len(d.events)-1].(session.CommandEnded)
			if !ok || !strings.Contains(ended.Why, "would be gone") {
				t.Fatalf("%s: %+v", command, d.events[len(d.events)-1])
			}
			d.say(command)
			d.soon()
			if d.Session() == here {
				t.Errorf("%s does not leave it at all", command)
			}
			d.end()
			d.run(time.Second)
		}
	})
}
