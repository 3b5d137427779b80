package model

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/session"
)

// restBy is how long after the last work memory is given back. Work that follows sooner
// would ask for it again at once.
const restBy = time.Second

// restDue says that nothing may have run for a while.
type restDue struct{}

// restLater looks after a while whether there is still nothing to do.
func (m *Model) restLater() tea.Cmd {
	if m.deps.Free == nil {
		return nil
	}
	return tea.Tick(restBy, func(time.Time) tea.Msg { return restDue{} })
}

// settled reports whether a turn has come to its end.
func settled(evs []session.Event) bool {
	return slices.ContainsFunc(evs, func(ev session.Event) bool {
		switch ev.(type) {
		case session.TurnSucceeded, session.TurnFailed, session.TurnStopped:
			return true
		}
		return false
	})
}

// rest gives memory back that a turn needed on its way. What is free goes back only with
// a collection of garbage, and a program that waits for a person makes none for minutes.
func (m *Model) rest() tea.Cmd {
	if m.eng.State().Busy() {
		return nil
	}
	free := m.deps.Free
	return func() tea.Msg { free(); return nil }
}
