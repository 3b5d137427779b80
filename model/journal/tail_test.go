package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

const markKind = "session.snapshot"

// marked is the bytes of a session whose texts named "*" are marks.
func marked(texts ...string) []byte {
	data := must(encodeHeader(Header{Format: Format, Session: "s", Created: time.Unix(1, 0), App: "1.0"}))
	for i, text := range texts {
		entries := say(text)
		if text == "*" {
			entries[0].Kind = markKind
		}
		data = append(data, must(encodeBatch(Batch{Seq: uint64(i + 1), Time: time.Unix(2, 0).UTC(), Entries: entries}, MaxLine))...)
	}
	return data
}

// pages reads a session as a person who scrolls up does: the tail, then the ranges between the marks before it. It
// returns them in the order of the file, as one.
func pages(r *Reader, marks []int64) (Contents, error) {
	all, err := r.Tail(markKind)
	if err != nil {
		return all, err
	}
	for end := all.From; end > 0; {
		from := int64(0)
		for _, mark := range marks {
			if mark < end {
				from = mark
			}
		}
		page, err := r.Range(from, end)
		if err != nil {
			return all, err
		}
		if page.From != from || page.End > end || page.Torn != 0 {
			return all, fmt.Errorf("range %d to %d: from %d to %d, torn %d", from, end, page.From, page.End, page.Torn)
		}
		all.Batches = append(page.Batches, all.Batches...)
		all.Damage = append(page.Damage, all.Damage...)
		end = from
	}
	all.From = 0
	return all, nil
}

// ofFile leaves out what depends on where reading began.
var ofFile = cmp.Options{cmpopts.IgnoreFields(Damage{}, "Line"), cmpopts.EquateEmpty()}

// sameEveryWay requires that a session read in pages is the session read at once, and that a writer that read the
// tail alone is where one that read all of it is, with the same file before it.
func sameEveryWay(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	samePages(t, dir, name, data)
	sameWriters(t, dir, name, data)
}

func samePages(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	path := filepath.Join(dir, "s.jsonl")
	put(t, path, data)
	full, fullErr := Read(dir, "s")
	var marks []int64
	for _, b := range full.Batches {
		if len(b.Entries) > 0 && b.Entries[0].Kind == markKind {
			marks = append(marks, b.Offset)
		}
	}
	r, err := OpenReader(dir, "s")
	if fmt.Sprint(err) != fmt.Sprint(fullErr) {
		t.Fatalf("%s: %v, read at once %v", name, err, fullErr)
	}
	if err == nil {
		got, err := pages(r, marks)
		check(t, err)
		if diff := cmp.Diff(full, got, ofFile); diff != "" {
			t.Fatalf("%s: %s", name, diff)
		}
		for _, b := range full.Batches {
			if diff := cmp.Diff(b, must(r.At(b.Offset))); diff != "" {
				t.Fatalf("%s: at %d: %s", name, b.Offset, diff)
			}
		}
		check(t, r.Close())
	}
}

func sameWriters(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	type outcome struct {
		err        string
		end        tail
		seq        uint64
		file, torn string
	}
	var ways []outcome
	for _, mark := range []string{"", markKind} {
		put(t, filepath.Join(dir, "s.jsonl"), data)
		w, _, err := open(dir, "s", mark, with(unsynced))
		got := outcome{err: fmt.Sprint(err)}
		if err == nil {
			got.end, got.seq = w.tail, w.seq
			check(t, w.Close())
		}
		got.file = string(must(os.ReadFile(filepath.Join(dir, "s.jsonl"))))
		if torn, err := os.ReadFile(tornPath(dir, "s", 1)); err == nil {
			got.torn = string(torn)
			check(t, os.Remove(tornPath(dir, "s", 1)))
		}
		ways = append(ways, got)
	}
	if ways[0] != ways[1] {
		t.Fatalf("%s: opened whole\n%+v, by its tail\n%+v", name, ways[0], ways[1])
	}
}

var broken = []string{"a", "*", "b\u2028", "*", "c"}

// TestTailOfCutFiles (J1): a file cut at any byte, with NUL behind it or not, is the same in pages and at once.
func TestTailOfCutFiles(t *testing.T) {
	t.Run("J1", func(t *testing.T) {
		full, dir := marked(broken...), t.TempDir()
		for cut := range len(full) + 1 {
			sameEveryWay(t, dir, fmt.Sprintf("cut %d", cut), full[:cut])
			if cut%3 == 0 {
				sameEveryWay(t, dir, fmt.Sprintf("cut %d, NUL", cut), append(bytes.Clone(full[:cut]), 0, 0, 0))
			}
		}
	})
}

// TestTailOfFlippedBits (J2): and so is one with any bit flipped.
func TestTailOfFlippedBits(t *testing.T) {
	t.Run("J2", func(t *testing.T) {
		full, dir := marked(broken...), t.TempDir()
		for i := range full {
			for bit := range 8 {
				data := bytes.Clone(full)
				data[i] ^= 1 << bit
				name := fmt.Sprintf("byte %d bit %d", i, bit)
				if bit == i%8 { // files are slow; one bit of each byte will do
					samePages(t, dir, name, data)
				}
				// What a writer goes by.
				whole, wholeErr := readAll(bytes.NewReader(data))
				part, err := readTail(bytes.NewReader(data), int64(len(data)), markKind)
				if fmt.Sprint(err) != fmt.Sprint(wholeErr) || part.end != whole.end || part.last != whole.last || part.c.Torn != whole.c.Torn {
					t.Fatalf("%s: %+v %v, at once %+v %v", name, part, err, whole, wholeErr)
				}
			}
		}
	})
}

// TestTailOfDamagedFiles: lines that are glued, taken out, blank, foreign or full of NUL, around marks and in them.
func TestTailOfDamagedFiles(t *testing.T) {
	lines := bytes.SplitAfter(marked("a", "*", "b", "*", "c"), []byte{'\n'})
	lines = lines[:len(lines)-1]
	nuls := make([]byte, 300)
	for what, change := range map[string]func(lines [][]byte, at int) [][]byte{
		"J1 NUL before":  func(l [][]byte, i int) [][]byte { l[i] = append(bytes.Clone(nuls), l[i]...); return l },
		"J1 NUL in it":   func(l [][]byte, i int) [][]byte { l[i] = slices.Insert(bytes.Clone(l[i]), 9, nuls...); return l },
		"J1 NUL line":    func(l [][]byte, i int) [][]byte { return slices.Insert(l, i, append(bytes.Clone(nuls), '\n')) },
		"J2 glued":       func(l [][]byte, i int) [][]byte { l[i] = l[i][:len(l[i])-1]; return l },
		"taken out":      func(l [][]byte, i int) [][]byte { return slices.Delete(l, i, i+1) },
		"blank lines":    func(l [][]byte, i int) [][]byte { return slices.Insert(l, i, []byte("\n\n")) },
		"foreign lines":  func(l [][]byte, i int) [][]byte { return slices.Insert(l, i, []byte("x\n\"session.snapshot\"\n")) },
		"J4 no final LF": func(l [][]byte, i int) [][]byte { l[i] = l[i][:len(l[i])-1]; return l[:i+1] },
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			for at := 1; at < len(lines); at++ {
				sameEveryWay(t, dir, fmt.Sprintf("line %d", at+1), bytes.Join(change(slices.Clone(lines), at), nil))
			}
		})
	}
}

// TestTailOfAnyLog: the same of logs made of anything.
func TestTailOfAnyLog(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		texts := rapid.SliceOf(rapid.OneOf(rapid.Just("*"), rapid.StringN(0, 40, -1), rapid.Just(markKind), rapid.Just(`{"kind":"session.snapshot"`)))
		data := marked(texts.Draw(rt, "texts")...)
		for range rapid.IntRange(0, 3).Draw(rt, "changes") {
			i := rapid.IntRange(len(marked()), len(data)).Draw(rt, "at")
			junk := rapid.SampledFrom([]string{"\n", "\x00", "\x00\x00\n", "{", "\"session.snapshot\"", "\r"}).Draw(rt, "junk")
			cut := min(i+rapid.IntRange(0, 5).Draw(rt, "cut"), len(data))
			data = slices.Concat(data[:i], []byte(junk), data[cut:])
		}
		sameEveryWay(t, dir, "log", data)
	})
}

// TestMarkThatIsDamaged: it is passed over, whatever its line says, and the one before it counts.
func TestMarkThatIsDamaged(t *testing.T) {
	lines := bytes.SplitAfter(marked("a", "*", "b", "*", "c"), []byte{'\n'})
	lines[4] = bytes.Replace(lines[4], []byte(`"*"`), []byte(`"+"`), 1)
	dir := place(t, bytes.Join(lines, nil))
	w, c, err := OpenTail(dir, "s", markKind)
	check(t, err)
	if said(c) != "*,b,c" || c.From != int64(len(lines[0])+len(lines[1])) || len(c.Damage) != 1 {
		t.Fatalf("%q from %d damage %s", said(c), c.From, damage(c))
	}
	if b := must(w.Append(time.Unix(3, 0), say("next"))); b.Seq != 6 {
		t.Fatalf("number %d", b.Seq)
	}
	check(t, w.Close())
}

// TestMarkIsTheFirstEntry: of that kind, and neither another entry nor a text that says so.
func TestMarkIsTheFirstEntry(t *testing.T) {
	dir := t.TempDir()
	w := must(Create(dir, "s", Header{}))
	entry := func(kind, text string) Entry { return Entry{Kind: kind, Data: must(json.Marshal(text))} }
	mark := must(w.Append(time.Unix(2, 0), []Entry{entry(markKind, "the one"), entry("said", "x")}))
	must(w.Append(time.Unix(2, 0), []Entry{entry("said", "x"), entry(markKind, "second")}))
	must(w.Append(time.Unix(2, 0), []Entry{entry("said", `{"entries":[{"kind":"session.snapshot"`)}))
	must(w.Append(time.Unix(2, 0), []Entry{entry("session.snapshots", "more")}))
	must(w.Append(time.Unix(2, 0), nil))
	check(t, w.Close())
	w, c, err := OpenTail(dir, "s", markKind)
	check(t, err)
	check(t, w.Close())
	if c.From != mark.Offset || len(c.Batches) != 5 {
		t.Fatalf("%d batches from %d, want 5 from %d", len(c.Batches), c.From, mark.Offset)
	}
	w, c, err = OpenTail(dir, "s", "absent")
	check(t, err)
	check(t, w.Close())
	if diff := cmp.Diff(must(Read(dir, "s")), c); diff != "" {
		t.Fatal(diff)
	}
}

// TestBackwardIsForward: the lines found backwards are those found forwards, whatever the blocks.
func TestBackwardIsForward(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(rapid.StringOf(rapid.SampledFrom([]rune("\n\n\x00ab"))).Draw(t, "data"))
		var forward, back []string
		for s := newScanner(bytes.NewReader(data)); ; {
			line, err := s.next(MaxLine)
			if err != nil {
				break
			}
			forward = append(forward, fmt.Sprintf("%d %q %v", line.offset, line.data, line.ended))
		}
		b := backward{f: bytes.NewReader(data), at: int64(len(data)), step: rapid.IntRange(1, 9).Draw(t, "step")}
		for {
			line, err := b.next()
			if err != nil {
				break
			}
			if line.size > 0 || line.ended { // behind the last line feed there is nothing
				back = append(back, fmt.Sprintf("%d %q %v", line.offset, line.data, line.ended))
			}
		}
		slices.Reverse(back)
		if !slices.Equal(forward, back) {
			t.Fatalf("%q\n%q", forward, back)
		}
	})
}

// TestDamageOfTheUnreadPart: it is not looked for when the tail is opened, and found when its range is read.
func TestDamageOfTheUnreadPart(t *testing.T) {
	lines := bytes.SplitAfter(marked("a", "b", "*", "c", "*", "d"), []byte{'\n'})
	lines[1] = bytes.Replace(lines[1], []byte(`"a"`), []byte(`"x"`), 1)
	dir := place(t, bytes.Join(slices.Delete(lines, 4, 5), nil)) // c is gone as well, just before the mark
	r := must(OpenReader(dir, "s"))
	defer r.Close()
	c := must(r.Tail(markKind))
	if said(c) != "*,d" || len(c.Damage) != 0 {
		t.Fatalf("%q damage %s", said(c), damage(c))
	}
	first := int64(len(lines[0]) + len(lines[1]) + len(lines[2]))
	middle := must(r.Range(first, c.From))
	if said(middle) != "*" || damage(middle) != sprint(2, 0, int(c.From), "batch 4 is missing before it") {
		t.Fatalf("%q damage %s", said(middle), damage(middle))
	}
	oldest := must(r.Range(0, first))
	if said(oldest) != "b" || damage(oldest) != sprint(2, 1, len(lines[0]), "does not match its checksum") {
		t.Fatalf("%q damage %s", said(oldest), damage(oldest))
	}
}

// TestMarkWrittenTwice: reading what is before it says so.
func TestMarkWrittenTwice(t *testing.T) {
	lines := bytes.SplitAfter(marked("a", "*", "b"), []byte{'\n'})
	dir := place(t, slices.Concat(lines[0], lines[1], lines[2], lines[3], lines[2]))
	r := must(OpenReader(dir, "s"))
	defer r.Close()
	c := must(r.Tail(markKind))
	before := must(r.Range(0, c.From))
	if said(c) != "*" || said(before) != "a,*,b" || damage(before) != sprint(5, 1, int(c.From), "repeats batch number 2") {
		t.Fatalf("%q, before it %q damage %s", said(c), said(before), damage(before))
	}
}

// TestHugeLine (J4): a line that is longer than one may be, between a mark and the end, is passed by the search, told
// by the reading, and held by neither.
func TestHugeLine(t *testing.T) {
	t.Run("J4", func(t *testing.T) {
		head, mark, last := marked("a"), marked("a", "*"), marked("a", "*", "b")
		dir := place(t, mark)
		f := must(os.OpenFile(filepath.Join(dir, "s.jsonl"), os.O_WRONLY, 0))
		at := int64(len(mark))
		must(f.WriteAt(slices.Concat([]byte("\n"), last[len(mark):]), at+MaxLine+1)) // a hole before it
		check(t, f.Close())
		r := must(OpenReader(dir, "s"))
		defer r.Close()
		c := must(r.Tail(markKind))
		if said(c) != "*,b" || c.From != int64(len(head)) || damage(c) != sprint(2, 1, len(mark), "is longer than a line may be") {
			t.Fatalf("%q from %d damage %s", said(c), c.From, damage(c))
		}
	})
}

// TestRange: lines count by where they begin.
func TestRange(t *testing.T) {
	data := marked("a", "b", "c")
	dir := place(t, data)
	r := must(OpenReader(dir, "s"))
	defer r.Close()
	all := must(r.Tail("")).Batches
	a, b, c, end := all[0].Offset, all[1].Offset, all[2].Offset, int64(len(data))
	for _, x := range []struct {
		from, to int64
		said     string
		begin    int64
	}{
		{0, end, "a,b,c", 0}, {-5, end + 99, "a,b,c", 0}, {0, 1, "", 0}, {0, a, "", 0}, {0, a + 1, "a", 0}, {a, b, "a", a}, {a, b + 1, "a,b", a},
		{a + 1, c, "b", b}, {b - 1, c, "b", b}, {b + 1, c, "", c}, {c, end, "c", c}, {c + 1, end, "", end}, {end, end + 9, "", end}, {c, a, "", c},
	} {
		got, err := r.Range(x.from, x.to)
		check(t, err)
		if said(got) != x.said || got.From != x.begin || len(got.Damage) != 0 || got.Torn != 0 || got.Header.Session != "s" {
			t.Errorf("%d to %d: %q from %d, damage %s torn %d; want %q from %d", x.from, x.to, said(got), got.From, damage(got), got.Torn, x.said, x.begin)
		}
	}
	for _, offset := range []int64{-1, 0, 1, a - 1, a + 1, end - 1, end, end + 9} {
		_, err := r.At(offset)
		wantErr(t, err, ErrDamaged)
	}
}

// TestHead: the batches that end within the limit, and no part of one that does not.
func TestHead(t *testing.T) {
	data := marked("a", "b", "c")
	dir := place(t, append(bytes.Clone(data), "torn"...))
	all := must(Read(dir, "s")).Batches
	texts := []string{"a", "b", "c"}
	for limit := range len(data) + 9 {
		whole := 0
		for whole < 3 && (whole == 2 && limit >= len(data) || whole < 2 && int64(limit) >= all[whole+1].Offset) {
			whole++
		}
		c, err := Head(dir, "s", int64(limit))
		check(t, err)
		torn := int64(0)
		if limit >= len(data)+4 {
			torn = 4
		}
		if said(c) != strings.Join(texts[:whole], ",") || len(c.Damage) != 0 || c.Torn != torn || c.Header.Session != "s" {
			t.Fatalf("%d bytes: %q damage %s torn %d", limit, said(c), damage(c), c.Torn)
		}
	}
	check(t, os.WriteFile(filepath.Join(dir, "s.jsonl"), append([]byte("x"), data...), 0o600))
	c, err := Head(dir, "s", MaxLine)
	wantErr(t, err, ErrHeader)
	if said(c) != "a,b,c" {
		t.Fatalf("%q", said(c))
	}
	_, err = Head(dir, "absent", 1)
	wantErr(t, err, fs.ErrNotExist)
	_, err = Head(dir, "../s", 1)
	wantErr(t, err, ErrBadID)
}

// tailed writes a session of about this many bytes whose lines are all as long, with a mark every 64 KB, the last
// one as far from the end whatever the size.
func tailed(t testing.TB, dir string, size int64) {
	t.Helper()
	f := must(os.Create(filepath.Join(dir, "s.jsonl")))
	defer f.Close()
	var out bytes.Buffer
	out.Write(marked())
	filler := strings.Repeat("Some text of an answer. ", 170) // lines of about 4 KB
	lines := size / 4200
	for i := int64(1); i <= lines; i++ {
		kind := "said............"
		if (lines-i)%16 == 8 {
			kind = markKind
		}
		// By hand: encoding this much takes long under the race detector.
		pad := strings.Repeat("-", 12-len(fmt.Sprint(i)))
		out.Write(seal(fmt.Appendf(nil, `{"seq":%d,"time":"2026-01-02T03:04:05Z","entries":[{"kind":%q,"data":%q}]`, i, kind, filler+pad)))
		if out.Len() > 1<<20 || i == lines {
			must(out.WriteTo(f))
		}
	}
}

// TestTailCostsTheSame: opening a session by its tail reads as much of 64 MB as of 1 MB, to the byte.
func TestTailCostsTheSame(t *testing.T) {
	var cost []int64
	for _, size := range []int64{1 << 20, 64 << 20} {
		dir := t.TempDir()
		tailed(t, dir, size)
		r := must(OpenReader(dir, "s"))
		c := must(r.Tail(markKind))
		cost = append(cost, r.BytesRead())
		check(t, r.Close())
		if len(c.Batches) != 9 || c.Batches[0].Entries[0].Kind != markKind {
			t.Fatalf("%d MB: %d batches", size>>20, len(c.Batches))
		}
		w, opened, err := OpenTail(dir, "s", markKind)
		check(t, err)
		if opened.From != c.From || w.End() != c.End || must(w.Append(time.Unix(3, 0), say("x"))).Seq != c.Batches[8].Seq+1 {
			t.Fatalf("%d MB: opened from %d to %d, read from %d to %d", size>>20, opened.From, w.End(), c.From, c.End)
		}
		check(t, w.Close())
	}
	if cost[0] != cost[1] || cost[0] > 256<<10 {
		t.Fatalf("%d bytes of 1 MB, %d bytes of 64 MB", cost[0], cost[1])
	}
}

// TestRangeReadsNoMore: a page costs its own bytes and the one before it.
func TestRangeReadsNoMore(t *testing.T) {
	dir := t.TempDir()
	tailed(t, dir, 1<<20)
	r := must(OpenReader(dir, "s"))
	defer r.Close()
	marks := must(r.Tail(markKind)).From
	before := r.BytesRead()
	must(r.Range(marks-3*4200, marks))
	if got := r.BytesRead() - before; got != 3*4200+1 {
		t.Fatalf("%d bytes", got)
	}
}

// TestHeaderIsAlwaysChecked: a tail that is whole opens nothing when the header is not.
func TestHeaderIsAlwaysChecked(t *testing.T) {
	data := marked("a", "*", "b")
	data[20] ^= 1
	dir := place(t, data)
	_, err := OpenReader(dir, "s")
	wantErr(t, err, ErrHeader)
	w, c, err := OpenTail(dir, "s", markKind)
	wantErr(t, err, ErrHeader)
	if w != nil || said(c) != "a,*,b" {
		t.Fatalf("%q", said(c))
	}
	if !bytes.Equal(must(os.ReadFile(filepath.Join(dir, "s.jsonl"))), data) {
		t.Fatal("a refused file was changed")
	}
	newer := place(t, append(seal([]byte(`{"format":2`)), data...))
	_, _, err = OpenTail(newer, "s", markKind)
	if !errors.Is(err, ErrNewer) {
		t.Fatal(err)
	}
	_, err = OpenReader(newer, "s")
	wantErr(t, err, ErrNewer)
}
