//go:build unix

package engine

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"baton/queue"
)

// A FIFO nobody writes to is refused at once.
func TestFIFOIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	bubble(t, func(t *testing.T) {
		d := open(t, t.TempDir(), says("x"))
		d.send("read", queue.Attachment{Path: path})
		d.run(time.Second)
		d.want("word", "held: pipe is not a regular file", word(d))
		d.end()
	})
}
