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

// Windows keeps owners and rights in lists that a mode does not show: a file is as
// private as its folder.
func isOwn(fs.FileInfo) bool { return true }

func openToAll(fs.FileMode) bool { return false }
