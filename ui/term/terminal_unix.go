//go:build unix

package term

import (
	"math"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	leaveWait   = time.Second            // for a terminal that is slow to take the last bytes
	releaseWait = 300 * time.Millisecond // the same before an editor or the shell
	stallWait   = 50 * time.Millisecond  // for the writer after its output was discarded
	lastWait    = 200 * time.Millisecond // for the leave sequence of a stalled terminal
	signalLag   = 250 * time.Millisecond // for signals sent while an editor had the terminal
	childWait   = 200 * time.Millisecond // for an editor told to end
	firstWait   = 200 * time.Millisecond // for the first frame, before what may follow it begins
)

// ownership of the terminal.
type ownership int

const (
	held     ownership = iota // raw, read and drawn by us
	released                  // handed over to an editor or the shell
	closed                    // given back for good
)

// terminal owns the device while a program runs in it. The order of its life: modes saved, signals, raw mode, size, first
// Update, enter sequence, writer, reader, feeder, loop; and at the end reader, writer, modes, one line.
type terminal struct {
	*crash
	tty    *tty
	writer *writer
	inbox  *inbox

	program atomic.Pointer[tea.Program]
	running chan struct{} // closed when program is set
	done    chan struct{} // closed when the program is over
	resized chan struct{} // the size may have changed

	mu     sync.Mutex // held over each change of state, device included
	state  ownership
	reader *reader
	child  *exec.Cmd // has the terminal while released; nil for the shell

	keysElsewhere atomic.Int64 // until when SIGINT and SIGQUIT are keys pressed in another program, in nanoseconds since the epoch

	code     atomic.Int32 // 128 + the first signal
	deadline atomic.Int64 // when the program must be over, in nanoseconds since the epoch; 0: not ending
	force    atomic.Pointer[time.Timer]
}

func newTerminal(dev *tty, o Options) *terminal {
	t := &terminal{
		tty: dev, inbox: newInbox(), writer: newWriter(dev.out, Window{Title: o.Title}), state: closed,
		running: make(chan struct{}), done: make(chan struct{}), resized: make(chan struct{}, 1),
	}
	t.crash = &crash{opts: o, stop: t.kill}
	return t
}

// claim sets raw mode, early, so that what is typed during the start is not echoed. The screen is taken by acquire.
func (t *terminal) claim() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.tty.raw(); err != nil {
		return err
	}
	t.state = released
	return nil
}

// acquire takes the terminal: raw mode, our screen, our reader. It does nothing after close.
func (t *terminal) acquire() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state != released {
		return nil
	}
	if err := t.tty.raw(); err != nil {
		return err
	}
	r, err := newReader(int(t.tty.in.Fd()), t.inbox.push, func() { t.terminate(syscall.SIGHUP) })
	if err != nil {
		return err
	}
	t.writer.enter()
	t.reader, t.state = r, held
	t.start(r.run)
	t.checkSize()
	return nil
}

// release hands the terminal over as it was found. It returns false if it is not ours to give.
func (t *terminal) release() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state != held {
		return false
	}
	t.state = released
	t.keysElsewhere.Store(math.MaxInt64)
	t.reader.stop()
	t.writer.leave(releaseWait)
	t.tty.restore()
	return true
}

// reacquire takes the terminal back. Without it nothing can go on. The signal that ended an editor was sent to us as well
// and may come to notice only now.
func (t *terminal) reacquire() {
	t.keysElsewhere.Store(time.Now().Add(signalLag).UnixNano())
	if err := t.acquire(); err != nil {
		t.terminate(syscall.SIGHUP)
	}
}

// close gives the terminal back for good, in at most limit and a half second more. Only the first call does anything; others
// wait for it.
func (t *terminal) close(limit time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state == closed {
		return
	}
	if at := t.deadline.Load(); at != 0 {
		limit = min(limit, max(stallWait, time.Until(time.Unix(0, at))))
	}
	if t.state == held {
		t.reader.stop()
	} else {
		t.endChild()
	}
	if t.state == held || t.child != nil {
		if !t.writer.leave(limit) {
			t.breakStall()
		}
	}
	t.state = closed
	t.writer.close()
	t.tty.restore()
}

// breakStall brings the leave sequence to a terminal that takes no output: what is queued in the kernel is discarded, which
// also ends the writer's waiting.
func (t *terminal) breakStall() {
	t.writer.abort()
	flushOutput(int(t.tty.out.Fd()))
	select {
	case <-t.writer.done:
	case <-time.After(stallWait):
	}
	done := make(chan struct{})
	t.start(func() {
		defer close(done)
		_, _ = t.tty.out.WriteString(cancel + resetModes)
	})
	select {
	case <-done:
	case <-time.After(lastWait):
	}
}

// exit leaves without the loop.
func (t *terminal) exit(code int) {
	t.close(2 * stallWait)
	if line := t.reported(); line != "" {
		_, _ = os.Stderr.WriteString("baton: " + line + "\n")
		code = 1
	}
	os.Exit(code)
}

// kill ends the loop from any goroutine, and the process if the loop does not end.
func (t *terminal) kill() {
	t.endWithin(1)
	if p := t.program.Load(); p != nil {
		p.Kill()
	}
}

// send delivers a message to the loop once there is one. It may wait for it.
func (t *terminal) send(m tea.Msg) {
	select {
	case <-t.running:
		t.program.Load().Send(m)
	case <-t.done:
	}
}

// behind has a command begin once the first frame is written, so that nothing keeps the person from seeing it. A terminal that
// takes no output delays it no longer than firstWait.
func (t *terminal) behind(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		late := time.NewTimer(firstWait)
		defer late.Stop()
		select {
		case <-t.writer.drawn:
		case <-late.C:
		case <-t.done:
		}
		return cmd()
	}
}

// checkSize has the size read and sent again.
func (t *terminal) checkSize() {
	select {
	case t.resized <- struct{}{}:
	default:
	}
}

// sendSizes sends the size whenever it may have changed, the newest only and at most once a frame: a storm of changes costs
// no more than the picture can show.
func (t *terminal) sendSizes() {
	for {
		select {
		case <-t.done:
			return
		case <-t.resized:
		}
		if w, h, ok := t.tty.size(); ok {
			t.send(tea.WindowSizeMsg{Width: w, Height: h})
		}
		select {
		case <-t.done:
			return
		case <-time.After(frameTime):
		}
	}
}
