package config

import (
	"io/fs"
	"os"
)

// openOwn opens a file that must not be a link.
func openOwn(path string) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return nil, errLink
	}
	return os.Open(path)
}

// openToAll says nothing of Windows, which keeps rights in lists that a mode does not show.
func openToAll(fs.FileMode) bool { return false }
