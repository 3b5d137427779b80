package model

import (
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/session"
	"baton/ui/chat"
	"baton/ui/keymap"
	"baton/ui/markdown"
)

// finding is a search of the transcript while its text is typed.
type finding struct{ text string }

// maxFinding is how many bytes of text are looked for at most.
const maxFinding = 200

// actFinding: while the text of a search is typed, keys go to it.
func (m *Model) actFinding(a keymap.Action) (tea.Cmd, bool) {
	f := m.screen.finding
	switch {
	case m.screen.help:
		return nil, false
	case f == nil:
		return nil, a == keymap.Stop && m.screen.focus == onTranscript && m.leaveReading()
	}
	switch a {
	case keymap.Stop, keymap.Interrupt:
		m.screen.finding = nil
		m.chat.Search("")
	case keymap.Send, keymap.PopupAccept:
		m.screen.finding = nil
	case keymap.PopupUp:
		m.chat.NextMatch(-1)
	case keymap.PopupDown:
		m.chat.NextMatch(1)
	case keymap.DeleteLeft:
		text := []rune(f.text)
		m.retypeFinding(string(text[:max(len(text)-1, 0)]))
	case keymap.KillWord, keymap.KillToStart:
		m.retypeFinding("")
	case keymap.Suspend, keymap.Redraw, keymap.Help:
		return nil, false
	}
	return nil, true
}

// leaveReading ends a search and forgets the chosen message; false if there is neither.
func (m *Model) leaveReading() bool {
	text, _, _ := m.chat.Searched()
	_, chosen := m.chat.Selected()
	m.chat.Search("")
	m.chat.Unselect()
	return text != "" || chosen
}

func (m *Model) retypeFinding(text string) {
	text = strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, text)
	if len(text) > maxFinding {
		m.say("that is long enough to look for")
		return
	}
	m.screen.finding.text = text
	m.chat.Search(text)
}

// findingLine is the text that is looked for and what there is of it, "" if nothing is. A search that was left waits for
// whoever comes back to the transcript; elsewhere none of its keys does anything, and the line is needed for what does.
func (m *Model) findingLine() string {
	if m.screen.focus != onTranscript {
		return ""
	}
	text, total, at := m.chat.Searched()
	f := m.screen.finding
	switch {
	case f != nil && f.text == "":
		return "search: type what to look for"
	case text == "":
		return ""
	case total == 0:
		return "/" + text + " · nothing found" + m.readSoFar()
	}
	return fmt.Sprintf("/%s · %d of %d%s", text, at, total, m.readSoFar())
}

// readSoFar says that there is more than was searched.
func (m *Model) readSoFar() string {
	if m.eng.MayOlder() {
		return " · older messages are not read yet"
	}
	return ""
}

// actReading is what can be done with the transcript beside scrolling.
func (m *Model) actReading(a keymap.Action) (tea.Cmd, bool) {
	switch a {
	case keymap.Search:
		m.screen.finding = &finding{}
		m.chat.Search("")
	case keymap.SearchNext:
		m.nextPlace(1)
	case keymap.SearchPrev:
		m.nextPlace(-1)
	case keymap.MessageUp, keymap.MessageDown:
		m.choose(a == keymap.MessageDown)
	case keymap.MessageCopy:
		return m.copyChosen(), true
	case keymap.CodeCopy:
		return m.copyCode(), true
	case keymap.MessageAgain:
		return m.askAgain(), true
	case keymap.MessageFork:
		return m.forkChosen(), true
	default:
		return nil, false
	}
	return nil, true
}

// nextPlace goes to another place of those that were found, if something is looked for.
func (m *Model) nextPlace(by int) {
	if text, _, _ := m.chat.Searched(); text == "" {
		m.say(strings.Join(append([]string{"nothing is looked for yet"}, m.hints(hint{keymap.Search, "searches"})...), " · "))
		return
	}
	m.chat.NextMatch(by)
}

// choose goes to the next message, and says above it what can be done.
func (m *Model) choose(down bool) {
	m.chat.SetSelectedHint(strings.Join(m.hints(hint{keymap.MessageCopy, "copies"}, hint{keymap.CodeCopy, "code"}, hint{keymap.MessageAgain, "again"}, hint{keymap.MessageFork, "forks"}), " · "))
	by := -1
	if down {
		by = 1
	}
	if !m.chat.MoveSelection(by) {
		m.say("there is no message to choose yet")
	}
}

// chosenText is the text of the message that is chosen, else of the last answer.
func (m *Model) chosenText() string {
	b, ok := m.chat.Selected()
	switch {
	case !ok:
		return m.lastAnswer()
	case b.Kind == chat.Error:
		return strings.TrimSpace(b.Title + "\n" + b.Text)
	}
	return b.Text
}

func (m *Model) lastAnswer() string {
	for _, it := range m.eng.State().Items.Back() {
		if t := it.Turn; t != nil && t.Answer != "" {
			return t.Answer
		}
	}
	return ""
}

func (m *Model) copyChosen() tea.Cmd {
	text := m.chosenText()
	if text == "" {
		m.say("there is no answer to copy yet")
		return nil
	}
	return m.copy(text, "", "")
}

// copyCode copies a block of code; the same key copies the next one.
func (m *Model) copyCode() tea.Cmd {
	text := m.chosenText()
	blocks := markdown.CodeBlocks(text)
	if len(blocks) == 0 {
		m.say("there is no code in it")
		return nil
	}
	if m.screen.codeOf != text {
		m.screen.codeOf, m.screen.codeAt = text, 0
	}
	n := m.screen.codeAt % len(blocks)
	m.screen.codeAt = n + 1
	what := ""
	if len(blocks) > 1 {
		what = fmt.Sprintf("code %d of %d, ", n+1, len(blocks))
	}
	return m.copy(blocks[n], what, "")
}

// chosenTurn is the turn that the chosen message belongs to. Without one the person is told how to choose.
func (m *Model) chosenTurn() (session.TurnID, bool) {
	b, ok := m.chat.Selected()
	turn, _, named := strings.Cut(b.ID, "-")
	id, err := strconv.Atoi(turn)
	if !ok || !named || err != nil {
		m.say("choose a message first: " + strings.Join(m.hints(hint{keymap.MessageUp, "chooses"}), ""))
		return 0, false
	}
	return session.TurnID(id), true
}

// askAgain sends the prompt of the chosen message once more, however long the key is held.
func (m *Model) askAgain() tea.Cmd {
	id, ok := m.chosenTurn()
	if !ok {
		return nil
	}
	again := func() tea.Cmd { return m.sendAgain(id) }
	if m.word.asksConsent() {
		return again() // what it asked about waits itself for the key to be let go
	}
	return m.unlessHeld(again)
}

// sendAgain sends a turn's prompt as Enter would: behind what runs, in the queue. What runs, or came to nothing last, is
// retried in its place, whichever turn of its chain is meant. The draft in the composer stays.
func (m *Model) sendAgain(id session.TurnID) tea.Cmd {
	s := m.eng.State()
	t, ok := s.Turn(id)
	if !ok {
		m.refuse("the prompt of this message is not known any more", "")
		return nil
	}
	last, _ := s.LastTurn() // the one that runs, if one does
	if _, running := s.Running(); last.Chain == t.Chain && (running || !s.Busy() && last.Outcome != session.Succeeded) {
		return m.retry()
	}
	d := session.Draft{Text: t.Text, Command: t.Compact}
	out := m.eng.Step(session.Submit{Draft: session.Draft{Text: d.Typed(), Command: d.Command, Attachments: t.Attachments}})
	cmd := m.after(out)
	if out.Refused == nil {
		m.chat.End()
		m.sayWaits(out.Events, s.Busy())
	}
	return cmd
}

// sayWaits says where a text waits that was sent from somewhere else than the composer, behind what runs: whoever looks at
// the transcript does not see the end of the queue grow.
func (m *Model) sayWaits(events []session.Event, busy bool) {
	for _, ev := range events {
		if ev, ok := ev.(session.RowQueued); ok && busy {
			m.say(fmt.Sprintf("it waits as row %d", m.eng.State().Queue.Index(ev.Row.ID)+1))
		}
	}
}

// forkChosen goes on in a copy that ends with the chosen message's turn.
func (m *Model) forkChosen() tea.Cmd {
	id, ok := m.chosenTurn()
	if !ok {
		return nil
	}
	return m.command("/fork " + strconv.Itoa(m.eng.State().Number(id)))
}
