package session

import (
	"time"

	"baton/queue"
	"baton/retrypolicy"
)

// ContinueText is the text of the row that a give-up puts at the head.
const ContinueText = "Continue the current turn"

// StopWait is how long a stopped turn may stay silent before it counts as stopped.
const StopWait = 2 * time.Second

// Input is something a person did or an agent reported. Its policy is its decide
// method. The set is closed.
type Input interface {
	decide(d *decider)
}

// What a person, or the shell on their behalf, does.
type (
	// Opened is the first input of a process: what ran before is settled, nothing is sent.
	Opened struct{ Session, Agent string }
	// Submit is Enter in the composer with text.
	Submit struct{ Draft }
	// CommandDone ends a command; Why is empty when it succeeded. Carry names the new
	// session that takes the rows over, for a command that opens one. Leave says that
	// the program goes on in another session: the rows stay, and none starts.
	CommandDone struct {
		ID    TurnID
		Why   string
		Carry string
		Leave bool
	}
	// BeginEdit opens a row in the editor.
	BeginEdit struct{ Row queue.ID }
	// EndEdit closes the editor: with Save the draft becomes the row's text, without
	// it the edit goes to the undo slot.
	EndEdit struct {
		Row   queue.ID
		Save  bool
		Draft Draft
	}
	// KeepEdit says what stands in the editor of a row, so that it outlives a crash.
	KeepEdit struct {
		Row   queue.ID
		Draft Draft
	}
	// RemoveRow takes a row out of the queue. Draft is what stands in the editor if
	// the row is open.
	RemoveRow struct {
		Row   queue.ID
		Draft *Draft
	}
	// MoveRow puts a row at another index. With Closed, a row that is open in the editor
	// stays where it is.
	MoveRow struct {
		Row    queue.ID
		To     int
		Closed bool
	}
	// ClearRows takes all rows out. Draft is what stands in the editor, if one is open.
	ClearRows struct{ Draft *Draft }
	// UndoLast brings back what was discarded last.
	UndoLast struct{}
	// Play starts the head of the queue while idle.
	Play struct{}
	// SendNow starts a row ahead of the others. Turn is the work that was on screen,
	// 0 for none. Confirmed is set once the person agreed to stop a turn whose tools ran.
	SendNow struct {
		Row       queue.ID
		Turn      TurnID
		Confirmed bool
	}
	// SetPaused holds or releases the queue.
	SetPaused struct{ On bool }
	// Stop stops the work that was on screen.
	Stop struct{ Turn TurnID }
	// StopTimedOut says a stopped turn stayed silent for StopWait.
	StopTimedOut struct{ Turn TurnID }
	// Retry runs the last unsuccessful turn again. Confirmed is set once the person
	// agreed to repeat a turn whose tools ran.
	Retry struct {
		Turn      TurnID
		Confirmed bool
	}
	// RetryNow ends the backoff that was on screen. Confirmed is set once the person
	// agreed to ask before the server's own time.
	RetryNow struct {
		Turn      TurnID
		Attempt   int
		At        time.Time
		Confirmed bool
	}
	// AgentChanged says later turns go elsewhere.
	AgentChanged struct{ Agent string }
	// Note puts a line into the transcript.
	Note struct{ Text string }
	// Prepared says the attachments were read; sizes and sums are filled in.
	Prepared struct {
		Turn        TurnID
		Attachments []queue.Attachment
	}
	// Unprepared says an attachment could not be read.
	Unprepared struct {
		Turn TurnID
		Why  string // "missing notes.png"
	}
	// Quit ends the program, after a stop if a turn runs. Draft is what stands in the
	// editor, if a row is open.
	Quit struct{ Draft *Draft }
)

// What the agent client reports. Each carries the turn and attempt it is about;
// if that is not the running one it changes nothing.
type (
	// AttemptStarted opens an attempt.
	AttemptStarted struct {
		Turn TurnID
		N    int
	}
	// PhaseChanged says where the attempt stands.
	PhaseChanged struct {
		Turn  TurnID
		N     int
		Phase Phase
	}
	// Delta is streamed text. With no text it only asks to record what is unsaved.
	Delta struct {
		Turn            TurnID
		N               int
		Text, Reasoning string
		At              time.Time
	}
	// ToolActivity says a tool part was created or updated.
	ToolActivity struct {
		Turn TurnID
		N    int
		Part ToolPart
	}
	// RetryScheduled says an attempt failed and another follows.
	RetryScheduled struct {
		Turn    TurnID
		N, Max  int
		Delay   time.Duration
		Due     time.Time
		Hint    retrypolicy.Hint
		Attempt Attempt
	}
	// RetryStarted says the wait is over.
	RetryStarted struct {
		Turn   TurnID
		N      int
		Waited time.Duration
	}
	// Ready says the turn succeeded.
	Ready struct {
		Turn     TurnID
		N        int
		Cut      bool
		Tokens   int64
		Attempts []Attempt
	}
	// GaveUp says the turn failed for good. Until is set if the server named a time.
	GaveUp struct {
		Turn      TurnID
		N, Max    int
		Exhausted bool
		Cause     Cause
		Until     time.Time
		Attempts  []Attempt
	}
	// StoppedByClient says the person's stop took effect.
	StoppedByClient struct {
		Turn     TurnID
		Attempts []Attempt
	}
	// Promote passes the baton after Ready of the same turn.
	Promote struct{ Turn TurnID }
)

// Refusal names why an input changed nothing.
type Refusal string

// The refusals.
const (
	NotOpen      Refusal = "not open"
	RefusedFull  Refusal = "full"
	RefusedBlank Refusal = "blank"
	RefusedLong  Refusal = "too long"
	RefusedGone  Refusal = "gone"   // the row is not in the queue any more
	RefusedLock  Refusal = "locked" // the row is being prepared or run
	RefusedOpen  Refusal = "open"   // an editor is open
	RefusedBusy  Refusal = "busy"
	RefusedIdle  Refusal = "idle" // there is nothing to do it to
	RefusedStale Refusal = "stale"
	// RefusedCommand: it is a command that can never succeed, or one with files.
	RefusedCommand Refusal = "command"
	// RefusedReadOnly: another process has the session, or its file may not be written.
	RefusedReadOnly Refusal = "read only"
	NeedsConsent    Refusal = "consent" // the same input, confirmed, will do it
)
