package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"baton/model/owner"
)

// file is what a Writer needs of an open file; tests put one that fails in its place.
type file interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Sync() error
	Close() error
}

// newFile is a file whose name is not yet safe in its directory: the first good Sync covers both.
type newFile struct {
	*os.File
	dir     string
	syncDir func(dir string) error
	named   bool
}

func (f *newFile) Sync() error {
	err := f.File.Sync()
	if err == nil && !f.named {
		err = f.syncDir(f.dir)
		f.named = err == nil
	}
	return err
}

// openRegular opens path if a regular file stands there, and never waits. The look before opening gives the better
// message and keeps devices untouched; the look after it is the one that counts, because names can change between.
func (d disk) openRegular(path string, flag int) (*os.File, fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, nil, err
	}
	if err := regular(path, info); err != nil {
		return nil, nil, err
	}
	f, err := d.open(path, flag|openFlags, 0)
	if err != nil {
		return nil, nil, ownership(info, err)
	}
	info, err = f.Stat()
	if err == nil {
		err = regular(path, info)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

func regular(path string, info fs.FileInfo) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s: %w", path, ErrSymlink)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: %w", path, ErrNotRegular)
	}
	return nil
}

// ownership says whose a file is that may not be opened because it is someone else's.
func ownership(info fs.FileInfo, err error) error {
	if errors.Is(err, fs.ErrPermission) && !owner.Mine(info) {
		return fmt.Errorf("%w: %w", ErrOwner, err)
	}
	return err
}

// wideMode returns the permission bits if they give anything to others, or anything but reading and writing.
func wideMode(info fs.FileInfo) fs.FileMode {
	if mode := info.Mode().Perm(); hasModes && mode&^0o600 != 0 {
		return mode
	}
	return 0
}
