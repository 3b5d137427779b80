package config

import (
	"os/exec"
	"runtime"
	"syscall"
)

// runWhileAlive runs a program that is ended together with this one, however this one ends:
// one that asks somebody for a passphrase would go on asking. It stays in the process group,
// so that an interrupt, and whoever signals the whole group, reaches it as ever. The kernel
// goes by the thread that started it (PR_SET_PDEATHSIG of prctl(2)), so that has to last.
func runWhileAlive(cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	return cmd.Run()
}
