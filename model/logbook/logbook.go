// Package logbook writes the program's own log: JSON lines in a private file that is
// turned over before it grows large, shared by all processes. It must not hold anybody up,
// fail anything, print, or keep a text that a person or an agent wrote.
//
// A record is handed over in memory and written by a goroutine of the book's own, which
// begins with the first record and waits a moment, so that neither the start of the
// program nor the work it does waits for a disk. What cannot be written is let go.
package logbook

import (
	"log/slog"
	"os"
	"sync"
	"time"
)

const (
	// MaxFile is how large a file grows, in bytes, before it is turned over.
	MaxFile = 1 << 20
	// Files is how many there are at most, the current one included.
	Files = 3
	// maxPending is how many records wait for the disk; what comes then is counted and let go.
	maxPending = 1000
	// maxValue bounds one value, in bytes; the rest is cut off.
	maxValue = 1 << 10
	// maxLooked is the longest value that is looked at, in bytes; a longer one is left out.
	maxLooked = 64 << 10
	// gather is how long the writer waits for more before it writes.
	gather = 200 * time.Millisecond
	// closeWait is how long Close waits for the disk.
	closeWait = 500 * time.Millisecond
)

// File is the name of the current file; older ones have .1 and .2 behind it.
const File = "baton.log"

// Book is the log of one process. A nil Book keeps nothing.
type Book struct {
	dir   string
	level slog.Level

	mu      sync.Mutex
	clean   func(string) string
	pending []slog.Record
	dropped int
	done    chan struct{} // closed by the writer when it ends; nil while there is none
	closed  bool
	hurry   chan struct{} // closed by Close
}

// Open prepares a log in dir, which need not exist; nothing is touched before the first
// record. Records below level are not kept.
func Open(dir string, level slog.Level) *Book {
	return &Book{dir: dir, level: level, clean: func(s string) string { return s }, hurry: make(chan struct{})}
}

// Clean sets what every text goes through before it is written: it takes secrets away. It
// may be set anew when there are more secrets.
func (b *Book) Clean(f func(string) string) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clean = f
}

// Logger returns a logger that writes to the book.
func (b *Book) Logger() *slog.Logger {
	if b == nil || b.dir == "" {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(handler{book: b}).With("pid", os.Getpid())
}

// Close writes what is pending, for half a second at most, and ends the book.
func (b *Book) Close() {
	if b == nil {
		return
	}
	b.mu.Lock()
	done, again := b.done, b.closed
	b.closed = true
	if !again {
		close(b.hurry)
	}
	b.mu.Unlock()
	if done == nil {
		return
	}
	select {
	case <-done:
	case <-time.After(closeWait):
	}
}

// take hands a record over.
func (b *Book) take(r slog.Record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
	case len(b.pending) >= maxPending:
		b.dropped++
	default:
		b.pending = append(b.pending, r)
		if b.done == nil {
			b.done = make(chan struct{})
			go b.write(b.done)
		}
	}
}

// write is the writer's goroutine. It ends when nothing more comes, so that a program at
// rest rests.
func (b *Book) write(done chan struct{}) {
	defer close(done)
	f := file{dir: b.dir} // the next writer may begin before this one has closed its own
	defer f.close()
	for {
		select {
		case <-time.After(gather):
		case <-b.hurry:
		}
		records, clean := b.gathered()
		if len(records) == 0 {
			return
		}
		f.add(lines(records, clean))
	}
}

// gathered takes what is pending. With nothing the writer is over.
func (b *Book) gathered() (records []slog.Record, clean func(string) string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	records = b.pending
	if b.dropped > 0 {
		r := slog.NewRecord(time.Now(), slog.LevelWarn, "records were let go", 0)
		r.Add("count", b.dropped)
		records = append(records, r)
	}
	b.pending, b.dropped = nil, 0
	if len(records) == 0 {
		b.done = nil
	}
	return records, b.clean
}
