package model

import (
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/session"
	"baton/queue"
	"baton/ui/keymap"
)

// What stands in the editor of a row is written down as the composer's draft is, half a second behind the typing at most,
// but into the session's own log: there it is an edit of its row from the beginning, ends with the editor in one line, and
// whoever takes the session up next finds it as what can be undone.

// rowStamp tells one state of the row editor from another without looking at its text.
type rowStamp struct {
	id      queue.ID
	version uint64
	files   []queue.Attachment
}

func (s rowStamp) same(t rowStamp) bool {
	return s.id == t.id && s.version == t.version && slices.Equal(s.files, t.files)
}

func (r *rowEditor) stamp() rowStamp { return rowStamp{r.id, r.Version(), r.files} }

// editDue says that a change in the row editor has waited long enough.
type editDue struct{}

// keepEdit sees to it that what stands in the row editor is written down soon.
func (m *Model) keepEdit() tea.Cmd {
	r := &m.row
	now := r.stamp()
	switch {
	case r.id == "" || m.eng.ReadOnly() != "" || now.same(r.kept):
		r.due = false
		return nil
	case r.due:
		r.due, r.kept = false, now
		return m.step(session.KeepEdit{Row: r.id, Draft: *m.openDraft()})
	case r.timed:
		return nil
	}
	r.timed = true
	return tea.Tick(draftPause, func(time.Time) tea.Msg { return editDue{} })
}

// tellEdit says that the edit of a row was left unsaved when the session was left.
func (m *Model) tellEdit() {
	u := m.eng.State().Undo
	if u == nil || u.Draft == nil || len(u.Rows) > 0 || m.eng.ReadOnly() != "" {
		return
	}
	if _, there := m.eng.State().Queue.Get(u.Row); !there {
		return
	}
	text := strings.Join(append([]string{"the edit of a row was not saved"}, m.hints(hint{keymap.QueueUndo, "in the queue brings it back"})...), " · ")
	if before := m.currentWord(); before != "" && before != m.deps.Offer {
		text = before + " · " + text
	}
	m.say(text)
}
