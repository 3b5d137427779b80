package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"baton/model"
	"baton/model/catalog"
	"baton/model/command"
	"baton/model/engine"
	"baton/model/journal"
	"baton/model/outside"
	"baton/ui/sanitize"
)

// queueTarget is the chat or the session that is asked.
type queueTarget struct {
	*app
	s       *setup
	session string
	path    string // of the chat's socket, "" if nobody has the session open
}

// target names the session that is meant.
func (q *queueing) target(ctx context.Context, s *setup) (queueTarget, error) {
	chats := outside.Chats(ctx, outside.PlacesOf(q.Env, s.conf.StateDir))
	var holders []outside.Reached
	for _, c := range chats {
		if c.ReadOnly == "" { // those that only show a session are not asked
			holders = append(holders, c)
		}
	}
	at := func(id string) queueTarget {
		t := queueTarget{app: q.app, s: s, session: id}
		for _, c := range holders {
			if c.Session == id && c.Err == nil {
				t.path = c.Path
			}
		}
		return t
	}
	if q.session != "" {
		id, err := q.named(ctx, s, holders)
		return at(id), err
	}
	switch {
	case len(holders) == 1 && holders[0].Err == nil:
		return at(holders[0].Session), nil
	case len(holders) == 1:
		return queueTarget{}, failure("", "process %d: %w", holders[0].PID, holders[0].Err)
	case len(holders) > 1:
		q.running(ctx, s.sessions(), holders)
		return queueTarget{}, usage("name one with --session", "%d chats run", len(holders))
	}
	id, err := q.latest(s.sessions())
	return at(id), err
}

// named finds the session that --session means among those that run and those that were kept.
func (q *queueing) named(ctx context.Context, s *setup, holders []outside.Reached) (string, error) {
	const next = "baton sessions list names those there are"
	if strings.ContainsAny(q.session, `/\`) || strings.TrimSpace(q.session) == "" {
		return "", usage(next, "%q is not the name of a session", q.session)
	}
	kept, err := journal.List(s.sessions())
	if err != nil {
		return "", failure("", "cannot look for sessions: %w", err)
	}
	var ids []string
	for _, c := range holders {
		ids = append(ids, c.Session)
	}
	for _, f := range kept {
		ids = append(ids, f.ID)
	}
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return !strings.HasPrefix(id, q.session) })
	switch {
	case slices.Contains(ids, q.session):
		return q.session, nil
	case len(ids) == 1:
		return ids[0], nil
	case len(ids) > 1:
		for _, id := range ids[:min(len(ids), shownCandidates)] {
			fmt.Fprintln(q.Stderr, id)
		}
		return "", usage("give more of it", "%d sessions begin with %s", len(ids), q.session)
	}
	found, err := catalog.Find(ctx, s.sessions(), q.session)
	switch {
	case err != nil:
		return "", failure("", "%w", err)
	case len(found) == 0:
		return "", failure(next, "there is no session %q, and none has these words", q.session)
	case len(found) > 1:
		q.candidates(found)
		return "", usage("name one of them", "%d sessions can be meant", len(found))
	}
	return found[0].ID, nil
}

// running lists the chats that run, with what tells people which is which.
func (q *queueing) running(ctx context.Context, dir string, chats []outside.Reached) {
	for _, c := range chats {
		state := "idle"
		if c.Busy {
			state = "busy"
		}
		if c.Err != nil {
			fmt.Fprintf(q.Stderr, "%-20s  process %d  does not answer\n", "?", c.PID)
			continue
		}
		fmt.Fprintf(q.Stderr, "%-20s  process %d  %s  %d waiting  %s\n", c.Session, c.PID, state, c.Rows, titleOf(ctx, dir, c.Session))
	}
}

// titleOf is what people know a session by. One without a prompt has no file yet, and one of another state directory has
// it elsewhere.
func titleOf(ctx context.Context, dir, id string) string {
	for _, i := range catalog.Latest(ctx, dir, id, 1) {
		if i.Title != "" {
			return sanitize.TruncateWords(i.Title, titleCells)
		}
	}
	return "(no prompt yet)"
}

// parked opens a session that nobody has open. Which agents there will be when it is taken up is not known: flags may
// bring others. So a command is refused for its own words alone.
func (t queueTarget) parked() engine.Options {
	o := t.s.engineOptions(t.Version, nil)
	names := newAgents(t.s.conf, nil).names()
	o.Check = func(text string, here engine.Here) error {
		return command.Check(command.World{Agents: names, Turns: here.Turns}, text)
	}
	return o
}

// ask asks the running chat, or does it in the session's file.
func (t queueTarget) ask(ctx context.Context, req outside.Request, each func(outside.Reply)) error {
	req.Session = t.session
	if t.path != "" {
		return outside.Ask(ctx, t.path, req, each)
	}
	if req.Do == outside.List {
		state, _, err := engine.Peek(t.s.sessions(), t.session)
		if err != nil {
			return unreadable(t.session, err)
		}
		state.Session = t.session
		each(outside.Reply{Kind: outside.Told, Queue: outside.Standing(engine.AsTakenUp(state), time.Now(), false)})
		return nil
	}
	e, err := engine.Parked(t.parked(), t.session)
	switch {
	case errors.Is(err, journal.ErrLocked):
		return failure("wait until it ends, or use the queue there", "%w, and cannot be reached", err)
	case err != nil:
		return unreadable(t.session, err)
	}
	if req.Do == outside.Add || req.Do == outside.Edit {
		model.SpareDrafts(t.s.private(), e.State(), req.Text, time.Now())
	}
	rep := outside.Parked(e, time.Now).Do(req)
	if err := e.Close(); err != nil {
		return failure("nothing of this may have been kept", "%w", err)
	}
	each(rep)
	return nil
}
