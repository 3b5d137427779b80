package model

import (
	"fmt"
	"strings"

	"baton/model/session"
	"baton/ui/keymap"
)

// sayHeldBack says that a row was tried and why it is held, each time: where it was held for the same reason before, nothing
// else on the screen would change.
func (m *Model) sayHeldBack(ev session.PrepareEnded) {
	s := m.eng.State()
	n := len(s.Gate.Blocked)
	if ev.Why == "" || n == 0 || s.Gate.Blocked[n-1].Why != ev.Why { // a retry's files: that is refused in words
		return
	}
	id := s.Gate.Blocked[n-1].Row
	word := fmt.Sprintf("row %d was not sent: %s", s.Queue.Index(id)+1, ev.Why)
	if way := m.wayToFiles(); way != "" && m.row.id != id {
		word += " · " + way
	}
	m.sayToo(word)
}

// wayToFiles is how to take the files off a row from where the keys go, "" where a step of it has no key.
func (m *Model) wayToFiles() string {
	way := []hint{{keymap.QueueEdit, "opens it"}, {keymap.Interrupt, "there drops its files"}}
	switch {
	case m.completing() || m.row.id != "": // the keys do something else
		return ""
	case m.screen.focus == onComposer:
		way = append([]hint{{keymap.FocusNext, "to the queue"}}, way...)
	case m.screen.focus == onTranscript:
		way = append([]hint{{keymap.FocusPrev, "to the queue"}}, way...)
	}
	keys := m.hints(way...)
	if len(keys) < len(way) {
		return ""
	}
	return strings.Join(keys, ", ")
}
