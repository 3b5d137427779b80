package session

import "baton/queue"

// Draft is what a person wrote and has not sent: text, attachments, and whether
// the text is a slash command.
type Draft struct {
	Text        string             `json:"text"`
	Attachments []queue.Attachment `json:"attachments,omitempty"`
	Command     bool               `json:"command,omitempty"`
}

var _ = durable[EditorOpened]("editor.opened", "a row is open in the editor; nothing is promoted by itself meanwhile")

// EditorOpened locks promotion. Draft is set when an undo brings back an edit.
type EditorOpened struct {
	Row   queue.ID `json:"row"`
	Draft *Draft   `json:"draft,omitempty"`
}

func (e EditorOpened) apply(s *State) { s.Editing, s.Draft = e.Row, e.Draft }

var _ = durable[EditorClosed]("editor.closed", "the editor was closed")

// EditorClosed unlocks promotion.
type EditorClosed struct {
	Row queue.ID `json:"row"`
}

func (e EditorClosed) apply(s *State) { s.Editing, s.Draft = "", nil }

// Undo is the one slot for what a person discarded last.
type Undo struct {
	Rows []Placed `json:"rows,omitempty"` // a removal or a clear
	// Row and Draft are a discarded edit, or what stood in the editor of a row
	// that was removed while open.
	Row   queue.ID `json:"row,omitempty"`
	Draft *Draft   `json:"draft,omitempty"`
	Gate  Gate     `json:"gate,omitzero"` // paused, restored and blocked that the removal took away
}

// Placed is a row and where it stood.
type Placed struct {
	Row   queue.Row `json:"row"`
	Index int       `json:"index"`
}

var _ = durable[UndoKept]("undo.kept", "a removal, clear or discarded edit can be undone; it replaces the one before")

// UndoKept fills the undo slot.
type UndoKept struct {
	Undo Undo `json:"undo"`
}

func (e UndoKept) apply(s *State) { s.Undo = &e.Undo }

var _ = durable[UndoUsed]("undo.used", "the undo slot was used up; Composer is a text that had no other place to return to")

// UndoUsed empties the undo slot. A draft whose row is gone goes to the composer.
type UndoUsed struct {
	Composer *Draft `json:"composer,omitempty"`
}

func (e UndoUsed) apply(s *State) { s.Undo = nil }
