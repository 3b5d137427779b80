package session

import (
	"fmt"
	"path/filepath"

	"baton/queue"
	"baton/retrypolicy"
)

// Message is one entry of the context that a request carries.
type Message struct {
	Assistant   bool
	Text        string
	Attachments []queue.Attachment
}

// What stands in the context for an answer that did not come to be, so that roles
// alternate on every server and no failed attempt's text is sent.
const (
	failedAnswer  = "(this turn failed before an answer was completed)"
	stoppedAnswer = "(this turn was stopped before an answer)"
	silentAnswer  = "(this turn ended without a text)" // its tools were the answer
)

// Context lists what the request of a turn sends: each earlier chain once, by its last
// turn, and the turn's own prompt. The newest summary stands for all before it; one that
// did not come to be is left out, and so is what was too much for the model when it is
// to summarize the rest. older are the items before those of s, as far back as
// the newest summary at least.
func (s State) Context(id TurnID, older Items) []Message {
	this, ok := s.Turn(id)
	if !ok {
		return nil
	}
	last := map[TurnID]Turn{}
	var chains []TurnID
	add := func(items Items) {
		for _, it := range items.All() {
			t := it.Turn
			if t == nil || t.ID == id || t.Chain == this.Chain {
				continue
			}
			if t.Stands() {
				chains = nil
				clear(last)
			}
			if _, seen := last[t.Chain]; !seen {
				chains = append(chains, t.Chain)
			}
			last[t.Chain] = *t
		}
	}
	add(older)
	add(s.Items)
	var ms []Message
	for _, c := range chains {
		t := last[c]
		tooMuch := t.Outcome == Failed && t.Cause.Kind == retrypolicy.ContextOverflow
		if t.Stands() || !t.Compact && !(this.Compact && tooMuch) {
			ms = append(ms, t.asked(), Message{Assistant: true, Text: t.contribution()})
		}
	}
	if this.Compact {
		return append(ms, Message{Text: summaryOf(this.Text)})
	}
	return append(ms, this.asked())
}

// asked is a settled turn's user message.
func (t Turn) asked() Message {
	text := t.Text
	if t.Compact {
		return Message{Text: compactAsked}
	}
	m := Message{Text: meant(text), Attachments: t.Attachments} // a log of an earlier version has it as it was typed
	if t.Outcome == Failed && t.Cause.ofContent() {
		for _, a := range m.Attachments {
			m.Text += LeftOut(a, "is left out: the turn that it came with failed")
		}
		m.Attachments = nil
	}
	return m
}

// LeftOut stands in a message for a file that does not go with it, and says why: "is not available any more".
func LeftOut(a queue.Attachment, why string) string {
	return fmt.Sprintf("\n\n(the attachment %s %s)", filepath.Base(a.Path), why)
}

// ofContent reports a failure that may be the fault of what was sent. To send the files of it along with later turns would
// make these fail as well.
func (c Cause) ofContent() bool {
	return c.Kind == retrypolicy.Invalid || c.Kind == retrypolicy.Refused || c.Kind == retrypolicy.ContextOverflow
}

// contribution is what a settled turn says to later turns.
func (t Turn) contribution() string {
	switch {
	case t.Outcome != Succeeded && t.Outcome != Stopped:
		return failedAnswer
	case !queue.Blank(t.Answer):
		return t.Answer
	case t.Outcome == Stopped:
		return stoppedAnswer
	}
	return silentAnswer
}
