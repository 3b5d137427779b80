package model

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/session"
	"baton/queue"
	"baton/ui/keymap"
)

// actQueue performs what is done to rows.
func (m *Model) actQueue(a keymap.Action) (tea.Cmd, bool) {
	s := m.eng.State()
	name, at := m.list.Selected()
	id := queue.ID(name)
	switch a {
	case keymap.QueueUp:
		m.list.MoveSelection(-1)
	case keymap.QueueDown:
		m.list.MoveSelection(1)
	case keymap.QueueEdit:
		return m.step(session.BeginEdit{Row: id}), true
	case keymap.QueueRemove:
		return m.remove(id), true
	case keymap.QueueUndo:
		return m.undoQueue(), true
	case keymap.QueueMoveUp:
		return m.move(id, at-1), true
	case keymap.QueueMoveDown:
		return m.move(id, at+1), true
	case keymap.QueuePlay:
		return m.play(), true
	case keymap.QueueSendNow:
		return m.sendNow(id), true
	case keymap.QueuePause:
		return m.step(session.SetPaused{On: !s.Gate.Paused}), true
	case keymap.QueueClear:
		return m.discarding(session.ClearRows{Draft: m.openDraft()}, "cleared"), true
	case keymap.EditLast:
		if n := s.Queue.Len(); n > 0 {
			return m.step(session.BeginEdit{Row: s.Queue.At(n - 1).ID}), true
		}
		m.say("the queue is empty")
	case keymap.SaveRow:
		return m.saveRow(), true
	default:
		return nil, false
	}
	return nil, true
}

// undoQueue brings back what was removed, cleared or discarded last. The composer's undo
// ends here too, so that it is in reach when the queue is empty.
func (m *Model) undoQueue() tea.Cmd {
	before := m.eng.State().Queue
	cmd := m.step(session.UndoLast{})
	m.selectNew(before)
	return cmd
}

// selectNew selects the first row that was not in the queue before.
func (m *Model) selectNew(before queue.List) {
	for _, r := range m.eng.State().Queue.Rows() {
		if before.Index(r.ID) < 0 {
			m.refresh()
			m.list.Select(string(r.ID))
			return
		}
	}
}

// sendNow sends a row ahead of the others, and asks first where that stops a turn whose
// tools ran. A key that is held does not send the next row too.
func (m *Model) sendNow(id queue.ID) tea.Cmd {
	in := session.SendNow{Row: id, Turn: m.pace.meant(m.pressed())}
	cmd := m.asking(in, func(yes bool) session.Input {
		in.Confirmed = yes
		return in
	})
	if m.word.consent == nil && m.pace.yes == nil {
		m.pace.spent = m.pressed()
	}
	return cmd
}

// remove takes a row out. A held key does not mean the next row.
func (m *Model) remove(id queue.ID) tea.Cmd {
	return m.unlessHeld(func() tea.Cmd {
		return m.discarding(session.RemoveRow{Row: id, Draft: m.draftIf(id)}, "removed")
	})
}

// discarding takes rows away and says how to get them back.
func (m *Model) discarding(in session.Input, did string) tea.Cmd {
	out := m.eng.Step(in)
	cmd := m.after(out)
	if out.Refused == nil && m.eng.State().Undo != nil {
		m.sayLost(did)
	}
	return cmd
}

// lost is what the queue lost by the person's hand: the undo slot that has it, and what stood in the composer then.
type lost struct {
	undo    *session.Undo
	version uint64
	files   []queue.Attachment
}

// sayLost notes what the queue has just lost, and says which key brings it back from where the keys go now.
func (m *Model) sayLost(did string) {
	m.write.lost = lost{m.eng.State().Undo, m.write.Version(), m.write.files}
	undo := keymap.Undo
	if m.screen.focus == onQueue && m.row.id == "" && m.eng.State().Queue.Len() > 0 {
		undo = keymap.QueueUndo
	}
	m.say(strings.Join(append([]string{did}, m.hints(hint{undo, "undoes"})...), " · "))
}

// lostLast reports whether the queue lost something since what stands in the composer was changed: then that is what was
// done last, and what an undo means.
func (m *Model) lostLast() bool {
	l := m.write.lost
	return l.undo != nil && l.undo == m.eng.State().Undo && l.version == m.write.Version() && slices.Equal(l.files, m.write.files)
}

func (m *Model) move(id queue.ID, to int) tea.Cmd {
	if to < 0 || to >= m.eng.State().Queue.Len() {
		return nil
	}
	return m.step(session.MoveRow{Row: id, To: to})
}

// draftIf is the editor's content if it is this row that is open.
func (m *Model) draftIf(id queue.ID) *session.Draft {
	if m.row.id != id {
		return nil
	}
	return m.openDraft()
}

// saveRow is Enter in the row editor.
func (m *Model) saveRow() tea.Cmd {
	if m.row.ContinueLine() {
		return nil
	}
	d, ok := m.rowDraft()
	if !ok {
		return nil
	}
	out := m.eng.Step(session.EndEdit{Row: m.row.id, Save: true, Draft: d})
	if out.Refused != nil && out.Refused.Why == session.RefusedGone {
		m.row.id = ""
		m.giveBack(d)
	}
	return m.after(out)
}
