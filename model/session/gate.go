package session

import (
	"slices"
	"time"

	"baton/queue"
)

// Gate is the set of reasons that hold the whole queue. Open means empty. Which
// input removes which reason is the table gateRules.
type Gate struct {
	Failed   bool      `json:"failed,omitempty"`   // the last turn failed
	Stopped  bool      `json:"stopped,omitempty"`  // the person stopped the last turn
	Limit    time.Time `json:"limit,omitzero"`     // the server named a time; passing it removes nothing
	Restored bool      `json:"restored,omitempty"` // the rows come from an earlier run
	Paused   bool      `json:"paused,omitempty"`   // the person holds the queue
	Blocked  []Block   `json:"blocked,omitempty"`  // rows that cannot be sent
}

// Block says why one row cannot be sent.
type Block struct {
	Row queue.ID `json:"row"`
	Why string   `json:"why"`
}

// Open reports whether no reason is left.
func (g Gate) Open() bool {
	g.Paused = g.Paused || g.Failed || g.Stopped || g.Restored
	return !g.Paused && g.Limit.IsZero() && len(g.Blocked) == 0
}

// openBut reports whether nothing but a pause holds the queue.
func (g Gate) openBut() bool {
	g.Paused = false
	return g.Open()
}

// reason names one kind of hold in the table below.
type reason uint8

const (
	failed reason = 1 << iota
	stopped
	limit
	restored
	paused
	blocked
	allReasons = failed | stopped | limit | restored | paused | blocked
)

// releases says which reasons an input takes away. Inputs that are not listed
// take away none; that passing time is not listed is a rule, not an omission.
var releases = map[string]reason{
	"turn succeeded": failed | stopped | limit,
	"turn failed":    failed | limit, // and puts one of them in
	"play":           allReasons &^ paused,
	"send now":       allReasons &^ paused,
	"unpause":        paused,
	"queue emptied":  paused | restored | blocked,
}

// without returns the gate less the named reasons.
func (g Gate) without(r reason) Gate {
	if r&failed != 0 {
		g.Failed = false
	}
	if r&stopped != 0 {
		g.Stopped = false
	}
	if r&limit != 0 {
		g.Limit = time.Time{}
	}
	if r&restored != 0 {
		g.Restored = false
	}
	if r&paused != 0 {
		g.Paused = false
	}
	if r&blocked != 0 {
		g.Blocked = nil
	}
	return g
}

// block adds a reason for one row, in place of an older one.
func (g Gate) block(id queue.ID, why string) Gate {
	g = g.unblock(id)
	g.Blocked = append(slices.Clip(slices.Clone(g.Blocked)), Block{id, why})
	return g
}

// unblock drops the reason of one row.
func (g Gate) unblock(id queue.ID) Gate {
	var kept []Block
	for _, b := range g.Blocked {
		if b.Row != id {
			kept = append(kept, b)
		}
	}
	g.Blocked = kept
	return g
}

// Why returns what blocks a row, or "".
func (g Gate) Why(id queue.ID) string {
	for _, b := range g.Blocked {
		if b.Row == id {
			return b.Why
		}
	}
	return ""
}

// equal compares two gates.
func (g Gate) equal(h Gate) bool {
	return g.Failed == h.Failed && g.Stopped == h.Stopped && g.Limit.Equal(h.Limit) &&
		g.Restored == h.Restored && g.Paused == h.Paused && slices.Equal(g.Blocked, h.Blocked)
}
