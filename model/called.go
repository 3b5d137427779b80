package model

import (
	tea "github.com/charmbracelet/bubbletea"

	"baton/model/outside"
)

// called brings a request of another process into the loop.
type called struct{ call *outside.Call }

// listen waits for the next request.
func (m *Model) listen() tea.Cmd {
	calls := m.deps.Calls
	if calls == nil {
		return nil
	}
	return func() tea.Msg { return called{<-calls} }
}

// called does what another process asks for. Nothing of it is a key: focus, selection,
// caret and a question that waits for the person stay as they are.
func (m *Model) called(msg called) tea.Cmd {
	res := m.deps.Desk.Take(msg.call)
	cmd := m.after(res.Outcome)
	if res.Note != "" && !m.asked() {
		m.say(res.Note)
	}
	return tea.Batch(cmd, m.listen())
}

// asked reports whether a question stands on the screen that the next key may answer.
func (m *Model) asked() bool {
	return m.word.consent != nil || !m.word.quit.IsZero() || m.pace.yes != nil
}
