package journal

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Writer appends to one session. Its methods may be called from any goroutine; batches reach the file in the order
// of the Append calls. Only a held lock makes a Writer, so there is one per session.
type Writer struct {
	header Header

	mu   sync.Mutex
	f    file   // nil: a writer made by Memory
	seq  uint64 // of the last batch
	tail tail   // the next line goes here; whatever stands behind it is the rest of a failed write
	kept []line // not in the file yet, oldest first
	err  error  // of the last write
	held int    // batches of a writer made by Memory
	gone bool   // Close was called

	found time.Time // when the file was written last before it was opened
	aside bool      // BesideUse was called

	flush   flusher
	release func() error          // gives up the lock
	dated   func(time.Time) error // sets when the file was written last
	discard func() error          // removes the file, for a session whose header was never written
}

// line is an encoded batch, or the header with seq 0.
type line struct {
	seq  uint64
	text []byte
}

// Memory returns a writer that keeps nothing on disk, for when no file can be written; Status says so.
func Memory(h Header) *Writer {
	h.Format = Format
	return &Writer{header: h}
}

// Header returns the session's header.
func (w *Writer) Header() Header { return w.header }

// BesideUse says that what is appended is no use of the session: when it is closed, its file gets the time back at which
// it had been written last, so that its place in List and Latest stays. It has no effect on a session of Create or Memory.
func (w *Writer) BesideUse() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.aside = true
}

// End returns the offset at which the next line to reach the file begins, and -1 without a file. Lines that wait in
// memory come first.
func (w *Writer) End() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.f == nil:
		return -1
	case w.tail.newline:
		return w.tail.end + 1
	}
	return w.tail.end
}

// Append gives the batch the next number and writes it with one write of the whole line before it returns; an fsync
// follows within FsyncDelay and is not awaited. The lines of earlier failures go first.
//
// After a *KeptError (errors.Is ErrKept) the batch is accepted: the file ends where it ended before, the line waits
// in memory, and the caller goes on. After any other error the batch is not accepted and its number not used: the
// data is no JSON, nests too deeply or is longer than MaxLine (ErrTooLong), or the writer is closed (ErrClosed).
// Batch.Offset is -1 unless the line is in the file.
func (w *Writer) Append(at time.Time, entries []Entry) (Batch, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone {
		return Batch{}, ErrClosed
	}
	batch := Batch{Seq: w.seq + 1, Time: at.UTC().Round(0), Entries: entries, Offset: -1}
	text, err := encodeBatch(batch, MaxLine)
	if err != nil {
		return Batch{}, err
	}
	w.seq = batch.Seq
	if w.f == nil {
		w.held++
		return batch, nil
	}
	w.kept = append(w.kept, line{batch.Seq, text})
	if err := w.write(); err != nil {
		return batch, err
	}
	batch.Offset = w.tail.end - int64(len(text))
	return batch, nil
}

// Retry writes the lines that wait in memory, in order, and asks for the fsync again if the last one failed. It
// returns nil when nothing waits any more, else a *KeptError, ErrMemory or ErrClosed.
func (w *Writer) Retry() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone {
		return ErrClosed
	}
	if w.f == nil {
		return ErrMemory
	}
	if w.flush.failure() != nil {
		w.flush.soon()
	}
	return w.write()
}

// write empties kept as far as the disk allows; w.mu is held. A line that fails is written again from the same
// place, so it covers its own remains even if they could not be cut off.
func (w *Writer) write() error {
	for len(w.kept) > 0 {
		text := w.kept[0].text
		if w.tail.newline {
			text = append([]byte{'\n'}, text...)
		}
		n, err := w.f.WriteAt(text, w.tail.end)
		if err == nil && n < len(text) {
			err = io.ErrShortWrite
		}
		if err != nil {
			_ = w.f.Truncate(w.tail.end) // if this fails too, the next attempt overwrites
			w.err = err
			return &KeptError{Session: w.header.Session, Unsaved: len(w.kept), Err: err}
		}
		w.tail = tail{end: w.tail.end + int64(len(text))}
		w.kept[0].text = nil
		w.kept = w.kept[1:]
		w.flush.soon()
	}
	w.kept, w.err = nil, nil
	return nil
}

// Status may be called at any time, also after Close.
func (w *Writer) Status() Status {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.f == nil:
		return Status{Unsaved: w.held, Err: ErrMemory}
	case w.err != nil:
		return Status{Unsaved: len(w.kept), Err: w.err}
	}
	return Status{Err: w.flush.failure()}
}

// Close tries the waiting lines once more, syncs, and gives up the lock. It reports what could not be saved; the
// lock is free all the same. Later calls do nothing.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone || w.f == nil {
		w.gone = true
		return nil
	}
	w.gone = true
	err := w.write()
	if failed := w.flush.stop(); err == nil && failed != nil {
		err = fmt.Errorf("session %s: syncing: %w", w.header.Session, failed)
	}
	if failed := w.f.Close(); err == nil && failed != nil {
		err = fmt.Errorf("session %s: closing: %w", w.header.Session, failed)
	}
	if w.tail.end == 0 {
		_ = w.discard()
	}
	if w.aside && !w.found.IsZero() {
		_ = w.dated(w.found) // a disk that keeps no times has no order to lose
	}
	if failed := w.release(); err == nil && failed != nil {
		err = fmt.Errorf("session %s: unlocking: %w", w.header.Session, failed)
	}
	return err
}
