package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"baton/agentclient"
	"baton/model/journal"
	"baton/model/session"
)

// copied is a directory as a kill at this instant would leave it.
func copied(t testing.TB, dir string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// filmed opens a session whose directory is copied whenever it has changed: each copy
// is what a kill at that instant would leave. Every write of a log is followed by a look
// at the clock, and there the copies are made.
func filmed(t testing.TB, script ...step) (d *driver, pictures func() []string) {
	t.Helper()
	dir := t.TempDir()
	o, a := options(t, dir, script...)
	var mu sync.Mutex
	var all []string
	last := sizes(t, dir)
	shoot := func() {
		mu.Lock()
		defer mu.Unlock()
		if now := sizes(t, dir); now != last {
			last = now
			all = append(all, copied(t, dir))
		}
	}
	o.Now = func() time.Time {
		shoot()
		return time.Now()
	}
	e, err := New(withNew(o))
	if err != nil {
		t.Fatal(err)
	}
	return drive(t, e, a), func() []string {
		shoot()
		return all
	}
}

func sizes(t testing.TB, dir string) string {
	files, err := journal.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]int64{}
	for _, f := range files {
		all[f.ID] = f.Size
	}
	return fmt.Sprint(all)
}

func resume(t testing.TB, dir, id string, script ...step) *driver {
	t.Helper()
	o, a := options(t, dir, script...)
	e, err := Resume(withNew(o), id)
	if err != nil {
		t.Fatal(err)
	}
	return drive(t, e, a)
}

// withNew makes /new, /resume and /fork work and every other command fail.
func withNew(o Options) Options {
	o.Command = func(ctx context.Context, text string, here Here) (Finish, error) {
		name, arg, _ := strings.Cut(text, " ")
		switch name {
		case "/new":
			return func(e *Engine) Outcome { return e.NewSession() }, nil
		case "/resume":
			return func(e *Engine) Outcome { return e.GoTo(arg) }, nil
		case "/fork":
			turn, err := strconv.Atoi(arg)
			if err != nil {
				return nil, err
			}
			id, err := Fork(ctx, o, here.Session, turn)
			return func(e *Engine) Outcome { return e.GoToCopy(id) }, err
		}
		return nil, fmt.Errorf("no %s", text)
	}
	return o
}

func openWithNew(t testing.TB, dir string, script ...step) *driver {
	t.Helper()
	o, a := options(t, dir, script...)
	e, err := New(withNew(o))
	if err != nil {
		t.Fatal(err)
	}
	return drive(t, e, a)
}

// A turn that a kill cut off comes back interrupted, with the text that had come; its
// rows wait, and nothing is sent. One key runs it again.
func TestResumeInterrupted(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := open(t, dir, and("part of", hangs))
		d.say("one")
		d.say("row a")
		d.say("row b")
		d.run(2 * time.Second)
		killed := copied(t, dir)
		d.end()

		r := resume(t, killed, d.Session(), says("whole"))
		r.run(time.Minute)
		r.want("sent", "0", fmt.Sprint(len(r.agent.requests())))
		turn, _ := r.State().LastTurn()
		r.want("turn", "stopped interrupted part of", fmt.Sprintf("%s %s %s", turn.Outcome, map[bool]string{true: "interrupted"}[turn.Interrupted], turn.Answer))
		r.want("rows", "row a,row b", r.rows())
		head, _ := r.State().Queue.Head()
		r.want("word", "held: restored", r.State().Word(head.ID, time.Now()))
		r.in(session.Retry{Turn: turn.ID})
		r.soon()
		r.want("run again", "user: one", texts(r.agent.requests()[0]))
		r.want("rows still", "row a,row b", r.rows())
		r.end()
	})
}

// A turn that failed is still failed, with the same rows.
func TestResumeFailed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := open(t, dir, after(time.Second, status(401)))
		d.say("one")
		d.say("row")
		d.run(2 * time.Second)
		d.want("before", "Error", d.life())
		was := d.State().Items.At(0).Rows(0)
		d.end()
		r := resume(t, dir, d.Session(), says("x"))
		r.want("after", "Error", r.life())
		r.want("rows", fmt.Sprint(was), fmt.Sprint(r.State().Items.At(0).Rows(0)))
		r.want("queue", "Continue the current turn,row", r.rows())
		r.run(time.Minute)
		r.want("sent", "0", fmt.Sprint(len(r.agent.requests())))
		r.end()
	})
}

// A kill between an answer and the promotion it brings: the answer is there, the row is
// held and not sent.
func TestResumeBetweenReadyAndPromote(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d, pictures := filmed(t, after(time.Second, says("answer")), hangs)
		d.say("one")
		d.say("row")
		d.run(2 * time.Second)
		id := d.Session()
		d.end()
		tried := 0
		for _, dir := range pictures() {
			kept, err := journal.Read(dir, id)
			if err != nil || len(kept.Batches) == 0 || kindsOf(kept.Batches[len(kept.Batches)-1]) != "turn.succeeded" {
				continue
			}
			tried++
			r := resume(t, dir, id, says("x"))
			r.in(session.Promote{Turn: 1}) // late, from nowhere
			r.run(time.Minute)
			turn, _ := r.State().LastTurn()
			r.want("turn", "succeeded answer", string(turn.Outcome)+" "+turn.Answer)
			r.want("rows and requests", "row 0", fmt.Sprint(r.rows(), " ", len(r.agent.requests())))
			r.want("held", "held: restored", r.State().Held(time.Now()))
			r.in(session.Play{})
			r.soon()
			r.want("after play", "user: one\nassistant: answer\nuser: row", texts(r.agent.requests()[0]))
			r.end()
		}
		if tried == 0 {
			t.Error("no kill fell between the two")
		}
	})
}

// Whatever runs, the kill makes it idle: a wait, a preparation, a command, an editor.
func TestResumeEverythingElse(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := open(t, dir, status(503))
		d.say("one")
		d.say("row")
		d.run(100 * time.Millisecond)
		row, _ := d.State().Queue.Head()
		d.in(session.BeginEdit{Row: row.ID})
		killed := copied(t, dir)
		d.in(session.Stop{Turn: 1})
		d.soon()
		d.end()
		r := resume(t, killed, d.Session())
		if s := r.State(); s.Busy() || s.Editing != "" || r.rows() != "row" {
			t.Errorf("%s, editing %q, rows %s", r.life(), s.Editing, r.rows())
		}
		r.end()

		o, a := options(t, dir)
		o.Command = func(ctx context.Context, _ string, _ Here) (Finish, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		e, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		c := drive(t, e, a)
		c.say("/slow")
		c.say("row")
		c.soon()
		killed = copied(t, dir)
		c.end()
		r = resume(t, killed, c.Session())
		if s := r.State(); s.Busy() || r.rows() != "row" || s.Held(time.Now()) != "held: restored" {
			t.Errorf("%s, rows %s, %s", r.life(), r.rows(), s.Held(time.Now()))
		}
		r.end()
	})
}

// A session that another process has, that does not exist or is no session is told
// apart.
func TestResumeErrors(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := open(t, dir, says("x"))
		d.say("one")
		d.soon()
		o, _ := options(t, dir)
		for id, want := range map[string]error{d.Session(): journal.ErrLocked, "20000101-000000-none": fs.ErrNotExist, "../x": journal.ErrBadID} {
			if _, err := Resume(o, id); !errors.Is(err, want) {
				t.Errorf("%s: %v", id, err)
			}
		}
		d.end()
		e, err := Resume(o, d.Session())
		if err != nil {
			t.Fatalf("after it was let go: %v", err)
		}
		_ = e.Close()
	})
}

// A session that is taken up twice is the same as one taken up once.
func TestResumeTwice(t *testing.T) {
	t.Run("case_30", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			dir := t.TempDir()
			d := open(t, dir, and("part", hangs))
			d.say("one")
			d.say("row")
			d.run(2 * time.Second)
			killed := copied(t, dir)
			d.end()
			r := resume(t, killed, d.Session())
			once := view(r.State())
			r.end()
			r = resume(t, killed, d.Session())
			r.want("state", once, view(r.State()))
			r.end()
		})
	})
}

// The agents that the resumed session and the live one would ask get the same context.
func TestResumeKeepsTheContext(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := open(t, dir, says("first"), status(401), and("half", hangs), says("fourth"))
		for range 2 {
			d.say("ask")
			d.soon()
		}
		d.say("ask")
		d.run(2 * time.Second)
		d.in(session.Stop{Turn: d.State().Work()})
		d.soon()
		killed := copied(t, dir)
		d.say("last")
		d.soon()
		sent := d.agent.requests()
		d.end()
		r := resume(t, killed, d.Session(), says("fourth"))
		r.say("last")
		r.soon()
		r.want("context", texts(sent[len(sent)-1]), texts(r.agent.requests()[0]))
		if !strings.Contains(texts(sent[len(sent)-1]), "assistant: half") {
			t.Error("the stopped answer is missing: this test tests nothing")
		}
		r.end()
	})
}

var _ agentclient.Agent = (*fake)(nil)

// A log that was copied under another name is the session of that name: what is forked, exported or left is that file.
func TestCopiedLogHasItsOwnName(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := openWithNew(t, dir, says("x"))
		d.say("one")
		d.soon()
		d.end()
		text, err := os.ReadFile(filepath.Join(dir, d.Session()+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "copy.jsonl"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		o, a := options(t, dir, says("x"))
		e, err := Resume(withNew(o), "copy")
		if err != nil {
			t.Fatal(err)
		}
		c := drive(t, e, a)
		c.want("session", "copy", c.Session())
		c.say("/resume " + d.Session())
		c.soon()
		c.want("then", d.Session(), c.Session())
		c.end()
	})
}
