//go:build unix

package journal

import (
	"os"
	"syscall"
)

// openFlags: no link is followed, and a FIFO that took the file's place is not waited for.
const openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// hasModes: permission bits mean something here.
const hasModes = true

// syncDir makes a new name in dir survive a power loss.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
