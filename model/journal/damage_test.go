package journal

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestCutEverywhere (J1): a file cut at any byte gives the longest whole prefix, the rest moves aside unchanged, and
// the next append is readable.
func TestCutEverywhere(t *testing.T) {
	t.Run("J1", func(t *testing.T) {
		full := sample(t, "a", "b\nb", "c")
		var ends []int // of the header and of each batch, without the line feed
		for i, b := range full {
			if b == '\n' {
				ends = append(ends, i)
			}
		}
		texts := []string{"a", "b\nb", "c"}
		for cut := 0; cut <= len(full); cut++ {
			dir := place(t, full[:cut])
			switch {
			case cut == 0:
				_, _, err := Open(dir, "s")
				wantErr(t, err, ErrEmpty)
				continue
			case cut < ends[0]:
				_, _, err := Open(dir, "s")
				wantErr(t, err, ErrHeader)
				if got := must(os.ReadFile(filepath.Join(dir, "s.jsonl"))); !bytes.Equal(got, full[:cut]) {
					t.Fatalf("cut %d: a refused file was changed", cut)
				}
				continue
			}
			whole, end := 0, ends[0]+1
			for whole < 3 && cut >= ends[whole+1] {
				whole++
				end = ends[whole] + 1
			}
			opened, after := appendAndRead(t, dir, "next")
			want := strings.Join(append(append([]string{}, texts[:whole]...), "next"), ",")
			if said(after) != want || len(after.Damage) != 0 {
				t.Fatalf("cut %d: %q, damage %s", cut, said(after), damage(after))
			}
			torn, err := os.ReadFile(filepath.Join(dir, "s.torn-1"))
			if cut <= end {
				if err == nil || opened.Torn != 0 {
					t.Fatalf("cut %d: nothing was torn, yet %d bytes moved", cut, len(torn))
				}
			} else if !bytes.Equal(torn, full[end:cut]) || opened.Torn != int64(cut-end) {
				t.Fatalf("cut %d: torn %q (%d)", cut, torn, opened.Torn)
			}
		}
	})
}

// TestFlipEverywhere (J2): a flipped bit costs the line it is in, the one that it glues on, and nothing else; it is
// never silent.
func TestFlipEverywhere(t *testing.T) {
	t.Run("J2", func(t *testing.T) {
		full, dir := sample(t, "a", "b", "c"), t.TempDir()
		for i := range full {
			for bit := range 8 {
				data := bytes.Clone(full)
				data[i] ^= 1 << bit
				line := bytes.Count(full[:i], []byte{'\n'}) // 0: header, 1..3: batches
				read, err := readAll(bytes.NewReader(data))
				c := read.c
				lost := []int{line}
				if full[i] == '\n' {
					lost = append(lost, line+1)
				}
				if line == 0 {
					wantErr(t, err, ErrHeader)
				} else {
					check(t, err)
				}
				var want []string
				for n, text := range []string{"a", "b", "c"} {
					if n+1 != lost[0] && n+1 != lost[len(lost)-1] {
						want = append(want, text)
					}
				}
				if said(c) != strings.Join(want, ",") {
					t.Fatalf("byte %d bit %d: %q", i, bit, said(c))
				}
				if len(c.Damage) == 0 && c.Torn == 0 {
					t.Fatalf("byte %d bit %d: nothing reported", i, bit)
				}
				if line > 0 && bit == i%8 { // appending is slow; one bit of each byte will do
					put(t, filepath.Join(dir, "s.jsonl"), data)
					if _, after := appendAndRead(t, dir, "next"); said(after) != strings.Join(append(want, "next"), ",") {
						t.Fatalf("byte %d bit %d: then %q", i, bit, said(after))
					}
				}
			}
		}
	})
}

func TestDamageIsNamed(t *testing.T) {
	full := sample(t, "a", "b", "c")
	lines := bytes.SplitAfter(full, []byte{'\n'})
	head, a, b, c := lines[0], lines[1], lines[2], lines[3]
	chop := func(line []byte) []byte { return line[:len(line)-1] }
	nuls := make([]byte, 300)
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	at := func(n int) int { return len(join(lines[:n]...)) }
	for name, x := range map[string]struct {
		data   []byte
		said   string
		damage string
		torn   int
	}{
		"J1 NUL tail":            {join(full, nuls), "a,b,c", "", 300},
		"J1 NUL for the last LF": {join(head, a, chop(b), nuls), "a,b", "", 300},
		"J1 NUL in the middle":   {join(head, a, nuls, b, c), "a,c", sprint(3, 1, at(2), "holds NUL bytes"), 0},
		"J1 NUL line":            {join(head, a, nuls, []byte{'\n'}, b, c), "a,b,c", sprint(3, 1, at(2), "holds NUL bytes"), 0},
		"J1 NUL inside a line":   {join(head, a, b[:9], nuls, b[9:], c), "a,c", sprint(3, 1, at(2), "holds NUL bytes"), 0},
		"J2 glued":               {join(head, chop(a), b, c), "c", sprint(2, 1, at(1), "holds two records"), 0},
		"torn, then whole":       {join(head, a, b[:20], []byte{'\n'}, b, c), "a,b,c", sprint(3, 1, at(2), "has no checksum at its end"), 0},
		"written twice":          {join(head, a, b, b, c), "a,b,c", sprint(4, 1, at(3), "repeats batch number 2"), 0},
		"line taken out":         {join(head, a, c), "a,c", sprint(3, 0, at(2), "batch 2 is missing before it"), 0},
		"first lines out":        {join(head, c), "c", sprint(2, 0, at(1), "batches 1 to 2 are missing before it"), 0},
		"a second header":        {join(head, a, head, b, c), "a,b,c", sprint(3, 1, at(2), "is not a batch"), 0},
		"a run of bad lines":     {join(head, a, []byte("x\ny\nz\n"), b, c), "a,b,c", sprint(3, 3, at(2), "has no checksum at its end"), 0},
		"CRLF by an editor":      {join(head, a, chop(b), []byte("\r\n"), c), "a,c", sprint(3, 1, at(2), "has no checksum at its end"), 0},
		"blank lines":            {join(head, []byte("\n\n"), a, []byte("\n"), b, c), "a,b,c", "", 0},
		"J4 no final LF":         {chop(full), "a,b,c", "", 0},
		"header without an LF":   {chop(head), "", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := place(t, x.data)
			got, err := Read(dir, "s")
			check(t, err)
			if said(got) != x.said || damage(got) != x.damage || got.Torn != int64(x.torn) {
				t.Fatalf("got  %q torn %d damage %s\nwant %q torn %d damage %s", said(got), got.Torn, damage(got), x.said, x.torn, x.damage)
			}
			opened, after := appendAndRead(t, dir, "next")
			if said(opened) != x.said || said(after) != strings.TrimPrefix(x.said+",next", ",") || damage(after) != x.damage {
				t.Fatalf("then %q damage %s", said(after), damage(after))
			}
		})
	}
}

func sprint(line, lines, offset int, why string) string {
	return damage(Contents{Damage: []Damage{{int64(line), int64(lines), int64(offset), why}}})
}

// TestTornTailThatCannotMove: it is set apart by a line feed and skipped; the records around it stay.
func TestTornTailThatCannotMove(t *testing.T) {
	for name, x := range map[string]struct{ tail, damage string }{
		"half a record": {`{"seq":2,"ti`, "has no checksum at its end"},
		"NUL":           {"\x00\x00\x00", "holds NUL bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			full := sample(t, "a")
			dir := place(t, append(bytes.Clone(full), x.tail...))
			for n := 1; n <= maxTorn; n++ {
				check(t, os.WriteFile(tornPath(dir, "s", n), nil, 0o600))
			}
			_, after := appendAndRead(t, dir, "next")
			if said(after) != "a,next" || damage(after) != sprint(3, 1, len(full), x.damage) {
				t.Fatalf("%q damage %s", said(after), damage(after))
			}
		})
	}
	t.Run("NUL for the last LF", func(t *testing.T) {
		full := sample(t, "a")
		dir := place(t, append(full[:len(full)-1], make([]byte, 9)...))
		for n := 1; n <= maxTorn; n++ {
			check(t, os.WriteFile(tornPath(dir, "s", n), nil, 0o600))
		}
		if _, after := appendAndRead(t, dir, "next"); said(after) != "a,next" || len(after.Damage) != 0 {
			t.Fatalf("%q damage %s", said(after), damage(after))
		}
	})
}

// TestMoveFails: a full disk while the torn bytes are copied, or a file that cannot be cut, loses neither the torn
// bytes nor what is appended next.
func TestMoveFails(t *testing.T) {
	full := sample(t, "a")
	for name, over := range map[string]func(file) file{
		"copy": func(f file) file {
			if _, torn := f.(*newFile); torn {
				return (&faulty{write: func(_, size int) (int, error) { return size / 2, syscall.ENOSPC }}).over(f)
			}
			return f
		},
		"cut": func(f file) file {
			return (&faulty{truncate: func(int) error { return syscall.EIO }}).over(f)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := place(t, append(bytes.Clone(full), "torn"...))
			w, _, err := open(dir, "s", "", with(over))
			check(t, err)
			must(w.Append(time.Unix(3, 0), say("next")))
			check(t, w.Close())
			if c := must(Read(dir, "s")); said(c) != "a,next" || len(c.Damage) != 1 {
				t.Fatalf("%q damage %s", said(c), damage(c))
			}
			if moved, err := os.ReadFile(tornPath(dir, "s", 1)); err == nil && string(moved) != "torn" {
				t.Fatalf("half a copy stays: %q", moved)
			}
		})
	}
}

// TestDamageIsBounded: a file of a hundred thousand bad lines makes one report.
func TestDamageIsBounded(t *testing.T) {
	dir := place(t, append(sample(t, "a"), bytes.Repeat([]byte("x\n"), 100_000)...))
	if c := must(Read(dir, "s")); len(c.Damage) != 1 || c.Damage[0].Lines != 100_000 {
		t.Fatalf("%d reports", len(c.Damage))
	}
}

// TestScannerLimit: a line at the limit is whole, one over it is skipped without being held, its neighbours are whole.
func TestScannerLimit(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	s := newScanner(strings.NewReader("ab\nabc\n" + long + "\nz"))
	for i, want := range []rawLine{
		{number: 1, offset: 0, size: 2, data: []byte("ab"), ended: true},
		{number: 2, offset: 3, size: 3, ended: true, long: true},
		{number: 3, offset: 7, size: 200_000, ended: true, long: true},
		{number: 4, offset: 200_008, size: 1, data: []byte("z")},
	} {
		got, err := s.next(2)
		check(t, err)
		if !bytes.Equal(got.data, want.data) {
			t.Fatalf("line %d: %.20q", i+1, got.data)
		}
		got.data, want.data = nil, nil
		if got.number != want.number || got.offset != want.offset || got.size != want.size || got.ended != want.ended || got.long != want.long {
			t.Fatalf("%+v, want %+v", got, want)
		}
	}
	if cap(s.buf) > 1024 {
		t.Fatalf("holds %d bytes", cap(s.buf))
	}
}

func FuzzScan(f *testing.F) {
	f.Add([]byte("{\"format\":1}\n"))
	f.Add(seal([]byte(`{"format":1`)))
	f.Add(append(seal([]byte(`{"format":1`)), seal([]byte(`{"seq":1,"time":"2026-01-02T03:04:05Z","entries":[]`))...))
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := readAll(bytes.NewReader(data))
		c, end := read.c, read.end
		if err != nil && !errors.Is(err, ErrEmpty) && !errors.Is(err, ErrHeader) && !errors.Is(err, ErrNewer) {
			t.Fatal(err)
		}
		if err == nil && end.end+c.Torn != int64(len(data)) {
			t.Fatalf("end %d + torn %d of %d", end.end, c.Torn, len(data))
		}
		for i, b := range c.Batches {
			if i > 0 && b.Seq <= c.Batches[i-1].Seq {
				t.Fatal("numbers do not grow")
			}
		}
	})
}

func wantErr(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("got %v, want %v", err, want)
	}
}
