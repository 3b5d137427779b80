package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// A lock that is held by those alone who look who holds it (see Holder) is waited for, up to a second: a look takes
// no time, but a busy machine may stop a process in the middle of one.
const (
	lockTries = 250
	lockPause = 4 * time.Millisecond
)

// lock takes the session's lock, which the kernel releases with the last descriptor, however the process ends. It
// stands in a file of its own: where locks are mandatory (Windows), one on the journal would keep readers out. The
// lock file is never removed while the session exists, since a process may be about to lock the very file.
func lock(dir, id string) (*flock.Flock, error) {
	path := lockPath(dir, id)
	held := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|openFlags), flock.SetPermissions(0o600))
	for tries := 1; ; tries++ {
		ok, err := held.TryLock()
		if err != nil {
			return nil, fmt.Errorf("locking session %s: %w", id, lockOwner(path, err))
		}
		if ok {
			break
		}
		if tries == lockTries || !onlyLookedAt(held) {
			return nil, &LockedError{Session: id, PID: noted(path)}
		}
		time.Sleep(lockPause)
	}
	// Who holds it is only for a message, so a failure to write it down is no failure to lock.
	note(path, strconv.Itoa(os.Getpid())+"\n")
	return held, nil
}

// onlyLookedAt: a writer's lock shuts out everybody, a look does not shut out another.
func onlyLookedAt(held *flock.Flock) bool {
	ok, err := held.TryRLock()
	return err == nil && ok && held.Unlock() == nil
}

func unlock(held *flock.Flock) error {
	note(held.Path(), "")
	return held.Unlock()
}

func note(path, text string) {
	if f, _, err := plain.openRegular(path, os.O_WRONLY|os.O_TRUNC); err == nil {
		_, _ = f.WriteString(text)
		f.Close()
	}
}

func lockOwner(path string, err error) error {
	info, gone := os.Lstat(path)
	if gone != nil {
		return err
	}
	return ownership(info, err)
}

// Holder says whether a writer holds the session now, in this process or another, and which; pid is 0 where it
// cannot be told. It keeps no lock and changes nothing. A session that does not exist is held by nobody.
func Holder(dir, id string) (pid int, held bool, err error) {
	if err := ValidID(id); err != nil {
		return 0, false, err
	}
	path := lockPath(dir, id)
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	if err == nil {
		err = regular(path, info)
	}
	if err != nil {
		return 0, false, fmt.Errorf("looking for the holder of session %s: %w", id, err)
	}
	// Shared, so that two who look do not take each other for a writer.
	look := flock.New(path, flock.SetFlag(os.O_RDONLY|openFlags))
	free, err := look.TryRLock()
	if errors.Is(err, fs.ErrNotExist) { // removed meanwhile
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("looking for the holder of session %s: %w", id, ownership(info, err))
	}
	if free {
		return 0, false, look.Unlock()
	}
	return noted(path), true, nil
}

// noted returns the pid in a lock file, or 0.
func noted(path string) int {
	f, _, err := plain.openRegular(path, os.O_RDONLY)
	if err != nil {
		return 0
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, 32))
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || pid < 1 {
		return 0
	}
	return pid
}
