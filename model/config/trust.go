package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Trust remembers which projects' files the person has agreed to: one small file each,
// with the path and the hash of the text, in a folder that only they can enter. A file
// that is changed afterwards, or moved, is one that nobody has agreed to.
type Trust struct{ dir string }

// TrustIn is the memory in the directory of sessions; with "" there is none, and nothing
// is trusted.
func TrustIn(stateDir string) Trust {
	if stateDir == "" {
		return Trust{}
	}
	return Trust{filepath.Join(stateDir, "trusted")}
}

// maxTrust bounds such a file, in bytes: a hash and a path.
const maxTrust = 16 << 10

// errNoPlace says that nothing can be remembered.
var errNoPlace = errors.New("there is no place to remember it: no state directory is known")

func (t Trust) file(path string) string {
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(t.dir, hex.EncodeToString(sum[:16]))
}

func record(p Project) string { return p.Hash() + "\n" + p.Path + "\n" }

// Has reports whether the person agreed to exactly this text at this place.
func (t Trust) Has(p Project) bool {
	return p.Path != "" && t.read(p.Path) == record(p)
}

// Knew reports whether they agreed to another text at this place.
func (t Trust) Knew(p Project) bool {
	_, rest, ok := strings.Cut(t.read(p.Path), "\n")
	return ok && rest == p.Path+"\n" && !t.Has(p)
}

func (t Trust) read(path string) string {
	if t.dir == "" {
		return ""
	}
	text, err := readOwn(t.file(path), maxTrust)
	if err != nil {
		return ""
	}
	return string(text)
}

// Add remembers that the person agrees.
func (t Trust) Add(p Project) error {
	if t.dir == "" {
		return errNoPlace
	}
	if err := os.MkdirAll(t.dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of trusted files: %w", err)
	}
	f, err := os.CreateTemp(t.dir, ".new-*") // mode 0600
	if err != nil {
		return fmt.Errorf("remember a trusted file: %w", err)
	}
	_, err = f.WriteString(record(p))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), t.file(p.Path))
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("remember a trusted file: %w", err)
	}
	return nil
}

// Remove forgets the agreement to what stands at path, an absolute one without links, and
// reports whether there was one.
func (t Trust) Remove(path string) (bool, error) {
	if t.dir == "" {
		return false, nil
	}
	err := os.Remove(t.file(path))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("forget a trusted file: %w", err)
	}
	return true, nil
}
