package model

import (
	tea "github.com/charmbracelet/bubbletea"

	"baton/model/session"
)

const (
	// olderScreens is how many screens above the view are kept ready.
	olderScreens = 2
	// olderBytes is how much of the log is read at once for them, and homeBytes for one
	// press of the key that goes to the beginning.
	olderBytes = 256 << 10
	homeBytes  = 8 << 20
)

// readOlder asks for older items when the view comes near the first of those that are
// here.
func (m *Model) readOlder() tea.Cmd {
	if !m.eng.MayOlder() || m.screen.h < 2 || m.chat.Above(olderScreens*m.screen.h) {
		return nil
	}
	return m.older(olderBytes)
}

// older reads on. What could not be read is tried again when a key is pressed.
func (m *Model) older(bytes int64) tea.Cmd {
	job := m.eng.Older(bytes, m.pace.acting)
	if job == nil {
		return nil
	}
	return func() tea.Msg { return jobDone{job()} }
}

const readingOlder = "reading older messages"

// toBeginning shows the beginning. What has to be read for it is read and shown then.
func (m *Model) toBeginning() tea.Cmd {
	m.chat.Home()
	m.shown.home = m.eng.MayOlder()
	if !m.shown.home {
		return nil
	}
	m.say(readingOlder)
	return m.older(homeBytes)
}

// showOlder puts items that were read before those that are shown. Who reads goes on
// reading where they are, unless they want the beginning.
func (m *Model) showOlder() {
	home, before := m.shown.home, len(m.shown.blocks)
	m.shown = shown{starts: map[session.TurnID]int{}, items: m.eng.State().Items.Start()}
	m.addItems()
	if c := m.screen.choice; c != nil && c.items != nil {
		c.SetItems(c.items())
	}
	m.chat.Prepend(m.shown.blocks[:max(len(m.shown.blocks)-before, 0)])
	if !home {
		return
	}
	m.chat.Home()
	if m.word.text == readingOlder {
		m.unsay()
	}
	if m.eng.MayOlder() {
		m.say("there is more above: once more reads on")
	}
}
