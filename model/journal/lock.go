package journal

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

// lock takes the session's lock, which the kernel releases with the last descriptor, however the process ends. It
// stands in a file of its own: where locks are mandatory (Windows), one on the journal would keep readers out. The
// lock file is never removed while the session exists, since a process may be about to lock the very file.
func lock(dir, id string) (*flock.Flock, error) {
	path := lockPath(dir, id)
	held := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|openFlags), flock.SetPermissions(0o600))
	ok, err := held.TryLock()
	if err != nil {
		return nil, fmt.Errorf("locking session %s: %w", id, err)
	}
	if !ok {
		return nil, &LockedError{Session: id, PID: holder(path)}
	}
	// Who holds it is only for a message, so a failure to write it down is no failure to lock.
	note(path, strconv.Itoa(os.Getpid())+"\n")
	return held, nil
}

func unlock(held *flock.Flock) error {
	note(held.Path(), "")
	return held.Unlock()
}

func note(path, text string) {
	if f, _, err := openRegular(path, os.O_WRONLY|os.O_TRUNC); err == nil {
		_, _ = f.WriteString(text)
		f.Close()
	}
}

// holder returns the pid in a lock file, or 0.
func holder(path string) int {
	f, _, err := openRegular(path, os.O_RDONLY)
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
