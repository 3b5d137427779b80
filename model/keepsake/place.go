// Package keepsake keeps small private files beside the sessions: drafts that were not sent yet, prompts that were, what an
// editor or the clipboard hands over. It must not know what a session is doing, decide what becomes of a text, or draw.
//
// Everything is readable by its owner alone. What is replaced is written aside and renamed, so that a process that is killed
// leaves the old or the new, never a half.
package keepsake

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Place is where the files are: the directory that holds the sessions' own.
type Place struct{ dir string }

// At names the place; it makes nothing. An empty directory is no place: see None.
func At(dir string) Place { return Place{dir} }

// None reports whether there is no place: nothing is kept.
func (p Place) None() bool { return p.dir == "" }

const (
	// ScratchKept is how long a file for an editor is kept that nobody took away: its program was killed, or its editor
	// failed and the person was told the name.
	ScratchKept = 7 * 24 * time.Hour
	// strayKept is how long the traces of a draft that is gone, or that cannot be read, stay.
	strayKept = 24 * time.Hour
)

// Scratch puts a text into a file of its own, for an editor. The caller removes it.
func (p Place) Scratch(text string) (path string, err error) {
	return p.file("edit", "baton-*.md", []byte(text))
}

// Picture keeps an image in PNG form. It stays: a prompt, or a session, may name it.
func (p Place) Picture(now time.Time, png []byte) (path string, err error) {
	return p.file("pictures", "clipboard-"+now.Format("20060102-150405")+"-*.png", png)
}

func (p Place) file(folder, pattern string, data []byte) (string, error) {
	dir := ""
	if !p.None() {
		dir = filepath.Join(p.dir, folder)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", fmt.Errorf("make a private folder: %w", err)
		}
	}
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return "", fmt.Errorf("make a private file: %w", err)
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(f.Name())
		return "", fmt.Errorf("write a private file: %w", err)
	}
	return f.Name(), nil
}

// Sweep removes files for editors that are older than ScratchKept.
func (p Place) Sweep(now time.Time) {
	dir := filepath.Join(p.dir, "edit")
	for _, e := range entries(dir) {
		if info, err := e.Info(); err == nil && e.Type().IsRegular() && now.Sub(info.ModTime()) > ScratchKept {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// entries lists a directory; one that cannot be read is empty.
func entries(dir string) []fs.DirEntry {
	if strings.TrimSpace(dir) == "" {
		return nil
	}
	es, _ := os.ReadDir(dir)
	return es
}

// replace writes a file aside and puts it in place.
func replace(path string, data []byte) error {
	aside := path + ".tmp"
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	// Whatever a killed process left there, a link included, goes first.
	if err := os.Remove(aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(aside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(aside, path)
	}
	if err != nil {
		os.Remove(aside)
	}
	return err
}

// gone removes a file that may be gone already.
func gone(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
