// Package queue holds prompts that wait their turn: an immutable ordered list of
// at most MaxRows rows. It must not know why a row waits or when it starts; that
// is the session's business.
package queue

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The limits of a queue. They stand in docs/limits.md.
const (
	MaxRows  = 16      // rows in one queue
	MaxBytes = 262_144 // bytes of one row's text
)

// Refusals. A refused operation returns the list unchanged.
var (
	ErrFull    = errors.New("the queue is full")
	ErrBlank   = errors.New("the text is blank")
	ErrTooLong = errors.New("the text is too long")
	ErrGone    = errors.New("the row is no longer in the queue")
)

// ID names a row. IDs are unique across sessions and never reused.
type ID string

// Attachment is a file that rides with a row. Size and SHA256 are known once the
// file was read.
type Attachment struct {
	Path   string `json:"path"`
	Size   int64  `json:"size,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
}

// Row is one waiting prompt or command.
type Row struct {
	ID          ID           `json:"id"`
	Text        string       `json:"text"`
	Attachments []Attachment `json:"attachments,omitempty"`
	// Command says the text is a slash command, to be run and never sent to a model.
	Command bool `json:"command,omitempty"`
	// Generated is the turn whose failure made this row; 0 when a person wrote it.
	Generated int `json:"generated,omitempty"`
}

// Normalize turns CRLF and CR into LF and keeps all other white space.
func Normalize(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// Blank reports whether text holds only space, tab, LF, CR and NUL.
func Blank(text string) bool { return strings.Trim(text, " \t\n\r\x00") == "" }

// Check tells whether a text may become a row: ErrBlank unless it has
// attachments, ErrTooLong (with the size) over MaxBytes.
func Check(text string, attachments int) error { return Within(MaxBytes, text, attachments) }

// Within is Check for a text that is sent without waiting, with a limit of its own
// in bytes.
func Within(limit int, text string, attachments int) error {
	if Blank(text) && attachments == 0 {
		return ErrBlank
	}
	if len(text) > limit {
		return fmt.Errorf("%w: %d bytes, at most %d", ErrTooLong, len(text), limit)
	}
	return nil
}

// List is an ordered list of rows. The zero value is empty and holds MaxRows.
// Every operation returns a new list and leaves the receiver as it was.
type List struct {
	rows []Row
	cap  int // 0 means MaxRows
}

// WithCap returns an empty list of another capacity, 1 to MaxRows.
func WithCap(n int) List { return List{cap: min(max(n, 1), MaxRows)} }

// Len is the number of rows.
func (l List) Len() int { return len(l.rows) }

// Cap is the largest number of rows.
func (l List) Cap() int {
	if l.cap == 0 {
		return MaxRows
	}
	return l.cap
}

// Full reports whether no further row fits.
func (l List) Full() bool { return len(l.rows) >= l.Cap() }

// Rows returns the rows in order. The slice is the caller's own.
func (l List) Rows() []Row { return slices.Clone(l.rows) }

// At returns the row at index i, 0 to Len()-1.
func (l List) At(i int) Row { return l.rows[i] }

// Head returns the first row.
func (l List) Head() (Row, bool) {
	if len(l.rows) == 0 {
		return Row{}, false
	}
	return l.rows[0], true
}

// Index returns where a row stands, or -1.
func (l List) Index(id ID) int {
	return slices.IndexFunc(l.rows, func(r Row) bool { return r.ID == id })
}

// Get returns a row by id.
func (l List) Get(id ID) (Row, bool) {
	if i := l.Index(id); i >= 0 {
		return l.rows[i], true
	}
	return Row{}, false
}

// Insert puts a row at index at, clamped to 0..Len(). It returns ErrFull.
func (l List) Insert(at int, r Row) (List, error) {
	if l.Full() {
		return l, ErrFull
	}
	at = min(max(at, 0), len(l.rows))
	l.rows = slices.Insert(slices.Clone(l.rows), at, r)
	return l, nil
}

// Push appends a row. It returns ErrFull.
func (l List) Push(r Row) (List, error) { return l.Insert(len(l.rows), r) }

// Replace puts r in the place of the row with the same id. It returns ErrGone.
func (l List) Replace(r Row) (List, error) {
	i := l.Index(r.ID)
	if i < 0 {
		return l, ErrGone
	}
	l.rows = slices.Clone(l.rows)
	l.rows[i] = r
	return l, nil
}

// Remove takes a row out. It returns ErrGone.
func (l List) Remove(id ID) (List, error) {
	i := l.Index(id)
	if i < 0 {
		return l, ErrGone
	}
	l.rows = slices.Delete(slices.Clone(l.rows), i, i+1)
	return l, nil
}

// Move puts a row at index to, clamped to 0..Len()-1. It returns ErrGone.
func (l List) Move(id ID, to int) (List, error) {
	r, ok := l.Get(id)
	if !ok {
		return l, ErrGone
	}
	rest, _ := l.Remove(id)
	return rest.Insert(to, r)
}
