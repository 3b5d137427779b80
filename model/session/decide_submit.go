package session

import (
	"errors"

	"baton/queue"
)

func (in Submit) decide(d *decider) { d.submit(in.Draft, true) }

// submit runs a text, or queues it. With corrects it may be a correction of a turn that is stopping.
func (d *decider) submit(dr Draft, corrects bool) {
	dr = dr.entered()
	now := !d.s.Busy() && !d.s.Quitting
	if (!now || len(dr.Attachments) > 0) && d.s.Queue.Full() {
		d.refuse(RefusedFull, "the queue is full (%d rows): remove one or wait; your text stays here", d.s.Queue.Cap())
		return
	}
	most := queue.MaxBytes
	if now && len(dr.Attachments) == 0 {
		most = MaxPrompt
	}
	if !d.check(dr, most) {
		return
	}
	if now {
		d.sendNow(dr)
	} else {
		d.queueRow(dr, corrects)
	}
}

// sendNow runs a text that was entered while idle, ahead of rows that wait.
func (d *decider) sendNow(dr Draft) {
	id := d.nextID()
	switch {
	case dr.Command && d.s.Editing != "":
		d.refuse(RefusedOpen, "a row is open in the editor; close it first")
	case compacts(dr.Text, dr.Command):
		d.compactNow(dr.Text)
	case dr.Command:
		d.emit(CommandStarted{ID: id, Text: dr.Text})
		d.do(RunCommand{ID: id, Text: dr.Text})
	case len(dr.Attachments) == 0:
		d.run(Turn{ID: id, Chain: id, Text: dr.Text})
	default:
		r := d.newRow(dr)
		d.emit(RowQueued{Row: r})
		d.start(r)
	}
}

// queueRow queues a text behind the others. While a turn is stopping one that corrects
// goes first and starts when the turn has settled.
func (d *decider) queueRow(dr Draft, corrects bool) {
	r := d.newRow(dr)
	l, ok := d.s.Running()
	if _, stopping := l.Phase.(Stopping); corrects && ok && stopping && !d.s.Quitting && !d.waitsForEditor(r) {
		d.emit(RowQueued{Row: r})
		d.emit(RowMarked{Mark{Row: r.ID, Turn: l.Turn}})
		return
	}
	d.emit(RowQueued{Row: r, Index: d.s.Queue.Len()})
}

// MaxPrompt is the longest text, in bytes, that is sent at once. A row that waits is
// bounded by queue.MaxBytes.
const MaxPrompt = 20 << 20

// waitsForEditor reports whether a row is a command that an open editor makes wait: it
// could take the open row away.
func (d *decider) waitsForEditor(r queue.Row) bool { return r.Command && d.s.Editing != "" }

// check refuses a text that is blank or longer than most bytes.
func (d *decider) check(dr Draft, most int) bool {
	err := queue.Within(most, dr.Text, len(dr.Attachments))
	switch {
	case dr.Command && len(dr.Attachments) > 0: // nothing would read them, and the row takes them along when it is done
		d.refuse(RefusedCommand, "a command takes no files; enter it as a row of its own")
	case err == nil:
		return true
	case errors.Is(err, queue.ErrBlank):
		d.refuse(RefusedBlank, "nothing to send: the text is blank")
	default:
		d.refuse(RefusedLong, "%v; shorten it or attach it as a file", err)
	}
	return false
}

func (in Play) decide(d *decider) {
	head, ok := d.s.Queue.Head()
	switch {
	case d.s.Quitting:
		d.refuse(RefusedBusy, "baton is ending")
	case d.s.Busy():
		d.refuse(RefusedBusy, "the agent is busy; a row can be sent now from the queue")
	case !ok:
		d.refuse(RefusedIdle, "the queue is empty")
	case head.ID == d.s.Editing:
		d.refuse(RefusedOpen, "the first row is open in the editor; close it first")
	case d.waitsForEditor(head):
		d.refuse(RefusedOpen, "a row is open in the editor; the command waits until it is closed")
	default:
		d.release("play")
		d.start(head)
	}
}

func (in SendNow) decide(d *decider) {
	r, ok := d.s.Queue.Get(in.Row)
	l, running := d.s.Running()
	switch {
	case d.s.Quitting:
		d.refuse(RefusedBusy, "baton is ending")
	case !ok:
		d.refuse(RefusedGone, "that row is no longer in the queue")
	case r.ID == d.s.Editing:
		d.refuse(RefusedOpen, "that row is open in the editor; close it first")
	case d.waitsForEditor(r):
		d.refuse(RefusedOpen, "a row is open in the editor; the command waits until it is closed")
	case r.ID == d.s.Locked():
		d.refuse(RefusedLock, "that row is already on its way")
	case in.Turn != d.s.Work():
		d.refuse(RefusedStale, "the turn changed meanwhile; nothing was sent")
	case running && l.Tool && !in.Confirmed:
		d.refuse(NeedsConsent, "a tool has run in this turn; once more stops it and sends the row")
	case running:
		open := d.s.Gate.Open()
		d.release("send now")
		if d.s.Queue.Index(r.ID) != 0 {
			d.emit(RowMoved{Row: r.ID, To: 0})
		}
		d.emit(RowMarked{Mark{Row: r.ID, Turn: l.Turn}})
		d.requestStop(l, open)
	default:
		d.dropWork("stopped: another row was sent")
		d.release("send now")
		d.start(r)
	}
}

func (in SetPaused) decide(d *decider) {
	switch {
	case in.On && d.s.Queue.Len() == 0:
		d.refuse(RefusedIdle, "the queue is empty: nothing to pause")
	case in.On:
		g := d.s.Gate
		g.Paused = true
		d.gate(g)
	default:
		d.release("unpause")
		d.passDue()
	}
}
