package keepsake

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// MaxDraft is the longest text, in bytes, that is kept as a draft.
const MaxDraft = 24 << 20

// ErrTooLong says that a draft is longer than MaxDraft. The one before it stays.
var ErrTooLong = fmt.Errorf("it is longer than %d MB", MaxDraft>>20)

// Piece is a part of a draft: text, or what was pasted as one piece.
type Piece struct {
	Text   string `json:"text"`
	Pasted bool   `json:"pasted,omitempty"`
}

// Draft is what stood in a composer, and where.
type Draft struct {
	Session string    `json:"session"`         // the session on the screen
	Next    int       `json:"next,omitempty"`  // the session's next number then; 0 if nothing can have sent the draft
	Rows    []uint64  `json:"rows,omitempty"`  // what waited in its queue then: sums of the texts
	Time    time.Time `json:"time"`            // when it was written down
	Pieces  []Piece   `json:"pieces"`          // the text
	Files   []string  `json:"files,omitempty"` // what was to go with it
}

// Text is the whole text.
func (d Draft) Text() string {
	var b strings.Builder
	for _, p := range d.Pieces {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Empty reports whether there is nothing to keep.
func (d Draft) Empty() bool { return len(d.Files) == 0 && d.size() == 0 }

func (d Draft) size() (n int) {
	for _, p := range d.Pieces {
		n += len(p.Text)
	}
	return n
}

// Fate is what becomes of a draft that was found.
type Fate uint8

// What can become of it.
const (
	Stays   Fate = iota // it is somebody else's
	Brought             // it is taken, if no newer one is
	Dropped             // its text is elsewhere, or nobody wants it
	Changed             // it stays as it was changed to
)

// Desk holds the one draft of this process. No other process touches it while this one
// lives: a lock beside it, which ends with the process however that ends, says so. Its
// methods may be called from any goroutine.
type Desk struct {
	dir  string
	mu   sync.Mutex
	name string       // "" until there was something to keep
	lock *flock.Flock // held as long as name is ours
	last uint64       // the newest version that was given
	shut bool         // it was given up
}

// Desk returns a desk without a draft. It makes nothing.
func (p Place) Desk() *Desk { return &Desk{dir: filepath.Join(p.dir, "drafts")} }

// Save keeps a draft in the place of the one before it; an empty one removes that. A
// version older than one that was given already is left out, so that calls may overtake
// each other.
func (k *Desk) Save(version uint64, d Draft) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if version < k.last || k.shut {
		return nil
	}
	k.last = version
	if err := k.write(d); err != nil {
		return fmt.Errorf("keep the draft: %w", err)
	}
	return nil
}

func (k *Desk) write(d Draft) error {
	switch {
	case d.Empty() && k.name == "":
		return nil
	case d.Empty():
		return gone(k.path())
	case d.size() > MaxDraft:
		return ErrTooLong
	}
	if err := k.own(d.Time); err != nil {
		return err
	}
	raw, err := json.Marshal(d)
	if err != nil {
		return err
	}
	return replace(k.path(), raw)
}

func (k *Desk) path() string { return k.file(k.name, ".json") }

func (k *Desk) file(name, kind string) string { return filepath.Join(k.dir, name+kind) }

// own makes a name that is nobody's and locks it.
func (k *Desk) own(now time.Time) error {
	if k.name != "" {
		return nil
	}
	if err := os.MkdirAll(k.dir, 0o700); err != nil {
		return err
	}
	name := fmt.Sprintf("%s-%d-%08x", now.UTC().Format("20060102-150405"), os.Getpid(), rand.Uint32())
	lock := flock.New(k.file(name, ".lock"), flock.SetPermissions(0o600))
	if ok, err := lock.TryLock(); !ok {
		return cmp.Or(err, errors.New("its name is taken"))
	}
	k.name, k.lock = name, lock
	return nil
}

// Close gives the desk up. A draft that is on it stays for the next who looks.
func (k *Desk) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.shut = true
	return k.leave()
}

func (k *Desk) leave() error {
	if k.name == "" {
		return nil
	}
	if _, err := os.Lstat(k.path()); err != nil {
		os.Remove(k.file(k.name, ".lock")) // names are never used again
	}
	err := k.lock.Unlock()
	k.name, k.lock = "", nil
	return err
}

// found is a draft whose process is over, locked.
type found struct {
	name  string
	lock  *flock.Flock
	draft Draft
	fate  Fate
}

// Find asks what becomes of each draft whose process is over, and does it; judge may
// change a draft for the fate Changed. The newest of those that are to be brought is
// returned and is this desk's from then on, in the place of its own; more is how many others
// there are. The version is one of those that Save is given: older ones come too late.
func (k *Desk) Find(version uint64, now time.Time, judge func(d *Draft) Fate) (d Draft, more int, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last = max(k.last, version)
	var brought []found
	for _, e := range entries(k.dir) {
		name, is := strings.CutSuffix(e.Name(), ".lock")
		if !is || name == k.name {
			continue
		}
		f, free := k.abandoned(name, now)
		if !free {
			continue
		}
		f.fate = judge(&f.draft)
		if f.fate == Brought {
			brought = append(brought, f)
			continue
		}
		k.settle(f)
	}
	slices.SortStableFunc(brought, func(a, b found) int { return b.draft.Time.Compare(a.draft.Time) })
	for i, f := range brought {
		if i > 0 {
			_ = f.lock.Unlock()
			continue
		}
		if k.name != "" {
			_ = gone(k.path())
			_ = k.leave()
		}
		k.name, k.lock = f.name, f.lock
		d, more, ok = f.draft, len(brought)-1, true
	}
	return d, more, ok
}

// settle does to a draft what was decided and lets go of it.
func (k *Desk) settle(f found) {
	switch f.fate {
	case Dropped:
		if gone(k.file(f.name, ".json")) == nil {
			os.Remove(k.file(f.name, ".lock"))
		}
	case Changed:
		if raw, err := json.Marshal(f.draft); err == nil {
			_ = replace(k.file(f.name, ".json"), raw) // as it was is no loss
		}
	}
	_ = f.lock.Unlock()
}

// abandoned locks a draft whose process is over and reads it. What is no draft any more is
// removed once nobody can be about to write one.
func (k *Desk) abandoned(name string, now time.Time) (f found, ok bool) {
	lock := flock.New(k.file(name, ".lock"), flock.SetPermissions(0o600))
	if free, err := lock.TryLock(); !free || err != nil {
		return f, false
	}
	d, err := read(k.file(name, ".json"))
	if err == nil {
		return found{name: name, lock: lock, draft: d}, true
	}
	info, serr := os.Lstat(k.file(name, ".lock"))
	if serr == nil && now.Sub(info.ModTime()) > strayKept {
		for _, kind := range []string{".json", ".json.tmp", ".lock"} {
			os.Remove(k.file(name, kind))
		}
	}
	_ = lock.Unlock()
	return f, false
}

// read reads a draft. A file that is longer than any that is written is none.
func read(path string) (d Draft, err error) {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return d, err
	case !info.Mode().IsRegular() || info.Size() > 6*MaxDraft+1<<20: // escapes take up to six bytes for one
		return d, errors.New("it is no draft")
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return d, err
	}
	if err := json.Unmarshal(raw, &d); err != nil {
		return d, err
	}
	if d.Empty() {
		return d, errors.New("it is empty")
	}
	return d, nil
}
