//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package term

import "golang.org/x/sys/unix"

const getTermios = unix.TIOCGETA

// flushOutput discards what the terminal has not taken yet. 2 is FWRITE of <sys/fcntl.h>.
func flushOutput(fd int) { _ = unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, 2) }
