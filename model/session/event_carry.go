package session

import "baton/queue"

var _ = durable[CarryStarted]("carry.started", "the rows go to a new session; they are there if that session's first batch exists, else still here")

// CarryStarted announces that the rows move to another session.
type CarryStarted struct {
	To string `json:"to"`
}

func (e CarryStarted) apply(s *State) { s.CarryTo = e.To }

var _ = durable[RowsCarried]("rows.carried", "the rows stand in the other session now")

// RowsCarried empties the queue whose rows another session has.
type RowsCarried struct {
	To string `json:"to"`
}

func (e RowsCarried) apply(s *State) {
	for _, r := range s.Queue.Rows() {
		s.Queue, _ = s.Queue.Remove(r.ID)
	}
	s.CarryTo = ""
}

// Carried says the other session holds the rows.
type Carried struct{}

func (in Carried) decide(d *decider) {
	if d.s.CarryTo != "" {
		d.emit(RowsCarried{d.s.CarryTo})
	}
}

// Adopt is the first input of a session that takes over rows. Open says that they
// come with a queued command, which hands the baton on; else they are held.
type Adopt struct {
	Session, Agent string
	Rows           []queue.Row
	Paused, Open   bool
}

func (in Adopt) decide(d *decider) {
	d.emit(SessionOpened{Session: in.Session, Agent: in.Agent})
	for _, r := range in.Rows {
		d.emit(RowQueued{Row: r, Index: d.s.Queue.Len()})
	}
	if len(in.Rows) > 0 {
		g := d.s.Gate
		g.Paused, g.Restored = in.Paused, !in.Open
		d.gate(g)
	}
	if in.Open {
		d.pass()
	}
}
