package outside

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"baton/model/command"
	"baton/model/engine"
	"baton/model/session"
	"baton/queue"
	"baton/ui/sanitize"
)

// briefCells is how much of a text is repeated to recognise it.
const briefCells = 40

func brief(text string) string {
	return sanitize.Truncate(sanitize.Line(strings.TrimSpace(text)), briefCells)
}

// renumbered is how long after rows changed their numbers by themselves, or by the person at
// the screen, a number alone is not enough: the caller may have counted before.
const renumbered = 3 * time.Second

// find is the row that a name means: a number from 1, an id, or the end of one from its
// last dot on, which may be written as #.
func (d *Desk) find(name string) (queue.Row, error) {
	rows := d.eng.State().Queue
	if n, err := strconv.Atoi(name); err == nil {
		r, err := d.eng.Row(n)
		if err == nil && !d.shifted.IsZero() && d.now().Sub(d.shifted) < renumbered {
			return r, fmt.Errorf("the rows have just moved: row %d is now %s, %s; name it by that id", n, short(r.ID), brief(r.Text))
		}
		return r, err
	}
	id := strings.TrimPrefix(strings.TrimPrefix(name, "#"), ".")
	if r, ok := rows.Get(queue.ID(id)); ok {
		return r, nil
	}
	var found []queue.Row
	for _, r := range rows.Rows() {
		if id != "" && strings.HasSuffix(string(r.ID), "."+id) {
			found = append(found, r)
		}
	}
	switch len(found) {
	case 0:
		return queue.Row{}, fmt.Errorf("there is no row %s; baton queue list shows those there are", name)
	case 1:
		return found[0], nil
	}
	return queue.Row{}, fmt.Errorf("%d rows end in %s; give the whole id", len(found), name)
}

// short is what an id is called where it is the only one that ends so.
func short(id queue.ID) string { return string(id[max(strings.LastIndexByte(string(id), '.'), 0):]) }

// edit gives a row another text.
func (d *Desk) edit(req Request) (Result, Reply) {
	r, rep, ok := d.one(req)
	if !ok {
		return Result{}, rep
	}
	isCommand, err := command.ForRow(req.Text)
	if err != nil {
		return Result{}, refuse("command", err.Error())
	}
	out := d.eng.Step(session.Rewrite{Row: r.ID, Text: req.Text, Command: isCommand})
	return d.changed(out, r, "changed")
}

// move puts a row in another place.
func (d *Desk) move(req Request) (Result, Reply) {
	r, rep, ok := d.one(req)
	if !ok {
		return Result{}, rep
	}
	if _, err := d.eng.Row(req.To); err != nil {
		return Result{}, refuse(string(session.RefusedGone), err.Error())
	}
	out := d.eng.Step(session.MoveRow{Row: r.ID, To: req.To - 1, Closed: true})
	return d.changed(out, r, fmt.Sprintf("now row %d", req.To))
}

// one is the single row that a request names.
func (d *Desk) one(req Request) (queue.Row, Reply, bool) {
	if len(req.Rows) != 1 {
		return queue.Row{}, refuse("malformed", "exactly one row has to be named"), false
	}
	r, err := d.find(req.Rows[0])
	if err != nil {
		return r, refuse(string(session.RefusedGone), err.Error()), false
	}
	return r, Reply{}, true
}

// changed answers what was done to one row.
func (d *Desk) changed(out engine.Outcome, r queue.Row, how string) (Result, Reply) {
	if out.Refused != nil {
		return Result{Outcome: out}, d.refused(*out.Refused, r.Text)
	}
	n := d.eng.State().Queue.Index(r.ID) + 1
	now, _ := d.eng.State().Queue.Get(r.ID)
	rep := Reply{Kind: Changed, ID: string(r.ID), N: n, Text: d.kept(how)}
	return Result{Outcome: out, Note: fmt.Sprintf("%s from outside: %s", how, brief(now.Text))}, rep
}

// remove takes rows out, all or none.
func (d *Desk) remove(req Request) (Result, Reply) {
	var ids []queue.ID
	var texts []string
	for _, name := range req.Rows {
		r, err := d.find(name)
		if err != nil {
			return Result{}, refuse(string(session.RefusedGone), err.Error())
		}
		if !slices.Contains(ids, r.ID) { // number and id may name the same row
			ids, texts = append(ids, r.ID), append(texts, brief(r.Text))
		}
	}
	if len(ids) == 0 {
		return Result{}, refuse("malformed", "no row is named")
	}
	out := d.eng.Step(session.RemoveRows{Rows: ids})
	if out.Refused != nil {
		return Result{Outcome: out}, d.refused(*out.Refused, texts[0])
	}
	rep := Reply{Kind: Changed, Text: d.kept(fmt.Sprintf("%d rows removed", len(ids)))}
	if len(ids) == 1 {
		rep.ID, rep.Text = string(ids[0]), d.kept("removed")
	}
	return Result{Outcome: out, Note: "removed from outside: " + strings.Join(texts, ", ")}, rep
}

// play starts the head.
func (d *Desk) play() (Result, Reply) {
	if d.parked {
		return Result{}, refuse("parked", "no chat has this session open, and nothing is sent without one; baton resume "+d.eng.Session()+" opens it")
	}
	head, _ := d.eng.State().Queue.Head()
	out := d.eng.Step(session.Play{})
	if out.Refused != nil {
		return Result{Outcome: out}, d.refused(*out.Refused, "")
	}
	return Result{Outcome: out, Note: "played from outside: " + brief(head.Text)}, Reply{Kind: Sent, ID: string(head.ID), Text: d.kept("row 1 started")}
}

func (d *Desk) pause() (Result, Reply) {
	out := d.eng.Step(session.SetPaused{On: true})
	if out.Refused != nil {
		return Result{Outcome: out}, d.refused(*out.Refused, "")
	}
	return Result{Outcome: out, Note: "paused from outside"}, Reply{Kind: Changed, Text: d.kept("paused")}
}

func (d *Desk) resume() (Result, Reply) {
	s := d.eng.State()
	if !s.Gate.Paused {
		text := "the queue is not paused"
		if held := s.Held(d.now()); held != "" && s.Queue.Len() > 0 {
			text += " but " + held
		}
		return Result{}, Reply{Kind: Changed, Text: text}
	}
	out := d.eng.Step(session.SetPaused{})
	text := "no longer paused"
	if held := d.eng.State().Held(d.now()); held != "" && d.eng.State().Queue.Len() > 0 {
		text += " but " + held
	}
	return Result{Outcome: out, Note: "no longer paused, from outside"}, Reply{Kind: Changed, Text: d.kept(text)}
}

// kept adds to a reply what the person has to know about the disk: only what is there
// survives.
func (d *Desk) kept(text string) string {
	if err := d.eng.Trouble(); err != nil {
		text += " · not saved: " + err.Error()
	}
	return text
}

// refused words a refusal for who is not at the screen.
func (d *Desk) refused(r session.Refused, text string) Reply {
	rep := refuse(string(r.Why), r.Text)
	switch r.Why {
	case session.RefusedFull:
		rep.Text = fmt.Sprintf("the queue is full: %d rows; nothing was added", d.eng.State().Queue.Cap())
	case session.RefusedOpen, session.RefusedLock:
		if text != "" {
			rep.Text += " (" + brief(text) + ")"
		}
	case session.RefusedBusy:
		if s := d.eng.State(); !s.Quitting {
			rep.Text = "the agent is busy: " + afterTurn(s)
		}
	}
	return rep
}

// afterTurn says what the success of the turn that runs does to the queue. It releases
// rows that a failure, a stop or a limit holds, and no others; none while one is open.
func afterTurn(s session.State) string {
	switch g := s.Gate; {
	case g.Paused:
		return "the queue is paused; baton queue resume lets it go on behind the turn"
	case g.Restored || len(g.Blocked) > 0:
		return "the queue is held; play it when the turn is over"
	case s.Editing != "":
		return "the queue goes on behind the turn when the row that is open in the chat's editor is closed"
	}
	return "the queue goes on by itself when the turn succeeds"
}
