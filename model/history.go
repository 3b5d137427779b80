package model

import (
	"errors"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/command"
	"baton/ui/choose"
)

type (
	// promptsRead brings what was sent in former sessions.
	promptsRead struct {
		texts []string
		err   error
	}
	// promptsKept says that the first so many of the prompts are written down.
	promptsKept struct {
		n   int
		err error
	}
)

// readPrompts reads what was sent in former sessions, and clears away what killed programs
// left. Both are for the background.
func (m *Model) readPrompts() tea.Cmd {
	k := m.write.keep
	if k.desk == nil {
		return nil
	}
	now := m.deps.Now()
	return func() tea.Msg {
		k.place.Sweep(now)
		texts, err := k.place.Prompts()
		return promptsRead{texts, err}
	}
}

// remember adds what was sent to the history.
func (m *Model) remember(text string) {
	m.write.history.Add(text)
	if k := &m.write.keep; k.desk != nil {
		k.prompts = append(k.prompts, text)
	}
}

// keepPrompts writes down what was sent, one piece of work at a time, so that the order
// stays.
func (m *Model) keepPrompts() tea.Cmd {
	k := &m.write.keep
	if len(k.prompts) == 0 || k.adding {
		return nil
	}
	k.adding = true
	place, texts := k.place, k.prompts[:len(k.prompts):len(k.prompts)]
	return func() tea.Msg { return promptsKept{len(texts), place.AddPrompts(texts)} }
}

// toldKept takes in what came of the files beside the sessions.
func (m *Model) toldKept(msg tea.Msg) {
	k := &m.write.keep
	switch msg := msg.(type) {
	case editDue:
		m.row.timed, m.row.due = false, true
	case draftDue:
		k.timed, k.due = false, true
	case draftKept:
		m.toldDraft(msg)
	case promptsRead:
		m.write.history.Precede(msg.texts)
		if msg.err != nil && m.currentWord() == "" {
			m.say(msg.err.Error())
		}
	case promptsKept:
		k.adding, k.prompts = false, k.prompts[msg.n:]
		if msg.err != nil && m.currentWord() == "" {
			m.say(msg.err.Error())
		}
	}
}

// shownPrompt is how much of a prompt, in bytes, its line in the list is made of, and
// searchedPrompt how much of it is looked at when the list is narrowed down.
const (
	shownPrompt    = 400
	searchedPrompt = 4 << 10
)

// choosePrompt lists what was sent, the newest first.
func (m *Model) choosePrompt() error {
	texts := m.write.history.Entries()
	if len(texts) == 0 {
		return errors.New("nothing was sent yet")
	}
	var items []choose.Item
	for i := len(texts) - 1; i >= 0; i-- {
		text := texts[i]
		title := strings.Join(strings.Fields(text[:min(len(text), shownPrompt)]), " ")
		detail := ""
		if n := strings.Count(strings.TrimSpace(text), "\n"); n > 0 {
			detail = strconv.Itoa(n+1) + " lines"
		}
		items = append(items, choose.Item{ID: strconv.Itoa(i), Title: title, Detail: detail, Text: text[:min(len(text), searchedPrompt)]})
	}
	m.screen.choice = &choice{Model: m.newList("put an earlier prompt into the composer", "takes it", items), use: func(id string) {
		if i, err := strconv.Atoi(id); err == nil {
			m.recall(texts[i])
		}
	}}
	return nil
}

// recall puts an earlier prompt into the composer. Undo brings back what was there.
func (m *Model) recall(text string) {
	m.write.SetValue(text)
	_, _, kind, _ := command.Parse(text)
	m.write.noPopup = kind != command.Text // it is whole: nothing is to be completed
	m.screen.focus = onComposer
}
