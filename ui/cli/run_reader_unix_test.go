//go:build linux || darwin

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// Only a reader behind a pipe or a socket can be gone: a file, a terminal and what is no file at all have none.
func TestReaderOf(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	got := readerOf(w)
	defer got.stop()
	if got.gone() || got.leaving() || got.look() == nil {
		t.Error("a reader that is there is taken for gone, or not looked at")
	}
	if _, err := w.WriteString("unread"); err != nil {
		t.Fatal(err)
	}
	r.Close()
	if !got.gone() || !got.leaving() {
		t.Error("a reader that has left is taken for there")
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := readerOf(f); got.gone() || got.leaving() || got.look() != nil {
		t.Error("a file has a reader")
	}
	if got := readerOf(&bytes.Buffer{}); got.gone() || got.leaving() || got.look() != nil {
		t.Error("a buffer has a reader")
	}
}
