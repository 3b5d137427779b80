package session

import (
	"regexp"

	"baton/queue"
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

// Context lists what the request of a turn sends: each earlier chain once, by its
// last turn, and the turn's own prompt.
func (s State) Context(id TurnID) []Message {
	this, ok := s.Turn(id)
	if !ok {
		return nil
	}
	last := map[TurnID]Turn{}
	var chains []TurnID
	for _, it := range s.Items.All() {
		if it.Turn == nil || it.Turn.ID == id || it.Turn.Chain == this.Chain {
			continue
		}
		if _, seen := last[it.Turn.Chain]; !seen {
			chains = append(chains, it.Turn.Chain)
		}
		last[it.Turn.Chain] = *it.Turn
	}
	var ms []Message
	for _, c := range chains {
		t := last[c]
		ms = append(ms, prompt(t), Message{Assistant: true, Text: t.contribution()})
	}
	return append(ms, prompt(this))
}

// escaped is how a person writes a text that reads like a slash command and is none.
// A comment of a program, "// like this", is no such text.
var escaped = regexp.MustCompile(`^//[a-z]+(\s|$)`)

// prompt is a turn's user message.
func prompt(t Turn) Message {
	text := t.Text
	if escaped.MatchString(text) {
		text = text[1:]
	}
	return Message{Text: text, Attachments: t.Attachments}
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
