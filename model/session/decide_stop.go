package session

// requestStop asks a running turn to stop, once.
func (d *decider) requestStop(l LifeTurn) {
	if _, already := l.Phase.(Stopping); already {
		return
	}
	d.emit(StopRequested{l.Turn})
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
	d.requestStop(l)
}

func (in StopTimedOut) decide(d *decider) {
	if !d.stopping(in.Turn) {
		return
	}
	before := d.s.Gate
	d.stopTurn(in.Turn, nil, false)
	d.afterStop(before, true)
}

func (in StoppedByClient) decide(d *decider) {
	l, ok := d.s.Running()
	if !ok || l.Turn != in.Turn {
		return
	}
	asked, before := d.stopping(in.Turn), d.s.Gate
	d.stopTurn(in.Turn, in.Attempts, false)
	d.afterStop(before, !asked)
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
func (d *decider) stopTurn(id TurnID, attempts []Attempt, interrupted bool) {
	e := TurnStopped{Turn: id, Interrupted: interrupted, Attempts: attempts, Reasoning: d.s.LiveReasoning()}
	if d.s.live.failed {
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

// afterStop decides what a settled stop leads to. before is the gate as it stood
// when the settlement came; silent says no agent
// answered the person's stop.
func (d *decider) afterStop(before Gate, silent bool) {
	marked, ok := d.s.Queue.Get(d.s.Mark.Row)
	switch head, any := d.s.Queue.Head(); {
	case d.s.Quitting:
		d.addStopped()
		d.do(Exit{})
	case ok:
		d.start(marked)
	case d.s.Settings.Drain && before.Open() && d.s.Editing == "" && !silent:
		if any {
			d.start(head)
		}
	default:
		d.addStopped()
	}
}
