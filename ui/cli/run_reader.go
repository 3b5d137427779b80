package cli

import (
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

const (
	// lookEvery is the time between two looks at the reader of the answers while a turn runs.
	lookEvery = 200 * time.Millisecond

	// leaveWithin is how long a reader that has enough of the last answer, as head has, gets to
	// leave before the next prompt is sent.
	leaveWithin, leaveStep = 20 * time.Millisecond, 4 * time.Millisecond
)

// reader is who takes the answers. Only one behind a pipe or a socket can leave unnoticed by
// whoever does not write: terminals tell by a signal, and a file has none.
type reader struct {
	end   syscall.RawConn // our end of the pipe, nil if there is none
	looks *time.Ticker
}

func readerOf(out io.Writer) *reader {
	f, ok := out.(*os.File)
	if !ok {
		return &reader{}
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return &reader{}
	}
	end, err := f.SyscallConn()
	if err != nil {
		return &reader{}
	}
	return &reader{end: end, looks: time.NewTicker(lookEvery)}
}

// look says when to look whether they are gone.
func (r *reader) look() <-chan time.Time {
	if r.looks == nil {
		return nil
	}
	return r.looks.C
}

func (r *reader) gone() bool {
	if r.end == nil {
		return false
	}
	gone := false
	err := r.end.Control(func(fd uintptr) { gone = unread(fd) })
	return err == nil && gone
}

// leaving waits a moment for one that is on its way out.
func (r *reader) leaving() bool {
	for waited := time.Duration(0); r.end != nil && waited < leaveWithin; waited += leaveStep {
		if r.gone() {
			return true
		}
		time.Sleep(leaveStep)
	}
	return r.gone()
}

func (r *reader) stop() {
	if r.looks != nil {
		r.looks.Stop()
	}
}
