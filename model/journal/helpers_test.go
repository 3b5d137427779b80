package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// say is a batch of one entry that holds text.
func say(text string) []Entry {
	return []Entry{{Kind: "said", Data: must(json.Marshal(text))}}
}

// said is the texts of all batches.
func said(c Contents) string {
	var all []string
	for _, b := range c.Batches {
		for _, e := range b.Entries {
			var text string
			if err := json.Unmarshal(e.Data, &text); err != nil {
				panic(err)
			}
			all = append(all, text)
		}
	}
	return strings.Join(all, ",")
}

// sample writes a session with these texts and returns its bytes.
func sample(t *testing.T, texts ...string) []byte {
	t.Helper()
	dir := t.TempDir()
	w := must(Create(dir, "s", Header{Created: time.Unix(1, 0), App: "1.0"}))
	for _, text := range texts {
		must(w.Append(time.Unix(2, 0), say(text)))
	}
	check(t, w.Close())
	return must(os.ReadFile(filepath.Join(dir, "s.jsonl")))
}

// place writes data as session s of a new directory.
func place(t *testing.T, data []byte) string {
	t.Helper()
	dir := t.TempDir()
	check(t, os.WriteFile(filepath.Join(dir, "s.jsonl"), data, 0o600))
	return dir
}

// put replaces a file by a new one: some file systems write a file that is cut and filled again to the disk at once,
// and thousands of those take long.
func put(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	check(t, os.WriteFile(path, data, 0o600))
}

// appendAndRead opens session s, appends text, and returns what Open saw and what is read back.
func appendAndRead(t *testing.T, dir, text string) (opened, after Contents) {
	t.Helper()
	w, opened, err := open(dir, "s", "", with(unsynced))
	check(t, err)
	b, err := w.Append(time.Unix(3, 0), say(text))
	check(t, err)
	check(t, w.Close())
	after, err = Read(dir, "s")
	check(t, err)
	if after.Torn != 0 {
		t.Fatalf("torn after an append: %d", after.Torn)
	}
	last := after.Batches[len(after.Batches)-1]
	if last.Seq != b.Seq || last.Offset != b.Offset {
		t.Fatalf("appended %d at %d, read back %d at %d", b.Seq, b.Offset, last.Seq, last.Offset)
	}
	return opened, after
}

// noSync is a file whose Sync does nothing, for tests that open thousands of files.
type noSync struct{ file }

func (noSync) Sync() error { return nil }

func unsynced(f file) file { return noSync{f} }

// with is the disk with over between writers and their files.
func with(over func(file) file) disk {
	d := plain
	d.over = over
	return d
}

func damage(c Contents) string {
	var all []string
	for _, d := range c.Damage {
		all = append(all, fmt.Sprintf("%d+%d@%d %s", d.Line, d.Lines, d.Offset, d.Reason))
	}
	return strings.Join(all, "; ")
}
