//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package term

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// pipe returns the ends of a pipe that no child inherits.
func pipe() (r, w int, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	var ends [2]int
	if err = unix.Pipe(ends[:]); err == nil {
		unix.CloseOnExec(ends[0])
		unix.CloseOnExec(ends[1])
	}
	return ends[0], ends[1], err
}

const getTermios = unix.TIOCGETA

// flushOutput discards what the terminal has not taken yet. 2 is FWRITE of <sys/fcntl.h>.
func flushOutput(fd int) { _ = unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, 2) }
