package model

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/engine"
	"baton/model/session"
)

// jobDone brings a job's result back into the loop.
type jobDone struct{ result engine.Result }

// commands turns the engine's jobs into Bubble Tea commands. This is the only place
// where the two meet.
func commands(out engine.Outcome) tea.Cmd {
	var cmds []tea.Cmd
	for _, job := range out.Jobs {
		cmds = append(cmds, func() tea.Msg { return jobDone{job()} })
	}
	if out.Exit {
		return tea.Quit
	}
	return tea.Batch(cmds...)
}

// step feeds an input to the engine and shows what it led to.
func (m *Model) step(in session.Input) tea.Cmd { return m.after(m.eng.Step(in)) }

// after shows an outcome and starts its jobs.
func (m *Model) after(out engine.Outcome) tea.Cmd {
	m.screen.drawn = false
	m.deps.Desk.After(out)
	for _, ev := range out.Events {
		m.show(ev)
		m.screen.window.saw(ev)
	}
	if out.Refused != nil {
		m.say(out.Refused.Text)
		m.word.refused = out.Refused.Why != session.NeedsConsent // which is a question
	}
	if out.Said != "" {
		m.say(out.Said)
	}
	if settled(out.Events) {
		return tea.Batch(commands(out), m.restLater())
	}
	return commands(out)
}

// tick is a look at the clock: a countdown or an elapsed time is on the screen.
type tick struct{ due time.Time }

const (
	fastTick = 100 * time.Millisecond // while a wait counts down in tenths, or something turns
	slowTick = time.Second
	idleTick = 15 * time.Second // a limit that is waited for may pass
)

// clockwork asks for the next tick if something on the screen depends on the time. One
// is under way at a time, but for a sooner one that takes its place.
func (m *Model) clockwork() tea.Cmd {
	every := m.tickEvery()
	if every == 0 {
		return nil
	}
	due := m.deps.Now().Add(every)
	if at := m.screen.tickAt; !at.IsZero() && !due.Before(at.Add(-every/2)) {
		return nil
	}
	m.screen.tickAt = due
	return tea.Tick(every, func(time.Time) tea.Msg { return tick{due} })
}

func (m *Model) tickEvery() time.Duration {
	s := m.eng.State()
	switch {
	case s.Busy() && !m.deps.Calm:
		return fastTick
	case s.Busy():
		return slowTick
	case m.word.text != "":
		return slowTick
	case s.Gate.Limit.After(m.deps.Now()):
		return max(min(idleTick, s.Gate.Limit.Sub(m.deps.Now())), time.Millisecond)
	}
	return 0
}
