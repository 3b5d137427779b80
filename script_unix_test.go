//go:build unix

package main

import (
	"os"
	"syscall"
)

var signalNames = map[string]os.Signal{
	"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "QUIT": syscall.SIGQUIT, "KILL": syscall.SIGKILL,
}
