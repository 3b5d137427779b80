//go:build unix

package term

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
	xterm "golang.org/x/term"
)

// A terminal that does not know its size (0x0, as some serial lines and containers report) is taken for this one.
const (
	usualWidth  = 80
	usualHeight = 24
)

// tty is the device: its modes and its size.
type tty struct {
	in, out *os.File
	saved   *xterm.State // as it is to be left
}

func openTTY(in, out *os.File) (*tty, error) {
	if !xterm.IsTerminal(int(in.Fd())) {
		return nil, fmt.Errorf("standard input: %w", ErrNotTerminal)
	}
	if !xterm.IsTerminal(int(out.Fd())) {
		return nil, fmt.Errorf("standard output: %w", ErrNotTerminal)
	}
	saved, err := xterm.GetState(int(in.Fd()))
	if err != nil {
		return nil, fmt.Errorf("reading the terminal's modes: %w", err)
	}
	return &tty{in: in, out: out, saved: saved}, nil
}

func (t *tty) raw() error {
	if _, err := xterm.MakeRaw(int(t.in.Fd())); err != nil {
		return fmt.Errorf("setting the terminal to raw mode: %w", err)
	}
	return nil
}

// restore puts the saved modes back, at once and without waiting for output. A terminal that has gone away needs none.
func (t *tty) restore() { _ = xterm.Restore(int(t.in.Fd()), t.saved) }

// remember takes the modes as they are now for those to leave behind: a shell's stty counts. Modes without line editing are
// no shell's; something left them by mistake.
func (t *tty) remember() {
	fd := int(t.in.Fd())
	now, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil || now.Lflag&unix.ICANON == 0 {
		return
	}
	if s, err := xterm.GetState(fd); err == nil {
		t.saved = s
	}
}

// size returns the window's width and height in cells; ok is false when the terminal does not know them.
func (t *tty) size() (w, h int, ok bool) {
	w, h, err := xterm.GetSize(int(t.out.Fd()))
	if err != nil || w < 1 || h < 1 {
		return usualWidth, usualHeight, false
	}
	return w, h, true
}
