package session

import (
	"time"

	"baton/queue"
	"baton/retrypolicy"
)

// TurnID names a turn, a preparation or a command of one session. IDs count up
// from 1 and are never reused.
type TurnID int

// Lifecycle says what the session is doing. Exactly one of the types below; nil
// before the session was opened.
type Lifecycle interface {
	// Busy reports whether something runs. Input is then queued.
	Busy() bool
	// Work names what runs, for Stop and for stale news; 0 when idle.
	Work() TurnID
}

type (
	// LifeReady waits for the person.
	LifeReady struct{}
	// LifeError waits for the person after a failed turn. It accepts input exactly
	// as LifeReady does.
	LifeError struct{ Turn TurnID }
	// LifePreparing reads the attachments of a row, or of a turn that is retried.
	LifePreparing struct {
		Turn   TurnID    // the id the turn will have
		Row    queue.ID  // the row, "" for a retry
		Chain  TurnID    // the chain that is retried, 0 for a row
		Before Lifecycle // where a retry returns to when it cannot start
	}
	// LifeCommand runs a slash command.
	LifeCommand struct {
		ID     TurnID
		Name   string   // with its slash
		Row    queue.ID // "" when it was typed while idle
		Before Lifecycle
	}
	// LifeTurn runs a turn.
	LifeTurn struct {
		Turn    TurnID
		Attempt int // 1-based; 0 before the first attempt started
		Phase   Phase
		Tool    bool // a tool was active in this turn
	}
)

// Busy is false: nothing runs.
func (LifeReady) Busy() bool { return false }

// Busy is false: nothing runs.
func (LifeError) Busy() bool { return false }

// Busy is true.
func (LifePreparing) Busy() bool { return true }

// Busy is true.
func (LifeCommand) Busy() bool { return true }

// Busy is true, backoff included.
func (LifeTurn) Busy() bool { return true }

// Work is 0.
func (LifeReady) Work() TurnID { return 0 }

// Work is 0.
func (LifeError) Work() TurnID { return 0 }

// Work is the id of the turn that is prepared.
func (l LifePreparing) Work() TurnID { return l.Turn }

// Work is the id of the command.
func (l LifeCommand) Work() TurnID { return l.ID }

// Work is the id of the turn.
func (l LifeTurn) Work() TurnID { return l.Turn }

// Phase says where a running turn stands. Exactly one of the types below.
type Phase interface{ phase() }

type (
	// Connecting opens a connection or starts an agent.
	Connecting struct{}
	// Waiting has sent the request and got nothing yet.
	Waiting struct{}
	// Streaming receives the answer.
	Streaming struct{}
	// ToolRunning waits for a tool of the agent.
	ToolRunning struct{}
	// Approval waits for the person's consent.
	Approval struct{}
	// Backoff waits before the next attempt.
	Backoff struct {
		Failed int // the attempt that failed
		Max    int // attempts allowed
		Delay  time.Duration
		Due    time.Time
		Hint   retrypolicy.Hint
		Cause  Cause
	}
	// Stopping was told to stop and has not settled yet. Open says that nothing held
	// the queue when the stop came.
	Stopping struct{ Open bool }
)

func (Connecting) phase()  {}
func (Waiting) phase()     {}
func (Streaming) phase()   {}
func (ToolRunning) phase() {}
func (Approval) phase()    {}
func (Backoff) phase()     {}
func (Stopping) phase()    {}
