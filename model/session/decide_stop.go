package session

// requestStop asks a running turn to stop, once. open says that nothing held the
// queue before the person's act that led here.
func (d *decider) requestStop(l LifeTurn, open bool) {
	if _, already := l.Phase.(Stopping); already {
		return
	}
	d.emit(StopRequested{l.Turn, open})
	d.do(CancelTurn{l.Turn})
}

// dropWork ends a preparation or a command at once; late answers carry an id that
// is no longer current.
func (d *decider) dropWork(why string) {
	switch l := d.s.Life.(type) {
	case LifePreparing:
		d.emit(PrepareEnded{Turn: l.Turn, Why: why})
		d.do(CancelTurn{l.Turn})
	case LifeCommand:
		d.emit(CommandEnded{ID: l.ID, Why: why})
		d.do(CancelTurn{l.ID})
	}
}

func (in Stop) decide(d *decider) {
	if in.Turn == 0 || in.Turn != d.s.Work() {
		d.refuse(RefusedStale, "that turn has already ended")
		return
	}
	l, ok := d.s.Running()
	if !ok {
		d.dropWork("stopped")
		d.addStopped()
		return
	}
	if _, again := l.Phase.(Stopping); again {
		d.dropMark()
		return
	}
	d.requestStop(l, d.s.Gate.Open())
}

func (in StopTimedOut) decide(d *decider) {
	if !d.stopping(in.Turn) {
		return
	}
	d.stopTurn(in.Turn, nil, false, false)
	d.afterStop(in.Turn, false)
}

func (in StoppedByClient) decide(d *decider) {
	l, ok := d.s.Running()
	if !ok || l.Turn != in.Turn {
		return
	}
	d.settleStop(in.Turn, in.Attempts, false)
}

// settleStop settles a turn as its client reported it. failed says that its last
// attempt did.
func (d *decider) settleStop(id TurnID, attempts []Attempt, failed bool) {
	drain := d.mayDrain()
	d.stopTurn(id, attempts, failed, false)
	d.afterStop(id, drain)
}

// stopping reports whether this turn runs and was told to stop.
func (d *decider) stopping(id TurnID) bool {
	l, ok := d.s.Running()
	if !ok || l.Turn != id {
		return false
	}
	_, yes := l.Phase.(Stopping)
	return yes
}

// stopTurn settles a turn as stopped. Only text of a running attempt is an answer;
// that of a failed one is shown and never sent.
func (d *decider) stopTurn(id TurnID, attempts []Attempt, failed, interrupted bool) {
	t, _ := d.s.Turn(id)
	if attempts == nil { // nobody reported: what the retries told is all there is
		attempts = t.Attempts
	}
	l, _ := d.s.Running()
	e := TurnStopped{Turn: id, Interrupted: interrupted, Reasoning: d.s.LiveReasoning(), N: l.Attempt, Max: t.Max, Attempts: attempts}
	if failed || d.s.live.failed {
		e.Lost = d.s.LiveText()
	} else {
		e.Partial = d.s.LiveText()
	}
	d.emit(e)
}

func (d *decider) addStopped() {
	g := d.s.Gate
	g.Stopped = true
	d.gate(g)
}

// mayDrain reports whether rows may go on after the stop that settles now: only
// if that is wished, and nothing held the queue when the stop came or since.
func (d *decider) mayDrain() bool {
	l, _ := d.s.Running()
	p, stopping := l.Phase.(Stopping)
	return d.s.Settings.Drain && stopping && p.Open && d.s.Gate.Open() && d.s.Editing == ""
}

// afterStop decides what a settled stop leads to. drain is mayDrain as it was
// before the settlement; a stop that nobody answered never drains.
func (d *decider) afterStop(id TurnID, drain bool) {
	marked, ok := d.s.Queue.Get(d.s.Mark.Row)
	if ok && (d.s.Mark.Turn != id || d.waitsForEditor(marked)) { // then the stop counts as a person's
		d.dropMark()
		ok = false
	}
	switch head, any := d.s.Queue.Head(); {
	case d.s.Quitting:
		d.addStopped()
		d.do(Exit{})
	case ok:
		d.start(marked)
	case drain:
		if any {
			d.start(head)
		}
	default:
		d.addStopped()
	}
}
