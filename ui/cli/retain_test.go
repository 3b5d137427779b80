package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/model/config"
	"baton/model/journal"
)

// Sessions go only if the setting says so, and what went is told.
func TestRetain(t *testing.T) {
	const day = 24 * time.Hour
	now := time.Now()
	state := t.TempDir()
	dir := filepath.Join(state, "sessions")
	for id, age := range map[string]time.Duration{"a": 100 * day, "b": 95 * day, "c": 80 * day, "spare": 200 * day} {
		w, err := journal.Create(dir, id, journal.Header{App: "test"})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(dir, id+".jsonl"), now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	said := func(keep time.Duration) string {
		s := &setup{conf: config.Config{StateDir: state, Sessions: config.Sessions{Keep: keep}}}
		return s.retain("spare", now)
	}
	for _, c := range []struct {
		keep time.Duration
		says string
		left int
	}{
		{0, "", 4},
		{365 * day, "", 4},
		{97 * day, "removed 1 session not used for 97 days: a (sessions.keep)", 3},
		{30 * day, "removed 2 sessions not used for 30 days (sessions.keep)", 1},
		{30 * day, "", 1},
	} {
		if got := said(c.keep); got != c.says {
			t.Errorf("%s: %q, want %q", c.keep, got, c.says)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*.jsonl")); len(left) != c.left {
			t.Errorf("%s: left %s", c.keep, strings.Join(left, " "))
		}
	}
	if got := (&setup{conf: config.Config{Sessions: config.Sessions{Keep: day}}}).retain("", now); got != "" {
		t.Errorf("without a folder: %q", got)
	}
}
