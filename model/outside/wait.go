package outside

import (
	"slices"
	"strings"

	"baton/model/engine"
	"baton/model/session"
	"baton/queue"
)

// wait is a caller that wants to know what becomes of a text.
type wait struct {
	call    *Call
	id      string   // as it was told
	row     queue.ID // "" where it never was a row
	session string   // of turn and command
	turn    session.TurnID
	command session.TurnID
	held    string // the word of the hold that was told last, "" while the row moves
	over    bool
}

func (w *wait) tell(r Reply) {
	r.ID, r.More = w.id, !final[r.Kind]
	w.call.reply(r)
	w.over = !r.More
}

// final are the kinds that nothing follows.
var final = map[Kind]bool{Done: true, Failed: true, Stopped: true, Removed: true, Left: true}

// After takes in what the engine did. The program calls it with every outcome. A nil desk
// has nobody to tell.
func (d *Desk) After(out engine.Outcome) {
	if d == nil {
		return
	}
	for _, ev := range out.Events {
		if opened, ok := ev.(session.SessionOpened); ok {
			d.session = opened.Session
		}
		d.count(ev)
		for _, w := range d.waits {
			if !w.over {
				d.news(w, ev)
			}
		}
	}
	for _, w := range d.waits {
		if _, here := d.eng.State().Queue.Get(w.row); !here && !w.over && w.turn == 0 && w.command == 0 {
			w.tell(Reply{Kind: Left, Text: "the chat went on in session " + d.eng.Session() + "; the row waits where it was, held"})
		}
	}
	for _, w := range d.waits {
		d.hold(w)
	}
	d.waits = slices.DeleteFunc(d.waits, func(w *wait) bool { return w.over })
	d.calling = false
}

// count notes when rows get other numbers.
func (d *Desk) count(ev session.Event) {
	if d.calling {
		return
	}
	switch ev := ev.(type) {
	case session.RowQueued:
		if ev.Index >= d.eng.State().Queue.Len()-1 {
			return
		}
	case session.RowPromoted, session.RowsRemoved, session.RowMoved, session.RowsCarried, session.SessionOpened:
	case session.CommandEnded:
		if !ev.Done {
			return
		}
	default:
		return
	}
	d.shifted = d.now()
}

// news tells one caller about one event, if it is its text's.
func (d *Desk) news(w *wait, ev session.Event) {
	switch ev := ev.(type) {
	case session.RowPromoted:
		if w.row != "" && ev.Row == w.row && w.turn == 0 {
			w.turn, w.session = ev.Turn, d.session
			w.tell(Reply{Kind: Sent, Text: "sent"})
		}
	case session.CommandStarted:
		if w.row != "" && ev.Row == w.row {
			w.command, w.session = ev.ID, d.session
			w.tell(Reply{Kind: Sent, Text: "running"})
		}
	case session.RowsRemoved:
		if w.row != "" && slices.Contains(ev.Rows, w.row) {
			w.tell(Reply{Kind: Removed, Text: "removed before it was sent"})
		}
	case session.CommandEnded:
		d.ended(w, ev)
	case session.TurnSucceeded, session.TurnFailed, session.TurnStopped:
		d.settled(w, ev)
	}
}

// ended tells how a command ended. One that failed or was stopped stays in the queue, held.
func (d *Desk) ended(w *wait, ev session.CommandEnded) {
	switch {
	case w.command == 0 || ev.ID != w.command || w.session != d.session:
	case ev.Done:
		w.tell(Reply{Kind: Done, Text: "done"})
	default:
		w.tell(Reply{Kind: Failed, Text: "the command did not run: " + ev.Why})
	}
}

// hold tells whose row waits for somebody what it waits for, each time that this changes.
func (d *Desk) hold(w *wait) {
	s := d.eng.State()
	if w.over || w.row == "" || w.turn != 0 || w.command != 0 {
		return
	}
	word := s.Word(w.row, d.now())
	next := release(word, s.Gate)
	switch {
	case next == "":
		w.held = ""
	case word != w.held && len(w.call.replies) < replyRoom/2: // what comes last has to find room
		w.held = word
		w.tell(Reply{Kind: Held, Text: d.kept(strings.TrimSuffix(word, ": enter plays") + "; " + next)})
	}
}

// release says how a row with this word is let go; "" for one that goes by itself.
func release(word string, g session.Gate) string {
	switch {
	case word == "editing":
		return "it is open in the chat's editor, and goes on when that is closed"
	case strings.HasPrefix(word, "ready:"):
		return "baton queue play starts the first row"
	case !strings.HasPrefix(word, "held: "):
		return ""
	case len(g.Blocked) > 0:
		return "put that right and baton queue play tries again, or baton queue rm removes the row"
	case g.Paused:
		return "baton queue resume lets it go"
	}
	return "baton queue play starts the first row"
}

// settled tells how a turn ended.
func (d *Desk) settled(w *wait, ev session.Event) {
	mine := func(id session.TurnID) bool { return w.turn != 0 && id == w.turn && w.session == d.session }
	switch ev := ev.(type) {
	case session.TurnSucceeded:
		if mine(ev.Turn) {
			w.tell(Reply{Kind: Done, Text: "done"})
		}
	case session.TurnFailed:
		if mine(ev.Turn) {
			w.tell(Reply{Kind: Failed, Text: "turn failed: " + ev.Cause.Line(), Why: string(ev.Cause.Kind), Exhausted: ev.Exhausted})
		}
	case session.TurnStopped:
		if mine(ev.Turn) {
			w.tell(Reply{Kind: Stopped, Text: "the turn was stopped"})
		}
	}
}

// Close tells those who wait that the program ends.
func (d *Desk) Close() {
	if d == nil {
		return
	}
	for _, w := range d.waits {
		text := "the chat has ended before the turn did"
		if w.turn == 0 && w.command == 0 {
			text = "the chat has ended; the row waits in session " + d.eng.Session()
		}
		w.tell(Reply{Kind: Left, Text: text})
	}
	d.waits = nil
}
