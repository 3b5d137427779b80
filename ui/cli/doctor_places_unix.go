//go:build linux || darwin

package cli

import "golang.org/x/sys/unix"

// writable reports whether files can be made in a folder; it makes none.
func writable(dir string) bool { return unix.Access(dir, unix.W_OK|unix.X_OK) == nil }

// freeSpace is what is left for those who are not root, in bytes.
func freeSpace(path string) (bytes uint64, known bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil || s.Bsize <= 0 {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}
