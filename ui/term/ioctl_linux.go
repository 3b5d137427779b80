package term

import "golang.org/x/sys/unix"

// pipe returns the ends of a pipe that no child inherits.
func pipe() (r, w int, err error) {
	var ends [2]int
	err = unix.Pipe2(ends[:], unix.O_CLOEXEC)
	return ends[0], ends[1], err
}

const getTermios = unix.TCGETS

// flushOutput discards what the terminal has not taken yet.
func flushOutput(fd int) { _ = unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCOFLUSH) }
