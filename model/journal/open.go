package journal

import (
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// Create starts a session: the directory (0700), the lock, a new file (0600) and its header. h.Format and
// h.Session are filled in. An id that is taken gives fs.ErrExist. A header that cannot be written, say on a full
// disk, is no error: it waits in memory like a batch, and Status tells.
func Create(dir, id string, h Header) (*Writer, error) { return create(dir, id, h, plain) }

func create(dir, id string, h Header, d disk) (*Writer, error) {
	path, err := pathOf(dir, id)
	if err != nil {
		return nil, err
	}
	h.Format, h.Session = Format, id
	text, err := encodeHeader(h)
	if err != nil {
		return nil, err
	}
	if err := makeDir(dir); err != nil {
		return nil, fmt.Errorf("creating session %s: %w", id, err)
	}
	held, err := lock(dir, id)
	if err != nil {
		return nil, err
	}
	f, err := d.create(path, dir)
	if err != nil {
		_ = unlock(held)
		return nil, fmt.Errorf("creating session %s: %w", id, err)
	}
	w := newWriter(f, h, held)
	w.discard = func() error { return d.remove(path) }
	w.kept = []line{{text: text}}
	_ = w.write() // a failure stays in Status
	return w, nil
}

// makeDir creates what is missing and closes the last directory to others, since file names tell when somebody
// worked. A directory that belongs to someone else stays as it is: the files in it are closed anyway.
func makeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if info, err := os.Stat(dir); err == nil && hasModes && info.Mode().Perm()&0o077 != 0 {
		_ = os.Chmod(dir, info.Mode().Perm()&0o700)
	}
	return nil
}

// Open locks a session, reads all of it and makes it ready for the next Append: a mode wider than 0600 is
// tightened, a torn tail is moved to a file of its own beside the session (ID.torn-N).
//
// Errors: fs.ErrNotExist, fs.ErrPermission, ErrOwner, ErrBadID, ErrLocked, ErrSymlink, ErrNotRegular, ErrEmpty,
// ErrHeader, ErrNewer. With ErrHeader the contents are filled as far as they are whole, and nothing was changed.
func Open(dir, id string) (*Writer, Contents, error) { return open(dir, id, "", plain) }

// OpenTail is Open, but reads the tail only: from the last whole batch whose first entry is of kind mark, or all of
// the file if there is none. The header is checked in any case. Damage before the tail is found by who reads there.
func OpenTail(dir, id, mark string) (*Writer, Contents, error) { return open(dir, id, mark, plain) }

func open(dir, id, mark string, d disk) (*Writer, Contents, error) {
	path, err := pathOf(dir, id)
	if err != nil {
		return nil, Contents{}, err
	}
	// Looked at before locking, so that a wrong name leaves no lock file behind.
	info, err := os.Lstat(path)
	if err == nil {
		err = regular(path, info)
	}
	if err != nil {
		return nil, Contents{}, fmt.Errorf("opening session %s: %w", id, err)
	}
	held, err := lock(dir, id)
	if err != nil {
		return nil, Contents{}, err
	}
	w, c, err := openLocked(path, mark, held, d)
	if err != nil {
		_ = unlock(held)
		return nil, c, fmt.Errorf("opening session %s: %w", id, err)
	}
	w.tail = repair(w.f, dir, id, w.tail, c.Torn, d)
	return w, c, nil
}

func openLocked(path, mark string, held *flock.Flock, d disk) (*Writer, Contents, error) {
	f, info, err := d.openRegular(path, os.O_RDWR)
	if err != nil {
		return nil, Contents{}, err
	}
	read, err := readTail(f, info.Size(), mark)
	if err != nil {
		f.Close()
		return nil, read.c, err
	}
	if read.c.WideMode = wideMode(info); read.c.WideMode != 0 {
		_ = f.Chmod(read.c.WideMode & 0o600) // some file systems have one mode for all files
	}
	w := newWriter(d.over(f), read.c.Header, held)
	w.tail, w.seq, w.found = read.end, read.last, info.ModTime()
	w.dated = func(at time.Time) error { return os.Chtimes(path, time.Time{}, at) }
	return w, read.c, nil
}

func newWriter(f file, h Header, held *flock.Flock) *Writer {
	return &Writer{f: f, header: h, flush: flusher{sync: f.Sync}, release: func() error { return unlock(held) }}
}

// Read reads a session without locking or changing anything, also while another process writes it: the line being
// written then counts as torn. Its errors are those of Open without ErrLocked; with ErrHeader the contents are
// filled as far as they are whole.
func Read(dir, id string) (Contents, error) {
	path, err := pathOf(dir, id)
	if err != nil {
		return Contents{}, err
	}
	f, info, err := plain.openRegular(path, os.O_RDONLY)
	if err != nil {
		return Contents{}, fmt.Errorf("reading session %s: %w", id, err)
	}
	defer f.Close()
	read, err := readAll(f)
	read.c.WideMode = wideMode(info)
	if err != nil {
		return read.c, fmt.Errorf("reading session %s: %w", id, err)
	}
	return read.c, nil
}
