package plain

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"baton/model/command"
	"baton/model/session"
	"baton/queue"
)

// host lets commands reach the program.
type host struct{ *program }

// Say says a text.
func (h host) Say(text string) { h.say(sentenceOf(text)) }

// ShowHelp says what can be entered.
func (h host) ShowHelp() {
	for _, l := range []string{
		"A line is a prompt; while the agent works it is queued.",
		"A line that ends in a backslash goes on in the next. Lines between two lines of three quotes are one text.",
		"An empty line says what is going on; when the agent is idle and rows wait, it starts row 1.",
		"Control c stops the turn, twice within 2 seconds quits. The end of the input, control d, quits too.",
		"A question is answered by entering the same command again.",
		"/send: send the text that was refused and kept",
	} {
		h.say(l)
	}
	for _, c := range command.For(h.eng.Agent().Info().Protocol) {
		if c.Name != "copy" && c.Name != "paste" && c.Name != "theme" && c.Name != "keys" { // there is no clipboard, no colour and no key
			h.say(strings.TrimSpace("/"+c.Name+" "+strings.ReplaceAll(c.Args, "|", " or ")) + ": " + c.Help)
		}
	}
}

// RetryLast ends the wait before a retry, or runs the last turn again.
func (h host) RetryLast() {
	s := h.eng.State()
	if l, ok := s.Running(); ok {
		b, waiting := l.Phase.(session.Backoff)
		if !waiting {
			h.say("Nothing waits for a retry: " + h.phase() + ".")
			return
		}
		h.asking(session.RetryNow{Turn: l.Turn, Attempt: b.Failed}, func(yes bool) session.Input {
			return session.RetryNow{Turn: l.Turn, Attempt: b.Failed, At: h.Now(), Confirmed: yes}
		})
		return
	}
	t, _ := s.LastTurn()
	h.asking(session.Retry{Turn: t.ID}, func(yes bool) session.Input { return session.Retry{Turn: t.ID, Confirmed: yes} })
}

// receipts is how many turns RetryInfo lists.
const receipts = 5

// RetryInfo says what the attempts of the last turns met.
func (h host) RetryInfo() error {
	var ls []string
	for n, t := range h.eng.State().Numbered() {
		if len(ls) < receipts {
			ls = append([]string{strings.Join(t.Receipt(n), "\n")}, ls...)
		}
	}
	if len(ls) == 0 {
		return errors.New("there is no turn yet")
	}
	h.say(strings.Join(ls, "\n"))
	return nil
}

// Quit ends the program.
func (h host) Quit() { h.quit() }

// SetTheme has nothing to change.
func (h host) SetTheme(string) error { return errors.New("plain output has no colours") }

// CopyAnswer has nowhere to copy to.
func (h host) CopyAnswer() error {
	return errors.New("plain output reaches no clipboard; /export writes the session to a file")
}

// PasteImage has nothing to paste from.
func (h host) PasteImage() error {
	return errors.New("plain output reaches no clipboard; /attach sends a file")
}

// Attach adds a file to the next prompt.
func (h host) Attach(path string) error {
	abs, err := h.program.Attach(path)
	if err == nil {
		err = h.Engine.Takes(abs)
	}
	if err != nil {
		return err
	}
	h.entry.files = append(h.entry.files, queue.Attachment{Path: abs})
	h.say("Attached " + filepath.Base(abs) + "; it goes with the next prompt.")
	return nil
}

// ArmFaults makes the sandbox fail.
func (h host) ArmFaults(list string) error {
	if h.Faults == nil {
		return errors.New("there is no sandbox here")
	}
	return h.Faults(list)
}

// PauseQueue holds the queue or lets it go on.
func (h host) PauseQueue(on bool) {
	out := h.step(session.SetPaused{On: on})
	if out.Refused == nil && !on {
		h.say("No longer paused. " + h.state())
	}
}

// PlayQueue starts the head.
func (h host) PlayQueue() { h.step(session.Play{}) }

// ClearQueue removes all rows.
func (h host) ClearQueue() { h.discard(session.ClearRows{}) }

// UndoQueue brings back what the queue lost last.
func (h host) UndoQueue() { h.step(session.UndoLast{}) }

// DescribeQueue lists the rows, a line each.
func (h host) DescribeQueue() string {
	q := h.eng.State().Queue
	if q.Len() == 0 {
		return "The queue is empty."
	}
	text := fmt.Sprintf("%d of %d rows", q.Len(), q.Cap())
	if held := h.held(); held != "" {
		text += ", held: " + held
	}
	for i, r := range q.Rows() {
		text += fmt.Sprintf("\nRow %d, %s: %s", i+1, h.standingOf(r.ID), brief(r.Text))
		for _, f := range r.Attachments {
			text += ", with the file " + f.Path
		}
	}
	return text
}

// EditRow gives a row another text.
func (h host) EditRow(n int, text string) error {
	isCommand, err := command.ForRow(text)
	if err != nil {
		return err
	}
	r, err := h.row(n)
	if err == nil {
		h.step(session.Rewrite{Row: r.ID, Text: text, Command: isCommand})
	}
	return err
}

// RemoveRow takes a row out.
func (h host) RemoveRow(n int) error {
	r, err := h.row(n)
	if err == nil {
		h.discard(session.RemoveRow{Row: r.ID})
	}
	return err
}

// MoveRow puts a row in another place.
func (h host) MoveRow(n, to int) error {
	r, err := h.row(n)
	if err == nil {
		_, err = h.eng.Row(to)
	}
	if err == nil {
		h.step(session.MoveRow{Row: r.ID, To: to - 1})
	}
	return err
}

// SendRow sends a row ahead of the others.
func (h host) SendRow(n int) error {
	r, err := h.row(n)
	if err == nil {
		in := session.SendNow{Row: r.ID, Turn: h.meant(h.entry.at)}
		h.asking(in, func(yes bool) session.Input {
			in.Confirmed = yes
			return in
		})
	}
	return err
}

// StopTurn stops what runs.
func (h host) StopTurn() {
	if !h.eng.State().Busy() {
		h.say("Nothing runs that could be stopped.")
		return
	}
	h.step(session.Stop{Turn: h.meant(h.entry.at)})
}
