package engine

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"baton/model/journal"
	"baton/model/session"
)

// record writes the durable events as one batch, before anything is drawn or sent. A
// log that cannot be written stops nobody: the chat goes on, with a banner.
func (e *Engine) record(events []session.Event) {
	entries := entriesOf(events)
	switch {
	case len(entries) == 0:
	case e.log != nil:
		e.append(entries)
	default:
		e.held = append(e.held, entries)
		if !worthKeeping(events) {
			return // an untouched session leaves no file
		}
		e.create(e.id(events))
		for _, entries := range e.held {
			e.append(entries)
		}
		e.held = nil
	}
}

// entriesOf are the durable ones among events, for the log to encode.
func entriesOf(events []session.Event) []journal.Entry {
	var entries []journal.Entry
	for _, ev := range events {
		if kind, durable := session.KindOf(ev); durable {
			entries = append(entries, journal.Entry{Kind: kind, Value: ev})
		}
	}
	return entries
}

// worthKeeping reports whether events hold something that a person did.
func worthKeeping(events []session.Event) bool {
	return slices.ContainsFunc(events, func(ev session.Event) bool {
		switch ev.(type) {
		case session.SessionOpened, session.Noted, session.Refused,
			session.CommandStarted, session.CommandEnded: // what it does is another event
			return false
		}
		return true
	})
}

// append hands a batch to the log. What the log keeps in memory it tries again; what it
// refuses is lost to a later run, which is said until the end.
func (e *Engine) append(entries []journal.Entry) journal.Batch {
	point("before-write", entries...)
	b, err := e.log.Append(e.opt.Now(), entries)
	e.tear(b)
	point("after-write", entries...)
	if err != nil && !errors.Is(err, journal.ErrKept) && !errors.Is(err, journal.ErrMemory) {
		e.lost = fmt.Errorf("a part of this session: %w", err)
	}
	for _, en := range entries {
		if ev, ok := en.Value.(session.Event); ok && b.Seq != 0 {
			e.texts.of([]session.Event{ev}, b.Offset)
		}
	}
	return b
}

// Trouble says why what happens is not being saved, or nil.
func (e *Engine) Trouble() error {
	switch {
	case e.lost != nil:
		return e.lost
	case e.noFile != nil:
		return e.noFile
	case e.onDisk():
		if s := e.log.Status(); s.Unsaved > 0 {
			return fmt.Errorf("kept in memory: %w", s.Err)
		} else if s.Err != nil {
			return s.Err
		}
	}
	for _, w := range e.former {
		if err := w.Status().Err; err != nil {
			return fmt.Errorf("the former session: %w", err)
		}
	}
	return nil
}

// logTrouble tells the log once when saving fails and once when it works again.
func (e *Engine) logTrouble() {
	why := ""
	if err := e.Trouble(); err != nil {
		why = err.Error()
	}
	switch {
	case why == e.logged:
		return
	case why != "":
		e.opt.Log.Error("not saved", "session", e.state.Session, "why", why)
	default:
		e.opt.Log.Info("saved again", "session", e.state.Session)
	}
	e.logged = why
}

// onDisk reports whether there is a file behind the log.
func (e *Engine) onDisk() bool { return e.log != nil && e.opt.Dir != "" && e.noFile == nil }

// Kept reports whether there is something of the session on disk.
func (e *Engine) Kept() bool { return e.onDisk() || e.follow != nil }

// Saved reports whether there is a session on disk to come back to.
func (e *Engine) Saved() bool { return e.onDisk() && e.Trouble() == nil }

// id is the session's id, also in the step that opens it.
func (e *Engine) id(events []session.Event) string {
	if opened, ok := events[0].(session.SessionOpened); ok {
		return opened.Session
	}
	return e.state.Session
}

// create makes the session's file, or a log in memory if there can be none.
func (e *Engine) create(id string) {
	h := journal.Header{Session: id, Created: e.opt.Now(), App: e.opt.App, From: e.from}
	if e.opt.Dir != "" {
		w, err := journal.Create(e.opt.Dir, id, h)
		if err == nil {
			point("create", "session")
			e.log = w
			return
		}
		e.noFile = err // it says that the session was being created
	}
	e.log = journal.Memory(h)
}

// LogRetryEvery is how often waiting lines are tried again.
const LogRetryEvery = 2 * time.Second

// retryLog returns a job that tries the waiting lines again, unless one is under way.
func (e *Engine) retryLog() Job {
	if e.retries || !e.onDisk() || e.log.Status().Err == nil {
		return nil
	}
	e.retries = true
	log := e.log // it may be another session's when the time comes
	return func() Result {
		time.Sleep(LogRetryEvery)
		_ = log.Retry() // its status tells
		return Result{Apply: func() Outcome {
			e.retries = false
			return Outcome{}
		}}
	}
}

// leave returns a job that closes the log of a session that goes on elsewhere, once it is
// whole on disk. It waits for the disk, and nobody waits for it.
func (e *Engine) leave(w *journal.Writer) Job {
	e.former = append(e.former, w)
	return e.closing(w)
}

func (e *Engine) closing(w *journal.Writer) Job {
	return func() Result {
		if errors.Is(w.Retry(), journal.ErrKept) {
			time.Sleep(LogRetryEvery)
			return Result{Again: e.closing(w)}
		}
		err := w.Close()
		return Result{Apply: func() Outcome {
			e.former = slices.DeleteFunc(e.former, func(x *journal.Writer) bool { return x == w })
			if err != nil && !errors.Is(err, journal.ErrMemory) {
				e.lost = fmt.Errorf("close the former session's log: %w", err)
			}
			return Outcome{}
		}}
	}
}
