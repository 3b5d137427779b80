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
	var entries []journal.Entry
	for _, ev := range events {
		kind, data, durable, err := session.Encode(ev)
		if err != nil {
			e.logErr = err
			continue
		}
		if durable {
			entries = append(entries, journal.Entry{Kind: kind, Data: data})
		}
	}
	if len(entries) == 0 {
		return
	}
	if e.log == nil {
		e.held = append(e.held, entries)
		if !worthKeeping(events) {
			return // an untouched session leaves no file
		}
		e.create(e.id(events))
		for _, entries := range e.held {
			e.append(entries)
		}
		e.held = nil
		return
	}
	e.append(entries)
}

// worthKeeping reports whether events hold something that a person did.
func worthKeeping(events []session.Event) bool {
	return slices.ContainsFunc(events, func(ev session.Event) bool {
		switch ev.(type) {
		case session.SessionOpened, session.Noted, session.Refused:
			return false
		}
		return true
	})
}

func (e *Engine) append(entries []journal.Entry) {
	_, err := e.log.Append(e.opt.Now(), entries)
	if err == nil {
		err = e.log.Status().Err
	}
	if errors.Is(err, journal.ErrMemory) && e.noFile != nil {
		err = e.noFile
	}
	e.logErr = err
}

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
			e.log = w
			return
		}
		e.noFile = fmt.Errorf("create the session's log: %w", err)
	}
	e.log = journal.Memory(h)
}

// LogRetryEvery is how often waiting lines are tried again.
const LogRetryEvery = 2 * time.Second

// retryLog returns a job that tries the waiting lines again, unless one is under way.
func (e *Engine) retryLog() Job {
	hopeless := errors.Is(e.logErr, journal.ErrClosed) || errors.Is(e.logErr, journal.ErrMemory) || e.noFile != nil
	waits := e.log != nil && e.logErr != nil && !hopeless
	if e.retries || !waits && len(e.former) == 0 {
		return nil
	}
	e.retries = true
	return func() Result {
		time.Sleep(LogRetryEvery)
		return Result{Apply: func() Outcome {
			e.retries = false
			former := e.former
			e.former = nil
			for _, w := range former {
				e.leave(w)
			}
			if e.log != nil && e.logErr != nil { // it may be another session's by now
				e.logErr = e.log.Retry()
			}
			return Outcome{}
		}}
	}
}

// leave closes the log of a session that goes on elsewhere, once it is whole on disk.
func (e *Engine) leave(w *journal.Writer) {
	if errors.Is(w.Retry(), journal.ErrKept) {
		e.former = append(e.former, w)
		return
	}
	if err := w.Close(); err != nil && e.logErr == nil {
		e.logErr = fmt.Errorf("close the former session's log: %w", err)
	}
}
