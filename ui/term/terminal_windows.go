package term

import (
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	xterm "golang.org/x/term"
)

// grace is what the model has to answer a SignalMsg before the program ends without it.
const grace = 1500 * time.Millisecond

// Run runs m in the console until it quits and returns it as it then is. exitCode is 0, 1 after a failure, or 130 after an
// interrupt. The error is ErrNotTerminal (wrapped), ErrReported after a panic, or Bubble Tea's.
func Run(m Model, o Options) (final tea.Model, exitCode int, err error) {
	for name, f := range map[string]*os.File{"standard input": os.Stdin, "standard output": os.Stdout} {
		if !xterm.IsTerminal(int(f.Fd())) {
			return m, 1, fmt.Errorf("%s: %w", name, ErrNotTerminal)
		}
	}
	c := &console{model: m, opts: o}
	c.crash = &crash{opts: o, stop: func() { c.program.Kill() }}
	options := []tea.ProgramOption{tea.WithAltScreen(), tea.WithReportFocus(), tea.WithoutSignalHandler()}
	c.program = tea.NewProgram(c, options...)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)
	done := make(chan struct{})
	c.start(func() { c.watch(signals, done) })
	_, err = c.program.Run()
	signal.Stop(signals)
	close(done)
	if line := c.reported(); line != "" {
		_, _ = os.Stderr.WriteString("baton: " + line + "\n")
		return c.model, 1, ErrReported
	}
	switch {
	case c.interrupted.Load():
		return c.model, 130, nil
	case err != nil:
		return c.model, 1, err
	}
	return c.model, 0, nil
}

// console runs a model with Bubble Tea's own input and renderer.
type console struct {
	*crash
	model       tea.Model
	opts        Options
	program     *tea.Program
	window      Window // as it was asked for last
	interrupted atomic.Bool
}

func (c *console) watch(signals <-chan os.Signal, done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case s := <-signals:
			if c.interrupted.Swap(true) {
				c.program.Kill()
				return
			}
			time.AfterFunc(grace, c.program.Kill)
			c.start(func() { c.program.Send(SignalMsg{s}) })
		}
	}
}

// Init implements tea.Model.
func (c *console) Init() tea.Cmd {
	cmd := c.model.Init()
	if title := plain(c.opts.Title); title != "" {
		cmd = tea.Batch(cmd, tea.SetWindowTitle(title))
	}
	return c.guard(cmd)
}

// Update implements tea.Model.
func (c *console) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			c.caught(r)
			next, cmd = c, nil
		}
	}()
	switch m := msg.(type) {
	case writeMsg:
		_, _ = os.Stdout.WriteString(string(m))
		return c, nil
	case repaintMsg:
		return c, tea.ClearScreen
	case suspendMsg:
		msg = ResumeMsg{}
	case execMsg:
		return c, c.exec(m)
	case execDoneMsg:
		msg = m.msg
	}
	if msg == nil {
		return c, nil
	}
	c.model, cmd = c.model.Update(msg)
	return c, c.guard(tea.Batch(cmd, c.dress()))
}

// dress changes the window where it is not as the model asks.
func (c *console) dress() tea.Cmd {
	d, ok := c.model.(Windowed)
	if !ok {
		return nil
	}
	had, want := c.window, d.Window()
	c.window = want
	var cmds []tea.Cmd
	if want.Title != had.Title && want.Title != "" {
		cmds = append(cmds, tea.SetWindowTitle(plain(want.Title)))
	}
	switch {
	case want.Mouse && !had.Mouse:
		cmds = append(cmds, tea.EnableMouseCellMotion)
	case had.Mouse && !want.Mouse:
		cmds = append(cmds, tea.DisableMouse)
	}
	return tea.Sequence(cmds...)
}

func (c *console) exec(m execMsg) tea.Cmd {
	return tea.ExecProcess(m.cmd, func(err error) tea.Msg {
		return c.guard(func() tea.Msg { return execDoneMsg{m.done(err)} })()
	})
}

// View implements tea.Model. Bubble Tea hides the real cursor, so one is drawn.
func (c *console) View() (view string) {
	defer func() {
		if r := recover(); r != nil {
			c.caught(r)
		}
	}()
	view = c.model.View()
	if c.opts.Glyphs != nil {
		view = c.opts.Glyphs(view)
	}
	m, ok := c.model.(Model)
	if !ok {
		return view
	}
	x, y, ok := m.Cursor()
	lines := strings.Split(view, "\n")
	if !ok || x < 0 || y < 0 || y >= len(lines) {
		return view
	}
	under := ansi.Strip(ansi.Cut(lines[y], x, x+1))
	if under == "" {
		under = " "
	}
	lines[y] = ansi.Truncate(lines[y], x, "") + "\x1b[7m" + under + "\x1b[m" + ansi.TruncateLeft(lines[y], x+1, "")
	return strings.Join(lines, "\n")
}
