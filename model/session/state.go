package session

import (
	"iter"
	"slices"

	"baton/queue"
)

// Settings are the choices that steer the rules. They are not recorded.
type Settings struct {
	Rows  int  // capacity of the queue, 1 to queue.MaxRows; 0 means the most
	Drain bool // queue.after_stop = "drain"
}

// Mark is the promise "sending next": when Turn settles, Row starts.
type Mark struct {
	Row  queue.ID `json:"row,omitempty"`
	Turn TurnID   `json:"turn,omitempty"`
}

// State is everything the rules look at. It is a value: Apply returns a new one
// and leaves the old one untouched.
type State struct {
	Settings Settings
	Session  string
	Next     int // the next number for a turn or a row
	Prompts  int // how many prompts began a turn, with those before the window of Items
	Life     Lifecycle
	Queue    queue.List
	Gate     Gate
	Due      bool     // a promotion waits for the editor or a pause alone
	Awaiting TurnID   // the succeeded turn whose Promote has not come yet
	Editing  queue.ID // the row open in the editor, "" for none
	Draft    *Draft   // what an undo brought into the editor; never changed in place
	Mark     Mark
	Undo     *Undo // never changed in place
	Items    Items
	Agent    string // as last switched to, for people
	Quitting bool
	CarryTo  string // the session that is taking the rows over, "" for none
	live     live
	older    []Turn // what the rules need of turns before Items, the newest last; see Snapshot
}

// New returns the state before Opened.
func New(set Settings) State {
	s := State{Settings: set, Next: 1}
	if set.Rows > 0 {
		s.Queue = queue.WithCap(set.Rows)
	}
	return s
}

// Busy reports whether something runs.
func (s State) Busy() bool { return s.Life != nil && s.Life.Busy() }

// Work names what runs; 0 when idle.
func (s State) Work() TurnID {
	if s.Life == nil {
		return 0
	}
	return s.Life.Work()
}

// Running returns the running turn's lifecycle if a turn runs.
func (s State) Running() (LifeTurn, bool) {
	l, ok := s.Life.(LifeTurn)
	return l, ok
}

// LiveText is the visible text of the running attempt so far.
func (s State) LiveText() string { return s.live.text.String() }

// LiveReasoning is the reasoning of the running attempt so far.
func (s State) LiveReasoning() string { return s.live.reasoning.String() }

// LastTurn returns the newest turn. Of one that stands before the window of Items it has
// what a Snapshot keeps.
func (s State) LastTurn() (Turn, bool) {
	for t := range s.turns() {
		return *t, true
	}
	return Turn{}, false
}

// Turn returns a turn by id. Of those before the window of Items it knows the ones that
// the rules need, with what a Snapshot keeps of them.
func (s State) Turn(id TurnID) (Turn, bool) {
	for t := range s.turns() { // the newest is wanted nearly always
		if t.ID == id {
			return *t, true
		}
	}
	return Turn{}, false
}

// turns yields what is known of all turns, the newest first.
func (s State) turns() iter.Seq[*Turn] {
	return func(yield func(*Turn) bool) {
		for _, it := range s.Items.Back() {
			if it.Turn != nil && !yield(it.Turn) {
				return
			}
		}
		for i := range slices.Backward(s.older) {
			if !yield(&s.older[i]) {
				return
			}
		}
	}
}

// answered returns the turn of a chain that succeeded.
func (s State) answered(chain TurnID) (Turn, bool) {
	for t := range s.turns() {
		if t.Chain == chain && t.Outcome == Succeeded {
			return *t, true
		}
	}
	return Turn{}, false
}

func (s State) itemOf(id TurnID) int {
	for i, it := range s.Items.Back() { // the newest is wanted nearly always
		if it.Turn != nil && it.Turn.ID == id {
			return i
		}
	}
	return -1
}

// Locked returns the row that is being prepared or run as a command, or "".
func (s State) Locked() queue.ID {
	switch l := s.Life.(type) {
	case LifePreparing:
		return l.Row
	case LifeCommand:
		return l.Row
	}
	return ""
}

// setTurn replaces a turn in a copy of the items. A turn whose start lies before the
// part of the log that is read has what its later events say, and no user row.
func (s *State) setTurn(id TurnID, change func(*Turn)) {
	i := s.itemOf(id)
	if i < 0 {
		i = s.Items.Len()
		s.Items = s.Items.Append(Item{Turn: &Turn{ID: id}})
	}
	t := *s.Items.At(i).Turn
	change(&t)
	s.Items = s.Items.Set(i, Item{Turn: &t})
}
