package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baton/model/journal"
)

// TestUnopenedNamesTheSessionOnce: whoever opens it, and whatever is wrong, an error of the journal says which session it is.
func TestUnopenedNamesTheSessionOnce(t *testing.T) {
	dir, id := t.TempDir(), "20261130-154210-4fzq"
	o := Options{Dir: dir}
	open := map[string]func() error{
		"resume": func() error { _, err := Resume(o, id); return err },
		"parked": func() error { _, err := Parked(o, id); return err },
		"follow": func() error { _, err := Follow(o, id, journal.ErrLocked); return err },
	}
	for name, f := range open {
		if err := f(); err == nil || strings.Count(err.Error(), "session "+id) != 1 {
			t.Errorf("%s, none there: %v", name, err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte("no header\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, f := range open {
		if err := f(); err == nil || strings.Count(err.Error(), "session "+id) != 1 {
			t.Errorf("%s, damaged: %v", name, err)
		}
	}
	id = "no/name"
	for name, f := range open {
		if err := f(); err == nil || strings.Count(err.Error(), id) != 1 {
			t.Errorf("%s, no name: %v", name, err)
		}
	}
}
