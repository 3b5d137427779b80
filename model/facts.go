package model

import (
	"cmp"
	"slices"
	"strings"

	"baton/model/session"
	"baton/ui/keymap"
	"baton/ui/status"
)

// facts is what the indicator shows.
func (m *Model) facts() status.Facts {
	s, now, times := m.eng.State(), m.deps.Now(), m.eng.Times()
	f := status.Facts{State: status.Ready, Notice: cmp.Or(m.currentWord(), m.findingLine())}
	if m.screen.h < headerFrom && !m.completing() && m.screen.focus != onTranscript { // else the header has it, or keys have its place
		i := m.eng.Agent().Info()
		f.Agent, f.Model, f.Origin = i.Agent, i.Model, i.Origin
	}
	f.Tokens, f.Window = m.used()
	switch l := s.Life.(type) {
	case session.LifeError:
		f.State = status.Error
	case session.LifePreparing:
		f.Phase = "preparing"
	case session.LifeCommand:
		f.Phase = l.Name
	case session.LifeTurn:
		f.Attempt = l.Attempt
		f.Phase = phaseWord(l.Phase)
		if b, ok := l.Phase.(session.Backoff); ok {
			f.Waiting, f.Attempt, f.Max, f.Wait, f.Cause, f.Asked = true, b.Failed+1, b.Max, b.Due.Sub(now), b.Cause.Short(), b.Hint.Wait
		} else if t, ok := s.Turn(l.Turn); ok {
			f.Max, f.Silent = t.Max, now.Sub(times.Heard)
			f.Phase = phaseOf(t, l.Phase)
		}
	}
	if s.Busy() {
		f.State, f.Elapsed = status.Busy, now.Sub(times.Began)
		if f.Phase != phaseWord(session.Stopping{}) && !m.escCloses() { // else it does already, or another thing first
			f.Stop = strings.Join(m.hints(hint{keymap.Stop, "stops"}), "")
		}
		if !m.deps.Calm {
			f.Spin = int(f.Elapsed/fastTick) + 1
		}
		f.Seconds = m.deps.Calm
	}
	if f.Hints = m.completionHints(); f.Hints == nil {
		f.Hints = m.statusHints(f)
	}
	f.Hints = slices.DeleteFunc(f.Hints, func(h string) bool { return strings.Contains(m.currentWord(), h) }) // once is enough
	return f
}

// escCloses reports whether the key that stops a turn closes something before.
func (m *Model) escCloses() bool {
	text, _, _ := m.chat.Searched()
	_, chosen := m.chat.Selected()
	return m.row.id != "" || m.completing() || m.screen.finding != nil || m.screen.focus == onTranscript && (text != "" || chosen)
}

// statusHints names the keys that help in this state, and that there is more to see.
func (m *Model) statusHints(f status.Facts) []string {
	var hs []string
	t, ok := m.eng.State().LastTurn()
	switch unsuccessful := ok && (t.Outcome == session.Failed || t.Outcome == session.Stopped); {
	case f.Waiting:
		hs = m.hints(hint{keymap.Retry, "retries now"})
	case f.State != status.Busy && unsuccessful:
		hs = m.hints(hint{keymap.Retry, "retries"})
	}
	switch text, _, _ := m.chat.Searched(); {
	case m.screen.finding != nil: // all keys are text
		return m.hints(hint{keymap.Send, "keeps"}, hint{keymap.Stop, "ends"})
	case m.screen.focus == onTranscript && text != "":
		hs = append(hs, m.hints(hint{keymap.SearchNext, "next"}, hint{keymap.Stop, "ends"}, hint{keymap.FocusNext, "to write"})...)
	case m.screen.focus == onTranscript:
		hs = append(hs, m.hints(hint{keymap.FocusNext, "to write"}, hint{keymap.Search, "searches"}, hint{keymap.MessageUp, "chooses"})...)
	}
	switch {
	case m.screen.h < headerFrom && !m.chat.Following(): // else the rule says it
		hs = append(hs, "more below")
	case f.State == status.Ready && len(hs) == 0 && f.Origin == "": // which matters more
		hs = m.hints(hint{keymap.Help, "help"})
	}
	return hs
}

// used is how many tokens the last turn took, and how many the model takes; 0 where that is not known.
func (m *Model) used() (tokens, window int) {
	t, _ := m.eng.State().LastTurn()
	if m.deps.Window != nil {
		window = m.deps.Window(m.eng.Agent().Info())
	}
	return int(t.Tokens), window
}

// phaseOf words the phase of a turn. One that carries out a command says which: how far it
// is says less.
func phaseOf(t session.Turn, p session.Phase) string {
	switch p.(type) {
	case session.Connecting, session.Waiting, session.Streaming:
		return cmp.Or(t.Command(), phaseWord(p))
	}
	return phaseWord(p)
}

func phaseWord(p session.Phase) string {
	switch p.(type) {
	case session.Connecting:
		return "connecting"
	case session.Waiting:
		return "waiting"
	case session.Streaming:
		return "streaming"
	case session.ToolRunning:
		return "tool"
	case session.Approval:
		return "approval"
	case session.Stopping:
		return "stopping"
	}
	return ""
}
