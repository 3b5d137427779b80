package journal

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// maxID keeps file names short on every file system.
const maxID = 64

// idDigits leaves out the letters people confuse with digits or each other.
const idDigits = "0123456789abcdefghjkmnpqrstvwxyz"

// NewID returns an id like 20261130-154210-4fzq: UTC to the second, so that ids sort by time, and 20 random bits.
func NewID(now time.Time, random io.Reader) (string, error) {
	var raw [4]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", fmt.Errorf("making a session id: %w", err)
	}
	for i, b := range raw {
		raw[i] = idDigits[int(b)%len(idDigits)]
	}
	id := now.UTC().Format("20060102-150405-") + string(raw[:])
	if err := ValidID(id); err != nil {
		return "", fmt.Errorf("making a session id: %w", err)
	}
	return id, nil
}

// MadeID reports whether a text has the form of what NewID returns. A session may have another name, if a person gave its
// file one.
func MadeID(text string) bool {
	const form = "20060102-150405"
	if len(text) != len(form)+5 || text[len(form)] != '-' {
		return false
	}
	_, err := time.Parse(form, text[:len(form)])
	return err == nil && strings.Trim(text[len(form)+1:], idDigits) == ""
}

// ValidID accepts 1 to 64 of a-z, 0-9 and inner hyphens, except names that Windows reserves for devices. So an id
// is never a path, an option, or two names on a file system that ignores case. The error is ErrBadID.
func ValidID(id string) error {
	bad := func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-') }
	switch {
	case id == "":
		return fmt.Errorf("%w: it is empty", ErrBadID)
	case len(id) > maxID:
		return fmt.Errorf("%w: %d bytes, at most %d", ErrBadID, len(id), maxID)
	case strings.ContainsFunc(id, bad):
		return fmt.Errorf("%w: %q has more than a-z, 0-9 and hyphens", ErrBadID, id)
	case id[0] == '-' || id[len(id)-1] == '-':
		return fmt.Errorf("%w: %q begins or ends with a hyphen", ErrBadID, id)
	case reserved(id):
		return fmt.Errorf("%w: %q is the name of a device", ErrBadID, id)
	}
	return nil
}

func reserved(id string) bool {
	if slices.Contains([]string{"con", "prn", "aux", "nul"}, id) {
		return true
	}
	return len(id) == 4 && (strings.HasPrefix(id, "com") || strings.HasPrefix(id, "lpt")) && id[3] >= '0' && id[3] <= '9'
}

// suffix of a session's file; the lock and torn tails stand beside it under names List does not take for sessions.
const suffix = ".jsonl"

func pathOf(dir, id string) (string, error) {
	if err := ValidID(id); err != nil {
		return "", err
	}
	return filepath.Join(dir, id+suffix), nil
}

func lockPath(dir, id string) string { return filepath.Join(dir, id+".lock") }
func tornPath(dir, id string, n int) string {
	return filepath.Join(dir, fmt.Sprintf("%s.torn-%d", id, n))
}
