package journal

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"
)

// TestLookingIsNoUse: a writer waits for those who look who holds the lock, who are as good as gone; one that holds
// it is told at once; and a look that never ends is not waited for forever.
func TestLookingIsNoUse(t *testing.T) {
	for name, x := range map[string]struct {
		exclusive bool
		free      time.Duration // after which the lock is given up; 0: never
		want      error
		took      time.Duration
	}{
		"a look":         {false, 10 * time.Millisecond, nil, 12 * time.Millisecond},
		"a long look":    {false, 900 * time.Millisecond, nil, 900 * time.Millisecond},
		"an eternal one": {false, 0, ErrLocked, (lockTries - 1) * lockPause},
		"a writer":       {true, 10 * time.Millisecond, ErrLocked, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir := place(t, marked("a"))
				other := flock.New(lockPath(dir, "s"))
				defer other.Close()
				take := other.TryRLock
				if x.exclusive {
					take = other.TryLock
				}
				if ok, err := take(); !ok || err != nil {
					t.Fatal(ok, err)
				}
				if x.free > 0 {
					// Never at the moment of a try, which would be a race.
					time.AfterFunc(x.free-time.Millisecond, func() { _ = other.Unlock() })
				}
				begin := time.Now()
				w, _, err := open(dir, "s", "", with(unsynced))
				if took := time.Since(begin); !errors.Is(err, x.want) || took != x.took {
					t.Fatalf("%v after %v, want %v after %v", err, took, x.want, x.took)
				}
				if err == nil {
					check(t, w.Close())
				}
			})
		})
	}
}

// TestHolder: this process counts as any other, and a look leaves the lock free.
func TestHolder(t *testing.T) {
	dir := t.TempDir()
	w := must(Create(dir, "s", Header{}))
	for range 3 {
		if _, held, err := Holder(dir, "s"); !held || err != nil {
			t.Fatal(held, err)
		}
	}
	check(t, w.Close())
	for range 3 {
		if pid, held, err := Holder(dir, "s"); pid != 0 || held || err != nil {
			t.Fatal(pid, held, err)
		}
		w, _, err := Open(dir, "s")
		check(t, err)
		check(t, w.Close())
	}
}
