//go:build unix

package term

import (
	"io"
	"os"

	tea "github.com/charmbracelet/bubbletea"
)

// Run runs m in the terminal on standard input and output until it quits, and returns it as it then is. The terminal is
// given back as it was, whatever happens. exitCode is 0, 1 after a failure, or 128 plus the signal that asked to end.
// The error is ErrNotTerminal (wrapped), ErrReported after a panic, or says why the terminal cannot be used.
func Run(m Model, o Options) (final tea.Model, exitCode int, err error) {
	dev, err := openTTY(os.Stdin, os.Stdout)
	if err != nil {
		return m, 1, err
	}
	t := newTerminal(dev, o)
	signals := notify()
	defer t.unnotify(signals)
	final = m
	defer func() {
		if r := recover(); r != nil {
			t.caught(r)
		}
		exitCode, err = t.end(err)
	}()
	t.start(func() { t.watch(signals) })
	r, err := t.loop(m)
	if r == nil {
		return m, 1, err
	}
	return r.model, 0, err
}

// loop runs the model. Its first Update comes before anything is drawn, so that the first frame has the right size.
func (t *terminal) loop(m Model) (*root, error) {
	if err := t.claim(); err != nil {
		return nil, err
	}
	w, h, _ := t.tty.size()
	s := &Screen{Present: t.writer.present, Send: t.send, Cost: t.writer.lastBytes.Load, Dress: t.writer.dress, Glyphs: t.opts.Glyphs}
	r := newRoot(m, s, t, w, h)
	p := tea.NewProgram(r, tea.WithInput(nil), tea.WithOutput(io.Discard),
		tea.WithoutRenderer(), tea.WithoutSignalHandler(), tea.WithoutCatchPanics())
	t.program.Store(p)
	close(t.running)
	t.start(t.writer.run)
	if err := t.acquire(); err != nil {
		return nil, err
	}
	t.start(func() { t.inbox.feed(t.done, t.send) })
	t.start(t.sendSizes)
	if t.reported() != "" {
		p.Kill() // a panic before there was a program to end
	}
	_, err := p.Run()
	return r, err
}

// end gives the terminal back and settles what Run returns.
func (t *terminal) end(err error) (int, error) {
	close(t.done)
	t.close(leaveWait)
	if timer := t.force.Load(); timer != nil {
		timer.Stop()
	}
	if line := t.reported(); line != "" {
		_, _ = os.Stderr.WriteString("baton: " + line + "\n")
		return 1, ErrReported
	}
	if code := t.code.Load(); code != 0 {
		return int(code), nil
	}
	if err != nil {
		return 1, err
	}
	return 0, nil
}
