package model

import (
	"baton/model/session"
)

// A command that was typed is done or it is still there. Whatever refuses it, at once or when it is tried, its line stands
// in the composer afterwards, unless something else does by then; the history has it in any case.

// underway is a command that was typed and has begun.
type underway struct {
	id   session.TurnID
	line string
}

// refuse says why what was asked for is not done. line is the command that asked, "" if it was no command, or one that
// is still being taken.
func (m *Model) refuse(text, line string) {
	m.say(text)
	m.word.refused = true
	m.giveLine(line)
}

// giveLine puts the line of a command that was not done back where it was typed.
func (m *Model) giveLine(line string) {
	if line == "" || !m.write.Empty() {
		return
	}
	m.write.SetValue(line)
	m.write.noPopup = true // it is whole
}

// began notes the command that an input started, if it was typed.
func (m *Model) began(events []session.Event, line string) {
	for _, ev := range events {
		if c, ok := ev.(session.CommandStarted); ok && c.Row == "" {
			m.write.underway = underway{c.ID, line}
		}
	}
}

// ended gives the line of a command back that has come to nothing.
func (m *Model) ended(ev session.CommandEnded) {
	u := m.write.underway
	if u.line == "" || u.id != ev.ID {
		return
	}
	m.write.underway = underway{}
	if !ev.Done {
		m.giveLine(u.line)
	}
}
