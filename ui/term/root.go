package term

import (
	"os/exec"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// device is what the root model needs of a terminal.
type device interface {
	suspend() (stopped bool)
	exec(*exec.Cmd) error
	repaint()
	write(sequence string)
	guard(tea.Cmd) tea.Cmd
	behind(tea.Cmd) tea.Cmd
}

// root is the model that Bubble Tea runs. Bubble Tea asks for a View after every message; root draws the real one only when
// a frame is due.
type root struct {
	model  tea.Model
	screen *Screen
	dev    device
	sized  tea.Cmd // what the model answered to its first size
}

// inputMsg is a key or another message from the terminal. With more behind it in the queue it need not be drawn at once.
type inputMsg struct {
	msg  tea.Msg
	more bool
	at   time.Time // when its first byte was there to be read
}

// NewRoot wraps m as [Run] does, for a window of w by h cells but without a terminal: every message is drawn at once, and
// commands for the terminal do nothing ([Exec] reports ErrNotTerminal). m has received its size when NewRoot returns.
// A test pumps it: Update, then View, which calls present.
func NewRoot(m Model, w, h int, present func(Frame)) tea.Model {
	return (&Screen{Present: present}).Root(m, w, h)
}

// Root is as [NewRoot], but frames wait where s has a way to Send.
func (s *Screen) Root(m Model, w, h int) tea.Model { return newRoot(m, s, noDevice{}, w, h) }

func newRoot(m Model, s *Screen, dev device, w, h int) *root {
	s.resize(w, h)
	r := &root{screen: s, dev: dev}
	r.model, r.sized = m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return r
}

// Init implements tea.Model.
func (r *root) Init() tea.Cmd {
	r.screen.touch(true)
	return r.dev.behind(r.dev.guard(tea.Batch(r.model.Init(), r.sized)))
}

// View implements tea.Model. What it returns is not drawn.
func (r *root) View() string {
	r.screen.draw(r.model)
	return ""
}

// Update implements tea.Model.
func (r *root) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	msg, urgent := r.unwrap(msg)
	switch m := msg.(type) {
	case frameMsg:
		r.screen.armed = false
		return r, nil
	case writeMsg:
		r.dev.write(string(m))
		return r, nil
	case execMsg:
		return r, r.dev.guard(func() tea.Msg { return execDoneMsg{m.done(r.dev.exec(m.cmd))} })
	case repaintMsg:
		r.dev.repaint()
		r.screen.touch(true)
		return r, nil
	case suspendMsg:
		msg = ResumeMsg{Stopped: r.dev.suspend()}
	case execDoneMsg:
		msg = m.msg
	case tea.WindowSizeMsg:
		r.screen.resize(m.Width, m.Height)
	case tea.KeyMsg, tea.MouseMsg:
	default:
		urgent = false
	}
	r.screen.touch(urgent)
	if msg == nil {
		return r, nil
	}
	var cmd tea.Cmd
	r.model, cmd = r.model.Update(msg)
	return r, r.dev.guard(cmd)
}

// unwrap tells the program when input came. Input that more follows is not urgent.
func (r *root) unwrap(msg tea.Msg) (inner tea.Msg, urgent bool) {
	in, ok := msg.(inputMsg)
	if !ok {
		return msg, true
	}
	if t, ok := r.model.(Timed); ok {
		t.Arrived(in.at)
	}
	return in.msg, !in.more
}

// noDevice stands for the terminal in tests.
type noDevice struct{}

func (noDevice) suspend() bool              { return false }
func (noDevice) exec(*exec.Cmd) error       { return ErrNotTerminal }
func (noDevice) repaint()                   {}
func (noDevice) write(string)               {}
func (noDevice) guard(cmd tea.Cmd) tea.Cmd  { return cmd }
func (noDevice) behind(cmd tea.Cmd) tea.Cmd { return cmd }
