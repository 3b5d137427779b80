package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"

	"baton/model/journal"
	"baton/model/session"
)

// GoTo ends the command that runs by going on in another session that was kept. The rows
// that wait here stay here; they are held when this session is taken up again. A session
// that another process has is shown and not changed.
func (e *Engine) GoTo(id string) Outcome {
	out, _ := e.goTo(id)
	return out
}

// GoToCopy is GoTo for a session that Fork made: it goes again if it is not gone to.
func (e *Engine) GoToCopy(id string) Outcome {
	out, ok := e.goTo(id)
	if !ok {
		if err := journal.Remove(e.opt.Dir, id); err != nil {
			out.Said = fmt.Sprintf("the copy %s stays: %v", id, err)
		}
	}
	return out
}

func (e *Engine) goTo(id string) (out Outcome, ok bool) {
	l, _ := e.state.Life.(session.LifeCommand)
	if why := e.mayLeave(l, id); why != "" {
		return e.stay(l, why), false
	}
	next := newEngine(e.opt)
	err := next.take(id)
	if Shown(err) {
		err = next.followed(id, err)
	}
	if err != nil {
		return e.stay(l, opening(id, err)), false
	}
	first := Outcome{}
	said := "now in session " + id
	if e.follow == nil {
		first = e.Step(session.CommandDone{ID: l.ID, Leave: true})
		if n := e.state.Queue.Len(); n > 0 {
			said += "; " + plural(n, "row stays", "rows stay") + " in " + e.state.Session
		}
	}
	old := e.clear()
	old.follow.close()
	e.log, e.state, e.damage, e.follow = next.log, next.state, next.damage, next.follow
	e.past, e.snapped, e.due, e.texts = next.past, next.snapped, next.due, next.texts
	former := e.state.Agent
	out = e.begun()
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
	return first.Join(out), true
}

// Shown reports whether a session that could not be opened can be shown all the same:
// another process has it, or its file may not be written.
func Shown(err error) bool {
	return errors.Is(err, journal.ErrLocked) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// begun is the first input of a session that was kept.
func (e *Engine) begun() Outcome {
	if e.follow != nil {
		return e.Begin().Join(Outcome{Events: []session.Event{session.SessionOpened{Session: e.state.Session}}})
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
	saving := slices.ContainsFunc(e.former, func(w *journal.Writer) bool { return w.Header().Session == id })
	switch {
	case saving:
		return "that session is still being saved; try again in a moment"
	case e.follow != nil:
		return ""
	case id == e.state.Session:
		return "this session is open already"
	case e.opt.Dir == "":
		return "sessions are not kept here"
	case e.state.Editing != "":
		return "a row is open in the editor"
	case waiting > 0 && !e.onDisk():
		return cannotSave(waiting)
	}
	return e.losing()
}

// losing says, once, that what was said in a session without a file goes with it, and how
// to leave it all the same; "" if nothing is lost or it was said.
func (e *Engine) losing() string {
	if _, ok := e.state.LastTurn(); !ok || e.noFile == nil || e.warned == e.state.Session {
		return ""
	}
	e.warned = e.state.Session
	return "this session cannot be saved, and what was said in it would be gone; the same once more leaves it"
}

// stay ends a command that did not take effect.
func (e *Engine) stay(l session.LifeCommand, why string) Outcome {
	if e.follow != nil {
		return Outcome{Refused: &session.Refused{Why: session.RefusedReadOnly, Text: why}}
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
