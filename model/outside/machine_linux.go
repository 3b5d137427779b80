package outside

import (
	"bytes"
	"cmp"
	"os"
)

// machine names where process numbers mean the same as here: the machine by its machine-id(5), or else by its name, and within it,
// for containers, the pid_namespaces(7).
func machine() string {
	id, _ := os.ReadFile("/etc/machine-id")
	host, _ := os.Hostname()
	space, _ := os.Readlink("/proc/self/ns/pid")
	return cmp.Or(string(bytes.TrimSpace(id)), host) + " " + space
}
