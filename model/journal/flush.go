package journal

import (
	"sync"
	"time"
)

// flusher calls sync in a goroutine of its own, FsyncDelay after the first request since the last call began, so
// that one fsync covers all writes of that time and no writer waits for it. Two calls never run at once; a call
// that falls due during another follows it directly.
type flusher struct {
	sync func() error

	mu      sync.Mutex
	timer   *time.Timer   // nil when no call is due
	busy    chan struct{} // closed when the running call ends; nil when none runs
	late    bool          // another call is due behind the running one
	stopped bool
	err     error // of the last call
}

// soon asks for a call that begins within FsyncDelay, or when the running one ends.
func (f *flusher) soon() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.timer == nil && !f.late && !f.stopped {
		f.timer = time.AfterFunc(FsyncDelay, f.due)
	}
}

func (f *flusher) due() {
	f.mu.Lock()
	f.timer = nil // a write from here on may come too late for this call
	if f.stopped || f.busy != nil {
		f.late = !f.stopped
		f.mu.Unlock()
		return
	}
	f.busy = make(chan struct{})
	f.mu.Unlock()
	for again := true; again; {
		again = f.call()
	}
}

// call reports whether another one is due.
func (f *flusher) call() bool {
	err := f.sync()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
	if f.late && !f.stopped {
		f.late = false
		return true
	}
	close(f.busy)
	f.busy = nil
	return false
}

// failure returns the error of the last call. After a failed fsync the kernel may have dropped the data and let
// the next fsync succeed, so a later nil means only that newer lines are safe.
func (f *flusher) failure() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

// stop waits for a running call, makes the last one, and returns its error. It is called once.
func (f *flusher) stop() error {
	f.mu.Lock()
	f.stopped = true
	if f.timer != nil {
		f.timer.Stop()
	}
	busy := f.busy
	f.mu.Unlock()
	if busy != nil {
		<-busy
	}
	err := f.sync()
	f.mu.Lock()
	f.err = err
	f.mu.Unlock()
	return err
}
