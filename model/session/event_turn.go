package session

import (
	"time"

	"baton/queue"
)

var _ = durable[TurnStarted]("turn.started", "a prompt runs; the first turn of a chain makes its user row")

// TurnStarted opens a turn. Any start uses up what waited for one.
type TurnStarted struct {
	Turn        TurnID             `json:"turn"`
	Chain       TurnID             `json:"chain"`
	Text        string             `json:"text"`
	Attachments []queue.Attachment `json:"attachments,omitempty"`
	Compact     bool               `json:"compact,omitempty"` // asks for a summary of what came before; Text is the command
}

func (e TurnStarted) apply(s *State) {
	s.begin(e.Turn, LifeTurn{Turn: e.Turn, Phase: Connecting{}})
	s.live = live{}
	if e.Chain == e.Turn {
		s.Prompts++
	}
	s.Items = s.Items.Append(Item{Turn: &Turn{ID: e.Turn, Chain: e.Chain, Text: e.Text, Attachments: e.Attachments, Compact: e.Compact}})
}

// begin is what every start has in common.
func (s *State) begin(id TurnID, l Lifecycle) {
	s.Life, s.Due, s.Awaiting = l, false, 0
	s.Next = max(s.Next, int(id)+1)
}

// AttemptBegan opens an attempt. The text of a failed one leaves the view. Not recorded.
type AttemptBegan struct {
	Turn TurnID
	N    int
}

func (e AttemptBegan) apply(s *State) {
	if l, ok := s.Life.(LifeTurn); ok {
		l.Attempt = e.N
		if _, stopping := l.Phase.(Stopping); !stopping {
			l.Phase = Connecting{}
		}
		s.Life = l
	}
	s.live = live{attempt: e.N, savedAt: s.live.savedAt}
}

// PhaseEntered moves the indicator. Not recorded.
type PhaseEntered struct{ Phase Phase }

func (e PhaseEntered) apply(s *State) {
	if l, ok := s.Life.(LifeTurn); ok {
		l.Phase = e.Phase
		s.Life = l
	}
}

// Streamed is text as it arrives. Not recorded: TurnPartial and the settlement are.
type Streamed struct {
	Turn            TurnID
	Text, Reasoning string
}

func (e Streamed) apply(s *State) {
	s.live.text = s.live.text.add(e.Text)
	s.live.reasoning = s.live.reasoning.add(e.Reasoning)
	s.live.unsaved = true
}

var _ = durable[TurnPartial]("turn.partial", "text of a running attempt, only what came since the last record; at most once a second")

// TurnPartial saves streamed text, so that a crash loses at most a second of it.
type TurnPartial struct {
	Turn      TurnID    `json:"turn"`
	N         int       `json:"n"`
	Text      string    `json:"text,omitempty"`
	Reasoning string    `json:"reasoning,omitempty"`
	At        time.Time `json:"at"`
}

func (e TurnPartial) apply(s *State) {
	if s.live.attempt != e.N { // a reader has not seen the attempt begin
		AttemptBegan{e.Turn, e.N}.apply(s)
	}
	l := &s.live
	if l.savedText+len(e.Text) > l.text.len() {
		l.text = l.text.add(e.Text)
	}
	if l.savedWhy+len(e.Reasoning) > l.reasoning.len() {
		l.reasoning = l.reasoning.add(e.Reasoning)
	}
	l.savedText, l.savedWhy, l.savedAt, l.unsaved = l.text.len(), l.reasoning.len(), e.At, false
}

var _ = durable[ToolSeen]("turn.tool", "the agent created or updated a tool part")

// ToolSeen records a tool part. From here on the attempt is not repeated by itself.
type ToolSeen struct {
	Turn TurnID   `json:"turn"`
	N    int      `json:"n"`
	Part ToolPart `json:"part"`
}

func (e ToolSeen) apply(s *State) {
	if l, ok := s.Life.(LifeTurn); ok {
		l.Tool = true
		if _, stopping := l.Phase.(Stopping); !stopping {
			l.Phase = ToolRunning{}
		}
		s.Life = l
	}
	s.setTurn(e.Turn, func(t *Turn) {
		parts := append([]ToolPart(nil), t.Tools...)
		for i := range parts {
			if parts[i].ID == e.Part.ID {
				parts[i] = e.Part
				t.Tools = parts
				return
			}
		}
		t.Tools = append(parts, e.Part)
	})
}
