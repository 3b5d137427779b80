package session

import (
	"strings"
	"unicode"

	"baton/queue"
)

var _ = durable[PrepareStarted]("prepare.started", "the attachments of a row, or of a retried chain, are being read")

// PrepareStarted locks a row while its attachments are read.
type PrepareStarted struct {
	Turn  TurnID   `json:"turn"`
	Row   queue.ID `json:"row,omitempty"`
	Chain TurnID   `json:"chain,omitempty"`
}

func (e PrepareStarted) apply(s *State) {
	before := s.Life
	s.begin(e.Turn, LifePreparing{Turn: e.Turn, Row: e.Row, Chain: e.Chain, Before: before})
	s.unmark(e.Row)
}

var _ = durable[PrepareEnded]("prepare.ended", "reading attachments ended without a turn")

// PrepareEnded unlocks the row; a retry returns to where it came from.
type PrepareEnded struct {
	Turn TurnID `json:"turn"`
	Why  string `json:"why,omitempty"`
}

func (e PrepareEnded) apply(s *State) {
	if l, ok := s.Life.(LifePreparing); ok {
		s.Life = LifeReady{}
		if l.Row == "" {
			s.Life = l.Before
		}
	}
}

var _ = durable[CommandStarted]("command.started", "a slash command runs; a queued one stays in the queue until it is done")

// CommandStarted runs a command.
type CommandStarted struct {
	ID   TurnID   `json:"id"`
	Row  queue.ID `json:"row,omitempty"`
	Text string   `json:"text"`
}

func (e CommandStarted) apply(s *State) {
	before := s.Life
	s.begin(e.ID, LifeCommand{ID: e.ID, Name: commandName(e.Text), Row: e.Row, Before: before})
	s.unmark(e.Row)
}

// commandName is the command that a text begins with.
func commandName(text string) string {
	text = strings.TrimSpace(text)
	if end := strings.IndexFunc(text, unicode.IsSpace); end >= 0 {
		return text[:end]
	}
	return text
}

var _ = durable[CommandEnded]("command.ended", "a slash command is done, failed (Why), or was stopped")

// CommandEnded ends a command; a queued one leaves the queue only when it is done.
type CommandEnded struct {
	ID   TurnID `json:"id"`
	Done bool   `json:"done,omitempty"`
	Why  string `json:"why,omitempty"`
}

func (e CommandEnded) apply(s *State) {
	l, ok := s.Life.(LifeCommand)
	if !ok {
		return
	}
	s.Life = l.Before
	if l.Row == "" {
		return
	}
	s.Life = LifeReady{}
	if e.Done {
		s.Queue, _ = s.Queue.Remove(l.Row)
	}
}
