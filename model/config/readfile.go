package config

import (
	"io"
	"io/fs"
	"os"
	"strings"
)

// ReadFile reads a configuration for Load: a regular file, or what a shell hands over in
// /dev/fd. Of a longer file than MaxFileBytes it returns one byte more, so that Load can
// say so; what would never end, or would wait for somebody, is refused.
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, &fs.PathError{Op: "read", Path: path, Err: errFolder}
	case !info.Mode().IsRegular() && !strings.HasPrefix(path, "/dev/fd/"):
		return nil, &fs.PathError{Op: "read", Path: path, Err: errNoFile}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readUpTo(f, MaxFileBytes)
}

// readUpTo reads at most one byte more than limit.
func readUpTo(r io.Reader, limit int) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r, int64(limit)+1))
}
