package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"baton/model/journal"
	"baton/model/session"
	"baton/queue"
)

// NewSession ends the command that runs by opening a new session that takes the
// waiting rows over. At each instant the rows are in exactly one of the two logs: they
// belong to the new one from the moment its first batch exists.
func (e *Engine) NewSession() Outcome {
	if e.follow != nil { // the rows are another process's
		return e.startAnew()
	}
	l, _ := e.state.Life.(session.LifeCommand)
	if e.state.Editing != "" { // it was opened while the command was on its way
		return e.Step(session.CommandDone{ID: l.ID, Why: "a row is open in the editor"})
	}
	name, err := journal.NewID(e.opt.Now(), e.opt.Random)
	if err != nil {
		return e.Step(session.CommandDone{ID: l.ID, Why: fmt.Sprintf("cannot name a session: %v", err)})
	}
	queued := l.Row != ""
	waiting := e.state.Queue.Len()
	if queued {
		waiting--
	}
	if waiting > 0 && e.unsaved() {
		return e.stay(l, cannotSave(waiting))
	}
	if why := e.losing(); why != "" {
		return e.stay(l, why)
	}
	first := e.Step(session.CommandDone{ID: l.ID, Carry: name})
	point("carry", "announced")
	if waiting > 0 && e.unsaved() { // by what was announced they are still here
		first.Said = cannotSave(waiting)
		return first
	}
	adopt := session.Adopt{Session: name, Agent: Name(e.agent.Info()), Rows: foreign(e.state.Queue.Rows()), Paused: e.state.Gate.Paused, Open: queued}

	old := e.clear()
	e.from = old.state.Session
	out := e.Step(adopt)
	point("carry", "adopted")
	if len(adopt.Rows) > 0 && e.log.Status().Unsaved == 0 {
		old.Step(session.Carried{})
	}
	if old.log != nil {
		out.Jobs = append(out.Jobs, e.leave(old.log))
	}
	return first.Join(out)
}

// unsaved reports whether the session's file lacks lines that it does not take. Rows that went to another session's file
// meanwhile would stand in both after a crash.
func (e *Engine) unsaved() bool { return e.onDisk() && e.log.Retry() != nil }

func cannotSave(rows int) string {
	return plural(rows, "row waits", "rows wait") + " here, and this session cannot be saved: send or remove what waits first"
}

// plural is a number of things, with the verb that fits it.
func plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// clear puts the engine before its first input, as for another session, and returns what it
// was. Agent and breakers belong to the process and stay.
func (e *Engine) clear() (old Engine) {
	old = *e
	e.log, e.held, e.from, e.run, e.work = nil, nil, "", nil, map[session.TurnID]context.CancelFunc{}
	e.noFile, e.damage, e.files = nil, "", newFiles()
	e.past, e.older, e.reading, e.unread = past{}, &remembered{}, false, false
	e.snapped, e.due, e.texts, e.follow = 0, SnapshotEvery, textPlaces{}, nil
	e.state = session.New(e.opt.Settings)
	return old
}

// foreign takes the number of a turn off generated rows: in another session it would
// name another turn, whose success must not remove them.
func foreign(rows []queue.Row) []queue.Row {
	for i := range rows {
		if rows[i].Generated != 0 {
			rows[i].Generated = -1
		}
	}
	return rows
}

// finishCarry settles a carry that a crash cut short.
func (e *Engine) finishCarry() {
	to := e.state.CarryTo
	if to == "" {
		return
	}
	kept, err := journal.Head(e.opt.Dir, to, openBytes)
	if err == nil && len(kept.Batches) == 0 { // the rows of the first batch may be long
		kept, err = journal.Head(e.opt.Dir, to, journal.MaxLine)
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, journal.ErrEmpty) || len(kept.Batches) == 0 && (err == nil || errors.Is(err, journal.ErrHeader)) {
		return // the new session never came to be: the rows are still here
	}
	// A session that cannot be read may hold them: rows in two places would be sent twice.
	adopted := err != nil || slices.ContainsFunc(kept.Batches[0].Entries, func(en journal.Entry) bool { return en.Kind == "row.queued" })
	if adopted {
		point("carry", "finishing")
		e.Step(session.Carried{})
	}
}
