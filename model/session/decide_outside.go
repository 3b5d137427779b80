package session

import (
	"slices"

	"baton/queue"
)

// What another process of the person asks for, or a command that names a row. A row that
// is open in the editor is left to the person at the screen.
type (
	// Add is Submit by somebody who does not see the screen: while a turn is stopping it
	// corrects nothing, and waits behind the others.
	Add struct{ Draft }
	// Park puts a row behind the others that does not start by itself: with Pause the whole
	// queue is paused by it, else the row counts as restored, as in a session that nobody
	// has open.
	Park struct {
		Draft
		Pause bool
	}
	// Rewrite gives a row another text in one go. Its files stay.
	Rewrite struct {
		Row     queue.ID
		Text    string
		Command bool
	}
	// RemoveRows takes rows out of the queue, all of them or none. One may be named twice.
	RemoveRows struct{ Rows []queue.ID }
)

func (in Add) decide(d *decider) { d.submit(in.Draft, false) }

func (in Park) decide(d *decider) {
	in.Draft = in.Draft.entered()
	if d.s.Queue.Full() {
		d.refuse(RefusedFull, "the queue is full (%d rows): remove one or wait", d.s.Queue.Cap())
		return
	}
	if !d.check(in.Draft, queue.MaxBytes) {
		return
	}
	d.emit(RowQueued{Row: d.newRow(in.Draft), Index: d.s.Queue.Len()})
	g := d.s.Gate
	if in.Pause {
		g.Paused = true
	} else {
		d.due(false)
		g.Restored = true
	}
	d.gate(g)
}

func (in Rewrite) decide(d *decider) {
	r, ok := d.closed(in.Row)
	dr := Draft{Text: in.Text, Attachments: r.Attachments, Command: in.Command}.entered()
	if !ok || sameDraft(dr, draftOf(r)) || !d.check(dr, queue.MaxBytes) {
		return
	}
	if d.s.Mark.Row == r.ID { // as when it is opened: it is not what was promised any more
		d.dropMark()
	}
	d.saveRow(r, dr)
}

func (in RemoveRows) decide(d *decider) {
	var ids []queue.ID
	for _, id := range in.Rows {
		if _, ok := d.closed(id); !ok {
			return
		}
		if !slices.Contains(ids, id) { // a row that is named twice is one row, and comes back as one
			ids = append(ids, id)
		}
	}
	if len(ids) > 0 {
		d.removeRows(ids, nil)
	}
}

// closed is reachable for a row that is not open in the editor either.
func (d *decider) closed(id queue.ID) (queue.Row, bool) {
	r, ok := d.reachable(id)
	if ok && id == d.s.Editing {
		d.refuse(RefusedOpen, "that row is open in the editor; close it there first")
		ok = false
	}
	return r, ok
}
