package keepsake

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

var now = time.Date(2026, 11, 30, 20, 0, 0, 0, time.UTC)

func text(s string) Draft { return Draft{Session: "s", Time: now, Pieces: []Piece{{Text: s}}} }

// names lists the files of a folder, their lock files and extensions apart.
func names(t *testing.T, dir, kind string) (all []string) {
	t.Helper()
	for _, e := range entries(dir) {
		if strings.HasSuffix(e.Name(), kind) {
			all = append(all, e.Name())
		}
	}
	return all
}

func bringAll(*Draft) Fate { return Brought }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A draft is one private file that follows what is saved, and goes when it is empty.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	k := At(dir).Desk()
	must(t, k.Save(1, Draft{Session: "s"}))
	if _, err := os.Stat(filepath.Join(dir, "drafts")); err == nil {
		t.Error("nothing to keep, and there is a folder")
	}
	must(t, k.Save(2, text("one")))
	must(t, k.Save(4, text("three")))
	must(t, k.Save(3, text("two"))) // overtaken
	files := names(t, k.dir, ".json")
	if len(files) != 1 {
		t.Fatalf("%q", files)
	}
	path := filepath.Join(k.dir, files[0])
	if d, err := read(path); err != nil || d.Text() != "three" {
		t.Errorf("%+v, %v", d, err)
	}
	if info, _ := os.Stat(path); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info.Mode())
	}
	if info, _ := os.Stat(k.dir); runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Error(info.Mode())
	}
	must(t, k.Save(5, Draft{}))
	if files := names(t, k.dir, ".json"); len(files) != 0 {
		t.Errorf("%q", files)
	}
	must(t, k.Close())
	if left := names(t, k.dir, ""); len(left) != 0 {
		t.Errorf("%q", left)
	}
	must(t, k.Save(6, text("late")))
	if left := names(t, k.dir, ""); len(left) != 0 {
		t.Errorf("behind the end: %q", left)
	}
}

// Only a draft whose process is over is found, by one process alone, with its pieces.
func TestFind(t *testing.T) {
	p := At(t.TempDir())
	a := p.Desk()
	d := Draft{Session: "s", Next: 7, Rows: []uint64{1 << 63}, Time: now, Pieces: []Piece{{"x ", false}, {"pasted\n", true}}, Files: []string{"/a b"}}
	must(t, a.Save(1, d))
	b, c := p.Desk(), p.Desk()
	if _, _, ok := b.Find(0, now, bringAll); ok {
		t.Fatal("a living process's draft was taken")
	}
	must(t, a.Close())
	got, more, ok := b.Find(0, now, bringAll)
	if !ok || more != 0 || fmt.Sprint(got) != fmt.Sprint(d) {
		t.Fatalf("%+v, %d, %v", got, more, ok)
	}
	if _, _, ok := c.Find(0, now, bringAll); ok {
		t.Fatal("it was taken twice")
	}
	must(t, b.Save(1, text("changed"))) // in the same place
	if files := names(t, b.dir, ".json"); len(files) != 1 {
		t.Errorf("%q", files)
	}
	must(t, b.Close())
	if got, _, _ := c.Find(0, now, bringAll); got.Text() != "changed" {
		t.Errorf("%+v", got)
	}
}

// Of several the newest is brought, the others wait; what is dropped is gone; what is
// changed is so for the next.
func TestFates(t *testing.T) {
	p := At(t.TempDir())
	for i, s := range []string{"old", "new", "drop", "change", "stay"} {
		k := p.Desk()
		d := text(s)
		d.Time, d.Next = now.Add(time.Duration(i)*time.Second), 9
		if s == "new" {
			d.Time = now.Add(time.Hour)
		}
		must(t, k.Save(1, d))
		must(t, k.Close())
	}
	judge := func(d *Draft) Fate {
		switch d.Text() {
		case "drop":
			return Dropped
		case "change":
			d.Next = 0
			return Changed
		case "stay":
			return Stays
		}
		return Brought
	}
	k := p.Desk()
	got, more, ok := k.Find(0, now, judge)
	if !ok || more != 1 || got.Text() != "new" {
		t.Fatalf("%q, %d more, %v", got.Text(), more, ok)
	}
	left := map[string]int{}
	p.Desk().Find(0, now, func(d *Draft) Fate { left[d.Text()] = d.Next; return Stays })
	if fmt.Sprint(left) != "map[change:0 old:9 stay:9]" {
		t.Error(left)
	}
}

// What is brought takes the place of the desk's own, and a save that was given before that
// does nothing to it.
func TestFindOvertakesSaves(t *testing.T) {
	p := At(t.TempDir())
	a, b := p.Desk(), p.Desk()
	must(t, a.Save(1, text("kept")))
	must(t, a.Close())
	must(t, b.Save(1, text("mine")))
	if _, _, ok := b.Find(3, now, bringAll); !ok {
		t.Fatal("nothing found")
	}
	must(t, b.Save(2, Draft{}))
	must(t, b.Close())
	if d, more, _ := p.Desk().Find(0, now, bringAll); d.Text() != "kept" || more != 0 {
		t.Errorf("%q, %d more", d.Text(), more)
	}
}

// Damaged drafts harm nobody and go after a while, as do traces of none.
func TestDamagedDrafts(t *testing.T) {
	p := At(t.TempDir())
	dir := p.Desk().dir
	must(t, os.MkdirAll(dir, 0o700))
	for name, raw := range map[string]string{"half": `{"session":"s","pieces":[{"te`, "blank": "", "none": `{}`} {
		must(t, os.WriteFile(filepath.Join(dir, name+".json"), []byte(raw), 0o600))
		must(t, os.WriteFile(filepath.Join(dir, name+".lock"), nil, 0o600))
	}
	must(t, os.WriteFile(filepath.Join(dir, "trace.lock"), nil, 0o600))
	real := time.Now()
	if _, _, ok := p.Desk().Find(0, real, bringAll); ok || len(names(t, dir, "")) != 7 {
		t.Errorf("%v, %q", ok, names(t, dir, ""))
	}
	if p.Desk().Find(0, real.Add(strayKept+time.Minute), bringAll); len(names(t, dir, "")) != 0 {
		t.Errorf("%q", names(t, dir, ""))
	}
}

func TestLimitOfDrafts(t *testing.T) {
	k := At(t.TempDir()).Desk()
	for n, want := range map[int]error{MaxDraft - 1: nil, MaxDraft: nil, MaxDraft + 1: ErrTooLong} {
		if err := k.Save(1, text(strings.Repeat("x", n))); !errors.Is(err, want) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	must(t, k.Close())
	if d, _, _ := At("").Desk().Find(0, now, bringAll); !d.Empty() {
		t.Errorf("%+v", d)
	}
}
