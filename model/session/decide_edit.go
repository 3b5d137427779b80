package session

import (
	"slices"

	"baton/queue"
)

// reachable refuses an operation on a row that left or is locked.
func (d *decider) reachable(id queue.ID) (queue.Row, bool) {
	r, ok := d.s.Queue.Get(id)
	switch {
	case !ok:
		d.refuse(RefusedGone, "that row is no longer in the queue")
	case id == d.s.Locked():
		d.refuse(RefusedLock, "that row is already on its way; stop it first")
		ok = false
	}
	return r, ok
}

func (in BeginEdit) decide(d *decider) {
	r, ok := d.reachable(in.Row)
	switch {
	case !ok:
	case d.s.Editing == in.Row:
	case d.s.Editing != "":
		d.refuse(RefusedOpen, "another row is open; close it first")
	default:
		if d.s.Mark.Row == r.ID {
			d.dropMark()
		}
		d.emit(EditorOpened{Row: r.ID})
	}
}

func (in KeepEdit) decide(d *decider) {
	before, open := d.s.openText()
	if !open || d.s.Editing != in.Row {
		return
	}
	in.Draft = in.Draft.entered()
	r, _ := d.s.Queue.Get(in.Row)
	was := draftOf(r)
	if d.s.Draft != nil {
		was = *d.s.Draft
	}
	if !sameDraft(in.Draft, was) {
		d.emit(keptEdit(in.Row, before, in.Draft))
	}
}

func (in EndEdit) decide(d *decider) {
	r, ok := d.s.Queue.Get(in.Row)
	if !ok || d.s.Editing != in.Row {
		d.refuse(RefusedGone, "that row has left the queue; its text is in the composer")
		return
	}
	in.Draft = in.Draft.entered()
	if in.Save && queue.Blank(in.Draft.Text) && len(in.Draft.Attachments) == 0 {
		in.Draft = draftOf(r) // a blank save keeps the old text
	}
	changed := !sameDraft(in.Draft, draftOf(r))
	if changed && in.Save && !d.check(in.Draft, queue.MaxBytes) {
		return // the editor stays open
	}
	switch {
	case changed && in.Save:
		d.saveRow(r, in.Draft)
	case changed:
		draft := in.Draft
		d.emit(UndoKept{Undo{Row: r.ID, Draft: &draft}})
	}
	d.emit(EditorClosed{r.ID})
	if (!changed || !in.Save) && d.superseded(r) {
		d.emit(RowsRemoved{[]queue.ID{r.ID}})
	}
	d.passDue()
}

// saveRow makes the draft the row's content and the row a person's own.
func (d *decider) saveRow(r queue.Row, dr Draft) {
	if r.Command || !slices.Equal(r.Attachments, dr.Attachments) { // what was wrong with it may be put right
		d.gate(d.s.Gate.unblock(r.ID))
	}
	r.Text, r.Attachments, r.Command, r.Generated = dr.Text, dr.Attachments, dr.Command, 0
	d.emit(RowEdited{r})
}

func draftOf(r queue.Row) Draft {
	return Draft{Text: r.Text, Attachments: r.Attachments, Command: r.Command}
}

func sameDraft(a, b Draft) bool {
	if a.Text != b.Text || len(a.Attachments) != len(b.Attachments) {
		return false
	}
	for i := range a.Attachments {
		if a.Attachments[i].Path != b.Attachments[i].Path {
			return false
		}
	}
	return true
}

func (in MoveRow) decide(d *decider) {
	find := d.reachable
	if in.Closed {
		find = d.closed
	}
	r, ok := find(in.Row)
	if !ok {
		return
	}
	to := min(max(in.To, 0), d.s.Queue.Len()-1)
	if d.s.Queue.Index(r.ID) != to {
		d.emit(RowMoved{Row: r.ID, To: to})
	}
}

func (in RemoveRow) decide(d *decider) {
	if r, ok := d.reachable(in.Row); ok {
		d.removeRows([]queue.ID{r.ID}, in.Draft)
	}
}

func (in ClearRows) decide(d *decider) {
	var ids []queue.ID
	for _, r := range d.s.Queue.Rows() {
		if r.ID != d.s.Locked() {
			ids = append(ids, r.ID)
		}
	}
	if len(ids) == 0 {
		d.refuse(RefusedIdle, "the queue is empty")
		return
	}
	d.removeRows(ids, in.Draft)
}

// removeRows discards rows together with what stands in the editor of one of them,
// and keeps a person's words in the undo slot.
func (d *decider) removeRows(ids []queue.ID, open *Draft) {
	open = enteredIn(open)
	u := Undo{}
	for _, id := range ids {
		r, _ := d.s.Queue.Get(id)
		p := Placed{r, d.s.Queue.Index(id)}
		edited := id == d.s.Editing && open != nil && !sameDraft(*open, draftOf(r))
		switch {
		case edited && r.Generated != 0: // only the words are a person's
			p.Row.Text, p.Row.Attachments, p.Row.Command, p.Row.Generated = open.Text, open.Attachments, open.Command, 0
			if queue.Check(open.Text, len(open.Attachments)) == nil {
				u.Rows = append(u.Rows, p)
			}
		case edited:
			u.Row, u.Draft = id, open
			u.Rows = append(u.Rows, p)
		case r.Generated == 0:
			u.Rows = append(u.Rows, p)
		}
	}
	before, wasOpen := d.s.Gate, d.s.Editing
	d.emit(RowsRemoved{ids})
	d.tidy()
	if len(u.Rows) > 0 {
		u.Gate = taken(before, d.s.Gate)
		d.emit(UndoKept{u})
	}
	if wasOpen != "" && d.s.Editing == "" {
		d.passDue()
	}
}

// taken returns the reasons that a removal took away and an undo puts back.
func taken(before, after Gate) Gate {
	g := Gate{Restored: before.Restored && !after.Restored, Paused: before.Paused && !after.Paused}
	for _, b := range before.Blocked {
		if after.Why(b.Row) == "" {
			g.Blocked = append(g.Blocked, b)
		}
	}
	return g
}

func (in UndoLast) decide(d *decider) {
	u := d.s.Undo
	switch {
	case u == nil:
		d.refuse(RefusedIdle, "nothing to undo")
	case len(u.Rows) == 0:
		d.undoEdit(*u)
	case d.s.Queue.Len()+len(u.Rows) > d.s.Queue.Cap():
		d.refuse(RefusedFull, "%d rows do not fit back into the queue: make room first", len(u.Rows))
	case u.Draft != nil && d.s.Editing != "":
		d.refuse(RefusedOpen, "a row is open in the editor; close it first")
	default:
		d.undoRemoval(*u)
	}
}

func (d *decider) undoEdit(u Undo) {
	_, there := d.s.Queue.Get(u.Row)
	switch {
	case !there:
		d.emit(UndoUsed{Composer: u.Draft})
	case u.Row == d.s.Locked():
		d.refuse(RefusedLock, "that row is already on its way; stop it first")
	case d.s.Editing != "":
		d.refuse(RefusedOpen, "a row is open in the editor; close it first")
	default:
		d.emit(UndoUsed{})
		if d.s.Mark.Row == u.Row {
			d.dropMark()
		}
		d.emit(EditorOpened{Row: u.Row, Draft: u.Draft})
	}
}

func (d *decider) undoRemoval(u Undo) {
	d.emit(UndoUsed{})
	for _, p := range u.Rows {
		d.emit(RowQueued{Row: p.Row, Index: p.Index})
	}
	g := d.s.Gate
	g.Paused, g.Restored = g.Paused || u.Gate.Paused, g.Restored || u.Gate.Restored
	for _, b := range u.Gate.Blocked {
		g = g.block(b.Row, b.Why)
	}
	d.gate(g)
	if u.Draft != nil {
		d.emit(EditorOpened{Row: u.Row, Draft: u.Draft})
	}
}
