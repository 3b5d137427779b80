package term

import "golang.org/x/sys/unix"

const getTermios = unix.TCGETS

// flushOutput discards what the terminal has not taken yet.
func flushOutput(fd int) { _ = unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCOFLUSH) }
