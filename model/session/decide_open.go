package session

func (in Opened) decide(d *decider) {
	switch l := d.s.Life.(type) {
	case LifeTurn:
		d.stopTurn(l.Turn, nil, true)
		d.addStopped()
	case LifePreparing:
		d.emit(PrepareEnded{Turn: l.Turn, Why: "interrupted"})
	case LifeCommand:
		d.emit(CommandEnded{ID: l.ID, Why: "interrupted"})
	}
	if id := d.s.Editing; id != "" {
		d.emit(EditorClosed{id})
	}
	d.dropMark()
	d.due(false)
	d.emit(SessionOpened(in))
	if d.s.Queue.Len() > 0 {
		g := d.s.Gate
		g.Restored = true
		d.gate(g)
	}
}

func (in AgentChanged) decide(d *decider) {
	d.emit(AgentSwitched(in))
	if g := d.s.Gate; !g.Limit.IsZero() {
		g = g.without(limit)
		g.Failed = true
		d.gate(g)
	}
}

func (in Note) decide(d *decider) { d.emit(Noted(in)) }

func (in Quit) decide(d *decider) {
	again := d.s.Quitting
	if !again {
		d.emit(QuitRequested{})
	}
	d.dropMark()
	switch l := d.s.Life.(type) {
	case LifeTurn:
		if again { // a second quit does not wait
			d.stopTurn(l.Turn, nil, false)
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
