package agentclient

import (
	"time"

	"baton/retrypolicy"
)

// News is what happened to a turn, in order. The set is closed.
type News interface {
	news()
	// About names the turn the news belongs to.
	About() TurnID
}

// TurnID is the caller's id of a turn.
type TurnID int

// Cause is a classified failure of one attempt, ready for people: one line,
// redacted, at most 300 cells.
type Cause struct {
	Kind      retrypolicy.Kind
	Status    int    // 0 when the server gave none
	Code      string // the error's own code, or ""
	Message   string // what happened
	NextStep  string // what the person can do, or ""
	RequestID string
}

// Attempt is the receipt of one finished attempt.
type Attempt struct {
	N         int // 1-based, counted over the whole turn
	Started   time.Time
	FirstByte time.Duration // since Started; 0 when no byte came
	Took      time.Duration
	Bytes     int64 // visible and reasoning bytes received; discarded when it failed
	Cause     Cause // zero for the attempt that succeeded
	Hint      retrypolicy.Hint
	Delay     time.Duration // wait asked before the next attempt; 0 when none followed
	Waited    time.Duration // wait taken
}

// The news of a turn.
type (
	// AttemptStarted opens an attempt; N counts from 1.
	AttemptStarted struct {
		Turn TurnID
		N    int
	}
	// PhaseChanged says where the running attempt stands.
	PhaseChanged struct {
		Turn  TurnID
		N     int
		Phase Phase
	}
	// Delta is streamed text, reasoning, or (both empty) a sign of life.
	Delta struct {
		Turn            TurnID
		N               int
		Text, Reasoning string
	}
	// ToolActivity says a tool part was created or updated; the attempt will not be
	// retried automatically any more.
	ToolActivity struct {
		Turn TurnID
		N    int
		Part ToolPart
	}
	// RetryScheduled says attempt N failed and another follows at Due.
	RetryScheduled struct {
		Turn    TurnID
		N       int // the attempt that failed
		Max     int // attempts allowed
		Delay   time.Duration
		Due     time.Time
		Hint    retrypolicy.Hint // what the server asked, if anything
		Cause   Cause
		Attempt Attempt
	}
	// RetryStarted says the wait is over; AttemptStarted follows.
	RetryStarted struct {
		Turn   TurnID
		N      int // the attempt that starts now
		Waited time.Duration
	}
	// Ready says the turn succeeded.
	Ready struct {
		Turn     TurnID
		N        int
		Finish   Finish
		Attempts []Attempt
	}
	// Promote lets the next row start. It follows Ready of the same turn and nothing else.
	Promote struct{ Turn TurnID }
	// GaveUp says the turn failed for good.
	GaveUp struct {
		Turn      TurnID
		N         int
		Max       int
		Exhausted bool // attempts ran out, rather than a failure not worth repeating
		Cause     Cause
		Hint      retrypolicy.Hint // with Until when the server named a time
		Attempts  []Attempt
	}
	// Stopped says the person's stop took effect.
	Stopped struct {
		Turn     TurnID
		N        int
		Attempts []Attempt
	}
)

func (AttemptStarted) news() {}
func (PhaseChanged) news()   {}
func (Delta) news()          {}
func (ToolActivity) news()   {}
func (RetryScheduled) news() {}
func (RetryStarted) news()   {}
func (Ready) news()          {}
func (Promote) news()        {}
func (GaveUp) news()         {}
func (Stopped) news()        {}

// About names the turn the news belongs to.
func (n AttemptStarted) About() TurnID { return n.Turn }

// About names the turn the news belongs to.
func (n PhaseChanged) About() TurnID { return n.Turn }

// About names the turn the news belongs to.
func (n Delta) About() TurnID { return n.Turn }

// About names the turn the news belongs to.
func (n ToolActivity) About() TurnID { return n.Turn }

// About names the turn the news belongs to.
func (n RetryScheduled) About() TurnID { return n.Turn }

// About names the turn the news belongs to.
func (n RetryStarted) About() TurnID { return n.Turn }

// About names the turn the news belongs to.
func (n Ready) About() TurnID { return n.Turn }

// About names the turn the news belongs to.
func (n Promote) About() TurnID { return n.Turn }

// About names the turn the news belongs to.
func (n GaveUp) About() TurnID { return n.Turn }

// About names the turn the news belongs to.
func (n Stopped) About() TurnID { return n.Turn }
