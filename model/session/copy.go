package session

// Copies returns the durable events that make an item anew, for a session that begins
// with the turns of another one; nil for a turn that has not settled.
func (it Item) Copies() []Event {
	t := it.Turn
	if t == nil {
		return []Event{Noted{Text: it.Note}}
	}
	if t.Outcome == Unsettled {
		return nil
	}
	evs := []Event{TurnStarted{Turn: t.ID, Chain: t.Chain, Text: t.Text, Attachments: t.Attachments, Compact: t.Compact}}
	for _, p := range t.Tools {
		evs = append(evs, ToolSeen{Turn: t.ID, N: t.N, Part: p})
	}
	return append(evs, t.settlement())
}

// settlement is the event that settled a turn.
func (t Turn) settlement() Event {
	switch t.Outcome {
	case Succeeded:
		return TurnSucceeded{Turn: t.ID, Answer: t.Answer, Reasoning: t.Reasoning, Cut: t.Cut, Tokens: t.Tokens,
			N: t.N, Max: t.Max, Attempts: t.Attempts}
	case Failed:
		return TurnFailed{Turn: t.ID, Cause: t.Cause, Lost: t.Lost, Reasoning: t.Reasoning,
			N: t.N, Max: t.Max, Exhausted: t.N == t.Max, Attempts: t.Attempts}
	}
	return TurnStopped{Turn: t.ID, Partial: t.Answer, Reasoning: t.Reasoning, Lost: t.Lost, Interrupted: t.Interrupted,
		N: t.N, Max: t.Max, Attempts: t.Attempts}
}
