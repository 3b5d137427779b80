package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestBuild: nothing is seen until fill has returned; then all of it, as if it had been created and appended to.
func TestBuild(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	h := Header{Created: time.Unix(1, 0).UTC(), App: "1.0", From: "old"}
	var offsets []int64
	check(t, Build(dir, "s", h, func(w *Writer) error {
		for _, text := range []string{"a", "b", "c"} {
			offsets = append(offsets, w.End())
			if b := must(w.Append(time.Unix(2, 0), say(text))); b.Offset != offsets[len(offsets)-1] {
				t.Errorf("%q at %d, not at %d", text, b.Offset, offsets)
			}
		}
		if all := must(List(dir)); len(all) != 0 {
			t.Errorf("seen before it is whole: %+v", all)
		}
		if _, some, _ := Latest(dir); some {
			t.Error("the latest before it is whole")
		}
		if _, _, err := Open(dir, "s"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("opened before it is whole: %v", err)
		}
		if _, err := Create(dir, "s", h); !errors.Is(err, ErrLocked) {
			t.Errorf("created while it is built: %v", err)
		}
		return nil
	}))
	want := sample(t, "a", "b", "c")
	h.Format, h.Session = Format, "s"
	c := must(Read(dir, "s"))
	if diff := cmp.Diff(h, c.Header); diff != "" || said(c) != "a,b,c" {
		t.Fatal(diff, said(c))
	}
	for i, b := range c.Batches {
		if b.Offset != offsets[i] {
			t.Fatalf("batch %d at %d, told as %d", i, b.Offset, offsets[i])
		}
	}
	if got := must(os.Stat(filepath.Join(dir, "s.jsonl"))); hasModes && got.Mode().Perm() != 0o600 || got.Size() < int64(len(want)) {
		t.Fatalf("%v", got)
	}
	wantNoneAside(t, dir)
	wantNoLoneLock(t, dir)
	if _, after := appendAndRead(t, dir, "d"); said(after) != "a,b,c,d" {
		t.Fatal(said(after))
	}
}

// TestBuildFails: an error of fill is the error of Build, and nothing is left; an id that is taken, in use or none is
// refused before fill is called.
func TestBuildFails(t *testing.T) {
	dir := t.TempDir()
	wrong := errors.New("wrong")
	wantErr(t, Build(dir, "s", Header{}, func(w *Writer) error {
		must(w.Append(time.Unix(2, 0), say("a")))
		return wrong
	}), wrong)
	func() {
		defer func() { _ = recover() }()
		_ = Build(dir, "s", Header{}, func(*Writer) error { panic("fill") })
	}()
	if left := must(os.ReadDir(dir)); len(left) != 0 {
		t.Fatalf("left %v", left)
	}
	never := func(*Writer) error { t.Error("filled"); return nil }
	check(t, must(Create(dir, "taken", Header{})).Close())
	before := must(os.ReadFile(filepath.Join(dir, "taken.jsonl")))
	wantErr(t, Build(dir, "taken", Header{}, never), fs.ErrExist)
	if got := must(os.ReadFile(filepath.Join(dir, "taken.jsonl"))); string(got) != string(before) {
		t.Fatal("a session was built over another")
	}
	w := must(Create(dir, "used", Header{}))
	wantErr(t, Build(dir, "used", Header{}, never), ErrLocked)
	check(t, w.Close())
	wantErr(t, Build(dir, "../s", Header{}, never), ErrBadID)
}

// TestSweep: what a process that died left aside goes with the next session that is built, in its own name or
// another's; what is being built, and what is none of this package's, stays.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"s.build", "dead.build", "dead.lock", "A.build", "note.txt"} {
		check(t, os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o600))
	}
	check(t, Build(dir, "alive", Header{}, func(*Writer) error {
		check(t, Build(dir, "s", Header{}, fillABC))
		if _, err := os.Stat(buildPath(dir, "alive")); err != nil {
			t.Errorf("one that is being built was swept: %v", err)
		}
		return nil
	}))
	var left []string
	for _, entry := range must(os.ReadDir(dir)) {
		left = append(left, entry.Name())
	}
	want := []string{"A.build", "alive.jsonl", "alive.lock", "note.txt", "s.jsonl", "s.lock"}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Fatal(diff)
	}
	if got := said(must(Read(dir, "s"))); got != "a,b,c" {
		t.Fatal(got)
	}
}
