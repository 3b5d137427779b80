package journal

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// faulty is a real file whose calls fail on demand. Its functions get the number of the call, from 1.
type faulty struct {
	file
	write    func(n, size int) (short int, err error)
	truncate func(n int) error
	sync     func(n int) error

	mu                       sync.Mutex
	writes, truncates, syncs int
}

func (f *faulty) WriteAt(p []byte, at int64) (int, error) {
	f.writes++
	if f.write != nil {
		if short, err := f.write(f.writes, len(p)); err != nil || short < len(p) {
			n, failed := f.file.WriteAt(p[:short], at)
			return n, errors.Join(err, failed)
		}
	}
	return f.file.WriteAt(p, at)
}

func (f *faulty) Truncate(size int64) error {
	f.truncates++
	if f.truncate != nil {
		if err := f.truncate(f.truncates); err != nil {
			return err
		}
	}
	return f.file.Truncate(size)
}

func (f *faulty) Sync() error {
	f.mu.Lock()
	f.syncs++
	n := f.syncs
	f.mu.Unlock()
	if f.sync != nil {
		return f.sync(n)
	}
	return nil
}

func (f *faulty) synced() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.syncs
}

func (f *faulty) over(inner file) file {
	f.file = inner
	return f
}

// TestWriteFails (J6): write number n fails after k bytes, once, while the cut back works or fails as well. What
// was kept is written in order by the next Append, the file never holds half a line between good ones, and a crash
// right after the failure loses nothing that was acknowledged.
func TestWriteFails(t *testing.T) {
	t.Run("J6", func(t *testing.T) {
		texts := []string{"a", "b", "c", "d"}
		size := len(must(encodeBatch(Batch{Seq: 1, Time: time.Unix(2, 0).UTC(), Entries: say("a")}, MaxLine)))
		for nth := 1; nth <= 4; nth++ { // 1 is the header
			for short := 0; short <= size; short++ {
				for _, cutFails := range []bool{false, true} {
					name := fmt.Sprintf("write %d short %d cut fails %v", nth, short, cutFails)
					dir := t.TempDir()
					f := &faulty{
						write: func(n, size int) (int, error) {
							if n == nth {
								return min(short, size), syscall.ENOSPC
							}
							return size, nil
						},
						truncate: func(int) error {
							if cutFails {
								return syscall.EIO
							}
							return nil
						},
					}
					w := must(create(dir, "s", Header{}, with(f.over)))
					for i, text := range texts {
						_, err := w.Append(time.Unix(2, 0), say(text))
						if failed := nth == i+2; failed != errors.Is(err, ErrKept) || !failed && err != nil {
							t.Fatalf("%s: append %d: %v", name, i, err)
						}
						if nth == i+2 {
							checkAfterFailure(t, name, dir, w, strings.Join(texts[:i], ","), short, cutFails)
						}
					}
					if s := w.Status(); s != (Status{}) {
						t.Fatalf("%s: %+v", name, s)
					}
					check(t, w.Close())
					if c := must(Read(dir, "s")); said(c) != "a,b,c,d" || len(c.Damage) != 0 || c.Torn != 0 {
						t.Fatalf("%s: %q damage %s torn %d", name, said(c), damage(c), c.Torn)
					}
				}
			}
		}
	})
}

// checkAfterFailure looks at the file as a process that starts after a crash would.
func checkAfterFailure(t *testing.T, name, dir string, w *Writer, acknowledged string, short int, cutFails bool) {
	t.Helper()
	if s := w.Status(); s.Unsaved != 1 || !errors.Is(s.Err, syscall.ENOSPC) {
		t.Fatalf("%s: %+v", name, s)
	}
	c := must(Read(dir, "s"))
	if !strings.HasPrefix(said(c), acknowledged) || len(c.Damage) != 0 {
		t.Fatalf("%s: after the failure %q damage %s", name, said(c), damage(c))
	}
	if !cutFails && (c.Torn != 0 || said(c) != acknowledged) {
		t.Fatalf("%s: %d bytes of the failed write stay", name, c.Torn)
	}
}

// TestDiskFullForAWhile: everything waits in order, each Append tries again, Retry writes all of it.
func TestDiskFullForAWhile(t *testing.T) {
	dir := t.TempDir()
	full := false
	f := &faulty{write: func(n, size int) (int, error) {
		if full {
			return size / 2, syscall.ENOSPC
		}
		return size, nil
	}}
	w := must(create(dir, "s", Header{}, with(f.over)))
	must(w.Append(time.Unix(2, 0), say("a")))
	full = true
	for i, text := range []string{"b", "c", "d"} {
		b, err := w.Append(time.Unix(2, 0), say(text))
		var kept *KeptError
		if !errors.As(err, &kept) || kept.Unsaved != i+1 || b.Seq != uint64(i+2) || b.Offset != -1 {
			t.Fatalf("%+v %v", b, err)
		}
		if !strings.Contains(err.Error(), "kept in memory") || !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
	}
	wantErr(t, w.Retry(), ErrKept)
	if s := w.Status(); s.Unsaved != 3 {
		t.Fatalf("%+v", s)
	}
	if c := must(Read(dir, "s")); said(c) != "a" || c.Torn != 0 {
		t.Fatalf("%q torn %d", said(c), c.Torn)
	}
	full = false
	check(t, w.Retry())
	if s := w.Status(); s != (Status{}) {
		t.Fatalf("%+v", s)
	}
	e := must(w.Append(time.Unix(2, 0), say("e")))
	check(t, w.Close())
	c := must(Read(dir, "s"))
	if said(c) != "a,b,c,d,e" || len(c.Damage) != 0 || c.Batches[4].Offset != e.Offset {
		t.Fatalf("%q damage %s", said(c), damage(c))
	}
}

// TestDiskFullToTheEnd: Close says what is lost, gives up the lock, and leaves no file that holds nothing.
func TestDiskFullToTheEnd(t *testing.T) {
	dir := t.TempDir()
	f := &faulty{write: func(int, int) (int, error) { return 0, syscall.ENOSPC }}
	w := must(create(dir, "s", Header{}, with(f.over)))
	if s := w.Status(); s.Unsaved != 1 || s.Err == nil {
		t.Fatalf("%+v", s)
	}
	_, err := w.Append(time.Unix(2, 0), say("a"))
	wantErr(t, err, ErrKept)
	wantErr(t, w.Close(), ErrKept)
	if s := w.Status(); s.Unsaved != 2 {
		t.Fatalf("%+v", s)
	}
	if all := must(List(dir)); len(all) != 0 {
		t.Fatalf("%+v", all)
	}
	check(t, must(Create(dir, "s", Header{})).Close())
}

// TestGroupCommit: one fsync, 50 ms after the first write, covers all writes up to it; none without a write.
func TestGroupCommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &faulty{}
		w := must(create(t.TempDir(), "s", Header{}, with(f.over)))
		at := func(d time.Duration, want int) {
			t.Helper()
			time.Sleep(d)
			synctest.Wait()
			if f.synced() != want {
				t.Fatalf("%d fsyncs, want %d", f.synced(), want)
			}
		}
		at(FsyncDelay, 1) // the header
		at(time.Second, 1)
		for range 4 {
			must(w.Append(time.Now(), say("x")))
			at(10*time.Millisecond, 1)
		}
		at(FsyncDelay-40*time.Millisecond-1, 1)
		at(1, 2)
		at(time.Second, 2)
		must(w.Append(time.Now(), say("x")))
		check(t, w.Close())
		at(0, 3) // Close does not leave it to the timer
		at(time.Second, 3)
	})
}

// TestFsyncIsNotAwaited: while an fsync hangs, Append and Status return; a write during it gets an fsync of its own.
func TestFsyncIsNotAwaited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := make(chan struct{})
		f := &faulty{sync: func(n int) error {
			if n == 1 {
				<-hang
			}
			return nil
		}}
		w := must(create(t.TempDir(), "s", Header{}, with(f.over)))
		time.Sleep(FsyncDelay)
		synctest.Wait()
		start := time.Now()
		must(w.Append(time.Now(), say("x")))
		if s := w.Status(); s != (Status{}) || time.Since(start) != 0 {
			t.Fatalf("%+v after %v", s, time.Since(start))
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if f.synced() != 1 {
			t.Fatal("two fsyncs at once")
		}
		close(hang)
		synctest.Wait()
		if f.synced() != 2 {
			t.Fatalf("%d fsyncs: the write during the first one has none", f.synced())
		}
		check(t, w.Close())
	})
}

// TestFsyncFails: Status says so until an fsync succeeds; Retry asks for one.
func TestFsyncFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &faulty{sync: func(n int) error {
			if n <= 2 {
				return syscall.EIO
			}
			return nil
		}}
		w := must(create(t.TempDir(), "s", Header{}, with(f.over)))
		wait := func() { time.Sleep(FsyncDelay); synctest.Wait() }
		wait()
		if s := w.Status(); !errors.Is(s.Err, syscall.EIO) || s.Unsaved != 0 {
			t.Fatalf("%+v", s)
		}
		if _, err := w.Append(time.Now(), say("x")); err != nil { // the write itself succeeded
			t.Fatal(err)
		}
		wait()
		wantErr(t, w.Status().Err, syscall.EIO)
		check(t, w.Retry())
		wait()
		check(t, w.Status().Err)
		f.sync = func(int) error { return syscall.EIO }
		wantErr(t, w.Close(), syscall.EIO)
	})
}

func TestMemory(t *testing.T) {
	w := Memory(Header{Session: "s"})
	for i := range 3 {
		b := must(w.Append(time.Now(), say("x")))
		if b.Seq != uint64(i+1) || b.Offset != -1 {
			t.Fatalf("%+v", b)
		}
	}
	if s := w.Status(); s.Unsaved != 3 || !errors.Is(s.Err, ErrMemory) {
		t.Fatalf("%+v", s)
	}
	wantErr(t, w.Retry(), ErrMemory)
	check(t, w.Close())
	_, err := w.Append(time.Now(), say("x"))
	wantErr(t, err, ErrClosed)
}

func TestClosed(t *testing.T) {
	w := must(Create(t.TempDir(), "s", Header{}))
	check(t, w.Close())
	check(t, w.Close())
	_, err := w.Append(time.Now(), say("x"))
	wantErr(t, err, ErrClosed)
	wantErr(t, w.Retry(), ErrClosed)
}

// TestConcurrentAppends: whole lines in the order of their numbers.
func TestConcurrentAppends(t *testing.T) {
	dir := t.TempDir()
	w := must(Create(dir, "s", Header{}))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				must(w.Append(time.Now(), say(strings.Repeat("x", 500))))
				w.Status()
			}
		})
	}
	wg.Wait()
	check(t, w.Close())
	if c := must(Read(dir, "s")); len(c.Batches) != 400 || len(c.Damage) != 0 {
		t.Fatalf("%d batches, damage %s", len(c.Batches), damage(c))
	}
}
