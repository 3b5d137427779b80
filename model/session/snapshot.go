package session

import (
	"slices"

	"baton/queue"
)

// SnapshotKind is the stable kind of a Snapshot.
const SnapshotKind = "session.snapshot"

var _ = durable[Snapshot](SnapshotKind, "how the session stood here, so that a reader may begin here; always alone in its line")

// Snapshot is the state of an idle session without its transcript. It changes nothing: a
// reader that begins with it decides as one that read everything before.
type Snapshot struct {
	Items    int           `json:"items"`            // how many came before
	Before   int64         `json:"before,omitempty"` // offset of the line of the snapshot before this one; 0 if there is none
	Refs     []Ref         `json:"refs,omitempty"`   // the texts that are left out
	Session  string        `json:"session"`
	Agent    string        `json:"agent,omitempty"`
	Next     int           `json:"next"`              // the next number for a turn or a row
	Prompts  int           `json:"prompts,omitempty"` // how many began a turn before; 0 in logs that do not count them, too
	Failed   TurnID        `json:"failed,omitempty"`  // the session stands behind the failure of this turn
	Rows     []queue.Row   `json:"rows,omitempty"`
	Gate     Gate          `json:"gate,omitzero"`
	Due      bool          `json:"due,omitempty"`
	Awaiting TurnID        `json:"awaiting,omitempty"` // the turn whose promotion was not used yet
	Editing  queue.ID      `json:"editing,omitempty"`
	Draft    *Draft        `json:"draft,omitempty"`
	Mark     Mark          `json:"mark,omitzero"`
	Undo     *Undo         `json:"undo,omitempty"`
	CarryTo  string        `json:"carry,omitempty"`
	Turns    []EarlierTurn `json:"turns,omitempty"`
}

// EarlierTurn is what the rules need of a turn whose item is not here: of the last one,
// and of those that tell whether a generated row is still of use.
type EarlierTurn struct {
	Turn        TurnID             `json:"turn"`
	Chain       TurnID             `json:"chain"`
	Outcome     Outcome            `json:"outcome"`
	Text        string             `json:"text,omitempty"` // with the attachments, for a retry: of the last turn alone
	Attachments []queue.Attachment `json:"attachments,omitempty"`
	Compact     bool               `json:"compact,omitempty"`
	Tool        bool               `json:"tool,omitempty"` // a tool was active
	Tokens      int64              `json:"tokens,omitempty"`
}

func (Snapshot) apply(*State) {}

// Snapshot returns the state without its items; false while something runs or the
// program ends.
func (s State) Snapshot() (Snapshot, bool) {
	if s.Life == nil || s.Busy() || s.Quitting {
		return Snapshot{}, false
	}
	x := Snapshot{
		Items: s.Items.Len(), Session: s.Session, Agent: s.Agent, Next: s.Next, Prompts: s.Prompts, Rows: s.Queue.Rows(), Gate: s.Gate, Due: s.Due,
		Awaiting: s.Awaiting, Editing: s.Editing, Draft: s.Draft, Mark: s.Mark, CarryTo: s.CarryTo, Turns: s.earlier(),
		Undo: s.Undo,
	}
	if l, ok := s.Life.(LifeError); ok {
		x.Failed = l.Turn
	}
	return x, true
}

// earlier lists what must be known of the turns, the newest last.
func (s State) earlier() []EarlierTurn {
	last, _ := s.LastTurn()
	need := []Turn{last}
	for _, id := range s.generated() {
		made, ok := s.Turn(id)
		if !ok {
			continue
		}
		need = append(need, made)
		if t, ok := s.answered(made.Chain); ok {
			need = append(need, t)
		}
	}
	var kept []EarlierTurn
	for _, t := range need {
		e := EarlierTurn{Turn: t.ID, Chain: t.Chain, Outcome: t.Outcome, Compact: t.Compact, Tool: len(t.Tools) > 0, Tokens: t.Tokens}
		if t.ID == last.ID {
			e.Text, e.Attachments = t.Text, t.Attachments
		}
		known := slices.ContainsFunc(kept, func(k EarlierTurn) bool { return k.Turn == e.Turn })
		if t.ID != 0 && !known {
			kept = append(kept, e)
		}
	}
	slices.SortFunc(kept, func(a, b EarlierTurn) int { return int(a.Turn - b.Turn) })
	return kept
}

// generated names the turns whose failure made a row that is in the queue or can come
// back to it.
func (s State) generated() []TurnID {
	var ids []TurnID
	for _, r := range s.Queue.Rows() {
		ids = append(ids, TurnID(r.Generated))
	}
	if s.Undo != nil {
		for _, p := range s.Undo.Rows {
			ids = append(ids, TurnID(p.Row.Generated))
		}
	}
	return ids
}

// State is the state that the snapshot was taken from, without its items; the next one
// has the index it had there.
func (x Snapshot) State(set Settings) State {
	s := New(set)
	s.Items = Items{start: x.Items, n: x.Items}
	s.Session, s.Agent, s.Next, s.Prompts, s.Gate, s.Due, s.Awaiting = x.Session, x.Agent, x.Next, x.Prompts, x.Gate, x.Due, x.Awaiting
	s.Editing, s.Draft, s.Mark, s.Undo, s.CarryTo = x.Editing, x.Draft, x.Mark, x.Undo, x.CarryTo
	s.Life = LifeReady{}
	if x.Failed != 0 {
		s.Life = LifeError{x.Failed}
	}
	for _, r := range x.Rows {
		s.Queue, _ = s.Queue.Push(r)
	}
	for _, e := range x.Turns {
		t := Turn{ID: e.Turn, Chain: e.Chain, Outcome: e.Outcome, Text: e.Text, Attachments: e.Attachments, Compact: e.Compact, Tokens: e.Tokens}
		if e.Tool {
			t.Tools = []ToolPart{{}}
		}
		s.older = append(s.older, t)
	}
	return s
}
