package model

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/command"
	"baton/model/session"
)

// EditRow gives a row another text.
func (h *host) EditRow(n int, text string) error {
	isCommand, err := command.ForRow(text)
	if err != nil {
		return err
	}
	r, err := h.m.eng.Row(n)
	if err == nil {
		h.do(h.m.step(session.Rewrite{Row: r.ID, Text: text, Command: isCommand}))
	}
	return err
}

// RemoveRow takes a row out.
func (h *host) RemoveRow(n int) error {
	r, err := h.m.eng.Row(n)
	if err == nil {
		h.do(h.m.discarding(session.RemoveRow{Row: r.ID, Draft: h.m.draftIf(r.ID)}, fmt.Sprintf("row %d removed", n)))
	}
	return err
}

// MoveRow puts a row in another place.
func (h *host) MoveRow(n, to int) error {
	r, err := h.m.eng.Row(n)
	if err == nil {
		_, err = h.m.eng.Row(to)
	}
	if err == nil {
		h.do(h.m.step(session.MoveRow{Row: r.ID, To: to - 1}))
	}
	return err
}

// SendRow sends a row ahead of the others.
func (h *host) SendRow(n int) error {
	r, err := h.m.eng.Row(n)
	if err == nil {
		h.do(h.m.typedTwice(func() tea.Cmd { return h.m.sendNow(r.ID) }))
	}
	return err
}

// StopTurn stops what runs.
func (h *host) StopTurn() {
	if !h.m.eng.State().Busy() {
		h.m.refuse("nothing runs that could be stopped", "")
		return
	}
	h.do(h.m.step(session.Stop{Turn: h.m.pace.meant(h.m.pressed())}))
}

// typedTwice is a command that may ask. It cannot be held down: typed again it is a yes.
func (m *Model) typedTwice(do func() tea.Cmd) tea.Cmd {
	wish := m.pace.wish
	cmd := do()
	if wish != nil && wish == m.pace.wish {
		m.word.asked = &word{consent: wish}
		m.pace.wish = nil
		return tea.Batch(cmd, do())
	}
	return cmd
}
