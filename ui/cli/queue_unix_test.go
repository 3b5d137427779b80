//go:build unix

package cli_test

import (
	"strings"
	"testing"
	"time"

	"baton/model/journal"
)

// TestQueueWaitsForALock: two that change the queue of a session which nobody has open at
// the same time both do.
func TestQueueWaitsForALock(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	run(t, home, "run", "-p", "hello", "--fault", "json")
	w, _, err := journal.Open(sessionsOf(home), ids(t, home)[0])
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan error)
	time.AfterFunc(100*time.Millisecond, func() { closed <- w.Close() })
	r := run(t, home, "queue", "add", "next")
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
	if r.code != 0 || r.errs != "" || !strings.Contains(r.out, " queued as row ") {
		t.Errorf("%+v", r)
	}
}
