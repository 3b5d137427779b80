package composer

import (
	"runtime"
	"strings"
	"testing"
)

func TestPasteLimits(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		chip     bool
		label    string
	}{
		{"bytes-1", strings.Repeat("x", PasteBytes-1), false, ""},
		{"bytes", strings.Repeat("x", PasteBytes), false, ""},
		{"bytes+1", strings.Repeat("x", PasteBytes+1), true, "[pasted 1 line #1]"},
		{"lines-1", strings.Repeat("x\n", PasteLines-1), false, ""},
		{"lines", strings.Repeat("x\n", PasteLines), false, ""},
		{"lines, last without end", strings.Repeat("x\n", PasteLines-1) + "x", false, ""},
		{"lines+1", strings.Repeat("x\r\n", PasteLines+1), true, "[pasted 11 lines #1]"},
		{"thousands", strings.Repeat("\n", 1240), true, "[pasted 1,240 lines #1]"},
		{"millions", strings.Repeat("\r", 1_002_003), true, "[pasted 1,002,003 lines #1]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := New()
			e.Paste(tc.in)
			want := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(tc.in)
			if e.Value() != want || e.Bytes() != len(want) {
				t.Fatalf("%d bytes of %d came out", len(e.Value()), len(want))
			}
			lines, _, _ := e.View(80, 1)
			if tc.chip && lines[0] != tc.label {
				t.Errorf("drawn %.60q, want %q", lines[0], tc.label)
			}
			if e.Left(); tc.chip != (offset(&e) == 0) {
				t.Error("the caret disagrees about the chip")
			}
		})
	}
}

func TestChip(t *testing.T) {
	e := with("ab|cd")
	e.ChipStyle = func(s string) string { return "<" + s + ">" }
	body := strings.Repeat("line\n", 20)
	e.Paste(body)
	e.Paste(body)
	if lines, x, _ := e.View(80, 3); lines[0] != "ab<[pasted 20 lines #1]><[pasted 20 lines #2]>cd" || x != 42 {
		t.Errorf("drawn %q, caret %d", lines, x)
	}
	e.WordLeft()
	e.Backspace()
	if got := mark(e); got != "ab|"+body+"cd" {
		t.Errorf("one chip removed: %q", got)
	}
	e.Undo()
	if e.Value() != "ab"+body+body+"cd" {
		t.Error("the removed chip did not come back")
	}
	if !e.OpenChip() {
		t.Fatal("no chip at the caret")
	}
	if e.Value() != "ab"+body+body+"cd" || e.lines.len() != 21 {
		t.Errorf("opened into %d lines", e.lines.len())
	}
	e.Undo()
	if e.lines.len() != 1 || e.Value() != "ab"+body+body+"cd" {
		t.Error("the opened chip did not close again")
	}
	if lines, _, _ := e.View(8, 9); strings.Join(lines, "|") != "ab|<[paste…>|<[paste…>|cd" {
		t.Errorf("narrow: %q", lines)
	}
}

func TestOpenChipLimit(t *testing.T) {
	for n, want := range map[int]bool{OpenBytes - 1: true, OpenBytes: true, OpenBytes + 1: false} {
		e := New()
		e.Paste(strings.Repeat("x", n))
		if got := e.OpenChip(); got != want || e.Bytes() != n {
			t.Errorf("a chip of %d bytes opens: %v", n, got)
		}
	}
	e := with("a|b")
	if e.OpenChip() {
		t.Error("opened a letter")
	}
}

// TestManyLinesAndKeys is case K3.
func TestManyLinesAndKeys(t *testing.T) {
	t.Run("K3", func(t *testing.T) {
		body := strings.Repeat("a line of text\n", 26_000)
		e := New()
		e.Paste(body)
		typed := strings.Repeat("0123456789", 30)
		for _, r := range typed {
			e.Insert(string(r))
		}
		if e.Value() != body+typed {
			t.Fatal("26,000 lines and 300 keys did not come out as they went in")
		}
		e.Clear()
		e.SetValue(body)
		if e.Value() != body || e.lines.len() != 26_001 {
			t.Fatalf("%d lines", e.lines.len())
		}
		e.Clear()
		for range 300 {
			e.Insert("你")
		}
		if e.Value() != strings.Repeat("你", 300) {
			t.Fatal("300 × 你")
		}
		if _, col := e.Caret(); col != 300 {
			t.Fatalf("caret behind %d graphemes", col)
		}
	})
}

// allocated returns what f allocates, in bytes.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestPasteIsLinear is case K1: the bytes allocated by a paste and by reading it
// back are a small multiple of its length.
func TestPasteIsLinear(t *testing.T) {
	t.Run("K1", func(t *testing.T) {
		for _, mb := range []int{1, 10} {
			body := strings.Repeat("some text with an end\r\n", mb<<20/23)
			e := New()
			var out string
			spent := allocated(func() {
				e.Paste(body)
				e.View(80, 8)
				out = e.Value()
			})
			if out != strings.ReplaceAll(body, "\r\n", "\n") {
				t.Fatalf("%d MB: %d bytes came out", mb, len(out))
			}
			if spent > uint64(5*len(body)) {
				t.Errorf("%d MB: %d bytes allocated", mb, spent)
			}
		}
	})
}

// typing is what 50 keys and their frames allocate at the caret of e.
func typing(e *Editor, width, height int) uint64 {
	press := func() {
		e.Insert("x")
		e.View(width, height)
		e.Insert("你")
		e.View(width, height)
		e.Backspace()
		e.View(width, height)
		e.Left()
		e.View(width, height)
		e.Right()
		e.View(width, height)
	}
	press() // divides the lines in sight, makes room around the caret
	return allocated(func() {
		for range 10 {
			press()
		}
	})
}

// TestKeyCostIsConstant: a key in a document of 1 MB costs what it costs in one
// of a few screens, wherever the caret stands and however the text is shaped.
func TestKeyCostIsConstant(t *testing.T) {
	for name, shape := range map[string]string{
		"lines": "some words on a line\n", "one line": "some words ", "ideographs": "你好",
	} {
		for at, place := range map[string]func(*Editor){
			"start":  (*Editor).DocStart,
			"end":    (*Editor).DocEnd,
			"middle": func(e *Editor) { e.DocEnd(); e.move(pos{e.caret.row / 2, e.caret.col / 2}) },
		} {
			t.Run(name+" "+at, func(t *testing.T) {
				small, big := New(), New()
				small.Reset(strings.Repeat(shape, 4000/len(shape)))
				big.Reset(strings.Repeat(shape, 1<<20/len(shape)))
				place(&small)
				place(&big)
				few, many := typing(&small, 80, 8), typing(&big, 80, 8)
				if many > 2*few {
					t.Errorf("keys allocate %d bytes in 1 MB against %d in 4 KB", many, few)
				}
			})
		}
	}
}

// TestKeyBesideAChip: after a paste of 10 MB the next key costs what it costs in
// an empty composer.
func TestKeyBesideAChip(t *testing.T) {
	t.Run("K1", func(t *testing.T) {
		empty, full := New(), New()
		full.Paste(strings.Repeat("text\n", 2<<20))
		few, many := typing(&empty, 80, 8), typing(&full, 80, 8)
		if many > 2*few {
			t.Errorf("keys allocate %d bytes beside the chip against %d", many, few)
		}
	})
}

func BenchmarkKey(b *testing.B) {
	for name, size := range map[string]int{"empty": 0, "1MB": 1 << 20} {
		b.Run(name, func(b *testing.B) {
			e := New()
			e.Reset(strings.Repeat("some words on a line\n", size/21))
			e.DocStart()
			b.ReportAllocs()
			for b.Loop() {
				e.Insert("x")
				e.View(80, 8)
				e.Backspace()
				e.View(80, 8)
			}
		})
	}
}
