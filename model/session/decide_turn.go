package session

import (
	"time"

	"baton/queue"
)

// PartialEvery is how often streamed text is recorded at most.
const PartialEvery = time.Second

// current returns the running turn if news about this turn and attempt may change
// it.
func (d *decider) current(id TurnID, n int) (LifeTurn, bool) {
	l, ok := d.s.Running()
	return l, ok && l.Turn == id && l.Attempt == n
}

func (in AttemptStarted) decide(d *decider) {
	// Later attempts begin with RetryStarted; a repeated report must not wipe text.
	if _, ok := d.current(in.Turn, 0); ok && in.N == 1 {
		d.emit(AttemptBegan(in))
	}
}

func (in PhaseChanged) decide(d *decider) {
	if _, ok := d.current(in.Turn, in.N); ok && !d.stopping(in.Turn) && !d.s.live.failed {
		d.emit(PhaseEntered{in.Phase})
	}
}

func (in Delta) decide(d *decider) {
	l, ok := d.current(in.Turn, in.N)
	if !ok || d.s.live.failed {
		return
	}
	if in.Text != "" || in.Reasoning != "" {
		d.emit(Streamed{in.Turn, in.Text, in.Reasoning})
		switch l.Phase.(type) {
		case Connecting, Waiting:
			d.emit(PhaseEntered{Streaming{}})
		}
	}
	if d.s.live.unsaved && !in.At.Before(d.s.live.savedAt.Add(PartialEvery)) {
		d.savePartial(in.At)
	}
}

// savePartial records what was streamed since the last record.
func (d *decider) savePartial(at time.Time) {
	l := d.s.live
	if !l.unsaved || l.failed {
		return
	}
	run, _ := d.s.Running()
	d.emit(TurnPartial{Turn: run.Turn, N: l.attempt, At: at,
		Text: l.text.from(l.savedText), Reasoning: l.reasoning.from(l.savedWhy)})
}

func (in ToolActivity) decide(d *decider) {
	if _, ok := d.current(in.Turn, in.N); ok {
		d.emit(ToolSeen(in))
	}
}

func (in RetryScheduled) decide(d *decider) {
	if _, ok := d.current(in.Turn, in.N); ok && !d.s.live.failed {
		d.savePartial(time.Time{})
		d.emit(RetryPlanned{Turn: in.Turn, N: in.N, Max: in.Max, Mode: "retry_failed", Delay: in.Delay, Due: in.Due,
			Hint: in.Hint, Attempt: in.Attempt})
	}
}

func (in RetryStarted) decide(d *decider) {
	if _, ok := d.current(in.Turn, in.N-1); ok && d.s.live.failed {
		d.emit(RetryBegan(in))
	}
}

func (in Ready) decide(d *decider) {
	if _, ok := d.current(in.Turn, in.N); !ok {
		return
	}
	stopping, drain := d.stopping(in.Turn), d.mayDrain()
	t, _ := d.s.Turn(in.Turn)
	d.emit(TurnSucceeded{Turn: in.Turn, Answer: d.s.LiveText(), Reasoning: d.s.LiveReasoning(), Cut: in.Cut, Compact: t.Compact,
		Tokens: in.Tokens, N: in.N, Max: t.Max, Attempts: in.Attempts})
	d.release("turn succeeded")
	for _, r := range d.s.Queue.Rows() {
		if r.ID != d.s.Editing && d.superseded(r) {
			d.emit(RowsRemoved{[]queue.ID{r.ID}})
		}
	}
	if stopping {
		d.afterStop(in.Turn, drain)
	}
}

// superseded reports whether a row was made by the failure of a chain that has
// succeeded since.
func (d *decider) superseded(r queue.Row) bool {
	made, ok := d.s.Turn(TurnID(r.Generated))
	if r.Generated == 0 || !ok {
		return false
	}
	_, yes := d.s.answered(made.Chain)
	return yes
}

func (in GaveUp) decide(d *decider) {
	l, ok := d.s.Running()
	if !ok || l.Turn != in.Turn || in.N != l.Attempt {
		return
	}
	if d.stopping(in.Turn) {
		d.settleStop(in.Turn, in.Attempts, true) // its text is shown and never sent
		return
	}
	d.emit(TurnFailed{Turn: in.Turn, Cause: in.Cause, N: in.N, Max: in.Max, Exhausted: in.Exhausted,
		Lost: d.s.LiveText(), Reasoning: d.s.LiveReasoning(), Attempts: in.Attempts})
	d.insertContinue(in.Turn)
	g := d.s.Gate.without(releases["turn failed"])
	if g.Failed = in.Until.IsZero(); !g.Failed {
		g.Limit = in.Until
	}
	d.gate(g)
}

// insertContinue offers to go on where a turn failed: as the head, unless the
// queue is empty or full or still holds such a row unedited.
func (d *decider) insertContinue(id TurnID) {
	q := d.s.Queue
	if q.Len() == 0 || q.Full() {
		return
	}
	for _, r := range q.Rows() {
		if r.Generated != 0 {
			return
		}
	}
	r := d.newRow(Draft{Text: ContinueText})
	r.Generated = int(id)
	d.emit(RowQueued{Row: r})
}

func (in Promote) decide(d *decider) {
	_, ready := d.s.Life.(LifeReady)
	last, _ := d.s.LastTurn()
	if d.s.Quitting || in.Turn == 0 || in.Turn != d.s.Awaiting || !ready || last.ID != in.Turn || last.Outcome != Succeeded {
		return
	}
	d.emit(BatonPassed(in))
	d.pass()
}

func (in Retry) decide(d *decider) {
	t, ok := d.s.LastTurn()
	switch {
	case d.s.Quitting:
		d.refuse(RefusedBusy, "baton is ending")
	case d.s.Busy():
		d.refuse(RefusedBusy, "the agent is busy")
	case !ok || t.Outcome == Succeeded:
		d.refuse(RefusedIdle, "there is no unsuccessful turn to run again")
	case t.ID != in.Turn:
		d.refuse(RefusedStale, "the turn changed meanwhile; nothing was retried")
	case len(t.Tools) > 0 && !in.Confirmed:
		d.refuse(NeedsConsent, "a tool has run in this turn and may run again; once more retries")
	case len(t.Attachments) > 0:
		id := d.nextID()
		d.emit(PrepareStarted{Turn: id, Chain: t.Chain})
		d.do(Prepare{Turn: id, Attachments: t.Attachments})
	default:
		d.run(Turn{ID: d.nextID(), Chain: t.Chain, Text: t.Text, Compact: t.Compact})
	}
}

func (in RetryNow) decide(d *decider) {
	l, _ := d.current(in.Turn, in.Attempt)
	b, waiting := l.Phase.(Backoff)
	switch {
	case !waiting || b.Failed != in.Attempt:
		d.refuse(RefusedStale, "that wait has already ended")
	case b.Hint.Wait > 0 && in.At.Before(b.Hint.Until) && !in.Confirmed:
		d.refuse(NeedsConsent, "the server asked to wait until %s; once more asks now", b.Hint.Until.Format("15:04:05"))
	default:
		d.do(SkipWait{in.Turn, in.Attempt})
	}
}

func (in Prepared) decide(d *decider) {
	l, ok := d.s.Life.(LifePreparing)
	if !ok || l.Turn != in.Turn {
		return
	}
	if l.Row == "" {
		t, _ := d.s.LastTurn()
		d.run(Turn{ID: l.Turn, Chain: l.Chain, Text: t.Text, Attachments: in.Attachments})
		return
	}
	r, _ := d.s.Queue.Get(l.Row)
	d.emit(RowPromoted{Row: r.ID, Turn: l.Turn})
	d.run(Turn{ID: l.Turn, Chain: l.Turn, Text: r.Text, Attachments: in.Attachments})
}

func (in Unprepared) decide(d *decider) {
	l, ok := d.s.Life.(LifePreparing)
	if !ok || l.Turn != in.Turn {
		return
	}
	d.emit(PrepareEnded(in))
	if l.Row == "" {
		d.refuse(RefusedIdle, "not retried: %s", in.Why)
		return
	}
	d.gate(d.s.Gate.block(l.Row, in.Why))
}

func (in CommandDone) decide(d *decider) {
	l, ok := d.s.Life.(LifeCommand)
	if !ok || l.ID != in.ID {
		return
	}
	d.emit(CommandEnded{ID: in.ID, Done: in.Why == "", Why: in.Why})
	switch {
	case in.Carry != "" && d.s.Queue.Len() > 0:
		d.emit(CarryStarted{in.Carry})
	case l.Row == "" || in.Carry != "" || in.Leave:
	case in.Why == "":
		d.pass()
	default:
		d.gate(d.s.Gate.block(l.Row, in.Why))
	}
}
