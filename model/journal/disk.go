package journal

import (
	"io/fs"
	"os"
)

// disk is how this package reaches names and files. Tests put calls that fail, or end the process, in their place.
type disk struct {
	open    func(path string, flag int, mode fs.FileMode) (*os.File, error)
	over    func(file) file // stands between a Writer and its file
	rename  func(from, to string) error
	remove  func(path string) error
	syncDir func(dir string) error
}

var plain = disk{
	open:    os.OpenFile,
	over:    func(f file) file { return f },
	rename:  os.Rename,
	remove:  os.Remove,
	syncDir: syncDir,
}

// create opens a new file with mode 0600. Its first Sync makes its name safe as well.
func (d disk) create(path, dir string) (file, error) {
	f, err := d.open(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|openFlags, 0o600)
	if err != nil {
		return nil, err
	}
	return d.over(&newFile{File: f, dir: dir, syncDir: d.syncDir}), nil
}
