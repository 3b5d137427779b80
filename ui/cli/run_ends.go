package cli

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// ends hands the signals that end a headless run to it. Until somebody listens, and
// where a reader of the answers holds the run up, they end the program themselves: what
// was said to be kept is on disk, however it ends.
type ends struct {
	come chan syscall.Signal
	got  chan os.Signal

	mu        sync.Mutex
	listening bool
}

// againWithin is how long a run that was told twice to end may take.
const againWithin = 500 * time.Millisecond

func watchEnds() *ends {
	w := &ends{come: make(chan syscall.Signal, 2), got: make(chan os.Signal, 4)}
	// SIGPIPE is among them so that a write to nobody returns its error.
	signal.Notify(w.got, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGPIPE)
	if !signal.Ignored(syscall.SIGHUP) { // else nohup has said that the run outlives its terminal
		signal.Notify(w.got, syscall.SIGHUP)
	}
	go w.watch()
	return w
}

// listen returns where signals come from now on.
func (w *ends) listen() <-chan syscall.Signal {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.listening = true
	return w.come
}

func (w *ends) stop() {
	signal.Stop(w.got)
	close(w.got)
}

func (w *ends) watch() {
	within := endWithin
	for s := range w.got {
		sig, ok := s.(syscall.Signal)
		if !ok || sig == syscall.SIGPIPE {
			continue
		}
		code := codeOfSignal(sig)
		w.mu.Lock()
		listening := w.listening
		w.mu.Unlock()
		select {
		case w.come <- sig:
		default:
			listening = false
		}
		if !listening {
			os.Exit(code)
		}
		time.AfterFunc(within, func() { os.Exit(code) })
		within = againWithin
	}
}

func codeOfSignal(s syscall.Signal) int { return 128 + int(s) }
