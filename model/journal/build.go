package journal

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// buildSuffix of a session that is being built: List does not take it for one.
const buildSuffix = ".build"

func buildPath(dir, id string) string { return filepath.Join(dir, id+buildSuffix) }

// Build makes a session that appears whole or not at all, however it ends: what fill appends is written into a file
// aside (ID.build), synced, and renamed into place. The writer that fill gets is good until fill returns, and nothing
// it writes is seen before. What a process that died has left aside, in this session or another, is removed first.
//
// Nothing is left when fill fails, a batch or a sync of it fails for good, or the id is taken (fs.ErrExist). The
// other errors are those of Create.
func Build(dir, id string, h Header, fill func(*Writer) error) error {
	return build(dir, id, h, fill, plain)
}

func build(dir, id string, h Header, fill func(*Writer) error, d disk) error {
	path, err := pathOf(dir, id)
	if err != nil {
		return err
	}
	h.Format, h.Session = Format, id
	text, err := encodeHeader(h)
	if err != nil {
		return err
	}
	if err := makeDir(dir); err != nil {
		return fmt.Errorf("building session %s: %w", id, err)
	}
	held, err := lock(dir, id)
	if err != nil {
		return err
	}
	defer letGo(dir, id, held)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = fs.ErrExist
		}
		return fmt.Errorf("building session %s: %w", id, err)
	}
	sweep(dir, id, d)
	if err := raise(dir, id, h, text, fill, d); err != nil {
		return fmt.Errorf("building session %s: %w", id, err)
	}
	return nil
}

// raise writes the file aside and puts it into place; the session's lock is held. The order matters: the bytes are
// safe before the name is there, and the name is safe before Build returns.
func raise(dir, id string, h Header, header []byte, fill func(*Writer) error, d disk) error {
	aside := buildPath(dir, id)
	f, err := d.open(aside, os.O_RDWR|os.O_CREATE|os.O_EXCL|openFlags, 0o600)
	if err != nil {
		return err
	}
	over := d.over(f)
	nothing := func() error { return nil }
	w := &Writer{
		f: over, header: h, kept: []line{{text: header}}, release: nothing, discard: nothing,
		// Syncs once, at the end: a failed sync that a later one hides would leave a file of unknown bytes.
		flush: flusher{sync: over.Sync, stopped: true},
	}
	placed := false
	defer func() { // also where fill did not come back
		_ = w.Close()
		if !placed {
			_ = d.remove(aside)
		}
	}()
	_ = w.write() // what fails waits, and is told by Close if it fails for good
	failed := fill(w)
	closed := w.Close()
	if err := cmp.Or(failed, closed, w.Status().Err); err != nil {
		return err
	}
	path, err := pathOf(dir, id)
	if err != nil {
		return err
	}
	if err := d.rename(aside, path); err != nil {
		return err
	}
	placed = true
	if err := d.syncDir(dir); err != nil {
		return errors.Join(err, d.remove(path)) // it would be there now and gone after a power loss
	}
	return nil
}

// sweep removes what processes that died while building left in dir. What is being built now is held by its lock,
// and so is left alone; own is the session whose lock is held here. What cannot be removed is in nobody's way but
// its own session's.
func sweep(dir, own string, d disk) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		id, ok := strings.CutSuffix(entry.Name(), buildSuffix)
		if !ok || ValidID(id) != nil {
			continue
		}
		if id == own {
			_ = d.remove(buildPath(dir, id))
			continue
		}
		if held, err := lock(dir, id); err == nil {
			_ = d.remove(buildPath(dir, id))
			letGo(dir, id, held)
		}
	}
}

// letGo gives up the lock, and removes its file where no session came to be.
func letGo(dir, id string, held *flock.Flock) {
	_ = unlock(held)
	if path, err := pathOf(dir, id); err == nil {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			_ = os.Remove(lockPath(dir, id))
		}
	}
}
