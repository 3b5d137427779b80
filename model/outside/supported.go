//go:build linux || darwin

package outside

import "syscall"

// Supported says that chats can be reached on this system.
const Supported = true

// dead reports whether there is no such process any more.
func dead(pid int) bool { return pid > 0 && syscall.Kill(pid, 0) == syscall.ESRCH }
