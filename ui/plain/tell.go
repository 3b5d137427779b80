package plain

import (
	"fmt"
	"slices"
	"time"

	"baton/model/engine"
	"baton/model/session"
	"baton/queue"
)

// longWait is how long a retry has to wait for its beginning to be worth a line.
const longWait = 3 * time.Second

// tell says what an outcome was. before is the state that led to it.
func (p *program) tell(before session.State, out engine.Outcome) {
	for i, ev := range out.Events {
		var last session.Event
		if i > 0 {
			last = out.Events[i-1]
		}
		_ = p.tellBegun(ev, last, before) || p.tellTurn(ev) || p.tellSettled(ev) || p.tellRows(ev, before) || p.tellSession(ev, before)
	}
	if out.Refused != nil {
		p.say(sentenceOf(out.Refused.Text))
	}
	if out.Said != "" {
		p.say(sentenceOf(out.Said))
	}
	p.standing()
	if s := p.eng.State(); before.Busy() && !s.Busy() && !s.Quitting {
		p.say("Ready.")
	}
}

// tellBegun says what starts, and how a command ended.
func (p *program) tellBegun(ev, last session.Event, before session.State) bool {
	switch ev := ev.(type) {
	case session.TurnStarted:
		promoted, ok := last.(session.RowPromoted)
		if ok && p.seen.taking && before.Mark.Row != promoted.Row { // one that was sent starts as it was asked to
			p.seen.shifted = p.Now()
		}
		p.tellStart(ev, ok && promoted.Turn == ev.Turn)
	case session.CommandStarted:
		if ev.Row != "" {
			p.say("Starting row: " + brief(ev.Text))
		}
	case session.CommandEnded:
		if !ev.Done && ev.Why != "" {
			p.say("The command did not run: " + ev.Why)
		}
	default:
		return false
	}
	return true
}

// tellTurn says how a turn goes.
func (p *program) tellTurn(ev session.Event) bool {
	switch ev := ev.(type) {
	case session.PrepareStarted:
		p.say("Reading attached files.")
	case session.Streamed:
		p.stream(ev)
	case session.ToolSeen:
		p.flush()
		p.say(oneLine("Tool: ", ev.Part.Name, " ", ev.Part.Title, ": ", ev.Part.Status))
	case session.RetryPlanned:
		p.tellRetry(ev)
	case session.RetryBegan:
		if ev.Waited >= longWait {
			p.say(fmt.Sprintf("Trying again, attempt %d.", ev.N))
		}
	case session.StopRequested:
		p.say("Stopping.")
	default:
		return false
	}
	return true
}

func (p *program) tellStart(ev session.TurnStarted, promoted bool) {
	switch {
	case promoted:
		text := "Starting row: " + brief(ev.Text)
		if n := p.eng.State().Queue.Len(); n > 0 {
			text += "; " + waiting(n)
		}
		p.say(text)
	case ev.Chain != ev.Turn:
		p.say("Trying again: " + brief(ev.Text))
	default:
		p.say("You: " + brief(ev.Text))
	}
}

// tellRetry says that an attempt failed and when the next one comes. What the failed one
// had said so far counts no more.
func (p *program) tellRetry(ev session.RetryPlanned) {
	broke := p.answer.said
	p.answer = answer{}
	if broke {
		p.say("The answer broke off and begins anew.")
	}
	text := fmt.Sprintf("Retrying in %s: %s, attempt %d of %d", span(ev.Delay), causeOf(ev.Attempt.Cause), ev.N+1, ev.Max)
	if ev.Hint.Wait > 0 {
		text += ", the server asked to wait " + span(ev.Hint.Wait)
	}
	p.say(oneLine(text))
}

// tellSettled says how a turn ended.
func (p *program) tellSettled(ev session.Event) bool {
	switch ev := ev.(type) {
	case session.TurnSucceeded:
		p.whole(ev.Turn, ev.Answer)
		switch {
		case ev.Compact && ev.Cut:
			p.say("The summary reached the output limit and was cut off; the turns before it stay in use.")
		case ev.Compact:
			p.say("From here on the summary stands for all before it; the session keeps everything.")
		case ev.Cut:
			p.say("The answer reached the output limit and was cut off.")
		}
	case session.TurnFailed:
		p.whole(ev.Turn, ev.Lost)
		if ev.Lost != "" {
			p.say("The answer broke off.")
		}
		p.say(failure(ev))
	case session.TurnStopped:
		p.whole(ev.Turn, ev.Partial)
		if ev.Interrupted {
			p.say("Interrupted: baton ended while this turn ran. /retry runs it again.")
			break
		}
		p.say("Stopped.")
	default:
		return false
	}
	return true
}

// whole says what is left of an answer, all of it if nobody heard it come. Of one that another process gets, the end comes
// with its settlement alone.
func (p *program) whole(turn session.TurnID, text string) {
	if p.answer.turn != turn {
		p.answer = answer{turn: turn}
	}
	if p.answer.heard < len(text) {
		p.stream(session.Streamed{Turn: turn, Text: text[p.answer.heard:]})
	}
	p.flush()
	p.answer = answer{}
}

func failure(ev session.TurnFailed) string {
	next := ev.Cause.NextStep
	if next == "" {
		next = "/retry tries again"
	}
	return oneLine("Turn failed: ", ev.Cause.Line(), ", ", counted(ev.N, "attempt"), "; next: ", next)
}

// tellRows says what became of rows. Numbers are those after the outcome.
func (p *program) tellRows(ev session.Event, before session.State) bool {
	switch ev := ev.(type) {
	case session.RowQueued:
		p.tellQueued(ev.Row)
	case session.RowEdited:
		p.say(fmt.Sprintf("Row %d is now: %s", p.number(ev.Row.ID), brief(ev.Row.Text)))
	case session.RowMoved:
		if r, ok := p.eng.State().Queue.Get(ev.Row); ok {
			p.say(fmt.Sprintf("Row %d is now row %d of %d: %s", before.Queue.Index(r.ID)+1, p.number(r.ID), p.eng.State().Queue.Len(), brief(r.Text)))
		}
	case session.RowsRemoved:
		p.tellRemoved(ev.Rows, before.Queue)
	case session.RowMarked:
		if r, ok := p.eng.State().Queue.Get(ev.Mark.Row); ok {
			p.say("Sent next, once the turn has stopped: " + brief(r.Text))
		}
	case session.EditorOpened: // an undo brought an edit back, and here rows are edited in one go
		if ev.Draft != nil && !p.seen.taking {
			p.step(session.EndEdit{Row: ev.Row, Save: true, Draft: *ev.Draft})
		}
	case session.UndoUsed:
		if ev.Composer != nil {
			p.entry.unsent = append(p.entry.unsent, *ev.Composer)
			p.say("Brought back: " + brief(ev.Composer.Text) + "; /send sends it")
		}
	default:
		return false
	}
	return true
}

func (p *program) number(id queue.ID) int { return p.eng.State().Queue.Index(id) + 1 }

func (p *program) tellQueued(r queue.Row) {
	n, of := p.number(r.ID), p.eng.State().Queue.Len()
	if n == 0 || r.ID == p.eng.State().Locked() {
		return // it is on its way already, which is said
	}
	did := "Queued"
	if r.Generated != 0 {
		did = "Added"
	}
	p.say(fmt.Sprintf("%s as row %d of %d: %s", did, n, of, brief(r.Text)))
	if held := p.held(); held != "" && held == p.told.held {
		p.say("The queue is held: " + held)
	}
}

func (p *program) tellRemoved(ids []queue.ID, was queue.List) {
	switch {
	case p.told.removed:
		return
	case len(ids) > 1:
		p.say("Removed " + counted(len(ids), "row") + ".")
		return
	}
	for _, id := range ids {
		if r, ok := was.Get(id); ok {
			p.say(fmt.Sprintf("Removed row %d: %s", was.Index(id)+1, brief(r.Text)))
		}
	}
}

// tellSession says what concerns the session as a whole.
func (p *program) tellSession(ev session.Event, before session.State) bool {
	switch ev := ev.(type) {
	case session.SessionOpened:
		if ev.Session != before.Session {
			p.say("Now in session " + ev.Session + ".")
			p.recite()
		}
	case session.Noted:
		p.say(ev.Text)
	default:
		return false
	}
	return true
}

// standing says why rows wait, whether the session is being saved, and whether it can be
// changed, each when that has changed.
func (p *program) standing() {
	s, now := p.eng.State(), p.Now()
	if held := p.held(); held != p.told.held {
		p.told.held = held
		if held != "" {
			p.sayHeld()
		}
	}
	trouble := ""
	if err := p.eng.Trouble(); err != nil {
		trouble = err.Error()
	}
	if trouble != p.told.trouble {
		p.told.trouble = trouble
		if trouble == "" {
			p.say("The session is being saved again.")
		} else {
			p.say("Not saved: " + trouble)
		}
	}
	if ro := p.eng.ReadOnly(); ro != p.told.readOnly {
		p.told.readOnly = ro
		if ro != "" {
			p.say(sentenceOf(ro))
		}
	}
	p.limit = nil
	if wait := s.Gate.Limit.Sub(now); wait > 0 && !s.Gate.Limit.IsZero() {
		p.limit = time.After(wait)
	}
}

// recited is how many of the newest entries are said when a session is taken up.
const recited = 4

// recite says the end of the transcript.
func (p *program) recite() {
	items := p.eng.State().Items
	from := max(items.Start(), items.Len()-recited)
	if from > 0 {
		p.say(fmt.Sprintf("The last %d of %d entries follow; baton sessions show %s has all.", items.Len()-from, items.Len(), p.eng.Session()))
	}
	elsewhere := p.eng.ReadOnly() != ""
	for i := from; i < items.Len(); i++ {
		if t := items.At(i).Turn; t != nil && t.Outcome == session.Unsettled && !elsewhere {
			continue // it starts with this very step, which says so
		}
		for _, r := range items.At(i).Rows(i) {
			p.reciteRow(r)
		}
	}
	if l, ok := p.eng.State().Running(); ok && elsewhere {
		p.stream(session.Streamed{Turn: l.Turn, Text: p.eng.State().LiveText(), Reasoning: p.eng.State().LiveReasoning()})
	}
}

func (p *program) reciteRow(r session.Row) {
	switch r.Kind {
	case session.UserRow:
		p.say("You: " + brief(r.Text))
	case session.AgentRow:
		p.whole(-1, r.Text)
		if r.Failed {
			p.say("The answer broke off.")
		}
	case session.ReasoningRow:
	case session.ToolRow:
		p.say(oneLine(slices.Concat([]string{"Tool: ", r.Text, " "}, r.Details)...))
	case session.ErrorRow:
		p.say(oneLine(slices.Concat([]string{r.Text, "; "}, r.Details)...))
	default:
		p.say(oneLine(r.Text))
	}
}
