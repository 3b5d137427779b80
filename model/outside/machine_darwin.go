package outside

import (
	"os"

	"golang.org/x/sys/unix"
)

// machine names where process numbers mean the same as here: the machine by its UUID, since its name changes with the network.
func machine() string {
	if id, err := unix.Sysctl("kern.uuid"); err == nil && id != "" {
		return id
	}
	host, _ := os.Hostname()
	return host
}
