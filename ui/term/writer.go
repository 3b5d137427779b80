//go:build unix

package term

import (
	"bytes"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// piece is the most that one write hands to the terminal, in bytes, so that an abort finds the writer soon.
const piece = 4 << 10

// writer owns the terminal's output. One goroutine, run, writes; no other method waits for the terminal except leave, which
// has a limit. Of frames only the newest is kept: a terminal that stalls for a while is then one frame behind, not a hundred.
type writer struct {
	out io.Writer

	mu     sync.Mutex
	items  []item // in order, before the frame
	next   *Frame
	paused bool // the terminal is not ours to draw on
	forget bool // what is on the screen is unknown
	closed bool
	window Window // as it was asked for last, the title plain

	wake      chan struct{}
	drawn     chan struct{} // closed when the first frame was written, or could not be
	first     sync.Once     // closes it
	done      chan struct{} // closed when run has returned
	aborted   atomic.Bool
	lastBytes atomic.Int64 // of the last frame

	painter painter      // run's own
	buf     bytes.Buffer // run's own
}

// item is a control sequence to be written; written is closed afterwards unless nil.
type item struct {
	sequence string
	written  chan struct{}
}

func newWriter(out io.Writer, window Window) *writer {
	window.Title = plain(window.Title)
	return &writer{out: out, window: window, wake: make(chan struct{}, 1), drawn: make(chan struct{}), done: make(chan struct{})}
}

// change runs f under the lock and wakes the goroutine.
func (w *writer) change(f func()) {
	w.mu.Lock()
	f()
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// present hands over a frame to be drawn as soon as the terminal takes it.
func (w *writer) present(f Frame) { w.change(func() { w.next = &f }) }

// enter takes the screen; frames are drawn from now on, the first one in full.
func (w *writer) enter() {
	w.change(func() {
		w.items = append(w.items, item{sequence: pushTitle + w.setup()})
		w.paused = false
	})
}

// doubt makes the next frame a full one: a window that was another size for a moment, and is the same again by the time
// its size is read, has lost what it could not show.
func (w *writer) doubt() { w.change(func() { w.forget = true }) }

// repaint sets all modes again and makes the next frame a full one.
func (w *writer) repaint() {
	w.change(func() {
		if !w.paused {
			w.items = append(w.items, item{sequence: w.setup()})
		}
	})
}

// setup is what both begin with. The frame that follows erases the screen.
func (w *writer) setup() string {
	w.forget = true
	modes := setModes
	if w.window.Mouse {
		modes += setMouse
	}
	return modes + titleSequence(w.window.Title)
}

// leave gives the screen back and returns whether the terminal took everything within limit. Frames presented from now on
// wait for enter.
func (w *writer) leave(limit time.Duration) bool {
	written := make(chan struct{})
	w.change(func() {
		w.paused = true
		w.items = append(w.items, item{resetModes, written})
	})
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	select {
	case <-written:
		return true
	case <-w.done: // the goroutine has ended: by close, or by a panic
		return false
	case <-timeout.C:
		return false
	}
}

// write sends a control sequence unless the terminal belongs to another program now.
func (w *writer) write(sequence string) {
	w.change(func() {
		if !w.paused {
			w.items = append(w.items, item{sequence: sequence})
		}
	})
}

// dress changes the window where it is not as asked, now or when the screen is ours again.
func (w *writer) dress(want Window) {
	want.Title = plain(want.Title)
	w.change(func() {
		had := w.window
		if want.Title == "" {
			want.Title = had.Title
		}
		w.window = want
		var sequence string
		if want.Title != had.Title {
			sequence = titleSequence(want.Title)
		}
		switch {
		case want.Mouse && !had.Mouse:
			sequence += setMouse
		case had.Mouse && !want.Mouse:
			sequence += resetMouse
		}
		if sequence != "" && !w.paused {
			w.items = append(w.items, item{sequence: sequence})
		}
	})
}

// abort makes run drop what it is writing and end.
func (w *writer) abort() {
	w.aborted.Store(true)
	w.close()
}

// close makes run end once it has written what waits.
func (w *writer) close() { w.change(func() { w.closed = true }) }

func (w *writer) run() {
	defer close(w.done)
	for range w.wake {
		for {
			items, frame, more := w.take()
			if !more {
				break
			}
			w.draw(items, frame)
		}
		if w.finished() {
			return
		}
	}
}

func (w *writer) finished() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.closed
}

func (w *writer) take() (items []item, frame *Frame, more bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	items, w.items = w.items, nil
	if !w.paused {
		frame, w.next = w.next, nil
	}
	if frame != nil && w.forget {
		w.forget = false
		w.painter.forget()
	}
	return items, frame, len(items) > 0 || frame != nil
}

func (w *writer) draw(items []item, frame *Frame) {
	w.buf.Reset()
	for _, it := range items {
		w.buf.WriteString(it.sequence)
	}
	if frame != nil {
		before := w.buf.Len()
		w.painter.paint(&w.buf, *frame)
		w.lastBytes.Store(int64(w.buf.Len() - before))
	}
	if !w.put(w.buf.Bytes()) {
		w.painter.forget()
	}
	if frame != nil {
		w.first.Do(func() { close(w.drawn) })
	}
	for _, it := range items {
		if it.written != nil {
			close(it.written)
		}
	}
}

// put writes b in pieces and returns whether all of it arrived.
func (w *writer) put(b []byte) bool {
	for len(b) > 0 {
		if w.aborted.Load() {
			return false
		}
		n := len(b)
		if n > piece {
			n = piece
			// Where a sequence begins nothing is cut in two, neither a sequence nor a character of several code points.
			if i := bytes.LastIndexByte(b[:n], esc); i > 0 {
				n = i
			}
		}
		n, err := w.out.Write(b[:n])
		if err != nil {
			return false
		}
		b = b[n:]
	}
	return true
}
