package model

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"baton/queue"
	"baton/ui/composer"
	"baton/ui/keymap"
)

// text is the editor that keys go to; nil when they go to none.
func (m *Model) text() *composer.Editor {
	switch {
	case m.screen.help || m.screen.choice != nil || m.screen.finding != nil:
		return nil
	case m.screen.focus == onQueue && m.row.id != "":
		return &m.row.Editor
	case m.screen.focus == onComposer:
		return &m.write.Editor
	}
	return nil
}

// typed puts plain characters into the text. A letter typed while the focus is elsewhere
// goes nowhere: there it would be a key that is not bound. What comes as a piece is text.
func (m *Model) typed(k tea.KeyMsg) tea.Cmd {
	if over := m.typedOver(); over != nil && !m.screen.help {
		if k.Alt || k.Type != tea.KeyRunes && k.Type != tea.KeySpace {
			return nil
		}
		return over(string(k.Runes))
	}
	if k.Paste || len(k.Runes) > 1 && m.text() == nil {
		m.paste(string(k.Runes))
		return nil
	}
	ed := m.text()
	if ed == nil || k.Alt || k.Type != tea.KeyRunes && k.Type != tea.KeySpace {
		return nil
	}
	ed.Insert(string(k.Runes))
	m.write.noPopup = false
	return nil
}

// typedOver takes what is typed while a list or a search lies over the texts; nil if
// neither does.
func (m *Model) typedOver() func(text string) tea.Cmd {
	switch {
	case m.screen.choice != nil:
		return m.typedChoice
	case m.screen.finding != nil:
		return func(text string) tea.Cmd {
			m.retypeFinding(m.screen.finding.text + text)
			return nil
		}
	}
	return nil
}

// paste always goes to a text: what is pasted is never a command key.
func (m *Model) paste(s string) {
	ed := m.text()
	if ed == nil {
		m.screen.help = false
		ed = m.text() // the row editor may have been behind the help
	}
	if ed == nil {
		m.screen.focus = onComposer
		ed = &m.write.Editor
	}
	if ed == &m.write.Editor && m.drop(s) {
		return
	}
	ed.Paste(s)
}

// motions are the actions that need nothing but the text.
var motions = map[keymap.Action]func(*composer.Editor){
	keymap.Newline:     (*composer.Editor).Newline,
	keymap.KillToEnd:   (*composer.Editor).KillLineEnd,
	keymap.KillToStart: (*composer.Editor).KillLineStart,
	keymap.KillWord:    (*composer.Editor).KillWord,
	keymap.Left:        (*composer.Editor).Left,
	keymap.Right:       (*composer.Editor).Right,
	keymap.WordLeft:    (*composer.Editor).WordLeft,
	keymap.WordRight:   (*composer.Editor).WordRight,
	keymap.LineStart:   (*composer.Editor).LineStart,
	keymap.LineEnd:     (*composer.Editor).LineEnd,
	keymap.TextStart:   (*composer.Editor).DocStart,
	keymap.TextEnd:     (*composer.Editor).DocEnd,
	keymap.DeleteLeft:  (*composer.Editor).Backspace,
	keymap.DeleteRight: (*composer.Editor).Delete,
	keymap.LineUp:      func(e *composer.Editor) { e.Up() },
	keymap.LineDown:    func(e *composer.Editor) { e.Down() },
}

// openPaste turns the pasted piece at the caret into text. Undo folds it again.
func (m *Model) openPaste(ed *composer.Editor) {
	before := ed.Bytes()
	if !ed.OpenChip() {
		text := "no pasted piece at the cursor"
		if before > composer.OpenBytes {
			text += ", or one too long to be shown"
		}
		m.say(strings.Join(append([]string{text}, m.hints(hint{keymap.ExternalEditor, "opens all of it"})...), " · "))
	}
}

func (m *Model) actText(a keymap.Action) (tea.Cmd, bool) {
	ed := m.text()
	if ed == nil {
		return nil, false
	}
	if move, ok := motions[a]; ok {
		move(ed)
		m.write.noPopup = false
		return nil, true
	}
	switch a {
	case keymap.Undo:
		return m.undo(ed), true
	case keymap.Redo:
		if taken, ok := ed.RedoWith(); !ok {
			m.say("nothing to redo here")
		} else if files, ok := taken.([]queue.Attachment); ok {
			m.dropFiles(ed, files)
		}
	case keymap.Yank:
		ed.Yank()
	case keymap.HistoryPrev:
		if !ed.Up() {
			m.write.noPopup = m.write.history.Prev(ed) || m.write.noPopup // at the oldest, too
		}
	case keymap.HistoryNext:
		if !ed.Down() {
			m.write.noPopup = m.write.history.Next(ed) || m.write.noPopup
		}
	default:
		return nil, m.actPieces(a, ed)
	}
	return nil, true
}

// undo takes back what was done last: what the queue lost since the text was changed, what was handed over, the last edit,
// and behind all edits what the queue lost before.
func (m *Model) undo(ed *composer.Editor) tea.Cmd {
	if ed == &m.write.Editor && m.lostLast() {
		return m.undoQueue()
	}
	if ed == &m.write.Editor && m.handBack(false) {
		return nil
	}
	taken, ok := ed.UndoWith()
	if !ok {
		return m.undoQueue()
	}
	if files, ok := taken.([]queue.Attachment); ok {
		m.attachTo(m.filesOf(ed), files)
	}
	return nil
}

// actPieces is for what brings whole pieces of text or opens them.
func (m *Model) actPieces(a keymap.Action, ed *composer.Editor) bool {
	switch a {
	case keymap.OpenPaste:
		m.openPaste(ed)
	case keymap.HistorySearch:
		if err := m.choosePrompt(); err != nil {
			m.say(err.Error())
		}
	default:
		return false
	}
	return true
}
