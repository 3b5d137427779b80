package session

import (
	"fmt"
	"time"

	"baton/queue"
)

// Word says in a person's words how a row stands. now is only looked at to tell a
// limit that has passed; it releases nothing.
func (s State) Word(id queue.ID, now time.Time) string {
	switch {
	case id == s.Editing:
		return "editing"
	case id == s.Locked():
		if _, command := s.Life.(LifeCommand); command {
			return "running"
		}
		return "preparing"
	case id == s.Mark.Row && id != "":
		return "sending next"
	}
	if why := s.Gate.Why(id); why != "" {
		return "held: " + why
	}
	if held := s.Held(now); held != "" {
		return held
	}
	head, _ := s.Queue.Head()
	switch {
	case head.ID != id:
		return "waiting"
	case !s.Busy() && !s.Due && s.Awaiting == 0:
		return "ready: enter plays"
	}
	return "next"
}

// Held says why the queue as a whole does not move, or "".
func (s State) Held(now time.Time) string {
	g := s.Gate
	if s.turnComes() && !g.Open() && !g.Paused && !g.Restored && len(g.Blocked) == 0 {
		return "after this turn" // its success takes these reasons away
	}
	switch {
	case len(g.Blocked) > 0:
		return "held: " + g.Blocked[0].Why
	case g.Paused:
		return "held: paused"
	case g.Restored:
		return "held: restored"
	case !g.Limit.IsZero() && !now.Before(g.Limit):
		return "held: limit passed"
	case !g.Limit.IsZero():
		return "held: limit until " + Clock(g.Limit, now)
	case g.Stopped:
		return "held: you stopped"
	case g.Failed:
		return "held: last turn failed"
	}
	return ""
}

// Header says how the queue stands as a whole: how many rows, and why they do not move.
func (s State) Header(now time.Time) string {
	text := fmt.Sprintf("queue %d/%d", s.Queue.Len(), s.Queue.Cap())
	if held := s.Held(now); held != "" && s.Queue.Len() > 0 {
		text += " · " + held
	}
	return text
}

// turnComes reports whether a turn runs or is being prepared.
func (s State) turnComes() bool {
	switch s.Life.(type) {
	case LifeTurn, LifePreparing:
		return true
	}
	return false
}

// Clock writes a time the way people read it: the hour today, else with the date. It is
// rounded up to the minute, since whoever comes earlier comes too early.
func Clock(t, now time.Time) string {
	t, now = t.Add(time.Minute-1).Truncate(time.Minute).Local(), now.Local()
	if t.Year() == now.Year() && t.YearDay() == now.YearDay() {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}
