//go:build linux || darwin

package outside

import (
	"io/fs"
	"os"
	"syscall"
)

// Supported says that chats can be reached on this system.
const Supported = true

// mine reports whether a file belongs to the person.
func mine(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}

// dead reports whether there is no such process any more.
func dead(pid int) bool { return pid > 0 && syscall.Kill(pid, 0) == syscall.ESRCH }
