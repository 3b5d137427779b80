package journal

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestList: newest first; only regular files with a session's name.
func TestList(t *testing.T) {
	dir := t.TempDir()
	if all := must(List(filepath.Join(dir, "absent"))); len(all) != 0 {
		t.Fatalf("%+v", all)
	}
	now := time.Now().Truncate(time.Second)
	put := func(name string, age time.Duration, data string) {
		path := filepath.Join(dir, name)
		check(t, os.WriteFile(path, []byte(data), 0o600))
		check(t, os.Chtimes(path, now.Add(-age), now.Add(-age)))
	}
	put("old.jsonl", 3*time.Hour, "abc")
	put("new.jsonl", time.Hour, "a")
	put("same-a.jsonl", 2*time.Hour, "")
	put("same-b.jsonl", 2*time.Hour, "")
	for _, strange := range []string{"old.lock", "old.torn-1", ".jsonl", "-rf.jsonl", "A.jsonl", "a b.jsonl", "x.jsonl~", "nul.jsonl", "readme"} {
		put(strange, 0, "x")
	}
	check(t, os.Mkdir(filepath.Join(dir, "folder.jsonl"), 0o700))
	if err := os.Symlink("old.jsonl", filepath.Join(dir, "link.jsonl")); err != nil && hasModes {
		t.Fatal(err)
	}
	all := must(List(dir))
	var ids []string
	for _, s := range all {
		ids = append(ids, s.ID)
	}
	want := []string{"new", "same-b", "same-a", "old"}
	if len(ids) != len(want) {
		t.Fatalf("%v", ids)
	}
	for i := range want {
		if ids[i] != want[i] {
			t.Fatalf("%v", ids)
		}
	}
	if all[3].Size != 3 || !all[3].Modified.Equal(now.Add(-3*time.Hour)) {
		t.Fatalf("%+v", all[3])
	}
}

// TestLatest passes over files that a process left before their header was whole, and over nothing else.
func TestLatest(t *testing.T) {
	dir := t.TempDir()
	if _, ok, err := Latest(dir); ok || err != nil {
		t.Fatal(ok, err)
	}
	now := time.Now()
	age := 10 * time.Hour
	put := func(id, data string) {
		path := filepath.Join(dir, id+suffix)
		check(t, os.WriteFile(path, []byte(data), 0o600))
		age -= time.Hour
		check(t, os.Chtimes(path, now.Add(-age), now.Add(-age)))
	}
	header := string(must(encodeHeader(Header{Format: 1})))
	want := func(id string) {
		t.Helper()
		if got, ok, err := Latest(dir); err != nil || !ok || got != id {
			t.Fatalf("%q %v %v, want %q", got, ok, err, id)
		}
	}
	put("whole", header)
	want("whole")
	put("empty", "")
	put("torn", header[:20])
	put("nul", "x\x00")
	want("whole")
	put("no-end", header[:len(header)-1])
	want("no-end")
	put("damaged", "x\n")
	want("damaged")
	put("newer", string(seal([]byte(`{"format":2`))))
	want("newer")
}

func TestRemove(t *testing.T) {
	dir := place(t, append(sample(t, "a"), "torn"...))
	w, _, err := Open(dir, "s")
	check(t, err)
	check(t, w.Close())
	check(t, must(Create(dir, "other", Header{})).Close())
	check(t, Remove(dir, "s"))
	names := must(os.ReadDir(dir))
	if len(names) != 2 || names[0].Name() != "other.jsonl" || names[1].Name() != "other.lock" {
		t.Fatalf("%v", names)
	}
	wantErr(t, Remove(dir, "s"), fs.ErrNotExist)
	wantErr(t, Remove(dir, "../s"), ErrBadID)
}

// A change that is no use of a session leaves it where it was among the others, also if it mends the end of the file;
// one that is moves it to the front.
func TestBesideUse(t *testing.T) {
	dir := place(t, append(sample(t, "a"), "torn"...))
	path, at := filepath.Join(dir, "s.jsonl"), time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	check(t, os.Chtimes(path, at, at))
	check(t, must(Create(dir, "t", Header{})).Close())
	for _, beside := range []bool{true, false} {
		w, _, err := Open(dir, "s")
		check(t, err)
		if beside {
			w.BesideUse()
		}
		must(w.Append(time.Now(), say("b")))
		check(t, w.Close())
		got, _, err := Latest(dir)
		check(t, err)
		if info := must(os.Stat(path)); (got == "t") != beside || info.ModTime().Equal(at) != beside {
			t.Errorf("beside its use: %v, the last one is %s, written %v", beside, got, info.ModTime())
		}
	}
	if got := said(must(Read(dir, "s"))); got != "a,b,b" {
		t.Fatal(got)
	}
	m := Memory(Header{})
	m.BesideUse()
	check(t, m.Close())
}
