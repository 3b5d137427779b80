package model

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/catalog"
	"baton/model/session"
	"baton/ui/choose"
	"baton/ui/keymap"
	"baton/ui/status"
)

// choice is a list over the whole screen from which the person takes one thing.
type choice struct {
	choose.Model
	take   string               // the command that gets what was taken
	use    func(id string)      // what takes it, if no command does
	items  func() []choose.Item // for a list that grows while it is shown; nil for one that does not
	search bool                 // what is typed is looked for in the sessions' texts
	asked  string               // what was looked for last
	stop   context.CancelFunc   // ends that search
	line   string               // the command whose words may mean one session alone; "" once that is known
}

// chooseTurn lists the prompts of this session, the newest first. Older ones join it as
// they are read.
func (m *Model) chooseTurn() (tea.Cmd, error) {
	items := m.turnItems()
	if len(items) == 0 {
		return nil, errors.New("there is no turn to fork from yet")
	}
	m.screen.choice = &choice{Model: m.newList("fork behind a turn", "forks", items), take: "/fork", items: m.turnItems}
	return m.older(homeBytes), nil
}

// newList is a list to choose from that names its keys.
func (m *Model) newList(heading, takes string, items []choose.Item) choose.Model {
	list := choose.New(m.deps.Theme, heading, items)
	list.SetHints(choose.KeyHints(m.deps.Keys, takes, "closes")...)
	return list
}

// completionHints names the keys of the completion while it is open.
func (m *Model) completionHints() []string {
	if !m.completing() {
		return nil
	}
	k := m.deps.Keys
	return []string{k.Does("takes", keymap.PopupAccept), k.Does("closes", keymap.Stop), k.Does("choose", keymap.PopupUp, keymap.PopupDown)}
}

// searchedAnswer is how much of each answer, in bytes, a list of turns is narrowed down by.
const searchedAnswer = 200

func (m *Model) turnItems() []choose.Item {
	var items []choose.Item
	last := map[session.TurnID]session.Outcome{}
	for n, t := range m.eng.State().Numbered() {
		if t.Outcome == session.Unsettled {
			continue
		}
		if _, seen := last[t.Chain]; !seen {
			last[t.Chain] = t.Outcome
		}
		if !t.Retry() {
			items = append(items, choose.Item{ID: strconv.Itoa(n), Title: catalog.Title(t.Text, t.Attachments),
				Detail: fmt.Sprintf("turn %d · %s", n, last[t.Chain]), Text: t.Answer[:min(len(t.Answer), searchedAnswer)]})
		}
	}
	return items
}

// actChoice: while a list is open, keys go to it.
func (m *Model) actChoice(a keymap.Action) (tea.Cmd, bool) {
	c := m.screen.choice
	if c == nil || m.screen.help {
		return nil, false
	}
	page := max(m.screen.h-3, 1)
	switch a {
	case keymap.Stop, keymap.Interrupt:
		m.closeChoice()
	case keymap.PopupUp:
		c.MoveSelection(-1)
	case keymap.PopupDown:
		c.MoveSelection(1)
	case keymap.ScrollUp:
		c.MoveSelection(-page)
	case keymap.ScrollDown:
		c.MoveSelection(page)
	case keymap.Send, keymap.PopupAccept:
		return m.takeChoice(), true
	case keymap.DeleteLeft:
		c.Erase()
	case keymap.KillWord:
		c.EraseWord()
	case keymap.KillToStart:
		c.Clear()
	case keymap.Suspend, keymap.Redraw, keymap.Help:
		return nil, false
	}
	return m.search(), true
}

// typedChoice puts text into the line that narrows the list down.
func (m *Model) typedChoice(text string) tea.Cmd {
	m.screen.choice.Insert(text)
	return m.search()
}

// closeChoice closes the list and ends its search.
func (m *Model) closeChoice() {
	if c := m.screen.choice; c != nil && c.stop != nil {
		c.stop()
	}
	m.screen.choice = nil
}

// takeChoice runs the command with what is selected.
func (m *Model) takeChoice() tea.Cmd {
	c := m.screen.choice
	it, ok := c.Selected()
	if !ok {
		return nil
	}
	m.closeChoice()
	if c.use != nil {
		c.use(it.ID)
		return nil
	}
	return m.command(c.take + " " + it.ID)
}

// command submits a command that was not typed: what stands in the composer stays.
func (m *Model) command(text string) tea.Cmd {
	return m.after(m.eng.Step(session.Submit{Draft: session.Draft{Text: text, Command: true}}))
}

// choiceView draws the list over the whole screen, a word below it.
func (m *Model) choiceView(w, h int) []string {
	c := m.screen.choice
	word := status.Notice(m.deps.Theme, m.currentWord(), w, min(h/3, h-3))
	room := h - len(word)
	lines := c.View(w, room)
	if len(word) > 0 {
		for len(lines) < room {
			lines = append(lines, "")
		}
	}
	m.screen.x, m.screen.y = c.Caret(w, room)
	m.screen.caret = true
	return append(lines, word...)
}
