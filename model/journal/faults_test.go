package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// calls is a disk that is told of each call before it is made, numbered from 1, and makes it fail with what it gets.
// A write that fails has written short bytes of its text, or all but the last.
type calls struct {
	before func(n int, call string) error
	after  func(n int, call string)
	short  func(size int) int

	mu sync.Mutex
	n  int
}

func (c *calls) do(call string, f func() error) error {
	c.mu.Lock()
	c.n++
	n := c.n
	c.mu.Unlock()
	if err := c.before(n, call); err != nil {
		return err
	}
	err := f()
	if c.after != nil {
		c.after(n, call)
	}
	return err
}

func (c *calls) disk() disk {
	return disk{
		open: func(path string, flag int, mode fs.FileMode) (f *os.File, err error) {
			failed := c.do("open", func() error { f, err = os.OpenFile(path, flag, mode); return err })
			return f, failed
		},
		over:   func(f file) file { return &calledFile{f, c} },
		rename: func(from, to string) error { return c.do("rename", func() error { return os.Rename(from, to) }) },
		remove: func(path string) error { return c.do("remove", func() error { return os.Remove(path) }) },
		syncDir: func(dir string) error {
			return c.do("sync of the directory", func() error { return syncDir(dir) })
		},
	}
}

type calledFile struct {
	file
	c *calls
}

func (f *calledFile) WriteAt(p []byte, at int64) (n int, err error) {
	failed := f.c.do("write", func() error { n, err = f.file.WriteAt(p, at); return err })
	if failed != nil && err == nil && f.c.short != nil {
		n, _ = f.file.WriteAt(p[:min(f.c.short(len(p)), len(p)-1)], at)
	}
	return n, failed
}

func (f *calledFile) Truncate(size int64) error {
	return f.c.do("truncate", func() error { return f.file.Truncate(size) })
}
func (f *calledFile) Sync() error { return f.c.do("sync", f.file.Sync) }
func (f *calledFile) Close() error {
	err := f.file.Close() // whatever it says, the descriptor is gone
	return errors.Join(err, f.c.do("close", func() error { return nil }))
}

// eachFault runs try once for each call that it makes on the disk. The call then fails once, or it and all of its kind
// fail from there on, or all calls do, with writes cut at several lengths. try gets a name of the fault and whether it
// lasts.
func eachFault(t *testing.T, try func(t *testing.T, name string, lasts bool, d disk)) {
	t.Helper()
	for _, fails := range []string{"once", "and all of its kind", "and all others"} {
		for _, short := range []func(int) int{func(int) int { return 0 }, func(n int) int { return n / 2 }, func(n int) int { return n - 1 }} {
			for nth := 1; ; nth++ {
				failed := ""
				c := &calls{short: short, before: func(n int, call string) error {
					if n == nth {
						failed = call
					}
					if n == nth || n > nth && (fails == "and all others" || fails == "and all of its kind" && call == failed) {
						return fmt.Errorf("call %d: %w", n, syscall.ENOSPC)
					}
					return nil
				}}
				synctest.Test(t, func(t *testing.T) { // so that no fsync comes in between by the clock
					try(t, fmt.Sprintf("call %d %s, short %d of 9", nth, fails, short(9)), fails != "once", c.disk())
				})
				if t.Failed() {
					t.Fatalf("the call was: %s", failed)
				}
				if failed == "" {
					break
				}
			}
		}
	}
}

// TestEveryCallFails (J6): each open, write, truncate, sync, close and removal of a session that is opened with a
// torn tail and continued fails once, or for ever. What was acknowledged is there in any case, everything is there if
// space came back, nothing else is damaged, and the lock is free again.
func TestEveryCallFails(t *testing.T) {
	data := append(marked("a", "*", "b"), `{"seq":4,"ti`...)
	for _, mark := range []string{"", markKind} {
		t.Run("J6 mark "+mark, func(t *testing.T) {
			eachFault(t, func(t *testing.T, name string, lasts bool, d disk) {
				dir := place(t, data)
				w, c, err := open(dir, "s", mark, d)
				if err != nil {
					if got := must(os.ReadFile(filepath.Join(dir, "s.jsonl"))); !bytes.Equal(got, data) {
						t.Fatalf("%s: not opened, and changed", name)
					}
					wantFree(t, dir, "s")
					return
				}
				if mark != "" && said(c) != "*,b" {
					t.Fatalf("%s: %q", name, said(c))
				}
				texts, acknowledged := []string{"c", "d", "e"}, []string{"a", "*", "b"}
				for _, text := range texts {
					_, err := w.Append(time.Unix(3, 0), say(text))
					if err != nil && !errors.Is(err, ErrKept) {
						t.Fatalf("%s: %v", name, err)
					}
					if err == nil {
						acknowledged = append(acknowledged, text)
					}
				}
				if err := w.Close(); err == nil || !errors.Is(err, ErrKept) {
					acknowledged = append([]string{"a", "*", "b"}, texts...)
				} else if !lasts {
					t.Fatalf("%s: %v", name, err)
				}
				after := must(Read(dir, "s"))
				if !strings.HasPrefix(said(after), strings.Join(acknowledged, ",")) || len(after.Damage) > 1 {
					t.Fatalf("%s: %q, acknowledged %q, damage %s", name, said(after), acknowledged, damage(after))
				}
				wantFree(t, dir, "s")
				if _, after := appendAndRead(t, dir, "next"); !strings.HasSuffix(said(after), ",next") {
					t.Fatalf("%s: then %q", name, said(after))
				}
			})
		})
	}
}

// TestEveryCallOfCreateFails: likewise of a new session, from its first call on.
func TestEveryCallOfCreateFails(t *testing.T) {
	t.Run("J6", func(t *testing.T) {
		eachFault(t, func(t *testing.T, name string, lasts bool, d disk) {
			dir := t.TempDir()
			w, err := create(dir, "s", Header{}, d)
			if err != nil {
				if all := must(List(dir)); len(all) != 0 {
					t.Fatalf("%s: %+v", name, all)
				}
				wantFree(t, dir, "s")
				return
			}
			acknowledged := ""
			for _, text := range []string{"a", "b"} {
				if _, err := w.Append(time.Unix(2, 0), say(text)); err == nil {
					acknowledged = strings.TrimPrefix(acknowledged+","+text, ",")
				}
			}
			closed := w.Close()
			wantFree(t, dir, "s")
			c, err := Read(dir, "s")
			switch {
			case errors.Is(closed, ErrKept):
				if !lasts || !strings.HasPrefix(said(c), acknowledged) {
					t.Fatalf("%s: %v, %q", name, closed, said(c))
				}
			case err != nil || said(c) != "a,b" || len(c.Damage) != 0:
				t.Fatalf("%s: %v, %q damage %s", name, err, said(c), damage(c))
			}
		})
	})
}

// TestEveryCallOfBuildFails: the session is there whole, or an error says that it is not and nothing is left, or what
// is left goes with the next one that is built.
func TestEveryCallOfBuildFails(t *testing.T) {
	t.Run("J6", func(t *testing.T) {
		eachFault(t, func(t *testing.T, name string, lasts bool, d disk) {
			dir := t.TempDir()
			err := build(dir, "s", Header{}, fillABC, d)
			wantFree(t, dir, "s")
			if there := wantWholeOrAbsent(t, name, dir); err == nil && !there || err != nil && there && !lasts {
				t.Fatalf("%s: %v, there %v", name, err, there)
			}
			if names := must(os.ReadDir(dir)); err != nil && !lasts && len(names) != 0 && !strings.Contains(name, "remove") {
				t.Fatalf("%s: left %v", name, names)
			}
			check(t, Build(dir, "next", Header{}, fillABC))
			wantNoneAside(t, dir)
			wantNoLoneLock(t, dir)
		})
	})
}

// TestReaderCannotOpen: the error is told, and nothing else happens.
func TestReaderCannotOpen(t *testing.T) {
	dir := place(t, marked("a"))
	d := plain
	d.open = func(string, int, fs.FileMode) (*os.File, error) { return nil, syscall.EMFILE }
	_, err := openReader(dir, "s", d)
	wantErr(t, err, syscall.EMFILE)
}

func fillABC(w *Writer) error {
	for _, text := range []string{"a", "b", "c"} {
		if _, err := w.Append(time.Unix(2, 0), say(text)); err != nil && !errors.Is(err, ErrKept) {
			return err
		}
	}
	return nil
}

func wantFree(t *testing.T, dir, id string) {
	t.Helper()
	if pid, held, err := Holder(dir, id); held || err != nil {
		t.Fatalf("held %v by %d: %v", held, pid, err)
	}
}

// wantWholeOrAbsent looks for session s with a, b, c, as List, Latest and Read tell it.
func wantWholeOrAbsent(t *testing.T, name, dir string) (there bool) {
	t.Helper()
	c, err := Read(dir, "s")
	latest, some, failed := Latest(dir)
	listed := len(must(List(dir))) == 1
	switch {
	case failed != nil:
		t.Fatalf("%s: %v", name, failed)
	case errors.Is(err, fs.ErrNotExist):
		if some || listed {
			t.Fatalf("%s: %q is no session", name, latest)
		}
		return false
	case err != nil || said(c) != "a,b,c" || len(c.Damage) != 0 || c.Torn != 0 || !listed || latest != "s":
		t.Fatalf("%s: %v, %q damage %s torn %d", name, err, said(c), damage(c), c.Torn)
	}
	return true
}

func wantNoneAside(t *testing.T, dir string) {
	t.Helper()
	left := must(filepath.Glob(filepath.Join(dir, "*"+buildSuffix)))
	if len(left) != 0 {
		t.Fatalf("left aside: %v", left)
	}
}

func wantNoLoneLock(t *testing.T, dir string) {
	t.Helper()
	for _, path := range must(filepath.Glob(filepath.Join(dir, "*.lock"))) {
		if _, err := os.Stat(strings.TrimSuffix(path, ".lock") + suffix); err != nil {
			t.Fatalf("a lock without a session: %s", path)
		}
	}
}
