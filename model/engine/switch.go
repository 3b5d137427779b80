package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"baton/model/journal"
	"baton/model/session"
)

// GoTo ends the command that runs by going on in another session that was kept. The rows
// that wait here stay here; they are held when this session is taken up again. A session
// that another process has is shown and not changed.
func (e *Engine) GoTo(id string) Outcome {
	l, _ := e.state.Life.(session.LifeCommand)
	if why := e.mayLeave(l, id); why != "" {
		return e.stay(l, why)
	}
	next := newEngine(e.opt)
	err := next.take(id)
	if errors.Is(err, journal.ErrLocked) || errors.Is(err, fs.ErrPermission) {
		err = next.followed(id, err)
	}
	if err != nil {
		return e.stay(l, opening(id, err))
	}
	first := Outcome{}
	said := "now in session " + id
	if e.follow == nil {
		first = e.Step(session.CommandDone{ID: l.ID, Leave: true})
		if n := e.state.Queue.Len(); n > 0 {
			said += fmt.Sprintf("; %d row(s) stay in %s", n, e.state.Session)
		}
	}
	old := e.clear()
	old.follow.close()
	e.log, e.state, e.past, e.snapped, e.texts, e.damage, e.follow = next.log, next.state, next.past, next.snapped, next.texts, next.damage, next.follow
	former := e.state.Agent
	out := e.begun()
	if old.log != nil {
		out.Jobs = append(out.Jobs, e.leave(old.log))
	}
	if now := Name(e.agent.Info()); e.follow == nil && former != "" && former != now {
		out = out.Join(e.Note("This session talked to " + former + "; from here on it talks to " + now + " · " + e.agent.Info().Origin))
	}
	if e.damage != "" && e.follow == nil {
		out = out.Join(e.Note(e.damage))
	}
	if e.follow == nil {
		out.Said = said
	}
	return first.Join(out)
}

// begun is the first input of a session that was kept.
func (e *Engine) begun() Outcome {
	if e.follow != nil {
		return Outcome{Events: []session.Event{session.SessionOpened{Session: e.state.Session}}, Jobs: []Job{e.watch()}}
	}
	e.finishCarry()
	return e.Step(session.Opened{Session: e.state.Session, Agent: Name(e.agent.Info())})
}

// mayLeave says why this session cannot be left, "" if it can.
func (e *Engine) mayLeave(l session.LifeCommand, id string) string {
	waiting := e.state.Queue.Len()
	if l.Row != "" {
		waiting--
	}
	switch {
	case e.follow != nil:
		return ""
	case id == e.state.Session:
		return "this session is open already"
	case e.opt.Dir == "":
		return "sessions are not kept here"
	case e.state.Editing != "":
		return "a row is open in the editor"
	case waiting > 0 && !e.onDisk():
		return fmt.Sprintf("%d row(s) wait here, and this session cannot be saved: send or remove them first", waiting)
	}
	return ""
}

// stay ends a command that did not take effect.
func (e *Engine) stay(l session.LifeCommand, why string) Outcome {
	if e.follow != nil {
		return Outcome{Said: why}
	}
	return e.Step(session.CommandDone{ID: l.ID, Why: why})
}

// opening says in a line why a session could not be opened.
func opening(id string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("there is no session %s; /resume lists those there are", id)
	case errors.Is(err, journal.ErrBadID):
		return fmt.Sprintf("%q is not the name of a session; /resume lists those there are", id)
	}
	return err.Error()
}

// startAnew opens a new session where one was only shown.
func (e *Engine) startAnew() Outcome {
	name, err := journal.NewID(e.opt.Now(), e.opt.Random)
	if err != nil {
		return Outcome{Said: fmt.Sprintf("cannot name a session: %v", err)}
	}
	old := e.clear()
	old.follow.close()
	return e.Step(session.Opened{Session: name, Agent: Name(e.agent.Info())})
}

// Fork copies a session up to the end of a turn's chain into a new one, which appears
// whole or not at all, and returns its id. It may be called on any goroutine, also while
// the session grows. A turn that runs there is interrupted in the copy.
func Fork(ctx context.Context, o Options, id string, turn session.TurnID) (string, error) {
	o = o.withDefaults()
	r, err := journal.OpenReader(o.Dir, id)
	if err != nil {
		return "", fmt.Errorf("fork: %w", err)
	}
	defer r.Close()
	name, err := journal.NewID(o.Now(), o.Random)
	if err != nil {
		return "", fmt.Errorf("fork: %w", err)
	}
	h := journal.Header{Session: name, Created: o.Now(), App: o.App, From: id}
	c := copying{last: turn, state: session.New(session.Settings{})}
	err = journal.Build(o.Dir, name, h, func(w *journal.Writer) error { return c.all(ctx, r, w, o) })
	if err != nil {
		return "", fmt.Errorf("fork: %w", err)
	}
	return name, nil
}

// copying takes the items of one log into another.
type copying struct {
	last  session.TurnID // the turn to end with
	chain session.TurnID // its chain, once it was seen
	state session.State  // holds the items that are not written yet
}

// forkBlock is how much of the log, in bytes, is read at once.
const forkBlock = 4 << 20

func (c *copying) all(ctx context.Context, r *journal.Reader, w *journal.Writer, o Options) error {
	for from := int64(0); ; {
		kept, err := r.Range(from, from+forkBlock)
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case len(kept.Batches) == 0 && kept.End <= from:
			return c.finish(w, o)
		}
		for _, b := range kept.Batches {
			if done, err := c.batch(b, w, o); done || err != nil {
				return errors.Join(err, c.finish(w, o))
			}
		}
		from = max(from+forkBlock, kept.End)
	}
}

// batch folds one batch and writes what is settled by then. done says that the turns
// behind the one to end with have begun.
func (c *copying) batch(b journal.Batch, w *journal.Writer, o Options) (done bool, err error) {
	evs, _ := decode(b.Entries)
	for _, ev := range evs {
		if started, ok := ev.(session.TurnStarted); ok {
			if c.chain != 0 && started.Chain != c.chain {
				return true, nil
			}
			if started.Turn == c.last {
				c.chain = started.Chain
			}
		}
		c.state = session.Apply(c.state, ev)
	}
	if c.state.Busy() {
		return false, nil
	}
	return false, c.write(w, o)
}

// write moves the items over.
func (c *copying) write(w *journal.Writer, o Options) error {
	for _, it := range c.state.Items.All() {
		evs := it.Copies()
		if len(evs) == 0 {
			continue
		}
		if _, err := w.Append(o.Now(), entriesOf(evs)); err != nil {
			return err
		}
	}
	c.state = session.New(session.Settings{})
	return nil
}

// finish ends the copy; nothing is made where the turn was not found.
func (c *copying) finish(w *journal.Writer, o Options) error {
	if c.chain == 0 {
		return fmt.Errorf("there is no turn %d in this session", c.last)
	}
	if c.state.Busy() { // it was named all the same: the copy has what there is of it
		events, _ := session.Decide(c.state, session.Opened{})
		for _, ev := range events {
			c.state = session.Apply(c.state, ev)
		}
	}
	return c.write(w, o)
}
