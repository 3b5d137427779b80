//go:build unix

package config

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// openOwn opens a file that must not be a link. A pipe does not hold it up.
func openOwn(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.EMLINK) { // the latter on some BSDs
		return nil, errLink
	}
	return f, err
}

// openToAll says whether users outside the file's group can change it.
func openToAll(m fs.FileMode) bool { return m.Perm()&0o002 != 0 }
