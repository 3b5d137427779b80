package session

import "baton/queue"

// Effect is something the shell must do after the events are recorded and drawn.
type Effect interface{ effect() }

type (
	// Prepare reads the attachments; the answer is Prepared or Unprepared with the
	// same turn id.
	Prepare struct {
		Turn        TurnID
		Attachments []queue.Attachment
	}
	// StartTurn runs a turn; what to send is Context of the new state.
	StartTurn struct{ Turn TurnID }
	// CancelTurn cancels the turn, preparation or command with this id. For a turn,
	// StopTimedOut must follow after StopWait unless it settled.
	CancelTurn struct{ Turn TurnID }
	// SkipWait ends the backoff behind the named attempt.
	SkipWait struct {
		Turn    TurnID
		Attempt int
	}
	// RunCommand runs a slash command; the answer is CommandDone with the same id.
	RunCommand struct {
		ID   TurnID
		Text string
		Row  queue.ID // "" when it was typed while idle
	}
	// Exit ends the program.
	Exit struct{}
)

func (Prepare) effect()    {}
func (StartTurn) effect()  {}
func (CancelTurn) effect() {}
func (SkipWait) effect()   {}
func (RunCommand) effect() {}
func (Exit) effect()       {}
