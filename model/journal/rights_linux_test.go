package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// nobody is a user without rights of its own.
const nobody = 65534

// unprivileged runs f as a user for whom permission bits count. root has that user's rights on one thread alone,
// which ends with f.
func unprivileged(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		f()
		return
	}
	done := make(chan error)
	go func() {
		failed := errors.New("the test ended early")
		defer func() { done <- failed }()
		runtime.LockOSThread() // and never unlocked: the thread is not used again
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), nobody, ^uintptr(0)); errno != 0 {
			failed = errno
			return
		}
		f()
		failed = nil
	}()
	check(t, <-done)
}

// ownDir is a directory of the unprivileged user, with a session in it that it has written before.
func ownDir(t *testing.T, data []byte) string {
	t.Helper()
	dir := place(t, data)
	check(t, os.WriteFile(filepath.Join(dir, "s.lock"), nil, 0o600))
	if os.Geteuid() == 0 {
		check(t, os.Chmod(filepath.Dir(dir), 0o755))
		for _, path := range []string{dir, filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "s.lock")} {
			check(t, os.Chown(path, nobody, -1))
		}
	}
	return dir
}

// ways are the calls that read a session, and those that write it.
func ways(dir string) (reading, writing map[string]func() error) {
	closed := func(w *Writer, err error) error {
		if err == nil {
			return w.Close()
		}
		return err
	}
	return map[string]func() error{
			"Read": func() error { _, err := Read(dir, "s"); return err },
			"Head": func() error { _, err := Head(dir, "s", 1000); return err },
			"OpenReader": func() error {
				r, err := OpenReader(dir, "s")
				if err == nil {
					err = r.Close()
				}
				return err
			},
		}, map[string]func() error{
			"Open":     func() error { w, _, err := Open(dir, "s"); return closed(w, err) },
			"OpenTail": func() error { w, _, err := OpenTail(dir, "s", markKind); return closed(w, err) },
		}
}

func wantAll(t *testing.T, calls map[string]func() error, want error) {
	t.Helper()
	for name, call := range calls {
		if err := call(); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
}

// TestClosedModes (J4): 0444 can be read and not written, 0000 neither; both are errors of permission, and change
// nothing.
func TestClosedModes(t *testing.T) {
	t.Run("J4", func(t *testing.T) {
		for mode, readable := range map[fs.FileMode]error{0o444: nil, 0o000: fs.ErrPermission} {
			dir := ownDir(t, marked("a", "*"))
			path := filepath.Join(dir, "s.jsonl")
			check(t, os.Chmod(path, mode))
			unprivileged(t, func() {
				reading, writing := ways(dir)
				wantAll(t, reading, readable)
				wantAll(t, writing, fs.ErrPermission)
			})
			if got := must(os.Stat(path)).Mode().Perm(); got != mode {
				t.Errorf("%04o became %04o", mode, got)
			}
			wantFree(t, dir, "s")
		}
	})
}

// TestWrongOwner (J4): a session that another user closed says whose fault it is, whether its file or its lock.
func TestWrongOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file away")
	}
	t.Run("J4", func(t *testing.T) {
		dir := ownDir(t, marked("a"))
		path, lock := filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "s.lock")
		check(t, os.Chown(path, 0, -1))
		unprivileged(t, func() {
			reading, writing := ways(dir)
			wantAll(t, reading, ErrOwner)
			wantAll(t, writing, ErrOwner)
			wantAll(t, writing, fs.ErrPermission)
		})
		check(t, os.Chown(path, nobody, -1))
		check(t, os.Chown(lock, 0, -1))
		unprivileged(t, func() {
			reading, writing := ways(dir)
			wantAll(t, reading, nil)
			wantAll(t, writing, ErrOwner)
			_, _, err := Holder(dir, "s")
			if !errors.Is(err, ErrOwner) {
				t.Error(err)
			}
		})
	})
}

// TestReadOnlyDirectory (J4): what is there can be read, and continued if it was written before; a torn tail that has
// no other place stays, set apart. Nothing new can be made, and the error says so.
func TestReadOnlyDirectory(t *testing.T) {
	t.Run("J4", func(t *testing.T) {
		dir := ownDir(t, append(marked("a", "*"), "torn"...))
		check(t, os.Chmod(dir, 0o500))
		unprivileged(t, func() {
			reading, writing := ways(dir)
			wantAll(t, reading, nil)
			wantAll(t, writing, nil)
			w, c, err := OpenTail(dir, "s", markKind)
			if err != nil || said(c) != "*" || c.Torn != 4 {
				t.Errorf("%v, %q torn %d", err, said(c), c.Torn)
				return
			}
			_, err = w.Append(time.Unix(3, 0), say("next"))
			if err = errors.Join(err, w.Close()); err != nil {
				t.Error(err)
			}
			_, err = Create(dir, "new", Header{})
			if !errors.Is(err, fs.ErrPermission) {
				t.Error(err)
			}
			if err := Build(dir, "new", Header{}, fillABC); !errors.Is(err, fs.ErrPermission) {
				t.Error(err)
			}
			if err := Remove(dir, "s"); !errors.Is(err, fs.ErrPermission) {
				t.Error(err)
			}
		})
		check(t, os.Chmod(dir, 0o700))
		after := must(Read(dir, "s"))
		if said(after) != "a,*,next" || len(after.Damage) != 1 || len(must(os.ReadDir(dir))) != 2 {
			t.Fatalf("%q damage %s", said(after), damage(after))
		}
		check(t, os.Remove(filepath.Join(dir, "s.lock")))
		check(t, os.Chmod(dir, 0o500))
		unprivileged(t, func() {
			_, writing := ways(dir)
			wantAll(t, writing, fs.ErrPermission) // no lock, no writer
		})
		check(t, os.Chmod(dir, 0o700))
	})
}
