package model

import (
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/session"
	"baton/ui/help"
	"baton/ui/keymap"
	"baton/ui/term"
)

const (
	// playGuard is how long Enter on an empty composer is ignored after a settlement: it
	// was meant for what stood there before.
	playGuard = 400 * time.Millisecond
	// quitWithin is how soon a second ctrl+c quits.
	quitWithin = 2 * time.Second
)

// key finds what a key means where the focus is.
func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	now := m.pressed()
	again := m.pace.repeats(k.String(), now)
	m.pace.acting = true
	m.shown.home = false // whoever presses a key wants what it says
	a, ok := m.deps.Keys.Action(m.scope(), k)
	if m.astray(a, ok, now) {
		m.say("the row has started; that key was not used")
		return nil
	}
	if ok && m.pace.ignores(a, again, m.word.consent != nil) {
		m.pace.takeBack()
		return nil
	}
	settled := m.settle()
	before := m.word
	before.asked = nil
	m.unsay()
	if !ok {
		switch cmd := m.typed(k); {
		case !m.lostKey(k):
			return tea.Batch(settled, cmd)
		case again: // it is held, and has been answered
			m.word.text, m.word.since = before.text, before.since
		default:
			m.sayWhereKeysGo(k)
		}
		return settled
	}
	m.word.asked = &before // a repeated key may answer
	cmd := m.act(a)
	m.word.asked = nil
	return tea.Batch(settled, cmd)
}

// astray reports whether a key was meant for a row that was promoted a moment ago, before
// anybody could see that. Text never is, nor what stops: that looks at the turn itself.
func (m *Model) astray(a keymap.Action, bound bool, now time.Time) bool {
	late := now.Sub(m.pace.moved)
	switch {
	case !bound || a == keymap.Stop || a == keymap.Interrupt || m.screen.help:
		return false
	case m.screen.focus == onQueue:
		return m.row.id == "" && late < unseen
	}
	return a == keymap.Send && late < refocus && m.pace.emptied
}

// lostKey reports whether a key that is bound to nothing where the keys go does nothing there, and is no text either.
func (m *Model) lostKey(k tea.KeyMsg) bool {
	return m.screen.focus != onComposer && m.text() == nil && m.typedOver() == nil && !m.screen.help && !k.Paste && len(k.Runes) <= 1
}

// sayWhereKeysGo answers such a key: where it went, and how to come back to writing. The key that quits is not taken for that
// here, where others read it as half a page; it is said where it does.
func (m *Model) sayWhereKeysGo(k tea.KeyMsg) {
	where, back := "the transcript", keymap.FocusNext
	if m.screen.focus == onQueue {
		where, back = "the queue", keymap.FocusPrev
	}
	does := "to write"
	if a, ok := m.deps.Keys.Action(keymap.Composer, k); ok && a == keymap.Quit && m.write.Empty() && len(m.write.files) == 0 {
		does += fmt.Sprintf(", there %s quits", m.deps.Keys.Hint(keymap.Quit))
	}
	m.say(strings.Join(append([]string{"keys go to " + where}, m.hints(hint{back, does})...), " · "))
}

func (m *Model) scope() keymap.Scope {
	switch {
	case m.screen.help:
		return keymap.Transcript
	case m.screen.choice != nil || m.screen.finding != nil:
		return keymap.Popup
	case m.completing():
		return keymap.Popup
	case m.screen.focus == onQueue && m.row.id != "":
		return keymap.Editor
	case m.screen.focus == onQueue:
		return keymap.Queue
	case m.screen.focus == onTranscript:
		return keymap.Transcript
	}
	return keymap.Composer
}

// act performs an action by the group it belongs to.
func (m *Model) act(a keymap.Action) tea.Cmd {
	for _, group := range []func(keymap.Action) (tea.Cmd, bool){m.actWindow, m.actHelp, m.actChoice, m.actFinding, m.actProgram, m.actTurn, m.actQueue, m.actTranscript, m.actReading, m.actPopup, m.actText} {
		if cmd, ok := group(a); ok {
			return cmd
		}
	}
	return nil
}

// actHelp: while the help is open, movements move it and esc closes it.
func (m *Model) actHelp(a keymap.Action) (tea.Cmd, bool) {
	if !m.screen.help {
		return nil, false
	}
	page := help.Page(m.screen.h)
	by := map[keymap.Action]int{keymap.TranscriptUp: -1, keymap.TranscriptDown: 1, keymap.ScrollUp: -page, keymap.ScrollDown: page,
		keymap.TranscriptTop: -1 << 20, keymap.TranscriptBottom: 1 << 20}
	switch a {
	case keymap.Help, keymap.Stop, keymap.Interrupt:
		m.screen.help = false
	case keymap.Suspend, keymap.Redraw:
		return nil, false
	default:
		m.help.Scroll(by[a], m.screen.w, m.screen.h)
	}
	return nil, true
}

func (m *Model) actProgram(a keymap.Action) (tea.Cmd, bool) {
	switch a {
	case keymap.Help:
		m.screen.help = true
	case keymap.Suspend:
		return term.Suspend, true
	case keymap.Redraw:
		return term.Repaint, true
	case keymap.FocusNext:
		m.moveFocus(1)
	case keymap.FocusPrev:
		m.moveFocus(-1)
	case keymap.Quit:
		if m.write.Empty() && len(m.write.files) == 0 {
			return m.quit(), true
		}
		m.write.Delete()
	case keymap.ExternalEditor:
		return m.openEditor(), true
	default:
		return nil, false
	}
	return nil, true
}

// moveFocus goes round composer, queue and transcript; an empty queue is left out.
func (m *Model) moveFocus(by int) {
	for range 3 {
		m.screen.focus = focus((int(m.screen.focus) + by + 3) % 3)
		if m.screen.focus != onQueue || m.eng.State().Queue.Len() > 0 {
			return
		}
	}
}

func (m *Model) actTurn(a keymap.Action) (tea.Cmd, bool) {
	switch a {
	case keymap.Send:
		return m.send(), true
	case keymap.Stop:
		return m.stop(), true
	case keymap.Interrupt:
		return m.interrupt(), true
	case keymap.Retry:
		return m.retry(), true
	}
	return nil, false
}

// stop closes what is open, else stops the work on the screen.
func (m *Model) stop() tea.Cmd {
	switch {
	case m.completing():
		m.closePopup()
	case m.row.id != "":
		d, ok := m.rowDraft()
		if !ok { // a discarded edit needs no check
			d, m.word.text = *m.openDraft(), ""
		}
		return m.discardEdit(d)
	case m.eng.State().Busy():
		return m.step(session.Stop{Turn: m.pace.meant(m.pressed())})
	case m.screen.focus != onComposer:
		m.screen.focus = onComposer
	}
	return nil
}

// discardEdit closes the row editor without a save.
func (m *Model) discardEdit(d session.Draft) tea.Cmd {
	kept := m.eng.State().Undo
	cmd := m.step(session.EndEdit{Row: m.row.id, Draft: d})
	if m.eng.State().Undo != kept {
		m.sayLost("edit discarded")
	}
	return cmd
}

// interrupt is ctrl+c: the draft, else the turn, else twice the program.
func (m *Model) interrupt() tea.Cmd {
	now := m.pressed()
	switch s := m.eng.State(); {
	case s.Quitting:
		return m.quit()
	case m.screen.focus == onQueue && m.row.id != "" && len(m.row.files) > 0:
		m.pace.spent = now
		m.say(strings.Join(append([]string{attached(len(m.row.files)) + " taken off the row"}, m.hints(hint{keymap.SaveRow, "saves"})...), " · "))
		m.row.Beside(m.row.files)
		m.row.files = nil
	case m.screen.focus == onQueue && m.row.id != "" && !m.row.Empty():
		m.pace.spent = now
		m.row.Clear() // its undo has it
	case m.handBack(true):
		m.pace.spent = now
	case !m.write.Empty() || len(m.write.files) > 0:
		m.pace.spent = now
		m.clearDraft()
	case s.Busy():
		m.pace.spent = now
		return m.step(session.Stop{Turn: m.pace.meant(now)})
	case now.Sub(m.word.quitAsked()) < quitWithin:
		return m.quit()
	default:
		m.say(m.deps.Keys.Hint(keymap.Interrupt) + " once more quits")
		m.word.quit = now
	}
	return nil
}

// clearDraft takes the draft away. The composer's undo has it, files included, and the history its text.
func (m *Model) clearDraft() {
	m.write.history.Add(m.write.Value())
	m.write.ClearWith(m.write.files)
	m.write.history.Rewind()
	if n := len(m.write.files); n > 0 {
		m.say(strings.Join(append([]string{attached(n) + " dropped"}, m.hints(hint{keymap.Undo, "brings them back"})...), " · "))
		m.write.files = nil
	}
}

// retry is ctrl+y: now, while a retry waits; again, when idle.
func (m *Model) retry() tea.Cmd {
	s := m.eng.State()
	if l, ok := s.Running(); ok {
		b, waiting := l.Phase.(session.Backoff)
		if !waiting {
			m.refuse("nothing waits for a retry; the request is under way", "")
			return nil
		}
		return m.asking(session.RetryNow{Turn: l.Turn, Attempt: b.Failed}, func(yes bool) session.Input {
			return session.RetryNow{Turn: l.Turn, Attempt: b.Failed, At: m.deps.Now(), Confirmed: yes}
		})
	}
	t, ok := s.LastTurn()
	if !ok {
		m.refuse("nothing to retry yet", "")
		return nil
	}
	return m.asking(session.Retry{Turn: t.ID}, func(yes bool) session.Input {
		return session.Retry{Turn: t.ID, Confirmed: yes}
	})
}

// asking feeds an input that may need the person's consent: the same key, pressed
// again, gives it. what names the input for that comparison.
func (m *Model) asking(what session.Input, input func(confirmed bool) session.Input) tea.Cmd {
	if m.word.agreed(what) {
		return m.pace.agree(func() tea.Cmd { return m.step(input(true)) })
	}
	return m.ask(what, input(false))
}

// ask feeds an input and notes if the person is to be asked about it.
func (m *Model) ask(what, in session.Input) tea.Cmd {
	out := m.eng.Step(in)
	cmd := m.after(out)
	m.pace.wish = nil
	if out.Refused != nil && out.Refused.Why == session.NeedsConsent {
		m.word.consent, m.pace.wish = what, what
	}
	return cmd
}

// agreed performs what the person said yes to. The question is no longer asked.
func (m *Model) agreed(a agreed) tea.Cmd {
	yes := m.pace.take(a)
	if yes == nil {
		return nil
	}
	m.unsay()
	m.pace.acting = true // what changes now was meant
	return yes()
}

// wheelLines is how far a notch of the wheel scrolls.
const wheelLines = 3

// wheel scrolls what can be read: the help where it is open, else the transcript.
func (m *Model) wheel(e tea.MouseMsg) {
	by := map[tea.MouseButton]int{tea.MouseButtonWheelUp: -wheelLines, tea.MouseButtonWheelDown: wheelLines}[e.Button]
	switch {
	case m.screen.choice != nil || by == 0:
	case m.screen.help:
		m.help.Scroll(by, m.screen.w, m.screen.h)
	case by < 0:
		m.chat.ScrollUp(-by)
	default:
		m.chat.ScrollDown(by)
	}
	m.chat.UnselectHidden()
}

func (m *Model) actTranscript(a keymap.Action) (tea.Cmd, bool) {
	switch a {
	case keymap.ScrollUp:
		m.chat.PageUp()
	case keymap.ScrollDown:
		m.chat.PageDown()
	case keymap.Fold:
		m.chat.ToggleFold()
	case keymap.TranscriptUp:
		m.chat.ScrollUp(1)
	case keymap.TranscriptDown:
		m.chat.ScrollDown(1)
	case keymap.TranscriptTop:
		cmd := m.toBeginning()
		m.chat.UnselectHidden()
		return cmd, true
	case keymap.TranscriptBottom:
		m.chat.End()
	default:
		return nil, false
	}
	m.chat.UnselectHidden()
	return nil, true
}

func (m *Model) actPopup(a keymap.Action) (tea.Cmd, bool) {
	switch a {
	case keymap.PopupUp:
		m.pop.MoveSelection(-1)
	case keymap.PopupDown:
		m.pop.MoveSelection(1)
	case keymap.PopupAccept:
		m.complete()
	default:
		return nil, false
	}
	return nil, true
}

func attached(files int) string {
	if files == 1 {
		return "1 attached file"
	}
	return fmt.Sprintf("%d attached files", files)
}
