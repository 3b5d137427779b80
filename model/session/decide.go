package session

import (
	"fmt"

	"baton/queue"
)

// Decide answers an input with the facts it makes and the things to be done. It
// changes nothing: folding the events over s is the only way forward.
func Decide(s State, in Input) ([]Event, []Effect) {
	d := &decider{s: s}
	if s.Life == nil && !opens(in) {
		d.refuse(NotOpen, "the session is not open yet")
		return d.events, d.effects
	}
	in.decide(d)
	d.tidy()
	return d.events, d.effects
}

func opens(in Input) bool {
	switch in.(type) {
	case Opened, Adopt, Carried:
		return true
	}
	return false
}

// decider collects what one input leads to. s runs ahead with the events, so that
// each rule sees what the one before it did.
type decider struct {
	s       State
	events  []Event
	effects []Effect
}

func (d *decider) emit(e Event) {
	e.apply(&d.s)
	d.events = append(d.events, e)
}

func (d *decider) do(e Effect) { d.effects = append(d.effects, e) }

func (d *decider) refuse(why Refusal, format string, args ...any) {
	d.emit(Refused{why, fmt.Sprintf(format, args...)})
}

// gate records a changed gate.
func (d *decider) gate(g Gate) {
	if !g.equal(d.s.Gate) {
		d.emit(GateChanged{g})
	}
}

func (d *decider) release(input string) { d.gate(d.s.Gate.without(releases[input])) }

func (d *decider) due(on bool) {
	if d.s.Due != on {
		d.emit(DueChanged{on})
	}
}

func (d *decider) dropMark() {
	if d.s.Mark.Row != "" {
		d.emit(RowMarked{})
	}
}

// tidy keeps what must hold whatever happened to the rows: a block, a mark or an
// editor needs its row, and an empty queue holds nothing back.
func (d *decider) tidy() {
	g := d.s.Gate
	for _, b := range g.Blocked {
		if d.s.Queue.Index(b.Row) < 0 {
			g = g.unblock(b.Row)
		}
	}
	if d.s.Queue.Len() == 0 {
		g = g.without(releases["queue emptied"])
		d.due(false)
	}
	d.gate(g)
	if d.s.Mark.Row != "" && d.s.Queue.Index(d.s.Mark.Row) < 0 {
		d.dropMark()
	}
	if id := d.s.Editing; id != "" && d.s.Queue.Index(id) < 0 {
		d.emit(EditorClosed{id})
	}
}

func (d *decider) nextID() TurnID { return TurnID(d.s.Next) }

func (d *decider) newRow(dr Draft) queue.Row {
	return queue.Row{
		ID:          queue.ID(fmt.Sprintf("%s.%d", d.s.Session, d.s.Next)),
		Text:        dr.Text,
		Attachments: dr.Attachments,
		Command:     dr.Command,
	}
}

// start begins a queued row: as a command, as a preparation, or as a turn.
func (d *decider) start(r queue.Row) {
	id := d.nextID()
	switch {
	case compacts(r.Text, r.Command):
		d.compactRow(r)
	case r.Command:
		d.emit(CommandStarted{ID: id, Row: r.ID, Text: r.Text})
		d.do(RunCommand{ID: id, Text: r.Text, Row: r.ID})
	case len(r.Attachments) > 0:
		d.emit(PrepareStarted{Turn: id, Row: r.ID})
		d.do(Prepare{Turn: id, Attachments: r.Attachments})
	default:
		d.emit(RowPromoted{Row: r.ID, Turn: id})
		d.run(Turn{ID: id, Chain: id, Text: r.Text})
	}
}

// run begins a turn.
func (d *decider) run(t Turn) {
	d.emit(TurnStarted{Turn: t.ID, Chain: t.Chain, Text: t.Text, Attachments: t.Attachments, Compact: t.Compact})
	d.do(StartTurn{t.ID})
}

// pass hands the baton to the head of the queue, if nothing holds it. If only the
// editor or a pause does, the promotion becomes due.
func (d *decider) pass() {
	head, ok := d.s.Queue.Head()
	switch {
	case !ok:
	case d.s.Gate.Open() && d.s.Editing == "":
		d.start(head)
	case d.s.Gate.openBut():
		d.due(true)
	}
}

// passDue hands over a due promotion once neither editor nor pause hold it.
func (d *decider) passDue() {
	if d.s.Due && !d.s.Busy() && !d.s.Quitting && d.s.Gate.Open() && d.s.Editing == "" {
		d.pass()
	}
}
