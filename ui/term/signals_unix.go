//go:build unix

package term

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

const (
	// grace is what the model has to answer a SignalMsg before the program ends without it.
	grace = 1500 * time.Millisecond
	// lastMoment is when, after the first signal, everything must be over but for a stalled terminal's last rites.
	lastMoment = grace + 250*time.Millisecond
)

// notify subscribes to all signals that concern a terminal but SIGTSTP, whose default action Go never gives back.
func notify() chan os.Signal {
	c := make(chan os.Signal, 16)
	signal.Notify(c, syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGWINCH, syscall.SIGCONT)
	return c
}

// unnotify ends the subscription, but not where the terminal is lost: kernel, shell and reader each tell of that, and whoever is
// late must not end a program that is putting its things away. Nobody listens any more then, so what comes is dropped.
// signal.Ignore would not do: a signal of the kernel's that comes while it changes sides still kills.
func (t *terminal) unnotify(c chan os.Signal) {
	if t.code.Load() != 128+int32(syscall.SIGHUP) {
		signal.Stop(c)
	}
}

// watch answers signals until the program is over.
func (t *terminal) watch(signals <-chan os.Signal) {
	for {
		select {
		case <-t.done:
			return
		case s := <-signals:
			t.answer(s.(syscall.Signal))
		}
	}
}

func (t *terminal) answer(s syscall.Signal) {
	switch s {
	case syscall.SIGWINCH:
		t.writer.doubt()
		t.checkSize()
	case syscall.SIGCONT:
		t.start(t.continued)
	case syscall.SIGINT, syscall.SIGQUIT:
		if time.Now().UnixNano() >= t.keysElsewhere.Load() {
			t.terminate(s)
		}
	default:
		t.terminate(s)
	}
}

// continued puts things right after a stop from outside, during which a shell had the terminal. A stop that we asked for
// is the affair of suspend.
func (t *terminal) continued() {
	t.mu.Lock()
	ours := t.state == held
	if ours {
		if err := t.tty.raw(); err != nil {
			ours = false
		}
	}
	t.mu.Unlock()
	if ours {
		t.send(repaintMsg{})
		t.checkSize()
	}
}

// terminate asks the model to end; a second signal ends the program at once. A second SIGHUP does not: kernel, shell and
// reader each tell of the same lost terminal.
func (t *terminal) terminate(s syscall.Signal) {
	code := 128 + int(s)
	if !t.code.CompareAndSwap(0, int32(code)) {
		if s != syscall.SIGHUP {
			t.exit(code)
		}
		return
	}
	t.endWithin(code)
	t.start(func() { t.send(SignalMsg{s}) })
}

// endWithin makes the process end after the grace if Run has not returned by then.
func (t *terminal) endWithin(code int) {
	timer := time.AfterFunc(grace, func() { t.exit(code) })
	if !t.force.CompareAndSwap(nil, timer) {
		timer.Stop() // an earlier one runs
		return
	}
	t.deadline.Store(time.Now().Add(lastMoment).UnixNano())
}
