package journal

import (
	"errors"
	"fmt"
)

var (
	// ErrLocked: another writer holds the session. The error is a *LockedError.
	ErrLocked = errors.New("session is in use")
	// ErrNewer: the file was written in a later format. The error is a *NewerError.
	ErrNewer = errors.New("written by a newer baton")
	// ErrHeader: the first line is not a whole header.
	ErrHeader = errors.New("damaged header")
	// ErrEmpty: the file has no byte.
	ErrEmpty = errors.New("empty file")
	// ErrNotRegular: a directory, FIFO, socket or device stands where the file should be.
	ErrNotRegular = errors.New("not a regular file")
	// ErrSymlink: a symbolic link stands where the file should be. Links are never followed.
	ErrSymlink = errors.New("is a symbolic link")
	// ErrOwner: the file may not be opened and belongs to another user; errors.Is says fs.ErrPermission as well.
	ErrOwner = errors.New("belongs to another user")
	// ErrBadID: the session id cannot be one.
	ErrBadID = errors.New("not a session id")
	// ErrDamaged: no whole batch begins where one was asked for.
	ErrDamaged = errors.New("damaged line")
	// ErrReplaced: the file is not the one that was read before, or ends before the place where reading goes on.
	// What was read of it no longer tells what it holds: open it again.
	ErrReplaced = errors.New("file was replaced or cut short")
	// ErrTooLong: the line would exceed MaxLine. Nothing was kept.
	ErrTooLong = errors.New("longer than a journal line may be")
	// ErrClosed: the writer was closed. Nothing was kept.
	ErrClosed = errors.New("journal is closed")
	// ErrKept: a batch could not be written and waits in memory. The error is a *KeptError.
	ErrKept = errors.New("kept in memory")
	// ErrMemory is the standing error of a writer made by Memory.
	ErrMemory = errors.New("this session is kept in memory only")
)

// LockedError names the holder of a session's lock.
type LockedError struct {
	Session string
	PID     int // 0 when unknown
}

func (e *LockedError) Error() string {
	if e.PID == 0 {
		return fmt.Sprintf("session %s is in use by another process", e.Session)
	}
	return fmt.Sprintf("session %s is in use by process %d", e.Session, e.PID)
}

// Is makes errors.Is(err, ErrLocked) true.
func (e *LockedError) Is(target error) bool { return target == ErrLocked }

// NewerError names the format found.
type NewerError struct{ Found int }

func (e *NewerError) Error() string {
	return fmt.Sprintf("written by a newer baton (format %d); this one reads %d", e.Found, Format)
}

// Is makes errors.Is(err, ErrNewer) true.
func (e *NewerError) Is(target error) bool { return target == ErrNewer }

// KeptError says that lines wait in memory, in order, until a later Append or Retry writes them.
type KeptError struct {
	Session string
	Unsaved int // lines waiting
	Err     error
}

func (e *KeptError) Error() string {
	return fmt.Sprintf("session %s: %d line(s) kept in memory: %v", e.Session, e.Unsaved, e.Err)
}

// Is makes errors.Is(err, ErrKept) true.
func (e *KeptError) Is(target error) bool { return target == ErrKept }

// Unwrap returns the failure of the write.
func (e *KeptError) Unwrap() error { return e.Err }
