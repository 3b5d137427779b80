package model

import (
	tea "github.com/charmbracelet/bubbletea"

	"baton/model/catalog"
	"baton/model/command"
	"baton/model/session"
	"baton/queue"
)

// send is Enter in the composer: a newline behind a backslash, the head of the queue
// when nothing was typed, a command, or a prompt.
func (m *Model) send() tea.Cmd {
	if m.notMeant() || m.write.ContinueLine() {
		return nil
	}
	if queue.Blank(m.write.Value()) && len(m.write.files) == 0 {
		return m.enterOnEmpty()
	}
	if m.mentioning() || m.unfinished() {
		m.complete()
		return nil
	}
	text := m.write.Value()
	c, args, kind, err := command.Parse(text)
	switch kind {
	case command.Unknown:
		if m.completing() {
			m.complete()
			return nil
		}
		m.say(err.Error())
		return nil
	case command.Now:
		if err := c.Fits(m.protocol()); err != nil {
			m.refuse(err.Error(), "")
			return nil
		}
		return m.atOnce(text, func(h *host) error { return c.Now(h, args) })
	}
	if kind == command.Turn {
		if c.ByWords && !catalog.Named(args) {
			return m.atOnce(text, func(h *host) error { return c.Pick(h, args) })
		}
		return m.submit(session.Draft{Text: text, Command: true}) // files wait for a prompt
	}
	return m.submit(session.Draft{Text: text, Attachments: m.write.files})
}

// atOnce runs a command that does not wait.
func (m *Model) atOnce(line string, run func(h *host) error) tea.Cmd {
	m.remember(line)
	m.write.TakeValue()
	h := &host{m: m, line: line}
	if err := run(h); err != nil {
		m.refuse(err.Error(), "")
	}
	if m.word.refused {
		m.giveLine(line)
	}
	return h.cmd
}

// submit hands a draft to the session; what is refused stays in the composer.
func (m *Model) submit(d session.Draft) tea.Cmd {
	out := m.eng.Step(session.Submit{Draft: d})
	if out.Refused == nil {
		m.remember(d.Text)
		m.write.TakeValue()
		m.began(out.Events, d.Text)
		if !d.Command {
			m.write.files = nil
		}
		m.chat.End()
	}
	return m.after(out)
}

// enterOnEmpty plays the head of the queue when idle, but not with an Enter that was
// meant for something else, right behind a settlement or the start.
func (m *Model) enterOnEmpty() tea.Cmd {
	s := m.eng.State()
	at := m.pressed()
	fresh := at.Sub(m.eng.Times().Settled) < playGuard || at.Sub(m.pace.began) < playGuard
	if s.Busy() || s.Queue.Len() == 0 || fresh {
		return nil
	}
	return m.play()
}

// play starts the head of the queue. A held key does not.
func (m *Model) play() tea.Cmd {
	return m.unlessHeld(func() tea.Cmd { return m.step(session.Play{}) })
}
