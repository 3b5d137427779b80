package engine

import (
	"fmt"

	"baton/model/session"
	"baton/queue"
)

// Row is the row with a number as a person counts, from 1. The error is for people.
func (e *Engine) Row(n int) (queue.Row, error) {
	q := e.state.Queue
	switch {
	case q.Len() == 0:
		return queue.Row{}, fmt.Errorf("there is no row %d: the queue is empty", n)
	case n < 1 || n > q.Len():
		return queue.Row{}, fmt.Errorf("there is no row %d: there are %d", n, q.Len())
	}
	return q.At(n - 1), nil
}

// Rewrite gives a row another text in one go, as opening it in the editor and saving does;
// its files stay. Where that is refused, the row is as it was.
func (e *Engine) Rewrite(row queue.ID, text string, command bool) Outcome {
	if e.state.Editing != "" { // it may be this very row, with words that are not saved
		refused := session.Refused{Why: session.RefusedOpen, Text: "a row is open in the editor; close it first"}
		return Outcome{Events: []session.Event{refused}, Refused: &refused}
	}
	out := e.Step(session.BeginEdit{Row: row})
	r, ok := e.state.Queue.Get(row)
	if out.Refused != nil || !ok || e.state.Editing != row {
		return out
	}
	kept := session.Draft{Text: r.Text, Attachments: r.Attachments, Command: r.Command}
	out = out.Join(e.Step(session.EndEdit{Row: row, Save: true, Draft: session.Draft{Text: text, Attachments: r.Attachments, Command: command}}))
	if e.state.Editing == row {
		out = out.Join(e.Step(session.EndEdit{Row: row, Draft: kept}))
	}
	return out
}
