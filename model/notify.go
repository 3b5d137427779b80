package model

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/engine"
	"baton/model/session"
	"baton/ui/keymap"
	"baton/ui/sanitize"
	"baton/ui/term"
)

// window is what the program knows of the world around its window, and owes it.
type window struct {
	away  bool           // the window said that it has lost the focus
	owed  session.TurnID // the turn whose end is told once no work follows it
	asked session.TurnID // the turn whose question was told
	mouse bool           // the wheel scrolls
}

// looked takes in what tells where the person looks. A key is pressed in the window that has the focus, and so is what
// brings the program back from the shell or an editor, where reports of the focus are lost.
func (o *window) looked(msg tea.Msg) {
	switch msg.(type) {
	case tea.BlurMsg:
		o.away = true
	case tea.FocusMsg, tea.KeyMsg, tea.MouseMsg, term.ResumeMsg, edited:
		o.away = false
	}
}

// saw notes an end that may be worth telling. What the person stopped is none, and a retry is no end.
func (o *window) saw(ev session.Event) {
	switch ev := ev.(type) {
	case session.TurnSucceeded:
		o.owed = ev.Turn
	case session.TurnFailed:
		o.owed = ev.Turn
	case session.TurnStopped:
		o.owed = 0
	}
}

// tell tells a person who looks elsewhere that the last work has settled, or that a question waits. Between a turn and the
// row promoted behind it nothing has settled.
func (m *Model) tell() tea.Cmd {
	o, s := &m.screen.window, m.eng.State()
	asking := session.TurnID(0)
	if l, ok := s.Running(); ok {
		if _, ok := l.Phase.(session.Approval); ok {
			asking = l.Turn
		}
	}
	var text string
	switch {
	case asking != 0:
		if asking != o.asked {
			text = m.eng.Agent().Info().Agent + " asks for your permission"
		}
	case !s.Busy() && o.owed != 0:
		text = m.endWords(o.owed)
		o.owed = 0
	}
	o.asked = asking
	if text == "" || !o.away || m.deps.Notify == nil || m.eng.ReadOnly() != "" {
		return nil
	}
	return m.deps.Notify(sanitize.Line(text))
}

// endWords says how a turn ended and what waits behind it.
func (m *Model) endWords(id session.TurnID) string {
	s := m.eng.State()
	t, ok := s.Turn(id)
	if !ok { // another session was opened behind it
		return ""
	}
	words := []string{engine.Name(m.eng.Agent().Info()) + " has answered"}
	if t.Outcome == session.Failed {
		words = []string{"turn failed", t.Cause.Line()}
	}
	switch n := s.Queue.Len(); n {
	case 0:
	case 1:
		words = append(words, "1 row waits")
	default:
		words = append(words, fmt.Sprintf("%d rows wait", n))
	}
	return strings.Join(words, " · ")
}

// Window implements term.Windowed. The title has the state alone: nothing that was typed or sent is shown outside the window.
func (m *Model) Window() term.Window {
	return term.Window{Title: "baton: " + m.titleWord(), Mouse: m.screen.window.mouse}
}

func (m *Model) titleWord() string {
	s := m.eng.State()
	l, running := s.Running()
	if running {
		switch l.Phase.(type) {
		case session.Backoff:
			return "retrying"
		case session.Approval:
			return "asks"
		}
	}
	if s.Busy() {
		return "busy"
	}
	if _, failed := s.Life.(session.LifeError); failed {
		return "failed"
	}
	return "ready"
}

// actWindow turns the mouse on, where its wheel scrolls, and off, where it selects text as in any other program.
func (m *Model) actWindow(a keymap.Action) (tea.Cmd, bool) {
	if a != keymap.Mouse {
		return nil, false
	}
	m.screen.window.mouse = !m.screen.window.mouse
	word := "the mouse selects text again"
	if m.screen.window.mouse {
		word = "the wheel scrolls; " + strings.Join(append(m.hints(hint{keymap.Mouse, "gives the mouse back"}), "shift selects text"), " · ")
	}
	m.say(word)
	return nil, true
}
