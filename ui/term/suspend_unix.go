//go:build unix

package term

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// orphanWait is how long a stop may take to arrive. In a process group without a shell the kernel ignores SIGTSTP and no
// SIGCONT ever follows.
const orphanWait = 200 * time.Millisecond

// lateCont is how much longer SIGCONT may take to be heard of: after a long stop orphanWait is over too, at the same moment.
const lateCont = 100 * time.Millisecond

// suspend stops the process group with the terminal as the shell wants it, and returns once it goes on.
func (t *terminal) suspend() (stopped bool) {
	if !t.release() {
		return false
	}
	resumed := make(chan os.Signal, 1)
	signal.Notify(resumed, syscall.SIGCONT)
	defer signal.Stop(resumed)
	_ = syscall.Kill(0, syscall.SIGTSTP)
	if stopped = heard(resumed, orphanWait) || heard(resumed, lateCont); stopped {
		t.mu.Lock()
		t.tty.remember()
		t.mu.Unlock()
	}
	t.reacquire()
	return stopped
}

// heard waits for a signal, but no longer than limit.
func heard(c <-chan os.Signal, limit time.Duration) bool {
	select {
	case <-c:
		return true
	case <-time.After(limit):
		return false
	}
}

// exec runs cmd in the terminal and returns how it ended.
func (t *terminal) exec(cmd *exec.Cmd) error {
	if !t.release() {
		return ErrBusy
	}
	defer t.reacquire()
	if cmd.Stdin == nil {
		cmd.Stdin = t.tty.in
	}
	if cmd.Stdout == nil {
		cmd.Stdout = t.tty.out
	}
	if cmd.Stderr == nil {
		cmd.Stderr = t.tty.out
	}
	if err := t.launch(cmd); err != nil {
		return err
	}
	err := cmd.Wait()
	t.mu.Lock()
	t.child = nil
	t.mu.Unlock()
	return err
}

// launch starts cmd unless the terminal was closed meanwhile.
func (t *terminal) launch(cmd *exec.Cmd) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.state == closed {
		return ErrBusy
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting %s: %w", cmd.Path, err)
	}
	t.child = cmd
	return nil
}

// endChild tells the program that has the terminal to end: it must not fight with the shell over it.
func (t *terminal) endChild() {
	if t.child == nil {
		return
	}
	_ = t.child.Process.Signal(syscall.SIGTERM)
	for limit := time.Now().Add(childWait); time.Now().Before(limit); time.Sleep(childWait / 20) {
		if t.child.Process.Signal(syscall.Signal(0)) != nil {
			return // gone, and waited for
		}
	}
	_ = t.child.Process.Kill()
}

func (t *terminal) repaint()              { t.writer.repaint() }
func (t *terminal) write(sequence string) { t.writer.write(sequence) }
