//go:build linux || darwin

package cli

import "golang.org/x/sys/unix"

// unread reports whether nobody has the other end of a pipe or socket open for reading. It
// asks for POLLOUT because macOS tells nothing where nothing is asked.
func unread(fd uintptr) bool {
	p := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}
	_, err := unix.Poll(p, 0)
	return err == nil && p[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
}
