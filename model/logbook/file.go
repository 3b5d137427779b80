package logbook

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gofrs/flock"
)

// Another process writes for a moment; one that was stopped in the middle of it is not
// waited for, and Close has time left to write all the same.
const (
	lockWait  = closeWait * 4 / 5
	lockPause = 5 * time.Millisecond
)

// file is the current file and those before it.
type file struct {
	dir  string
	open *os.File
}

func (f *file) path(n int) string {
	p := filepath.Join(f.dir, File)
	if n > 0 {
		p += "." + strconv.Itoa(n)
	}
	return p
}

// maxWrite bounds one write, in bytes: whole lines, so that those of several processes do
// not mix.
const maxWrite = 64 << 10

// add appends lines.
func (f *file) add(lines []byte) {
	for len(lines) > 0 {
		n := len(lines)
		if n > maxWrite {
			n = maxWrite
			if end := bytes.LastIndexByte(lines[:n], '\n'); end >= 0 {
				n = end + 1
			} else if end := bytes.IndexByte(lines, '\n'); end >= 0 {
				n = end + 1
			}
		}
		f.append(lines[:n])
		lines = lines[n:]
	}
}

// append adds lines to the current file, all in one write behind what others wrote.
func (f *file) append(lines []byte) {
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return
	}
	held := f.lock()
	if held != nil {
		defer held.Unlock()
	}
	info := f.current()
	if info == nil {
		return
	}
	// Only who has the lock turns over, or two would do it one behind the other.
	if held != nil && info.Size() > 0 && info.Size()+int64(len(lines)) > MaxFile {
		f.turn()
		if f.current() == nil {
			return
		}
	}
	_, _ = f.open.Write(lines) // a full disk is nobody's business here
}

// lock keeps others from turning the file over; nil if it cannot be had soon.
func (f *file) lock() *flock.Flock {
	held := flock.New(f.path(0)+".lock", flock.SetFlag(os.O_CREATE|os.O_RDWR|noFollow), flock.SetPermissions(0o600))
	for end := time.Now().Add(lockWait); ; time.Sleep(lockPause) {
		ok, err := held.TryLock()
		if ok {
			return held
		}
		if err != nil || time.Now().After(end) {
			break
		}
	}
	_ = held.Close()
	return nil
}

// current makes sure that the open file is the one with the name, and describes it; nil
// if there can be none.
func (f *file) current() fs.FileInfo {
	if f.open != nil {
		mine, err := f.open.Stat()
		named, nerr := os.Lstat(f.path(0))
		if err == nil && nerr == nil && os.SameFile(mine, named) {
			return mine
		}
		f.close()
	}
	opened, err := os.OpenFile(f.path(0), os.O_WRONLY|os.O_APPEND|os.O_CREATE|noFollow, 0o600)
	if err != nil {
		return nil
	}
	info, err := opened.Stat()
	if err != nil || !info.Mode().IsRegular() { // a link, a pipe, a device: not ours
		opened.Close()
		return nil
	}
	f.open = opened
	return info
}

// turn moves each file one place on; the oldest goes.
func (f *file) turn() {
	f.close() // Windows moves no open file
	for n := Files - 1; n > 0; n-- {
		if err := os.Rename(f.path(n-1), f.path(n)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return
		}
	}
}

func (f *file) close() {
	if f.open != nil {
		_ = f.open.Close()
		f.open = nil
	}
}
