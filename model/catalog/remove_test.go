package catalog

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/model/journal"
	"baton/model/session"
)

func TestDescribe(t *testing.T) {
	dir := t.TempDir()
	m := begun(t, dir, "x").said(1, "the first", "yes").said(2, "the second", "no")
	m.add(session.TurnStarted{Turn: 3, Chain: 2, Text: "the second"}, session.Noted{Text: "a note is no turn"})
	m.row(4, "waits "+nasty).row(5, "and waits\nin two lines")
	d, err := Describe(dir, "x")
	if err != nil || d.Title != "the first" || d.Turns != 3 || d.Waiting != 2 || d.Bytes == 0 || d.Holder != os.Getpid() || !d.Created.Equal(epoch) {
		t.Errorf("%+v, %v", d, err)
	}
	if all := strings.Join(d.Rows, "|"); !strings.HasPrefix(all, "waits one␛") || !strings.HasSuffix(all, "|and waits") || controls.MatchString(all) {
		t.Errorf("rows %q", all)
	}
	if err := os.WriteFile(filepath.Join(dir, "empty.jsonl"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if d, err := Describe(dir, "empty"); err != nil || d.Trouble != "empty" {
		t.Errorf("%+v, %v", d, err)
	}
	for id, want := range map[string]error{"none": fs.ErrNotExist, "../x": journal.ErrBadID} {
		if _, err := Describe(dir, id); !errors.Is(err, want) {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestRemove(t *testing.T) {
	dir := t.TempDir()
	m := begun(t, dir, "x").said(1, "the first", "yes")
	if err := Remove(dir, "x"); !errors.Is(err, journal.ErrLocked) {
		t.Errorf("in use: %v", err)
	}
	m.done()
	if err := Remove(dir, "x"); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left %v", left)
	}
	if err := Remove(dir, "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of none: %v", err)
	}
}

// Only what is old, idle, whole and without rows goes.
func TestRetain(t *testing.T) {
	const keep = 90 * 24 * time.Hour
	dir, now := t.TempDir(), time.Now().Truncate(time.Second)
	make := func(id string, ago time.Duration) *made {
		return begun(t, dir, id).said(1, "prompt of "+id, "yes").aged(now, ago)
	}
	for id, ago := range map[string]time.Duration{"older": keep + 48*time.Hour, "old": keep + time.Second, "spare": keep + time.Hour, "just": keep, "young": keep - time.Second} {
		make(id, ago).done()
	}
	make("held", keep+time.Hour)
	make("waits", keep+time.Hour).row(2, "not sent yet").done().aged(now, keep+time.Hour)
	make("hurt", keep+time.Hour).done()
	hurt := filepath.Join(dir, "hurt.jsonl")
	raw, err := os.ReadFile(hurt)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hurt, []byte(strings.Replace(string(raw), "prompt", "pronto", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	(&made{t: t, dir: dir, id: "hurt"}).aged(now, keep+time.Hour)
	ids := func() string {
		all, err := List(dir)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, i := range all {
			names = append(names, i.ID)
		}
		return strings.Join(names, " ")
	}
	before := ids()
	for _, off := range []time.Duration{0, -time.Hour} {
		if gone, err := Retain(dir, off, now, ""); err != nil || len(gone) != 0 || ids() != before {
			t.Errorf("a keep of %s removes %v, %v", off, gone, err)
		}
	}
	gone, err := Retain(dir, keep, now, "spare")
	if err != nil || len(gone) != 2 || gone[0].ID != "old" || gone[1].ID != "older" || gone[1].Title != "prompt of older" {
		t.Errorf("%+v, %v", gone, err)
	}
	if got := ids(); got != "young just waits spare hurt held" {
		t.Errorf("kept %q", got)
	}
	if gone, err := Retain(filepath.Join(dir, "none"), keep, now, ""); err != nil || len(gone) != 0 {
		t.Errorf("%v, %v", gone, err)
	}
}
