package session

import (
	"hash/crc32"
	"strings"
	"unicode/utf8"

	"baton/queue"
)

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

var _ = durable[EditKept]("edit.kept", "what stands unsaved in the editor of a row, as a change of what stood there before; twice a second at most while it is written")

// EditKept saves what stands in the row editor, so that a crash takes half a second of it at most. Of the text it has what
// is new: between the first Front and the last Back bytes of what stood there before stands Draft.Text now.
type EditKept struct {
	Row   queue.ID `json:"row"`
	Front int      `json:"front,omitempty"`
	Back  int      `json:"back,omitempty"`
	Draft Draft    `json:"draft"`
	Sum   int64    `json:"sum"` // CRC-32C of the whole text
}

// apply leaves what is there where the change does not fit: a part of the log is damaged.
func (e EditKept) apply(s *State) {
	before, ok := s.openText()
	r, _ := s.Queue.Get(e.Row)
	if !ok || s.Editing != e.Row || min(e.Front, e.Back) < 0 || e.Front > len(before)-e.Back {
		return
	}
	d := e.Draft
	d.Text = before[:e.Front] + d.Text + before[len(before)-e.Back:]
	switch {
	case sumOf(d.Text) != e.Sum:
	case sameDraft(d, draftOf(r)):
		s.Draft = nil
	default:
		s.Draft = &d
	}
}

// openText is the text in the row editor, as far as it was kept.
func (s State) openText() (text string, open bool) {
	r, ok := s.Queue.Get(s.Editing)
	if ok && s.Draft != nil {
		return s.Draft.Text, true
	}
	return r.Text, ok
}

// sumOf is the sum of a text as a log has it: bytes that are no UTF-8 are replaced there.
func sumOf(text string) int64 {
	return int64(crc32.Checksum([]byte(strings.Map(func(r rune) rune { return r }, text)), crc32.MakeTable(crc32.Castagnoli)))
}

// keptEdit is the change from one text to another. Text that is no UTF-8 reads otherwise in a log, so there is nothing
// to refer to.
func keptEdit(row queue.ID, before string, now Draft) EditKept {
	e := EditKept{Row: row, Draft: now, Sum: sumOf(now.Text)}
	if !utf8.ValidString(before) || !utf8.ValidString(now.Text) {
		return e
	}
	most := min(len(before), len(now.Text))
	for e.Front < most && before[e.Front] == now.Text[e.Front] {
		e.Front++
	}
	for e.Front > 0 && (!begins(before, e.Front) || !begins(now.Text, e.Front)) {
		e.Front--
	}
	at := func(text string) int { return len(text) - e.Back }
	for e.Back < most-e.Front && before[at(before)-1] == now.Text[at(now.Text)-1] {
		e.Back++
	}
	for e.Back > 0 && !begins(now.Text, at(now.Text)) {
		e.Back--
	}
	e.Draft.Text = now.Text[e.Front:at(now.Text)]
	return e
}

// begins reports whether a character begins, or the text ends, at an offset.
func begins(text string, at int) bool { return at == len(text) || utf8.RuneStart(text[at]) }

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
