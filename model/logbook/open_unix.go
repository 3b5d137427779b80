//go:build unix

package logbook

import "syscall"

// noFollow refuses a link in the file's place, and does not wait for a pipe's reader.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
