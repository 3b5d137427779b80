//go:build unix

package term

import (
	"errors"
	"fmt"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

const (
	readSize  = 16 << 10              // no kernel hands over half of it at once
	joinLimit = 1 << 20               // bytes that reads joined over a carriage return may reach
	longRead  = 512                   // bytes that nobody types at once: more of the paste is under way
	fullLinux = 4095                  // bytes that fill the kernel's buffer: there is more, and it may take a busy kernel a while to hand it on
	fullBSD   = 1024                  // the same on macOS
	fullWait  = 50 * time.Millisecond // less than readerEnd: a reader that was stopped reads nothing more
	joinWait  = 10 * time.Millisecond
	joinNow   = 2 * time.Millisecond // what comes later than this behind a short read is another
	readerEnd = 100 * time.Millisecond
)

// reader reads the terminal from start to stop. A stopped one is not used again: whoever runs next in the terminal must
// find every byte that was typed for it.
type reader struct {
	fd      int
	wakeR   int // a pipe's end, readable once the reader is to end
	wakeW   int
	woken   sync.Once // closes wakeW
	push    func(msgs []tea.Msg, at time.Time)
	hungUp  func()
	done    chan struct{}
	now     func() time.Time
	decoder Decoder
	buf     []byte // on the heap, where nothing of it is touched until it is filled; a stack is cleared whole

	last  time.Time // when the last read ended
	burst int       // bytes that came at once, in however many reads
}

// newReader prepares a reader of fd. select rather than poll, which macOS does not offer for terminals. The pipe is none of the os
// package's, which would have the runtime poll it, for whom nobody waits.
func newReader(fd int, push func([]tea.Msg, time.Time), hungUp func()) (*reader, error) {
	r, w, err := pipe()
	if err != nil {
		return nil, fmt.Errorf("preparing to read the terminal: %w", err)
	}
	if max(fd, r) >= unix.FD_SETSIZE {
		_, _ = unix.Close(r), unix.Close(w)
		return nil, errors.New("preparing to read the terminal: too many open files")
	}
	return &reader{fd: fd, wakeR: r, wakeW: w, push: push, hungUp: hungUp, done: make(chan struct{}), now: time.Now, buf: make([]byte, readSize)}, nil
}

// stop ends run. It waits for it, but not for a read that another reader of the terminal made wait.
func (r *reader) stop() {
	r.woken.Do(func() { _ = unix.Close(r.wakeW) }) // the other end reads EOF, and stays readable
	select {
	case <-r.done:
	case <-time.After(readerEnd):
	}
}

// run reads until stop, or until the terminal is gone. What is incomplete then is delivered as the keys it may be.
func (r *reader) run() {
	defer close(r.done)
	defer unix.Close(r.wakeR)
	var at time.Time // of the last read: what is flushed came with it
	for {
		ready, woken, err := r.wait(r.decoder.Pending())
		switch {
		case err != nil:
			r.hungUp()
			return
		case woken:
			r.push(r.decoder.Flush(), at)
			return
		case !ready:
			r.push(r.decoder.Flush(), at)
			continue
		}
		at = r.now()
		p, err := r.read(r.buf)
		if err != nil {
			r.hungUp()
			return
		}
		if len(p) > 0 {
			r.push(r.decoder.Feed(p), at)
		}
	}
}

// wait returns when there is something to read, when stop was called, or after limit (0: none).
func (r *reader) wait(limit time.Duration) (ready, woken bool, err error) {
	for {
		wake := r.wakeR
		var set unix.FdSet
		set.Set(r.fd)
		set.Set(wake)
		var timeout *unix.Timeval
		if limit > 0 {
			tv := unix.NsecToTimeval(int64(limit))
			timeout = &tv
		}
		_, err = unix.Select(max(r.fd, wake)+1, &set, nil, nil, timeout)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return false, false, err
		}
		return set.IsSet(r.fd), set.IsSet(wake), nil
	}
}

// read reads once, and on while what it has ends in a carriage return with more there: the border of a read must not turn
// a newline of a paste into Enter. Where the machine was so busy that what is there may as well be the next thing typed,
// it is Enter.
func (r *reader) read(buf []byte) ([]byte, error) {
	began := r.now()
	n, err := r.readOnce(buf)
	if err != nil || n == 0 {
		return buf[:n], err
	}
	if began.Sub(r.last) > joinNow {
		r.burst = 0
	}
	r.burst += n
	all := buf[:n:n]
	for all[len(all)-1] == '\r' && len(all) < joinLimit && r.continues(n, began) {
		next := make([]byte, readSize)
		began = r.now()
		if n, err = r.readOnce(next); err != nil || n == 0 {
			break // the next read meets it again
		}
		r.burst += n
		all = append(all, next[:n]...)
	}
	r.last = r.now()
	return all, nil
}

// continues reports whether what comes behind a read of n bytes that began at the given time belongs to it.
func (r *reader) continues(n int, began time.Time) bool {
	switch {
	case n == fullLinux || n == fullBSD:
		return r.more(fullWait)
	case r.burst >= longRead:
		return r.more(joinWait)
	}
	return r.more(0) && r.now().Sub(began) <= joinNow
}

// readOnce returns 0 bytes when there was nothing after all; the end of the input is an error.
func (r *reader) readOnce(buf []byte) (int, error) {
	n, err := unix.Read(r.fd, buf)
	switch {
	case err == unix.EINTR, err == unix.EAGAIN:
		return 0, nil
	case err != nil:
		return 0, err
	case n == 0:
		return 0, unix.EIO
	}
	return n, nil
}

// more tells whether there is something to read, now or within patience.
func (r *reader) more(patience time.Duration) bool {
	var set unix.FdSet
	set.Set(r.fd)
	tv := unix.NsecToTimeval(int64(patience))
	n, err := unix.Select(r.fd+1, &set, nil, nil, &tv)
	return err == nil && n > 0
}
