package outside

import (
	"errors"
	"fmt"
	"path/filepath"

	"baton/model/command"
	"baton/model/engine"
	"baton/model/session"
	"baton/queue"
)

// Check refuses what no chat would take: a blank text without files, one that is longer
// than a row, too many files or one that is not named by a whole path, and what would not
// wait in a queue. The error is for people.
func Check(req Request) error {
	text := queue.Normalize(req.Text)
	if err := queue.Check(text, len(req.Files)); err != nil {
		if errors.Is(err, queue.ErrTooLong) {
			return fmt.Errorf("%w; attach it as a file", err)
		}
		return err
	}
	isCommand, err := commandOf(text)
	switch {
	case err != nil:
		return err
	case isCommand && len(req.Files) > 0:
		return fmt.Errorf("a command takes no files")
	case len(req.Files) > MaxFiles:
		return fmt.Errorf("%d files are too many: at most %d", len(req.Files), MaxFiles)
	}
	for _, f := range req.Files {
		if !filepath.IsAbs(f) {
			return fmt.Errorf("%q is not the whole path of a file", f)
		}
	}
	return nil
}

// commandOf reports whether a text is a command that waits its turn. One that runs at once
// is for the person at the screen.
func commandOf(text string) (bool, error) {
	c, _, kind, err := command.Parse(text)
	if kind == command.Now {
		return false, fmt.Errorf("/%s runs at once and is for the chat itself; //%s sends it as text", c.Name, c.Name)
	}
	return kind == command.Turn, err
}

// add hands a text to the session as Enter would, or parks it.
func (d *Desk) add(req Request) (Result, Reply, *wait) {
	if err := Check(req); err != nil {
		return Result{}, refuse("text", err.Error()), nil
	}
	if d.parked && req.Wait {
		return Result{}, refuse("parked", "no chat has this session open: there would be nothing to wait for; nothing was added"), nil
	}
	isCommand, _ := commandOf(req.Text)
	dr := session.Draft{Text: req.Text, Command: isCommand}
	for _, f := range req.Files {
		dr.Attachments = append(dr.Attachments, queue.Attachment{Path: f})
	}
	var in session.Input = session.Add{Draft: dr}
	if req.Hold || d.parked {
		in = session.Park{Draft: dr, Pause: req.Hold}
	}
	out := d.eng.Step(in)
	if out.Refused != nil {
		return Result{Outcome: out}, d.refused(*out.Refused, ""), nil
	}
	rep, w := d.added(out)
	if !req.Wait {
		w = nil
	}
	note := "added from outside: "
	if rep.Kind == Sent {
		note = "sent from outside: "
	}
	return Result{Outcome: out, Note: note + brief(req.Text)}, rep, w
}

// added says where a text went.
func (d *Desk) added(out engine.Outcome) (Reply, *wait) {
	w := &wait{session: d.eng.Session()}
	var rep Reply
	for _, ev := range out.Events {
		switch ev := ev.(type) {
		case session.RowQueued:
			s := d.eng.State()
			w.row = ev.Row.ID
			n := s.Queue.Index(ev.Row.ID) + 1
			rep = Reply{Kind: Queued, ID: string(ev.Row.ID), N: n, Text: fmt.Sprintf("queued as row %d · %s", n, s.Word(ev.Row.ID, d.now()))}
		case session.TurnStarted:
			w.turn = ev.Turn
			rep = Reply{Kind: Sent, ID: fmt.Sprintf("%s.%d", d.eng.Session(), ev.Turn), Text: "sent"}
		case session.CommandStarted:
			w.command = ev.ID
			rep = Reply{Kind: Sent, ID: fmt.Sprintf("%s.%d", d.eng.Session(), ev.ID), Text: "running"}
		}
	}
	rep.Text, w.id = d.kept(rep.Text), rep.ID
	return rep, w
}
