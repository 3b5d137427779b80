package journal

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestCreateAndReopen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	h := Header{Created: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), App: "1.2.3", From: "old"}
	w := must(Create(dir, "s", h))
	first := must(w.Append(h.Created, say("a")))
	end := w.End()
	check(t, w.Close())
	h.Format, h.Session = 1, "s"
	w, c, err := Open(dir, "s")
	check(t, err)
	if diff := cmp.Diff(Contents{Header: h, End: end, Batches: []Batch{first}}, c); diff != "" {
		t.Fatal(diff)
	}
	if diff := cmp.Diff(h, w.Header()); diff != "" {
		t.Fatal(diff)
	}
	second := must(w.Append(h.Created, say("b")))
	if second.Seq != 2 {
		t.Fatalf("number %d", second.Seq)
	}
	check(t, w.Close())
	full := must(os.ReadFile(filepath.Join(dir, "s.jsonl")))
	for _, b := range must(Read(dir, "s")).Batches {
		if !bytes.HasPrefix(full[b.Offset:], []byte(`{"seq":`)) {
			t.Fatalf("offset %d is no line", b.Offset)
		}
	}
	if _, err := Create(dir, "s", h); !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]fs.FileMode{dir: 0o700, filepath.Join(dir, "s.jsonl"): 0o600, filepath.Join(dir, "s.lock"): 0o600} {
		if got := must(os.Stat(path)).Mode().Perm(); got != want {
			t.Errorf("%s: mode %04o", path, got)
		}
	}
}

// TestCreateClosesTheDirectory: one that was made with a wider mode is closed to others.
func TestCreateClosesTheDirectory(t *testing.T) {
	if !hasModes {
		t.Skip("no permission bits here")
	}
	dir := t.TempDir()
	check(t, os.Chmod(dir, 0o755))
	check(t, must(Create(dir, "s", Header{})).Close())
	if got := must(os.Stat(dir)).Mode().Perm(); got != 0o700 {
		t.Fatalf("mode %04o", got)
	}
}

// TestHeaders: newer formats are refused by name, whatever else their header holds; nothing is changed.
func TestHeaders(t *testing.T) {
	for name, x := range map[string]struct {
		data string
		err  error
		text string
	}{
		"empty":            {"", ErrEmpty, "empty file"},
		"newer":            {string(seal([]byte(`{"format":3,"session":["x"]`))) + "whatever\n", ErrNewer, "written by a newer baton (format 3); this one reads 1"},
		"newer, damaged":   {`{"format":3,"crc32c":"00000000"}` + "\n", ErrHeader, "line 1 does not match its checksum"},
		"no format":        {string(seal([]byte(`{"session":"s"`))), ErrHeader, "names no format"},
		"format 0":         {string(seal([]byte(`{"format":0`))), ErrHeader, "names no format"},
		"format of a type": {string(seal([]byte(`{"format":"1"`))), ErrHeader, "names no format"},
		"wrong types":      {string(seal([]byte(`{"format":1,"session":7`))), ErrHeader, "damaged header"},
		"not a journal":    {"hello\nworld\n", ErrHeader, "damaged header"},
		"only NUL":         {strings.Repeat("\x00", 5000), ErrHeader, "damaged header"},
		"an endless line":  {strings.Repeat("x", 200_000), ErrHeader, "damaged header"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := place(t, []byte(x.data))
			_, err := Read(dir, "s")
			wantErr(t, err, x.err)
			_, _, err = Open(dir, "s")
			wantErr(t, err, x.err)
			if !strings.Contains(err.Error(), x.text) {
				t.Fatal(err)
			}
			if got := must(os.ReadFile(filepath.Join(dir, "s.jsonl"))); string(got) != x.data {
				t.Fatal("a refused file was changed")
			}
			// The lock is free again.
			check(t, Remove(dir, "s"))
		})
	}
}

func TestHeaderTooLong(t *testing.T) {
	_, err := Create(t.TempDir(), "s", Header{App: strings.Repeat("x", maxHeader)})
	wantErr(t, err, ErrTooLong)
}

// TestReadNeverWrites: not the mode, not the torn tail, no lock file; also beside a writer.
func TestReadNeverWrites(t *testing.T) {
	data := append(sample(t, "a"), `{"seq":2`...)
	dir := place(t, data)
	check(t, os.Chmod(filepath.Join(dir, "s.jsonl"), 0o644))
	c := must(Read(dir, "s"))
	if said(c) != "a" || c.Torn != 8 {
		t.Fatalf("%q torn %d", said(c), c.Torn)
	}
	if hasModes && c.WideMode != 0o644 {
		t.Fatalf("mode %04o", c.WideMode)
	}
	if names := must(os.ReadDir(dir)); len(names) != 1 {
		t.Fatalf("%v", names)
	}
	info := must(os.Stat(filepath.Join(dir, "s.jsonl")))
	if info.Size() != int64(len(data)) || hasModes && info.Mode().Perm() != 0o644 {
		t.Fatalf("%v", info)
	}
	w, _, err := Open(dir, "s")
	check(t, err)
	defer w.Close()
	must(w.Append(time.Now(), say("b")))
	if got := said(must(Read(dir, "s"))); got != "a,b" {
		t.Fatal(got)
	}
}

// TestTornTailsPileUp: each gets a name of its own.
func TestTornTailsPileUp(t *testing.T) {
	dir := place(t, sample(t, "a"))
	for _, torn := range []string{"one", "two"} {
		f := must(os.OpenFile(filepath.Join(dir, "s.jsonl"), os.O_WRONLY|os.O_APPEND, 0))
		must(f.WriteString(torn))
		check(t, f.Close())
		w, _, err := Open(dir, "s")
		check(t, err)
		check(t, w.Close())
	}
	for n, want := range map[int]string{1: "one", 2: "two"} {
		if got := must(os.ReadFile(tornPath(dir, "s", n))); string(got) != want {
			t.Fatalf("torn-%d: %q", n, got)
		}
		if mode := must(os.Stat(tornPath(dir, "s", n))).Mode().Perm(); hasModes && mode != 0o600 {
			t.Fatalf("torn-%d: mode %04o", n, mode)
		}
	}
}

// TestLockedWithinTheProcess: a second writer is refused and told who holds the session; a reader is not.
func TestLockedWithinTheProcess(t *testing.T) {
	dir := t.TempDir()
	w := must(Create(dir, "s", Header{}))
	_, _, err := Open(dir, "s")
	var locked *LockedError
	if !errors.As(err, &locked) || !errors.Is(err, ErrLocked) || locked.Session != "s" {
		t.Fatal(err)
	}
	if locked.PID != 0 && locked.PID != os.Getpid() || runtime.GOOS != "windows" && locked.PID == 0 {
		t.Fatal(err)
	}
	wantErr(t, Remove(dir, "s"), ErrLocked)
	must(Read(dir, "s"))
	check(t, w.Close())
	w, _, err = Open(dir, "s")
	check(t, err)
	check(t, w.Close())
}

func TestLockedMessage(t *testing.T) {
	for pid, want := range map[int]string{0: "session s is in use by another process", 7: "session s is in use by process 7"} {
		if got := (&LockedError{Session: "s", PID: pid}).Error(); got != want {
			t.Errorf("%q", got)
		}
	}
}
