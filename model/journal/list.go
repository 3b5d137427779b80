package journal

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// List returns the sessions in dir, the one written last first. Names that are no session's, directories, links and
// FIFOs are left out; nothing is opened. A directory that does not exist holds no session.
func List(dir string) ([]Summary, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing sessions: %w", err)
	}
	var found []Summary
	for _, entry := range entries {
		id, ok := strings.CutSuffix(entry.Name(), suffix)
		if !ok || ValidID(id) != nil || !entry.Type().IsRegular() {
			continue
		}
		info, err := entry.Info()
		if err != nil { // removed meanwhile
			continue
		}
		found = append(found, Summary{ID: id, Modified: info.ModTime(), Size: info.Size()})
	}
	slices.SortFunc(found, func(a, b Summary) int {
		return cmp.Or(b.Modified.Compare(a.Modified), strings.Compare(b.ID, a.ID))
	})
	return found, nil
}

// Latest returns the session written last, or ok = false if there is none. A file without a whole header, left by a
// process that died while creating it, holds nothing and is passed over; one that this version cannot read is not,
// so that opening it says why.
func Latest(dir string) (id string, ok bool, err error) {
	sessions, err := List(dir)
	if err != nil {
		return "", false, err
	}
	for _, session := range sessions {
		if !stillborn(dir, session.ID) {
			return session.ID, true, nil
		}
	}
	return "", false, nil
}

// stillborn: no line ever ended in it and none is whole.
func stillborn(dir, id string) bool {
	path, err := pathOf(dir, id)
	if err != nil {
		return false
	}
	f, _, err := plain.openRegular(path, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	first, err := newScanner(f).next(maxHeader)
	if errors.Is(err, io.EOF) {
		return true
	}
	if err != nil || first.ended {
		return false
	}
	_, err = decodeHeader(first.text())
	return errors.Is(err, ErrHeader)
}

// Remove deletes a session with its torn tails and its lock file. A session in use gives ErrLocked, an absent one
// fs.ErrNotExist.
func Remove(dir, id string) error {
	path, err := pathOf(dir, id)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); err != nil {
		return fmt.Errorf("removing session %s: %w", id, err)
	}
	held, err := lock(dir, id)
	if err != nil {
		return err
	}
	defer os.Remove(lockPath(dir, id))
	defer unlock(held)
	for n := 1; n <= maxTorn; n++ {
		if err := os.Remove(tornPath(dir, id, n)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing session %s: %w", id, err)
		}
	}
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("removing session %s: %w", id, err)
	}
	return nil
}
