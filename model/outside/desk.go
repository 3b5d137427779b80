package outside

import (
	"os"
	"time"

	"baton/model/engine"
	"baton/model/session"
)

// Desk is where a program takes calls. It belongs to the goroutine of the engine.
type Desk struct {
	eng     *engine.Engine
	now     func() time.Time
	parked  bool // nobody has the session open but this very request
	session string
	waits   []*wait
	shifted time.Time // when rows last changed their numbers other than by a call
	calling bool      // the next outcome is a call's
}

// NewDesk makes a desk for a running program.
func NewDesk(e *engine.Engine, now func() time.Time) *Desk {
	return &Desk{eng: e, now: now, session: e.Session()}
}

// Parked makes a desk for a session that engine.Parked opened. Only Do is for it.
func Parked(e *engine.Engine, now func() time.Time) *Desk {
	d := NewDesk(e, now)
	d.parked = true
	return d
}

// Result is what a call led to, for the program to show and to carry on.
type Result struct {
	engine.Outcome
	// Note says to the person what was done from outside, "" for nothing. It is raw text.
	Note string
}

// Take does what a call asks for, unless it was given up meanwhile. After is to be called
// with what it led to, as with everything. What is refused is the caller's concern, not the
// person's. What a goroutine of the server panicked with comes out here, as an *engine.Panic.
func (d *Desk) Take(c *Call) Result {
	if c.panicked != nil {
		panic(c.panicked)
	}
	if !c.take() {
		return Result{}
	}
	res, rep, w := d.do(c.Request)
	if w != nil {
		w.call, rep.More = c, true
		d.waits = append(d.waits, w)
	}
	c.reply(rep)
	d.calling = true
	res.Refused = nil
	return res
}

// Do does what a request asks of a session that nobody has open.
func (d *Desk) Do(req Request) Reply {
	_, rep, _ := d.do(req)
	rep.Version = Version
	return rep
}

// do never waits for anything: the program stands still meanwhile.
func (d *Desk) do(req Request) (Result, Reply, *wait) {
	switch {
	case req.Do == Hello:
		return Result{}, Reply{Kind: Told, Chat: d.chat()}, nil
	case req.Session != "" && req.Session != d.eng.Session():
		return Result{}, refuse("moved", "the chat went on in session "+d.eng.Session()+"; nothing was done"), nil
	case req.Do == List:
		return Result{}, Reply{Kind: Told, Queue: d.queue()}, nil
	case d.eng.ReadOnly() != "":
		return Result{}, refuse(string(session.RefusedReadOnly), "this chat only shows the session: "+d.eng.ReadOnly()), nil
	}
	switch req.Do {
	case Add:
		return d.add(req)
	case Edit:
		return only(d.edit(req))
	case Remove:
		return only(d.remove(req))
	case Move:
		return only(d.move(req))
	case Play:
		return only(d.play())
	case Pause:
		return only(d.pause())
	case Resume:
		return only(d.resume())
	}
	return Result{}, refuse("verb", "this chat does not know what "+string(req.Do)+" is"), nil
}

func only(res Result, rep Reply) (Result, Reply, *wait) { return res, rep, nil }

func refuse(why, text string) Reply { return Reply{Kind: Refused, Why: why, Text: text} }

func (d *Desk) chat() *Chat {
	s := d.eng.State()
	return &Chat{PID: os.Getpid(), Session: d.eng.Session(), Rows: s.Queue.Len(), Busy: s.Busy(), ReadOnly: d.eng.ReadOnly()}
}

func (d *Desk) queue() *Queue { return Standing(d.eng.State(), d.now(), !d.parked) }

// Standing is how the queue of a session stands.
func Standing(s session.State, now time.Time, running bool) *Queue {
	q := &Queue{Session: s.Session, Running: running, Busy: s.Busy(), Header: s.Header(now), Cap: s.Queue.Cap(), Rows: []Row{}}
	if s.Queue.Len() > 0 {
		q.Held = s.Held(now)
	}
	for i, r := range s.Queue.Rows() {
		row := Row{N: i + 1, ID: string(r.ID), Word: s.Word(r.ID, now), Text: r.Text, Command: r.Command, Generated: r.Generated != 0}
		for _, f := range r.Attachments {
			row.Files = append(row.Files, f.Path)
		}
		q.Rows = append(q.Rows, row)
	}
	return q
}
