package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"baton/model/journal"
	"baton/model/session"
)

const (
	// FollowEvery is how often the log of a session that another process has is looked at.
	FollowEvery = 200 * time.Millisecond
	// holderEvery is how often it is asked whether that process still lives.
	holderEvery = 2 * time.Second
)

// following is a session that this process shows and does not change: another one has it,
// or its file may not be written.
type following struct {
	r      *journal.Reader
	end    int64         // of what was read
	file   session.State // what the log says; the engine's state may be ahead of it, when its writer has died
	holder int           // the process that has it; 0 where that cannot be told
	held   bool
	why    string // why it cannot be written though nobody has it, "" if somebody has it
}

func (f *following) close() {
	if f != nil {
		_ = f.r.Close()
	}
}

// Follow shows a session that cannot be opened for writing, and goes on showing what its
// writer adds. why is what opening it gave. Errors are those of journal.OpenReader.
func Follow(o Options, id string, why error) (*Engine, error) {
	e := newEngine(o)
	if err := e.followed(id, why); err != nil {
		return nil, err // which names the session
	}
	e.opt.Log.Info("session shown", "session", id, "why", why)
	return e, nil
}

// followed reads the end of the log and gets ready to follow it.
func (e *Engine) followed(id string, why error) error {
	r, err := journal.OpenReader(e.opt.Dir, id)
	if err != nil {
		return err
	}
	kept, err := r.Tail(session.SnapshotKind)
	if err == nil {
		err = e.fold(id, kept, r)
	}
	if err != nil {
		r.Close()
		return err
	}
	e.follow = &following{r: r, end: kept.End, file: e.state}
	if !errors.Is(why, journal.ErrLocked) {
		e.follow.why = reasonOf(why)
	}
	e.look(journal.Holder(e.opt.Dir, id))
	return nil
}

func reasonOf(err error) string {
	if errors.Is(err, fs.ErrPermission) {
		return "its file may not be written"
	}
	return err.Error()
}

// ReadOnly says why the session is shown and cannot be changed, and what to do; "" if it can.
func (e *Engine) ReadOnly() string {
	f := e.follow
	switch {
	case f == nil:
		return ""
	case f.held && f.holder != 0:
		return fmt.Sprintf("read only: process %d has this session open · /new starts another", f.holder)
	case f.held:
		return "read only: another process has this session open · /new starts another"
	case f.why != "":
		return "read only: " + f.why + " · /new starts another session, /fork goes on from a copy"
	}
	return "read only: nobody has it open any more · /resume " + e.state.Session + " takes it over"
}

// look takes in who has the session. One that nobody has is shown as it would be taken
// up: what ran is interrupted. Nothing of that is written.
func (e *Engine) look(pid int, held bool, err error) {
	f := e.follow
	if err == nil {
		f.holder, f.held = pid, held
	}
	e.state = f.file
	if !f.held {
		e.state = AsTakenUp(e.state)
	}
}

// Begin returns what is to be done as soon as jobs can run. It is called once.
func (e *Engine) Begin() (out Outcome) {
	if e.follow != nil {
		out.Jobs = append(out.Jobs, e.watch())
		out.Said = e.damage
	}
	return out
}

// watch returns a job that waits for news of the writer.
func (e *Engine) watch() Job {
	f, dir, id := e.follow, e.opt.Dir, e.state.Session
	return func() Result { return f.wait(e, dir, id, time.Now()) }
}

// wait looks at the log until there is something new.
func (f *following) wait(e *Engine, dir, id string, asked time.Time) Result {
	for {
		time.Sleep(FollowEvery)
		kept, end, err := f.r.Follow(f.end)
		pid, held, herr := f.holder, f.held, error(nil)
		if time.Since(asked) >= holderEvery {
			pid, held, herr = journal.Holder(dir, id)
			asked = time.Now()
		}
		changed := herr == nil && (held != f.held || pid != f.holder)
		if err == nil && len(kept.Batches) == 0 && !changed {
			continue
		}
		return Result{Apply: func() Outcome {
			if e.follow != f {
				return Outcome{}
			}
			if err != nil {
				f.holder, f.held, f.why = 0, false, "it can be followed no longer"
				return Outcome{Said: "this session can be followed no longer: " + err.Error()}
			}
			out := e.caughtUp(kept, end)
			if changed {
				out.Events = append(out.Events, session.SessionOpened{Session: id}) // what is shown may differ as a whole
			}
			e.look(pid, held, herr)
			out.Jobs = append(out.Jobs, func() Result { return f.wait(e, dir, id, asked) })
			return out
		}}
	}
}

// caughtUp folds what the writer has added.
func (e *Engine) caughtUp(kept journal.Contents, end int64) (out Outcome) {
	f := e.follow
	before := e.state
	e.state, f.end = f.file, end
	unread := len(kept.Damage)
	for _, b := range kept.Batches {
		evs, ok := decode(b.Entries)
		if !ok {
			unread++
		}
		for _, ev := range evs {
			e.state = session.Apply(e.state, ev)
			out.Events = append(out.Events, ev)
			if p, ok := ev.(session.TurnPartial); ok { // its writer showed the text as it came
				e.state = session.Apply(e.state, session.PhaseEntered{Phase: session.Streaming{}})
				out.Events = append(out.Events, session.Streamed{Turn: p.Turn, Text: p.Text, Reasoning: p.Reasoning})
			}
		}
	}
	f.file = e.state
	out.Said = damaged(unread)
	e.clock(before)
	e.times.Heard = e.opt.Now()
	return out
}

// readOnly answers an input of the person: commands that leave for another session run,
// everything else is refused and changes nothing.
func (e *Engine) readOnly(in session.Input) Outcome {
	switch in := in.(type) {
	case session.Quit:
		return Outcome{Exit: true}
	case session.Note:
		return Outcome{Said: in.Text}
	case session.AgentChanged:
		return Outcome{}
	case session.Stop:
		if n := e.stopAside(); n > 0 {
			return Outcome{Said: "stopped"}
		}
	case session.Submit:
		if in.Command {
			job := e.aside(in.Text)
			return Outcome{Jobs: []Job{job}, Events: []session.Event{session.CommandStarted{ID: e.asides, Text: in.Text}}}
		}
	}
	refused := session.Refused{Why: session.RefusedReadOnly, Text: e.ReadOnly()}
	return Outcome{Events: []session.Event{refused}, Refused: &refused}
}

// stopAside ends the commands that run beside the session, and counts them.
func (e *Engine) stopAside() (n int) {
	for id, cancel := range e.work {
		if id < 0 {
			cancel()
			n++
		}
	}
	return n
}

// aside runs a command beside the session that is shown. The session does not hear of it, so neither its beginning nor its
// end is folded; they are told all the same.
func (e *Engine) aside(text string) Job {
	f, here := e.follow, e.here()
	e.asides--
	id := e.asides
	ctx, end := e.begin(id)
	run := e.opt.Command
	ended := func(why string) session.Event { return session.CommandEnded{ID: id, Done: why == "", Why: why} }
	return func() Result {
		finish, err := run(ctx, text, here)
		return Result{Apply: func() Outcome {
			end()
			switch {
			case err != nil:
				return Outcome{Events: []session.Event{ended(err.Error())}}
			case finish == nil || e.follow != f:
				return Outcome{}
			}
			out := finish(e)
			if no := out.Refused; no != nil { // its end says so
				out.Refused = nil
				return out.Join(Outcome{Events: []session.Event{ended(no.Text)}})
			}
			return out
		}}
	}
}
