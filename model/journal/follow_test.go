package journal

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// follower collects what Follow tells of session s.
type follower struct {
	t    *testing.T
	r    *Reader
	end  int64
	said []string
}

func follow(t *testing.T, dir string) *follower {
	t.Helper()
	r := must(OpenReader(dir, "s"))
	t.Cleanup(func() { _ = r.Close() })
	c := must(r.Tail(""))
	return &follower{t: t, r: r, end: c.End}
}

// want calls Follow and compares what is new.
func (f *follower) want(said_ string) Contents {
	f.t.Helper()
	c, next, err := f.r.Follow(f.end)
	check(f.t, err)
	if said(c) != said_ || c.From != f.end || c.End != next || c.Torn != 0 {
		f.t.Fatalf("%q from %d to %d (%d) torn %d, want %q from %d", said(c), c.From, c.End, next, c.Torn, said_, f.end)
	}
	f.end = next
	return c
}

func (f *follower) wantReplaced() {
	f.t.Helper()
	c, next, err := f.r.Follow(f.end)
	wantErr(f.t, err, ErrReplaced)
	if next != f.end || len(c.Batches) != 0 {
		f.t.Fatalf("%d, %q", next, said(c))
	}
}

// TestFollow: what a writer appends, as it appends it; nothing twice.
func TestFollow(t *testing.T) {
	dir := t.TempDir()
	w := must(Create(dir, "s", Header{}))
	defer w.Close()
	f := follow(t, dir)
	f.want("")
	must(w.Append(time.Unix(2, 0), say("a")))
	f.want("a")
	f.want("")
	for _, text := range []string{"b", strings.Repeat("long ", 50_000), "c"} {
		must(w.Append(time.Unix(2, 0), say(text)))
	}
	if c := f.want("b," + strings.Repeat("long ", 50_000) + ",c"); c.Batches[0].Seq != 2 || c.Header.Format != Format {
		t.Fatalf("%+v", c.Header)
	}
	f.want("")
	f.end = 0 // from the beginning
	c, _, err := f.r.Follow(0)
	check(t, err)
	if len(c.Batches) != 4 || len(c.Damage) != 0 {
		t.Fatalf("%d batches, damage %s", len(c.Batches), damage(c))
	}
}

// TestFollowWaitsForTheEnd: of a line that is written byte by byte nothing is seen before its line feed.
func TestFollowWaitsForTheEnd(t *testing.T) {
	full := marked("a", "b")
	a := len(marked("a"))
	dir := place(t, full[:a])
	f := follow(t, dir)
	file := must(os.OpenFile(filepath.Join(dir, "s.jsonl"), os.O_WRONLY|os.O_APPEND, 0))
	defer file.Close()
	for i := a; i < len(full); i++ {
		f.want("")
		must(file.Write(full[i : i+1]))
	}
	f.want("b")
}

// TestFollowTakenBack: a line that lacked only its line feed when it was read, and is then taken back by a writer
// whose write failed, comes once; so does what follows it.
func TestFollowTakenBack(t *testing.T) {
	full := marked("a", "b", "c")
	a, b := int64(len(marked("a"))), int64(len(marked("a", "b")))
	dir := place(t, full[:b-1])
	path := filepath.Join(dir, "s.jsonl")
	f := follow(t, dir)
	if c := must(f.r.Tail("")); said(c) != "a,b" || c.End != b-1 {
		t.Fatalf("%q to %d", said(c), c.End)
	}
	f.want("")
	check(t, os.Truncate(path, a))
	f.want("")
	file := must(os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0))
	defer file.Close()
	must(file.Write(full[a : b-5]))
	f.want("")
	must(file.Write(full[b-5 : b-1]))
	f.want("")
	must(file.Write(full[b-1:]))
	f.want("c")
	check(t, os.Truncate(path, b)) // what was told as a whole line is never taken back
	f.wantReplaced()
}

// TestFollowBehindTornTails: NUL bytes and half a record wait, until a writer has moved them away.
func TestFollowBehindTornTails(t *testing.T) {
	full := marked("a")
	for name, data := range map[string][]byte{
		"half a record":      append(bytes.Clone(full), `{"seq":2,"ti`...),
		"NUL":                append(bytes.Clone(full), 0, 0, 0),
		"NUL for the LF":     append(bytes.Clone(full[:len(full)-1]), 0, 0, 0),
		"no LF":              full[:len(full)-1],
		"nothing but an end": full,
	} {
		t.Run(name, func(t *testing.T) {
			dir := place(t, data)
			f := follow(t, dir)
			f.want("")
			w, _, err := OpenTail(dir, "s", markKind)
			check(t, err)
			defer w.Close()
			f.want("")
			must(w.Append(time.Unix(2, 0), say("b")))
			if c := f.want("b"); len(c.Damage) != 0 {
				t.Fatal(damage(c))
			}
		})
	}
}

// TestFollowDamage: a damaged line is told with its offset and passed, and so is a gap, also between two calls.
func TestFollowDamage(t *testing.T) {
	lines := bytes.SplitAfter(marked("a", "b", "c", "d", "e"), []byte{'\n'})
	dir := place(t, bytes.Join(lines[:2], nil))
	f := follow(t, dir)
	file := must(os.OpenFile(filepath.Join(dir, "s.jsonl"), os.O_WRONLY|os.O_APPEND, 0))
	defer file.Close()
	begin := f.end
	must(file.Write(lines[3]))
	if c := f.want("c"); damage(c) != sprint(1, 0, int(begin), "batch 2 is missing before it") {
		t.Fatal(damage(c))
	}
	must(file.WriteString("x\n"))
	if c := f.want(""); len(c.Damage) != 1 || c.Damage[0].Lines != 1 {
		t.Fatal(damage(c))
	}
	must(file.Write(lines[5]))
	if c := f.want("e"); len(c.Damage) != 0 { // the damaged line may have been d
		t.Fatal(damage(c))
	}
}

// TestFollowSeesAGapBehindATornTail: half a record that was moved away hides no batch that is missing.
func TestFollowSeesAGapBehindATornTail(t *testing.T) {
	lines := bytes.SplitAfter(marked("a", "b", "c"), []byte{'\n'})
	whole := slices.Concat(lines[0], lines[1])
	dir := place(t, append(bytes.Clone(whole), lines[2][:20]...))
	f := follow(t, dir)
	path := filepath.Join(dir, "s.jsonl")
	check(t, os.Truncate(path, f.end))
	file := must(os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0))
	defer file.Close()
	must(file.Write(lines[3]))
	if c := f.want("c"); damage(c) != sprint(1, 0, len(whole), "batch 2 is missing before it") {
		t.Fatal(damage(c))
	}
}

// rippled gives the first read of some bytes wrong, as one that overtakes a writer may be.
type rippled struct {
	io.ReaderAt
	times int
}

func (r *rippled) ReadAt(p []byte, at int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(p, at)
	if n > 20 && r.times > 0 {
		r.times--
		p[10] = 0
	}
	return n, err
}

// TestFollowLooksTwice: what is damaged at the first look and whole at the second is whole; what stays damaged is
// told once.
func TestFollowLooksTwice(t *testing.T) {
	for times, want := range map[int]string{0: "a,b", 1: "a,b", 2: "b"} {
		dir := place(t, marked("a", "b"))
		r := must(OpenReader(dir, "s"))
		r.f.ReaderAt = &rippled{r.f.ReaderAt, times}
		c, next, err := r.Follow(0)
		check(t, err)
		if said(c) != want || (len(c.Damage) == 1) != (times == 2) || next != int64(len(marked("a", "b"))) {
			t.Fatalf("%d: %q damage %s", times, said(c), damage(c))
		}
		check(t, r.Close())
	}
}

// TestFollowReplaced: another file under the name, none, a shorter one, or other bytes have an error of their own.
func TestFollowReplaced(t *testing.T) {
	data := marked("a", "b")
	for name, change := range map[string]func(path string) error{
		"renamed over": func(path string) error {
			if err := os.WriteFile(path+".new", data, 0o600); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		},
		"gone":          os.Remove,
		"cut":           func(path string) error { return os.Truncate(path, int64(len(data)-1)) },
		"empty":         func(path string) error { return os.Truncate(path, 0) },
		"written over":  func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("x"), 2*len(data)), 0o600) },
		"a folder now":  func(path string) error { _ = os.Remove(path); return os.Mkdir(path, 0o700) },
		"another, long": func(path string) error { return os.WriteFile(path, marked("a", "longer than b"), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			if !hasModes && (name == "gone" || name == "renamed over" || name == "a folder now") {
				t.Skip("an open file cannot be removed here")
			}
			dir := place(t, data)
			f := follow(t, dir)
			check(t, change(filepath.Join(dir, "s.jsonl")))
			f.wantReplaced()
		})
	}
}
