package cli

import (
	"fmt"
	"slices"

	"baton/model/session"
	"baton/queue"
)

// plan is what a headless run begins with. The given prompts come behind it.
type plan struct {
	retry     session.TurnID // the turn to run again first, 0 for none
	play      bool           // rows wait, to be let go on once what runs before them has succeeded
	continues bool
}

// planOf decides where a session goes on: with its last turn, if that failed or died with
// the program, and then with the rows. A turn that the person stopped stays stopped. It
// refuses prompts that do not fit, what the person holds on purpose, and a session with
// parts that cannot be read: what was lost may be that a row was sent.
func planOf(s session.State, given []session.Draft, continues, damaged bool) (plan, error) {
	p := plan{continues: continues}
	if !continues {
		return p, nil
	}
	if damaged {
		return p, failure("baton resume "+s.Session+" shows what is there, and what you play there is sent",
			"nothing was sent: parts of session %s cannot be read, and what waits may have been sent already", s.Session)
	}
	waiting := s.Queue.Len()
	if last, ok := s.LastTurn(); ok && (last.Outcome == session.Failed || last.Outcome == session.Stopped && last.Interrupted) {
		p.retry = last.ID
	}
	p.play = waiting > 0
	if last, _ := s.LastTurn(); p.retry != 0 && slices.ContainsFunc(last.Tools, mayHaveRun) {
		return p, failure("baton resume "+s.Session+", where ctrl+y sends it again", "nothing was sent: a tool ran in the last turn of session %s, and may run again", s.Session)
	}
	if p.play && s.Gate.Paused {
		return p, failure("baton resume "+s.Session+", and p in the queue lets it go on", "nothing was sent: the queue of session %s is paused", s.Session)
	}
	if len(given) > p.room(s) {
		return p, usage("baton run --continue without prompts sends those first", "%s in session %s, so %d more do not fit: %d can",
			counted(waiting, "waits", "wait"), s.Session, len(given), p.room(s))
	}
	return p, nil
}

// mayHaveRun reports whether a tool was more than asked for. One that the model only asks
// for is for its client to run, and this one has none.
func mayHaveRun(t session.ToolPart) bool { return t.Status != "asked" }

// room is how many prompts can be added.
func (p plan) room(s session.State) int {
	free := queue.MaxRows - s.Queue.Len()
	head, _ := s.Queue.Head()
	switch {
	case p.retry == 0 && p.play && !head.Command && len(head.Attachments) == 0, // leaves the queue at once
		p.retry == 0 && !p.play: // the first of the given is sent at once
		return free + 1
	}
	return free
}

// nothing says why there is nothing to go on with, "" if there is something.
func (p plan) nothing(s session.State, given int) string {
	if !p.continues || p.retry != 0 || p.play || given > 0 {
		return ""
	}
	last, ok := s.LastTurn()
	switch {
	case !ok:
		return fmt.Sprintf("there is nothing to go on with: session %s is empty", s.Session)
	case last.Outcome == session.Stopped:
		return fmt.Sprintf("there is nothing to go on with: the last turn of session %s was stopped, and nothing waits · baton resume %s, where ctrl+y sends it again", s.Session, s.Session)
	}
	return fmt.Sprintf("there is nothing to go on with: the last turn of session %s was answered, and nothing waits", s.Session)
}
