package session

func (in Opened) decide(d *decider) {
	switch l := d.s.Life.(type) {
	case LifeTurn:
		d.stopTurn(l.Turn, nil, false, true)
		d.addStopped()
	case LifePreparing:
		d.emit(PrepareEnded{Turn: l.Turn, Why: "interrupted"})
	case LifeCommand:
		d.emit(CommandEnded{ID: l.ID, Why: "interrupted"})
	}
	d.leaveEditor(d.s.Draft)
	d.dropMark()
	d.due(false)
	if in.Agent != "" && d.s.Agent != "" && in.Agent != d.s.Agent {
		d.otherAgent()
	}
	d.emit(SessionOpened(in))
	if d.s.Queue.Len() > 0 {
		g := d.s.Gate
		g.Restored = true
		d.gate(g)
	}
}

func (in AgentChanged) decide(d *decider) {
	d.emit(AgentSwitched(in))
	d.otherAgent()
}

// otherAgent turns a limit into a failure: the time was the former agent's.
func (d *decider) otherAgent() {
	if g := d.s.Gate; !g.Limit.IsZero() {
		g = g.without(limit)
		g.Failed = true
		d.gate(g)
	}
}

func (in Note) decide(d *decider) { d.emit(Noted(in)) }

// leaveEditor closes the editor without a save. What stood in it can be undone.
func (d *decider) leaveEditor(draft *Draft) {
	r, ok := d.s.Queue.Get(d.s.Editing)
	if !ok {
		return
	}
	if draft != nil && !sameDraft(*draft, draftOf(r)) {
		d.emit(UndoKept{Undo{Row: r.ID, Draft: draft}})
	}
	d.emit(EditorClosed{r.ID})
}

func (in Quit) decide(d *decider) {
	d.leaveEditor(enteredIn(in.Draft))
	again := d.s.Quitting
	if !again {
		d.emit(QuitRequested{})
	}
	d.dropMark()
	switch l := d.s.Life.(type) {
	case LifeTurn:
		if again { // a second quit does not wait
			d.stopTurn(l.Turn, nil, false, false)
			d.addStopped()
			d.do(Exit{})
			return
		}
		d.requestStop(l, false)
		return
	case LifePreparing, LifeCommand:
		d.dropWork("stopped")
	}
	d.do(Exit{})
}
