package session

import (
	"strconv"
	"strings"

	"baton/queue"
)

var _ = durable[RowQueued]("row.queued", "a row entered the queue")

// RowQueued puts a row into the queue.
type RowQueued struct {
	Row   queue.Row `json:"row"`
	Index int       `json:"index"`
}

func (e RowQueued) apply(s *State) {
	s.Queue, _ = s.Queue.Insert(e.Index, e.Row)
	if n, ok := strings.CutPrefix(string(e.Row.ID), s.Session+"."); ok {
		if n, err := strconv.Atoi(n); err == nil {
			s.Next = max(s.Next, n+1)
		}
	}
}

var _ = durable[RowEdited]("row.edited", "a person saved a new text for a row; a generated row becomes theirs")

// RowEdited replaces a row's content in its place.
type RowEdited struct {
	Row queue.Row `json:"row"`
}

func (e RowEdited) apply(s *State) { s.Queue, _ = s.Queue.Replace(e.Row) }

var _ = durable[RowMoved]("row.moved", "a row changed its place")

// RowMoved puts a row at another index.
type RowMoved struct {
	Row queue.ID `json:"row"`
	To  int      `json:"to"`
}

func (e RowMoved) apply(s *State) { s.Queue, _ = s.Queue.Move(e.Row, e.To) }

var _ = durable[RowsRemoved]("row.removed", "rows left the queue unsent")

// RowsRemoved takes rows out of the queue.
type RowsRemoved struct {
	Rows []queue.ID `json:"rows"`
}

func (e RowsRemoved) apply(s *State) {
	for _, id := range e.Rows {
		s.Queue, _ = s.Queue.Remove(id)
	}
}

var _ = durable[RowPromoted]("row.promoted", "a row left the queue to become the turn's prompt; always beside its turn.started")

// RowPromoted takes the row whose turn starts out of the queue.
type RowPromoted struct {
	Row  queue.ID `json:"row"`
	Turn TurnID   `json:"turn"`
}

func (e RowPromoted) apply(s *State) {
	s.Queue, _ = s.Queue.Remove(e.Row)
	s.unmark(e.Row)
}

func (s *State) unmark(id queue.ID) {
	if s.Mark.Row == id {
		s.Mark = Mark{}
	}
}

var _ = durable[RowMarked]("row.marked", "a row was promised to be sent next; an empty row takes the promise back")

// RowMarked sets or, when empty, drops the mark "sending next".
type RowMarked struct {
	Mark Mark `json:"mark,omitzero"`
}

func (e RowMarked) apply(s *State) { s.Mark = e.Mark }

var _ = durable[GateChanged]("gate.changed", "the reasons that hold the queue, all of them, after the change")

// GateChanged replaces the gate.
type GateChanged struct {
	Gate Gate `json:"gate"`
}

func (e GateChanged) apply(s *State) { s.Gate = e.Gate }

var _ = durable[DueChanged]("due.changed", "whether a promotion waits for the editor or a pause alone")

// DueChanged sets or clears the due promotion.
type DueChanged struct {
	Due bool `json:"due"`
}

func (e DueChanged) apply(s *State) { s.Due = e.Due }
