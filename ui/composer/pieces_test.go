package composer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func textOf(ps []Piece) string {
	var b strings.Builder
	for _, p := range ps {
		b.WriteString(p.Text)
	}
	return b.String()
}

// A text in pieces comes back as it was, chips as chips; nothing of it can be undone.
func TestPieces(t *testing.T) {
	big := strings.Repeat("line\n", PasteLines+2)
	e := New()
	e.Insert("before\n你 ")
	e.Paste(big)
	e.Insert(" between ")
	e.Paste(big + "x")
	e.Newline()
	e.Insert("e\u0301nd")
	e.Up()
	ps := e.Save().Pieces()
	if len(ps) != 5 || textOf(ps) != e.Value() || !ps[1].Pasted || ps[2].Pasted || !ps[3].Pasted {
		t.Fatalf("%d pieces: %v", len(ps), ps)
	}
	f := New()
	f.Insert("something else")
	f.Fill(ps)
	if f.Value() != e.Value() || f.Undo() {
		t.Errorf("%q, or it can be undone", f.Value())
	}
	if again := f.Save().Pieces(); !slices.Equal(again, ps) {
		t.Errorf("filled in, the pieces are %v", again)
	}
	if lines, _, y := f.View(80, 8); !strings.Contains(lines[1], "[pasted 12 lines #1] between [pasted 13 lines #2]") || y != 2 {
		t.Errorf("%q, caret in line %d", lines, y)
	}
	if f.Fill(nil); !f.Empty() || f.Save().Pieces() != nil {
		t.Error("no pieces are no text")
	}
}

// The version changes with the text and with nothing else.
func TestVersion(t *testing.T) {
	e := New()
	for name, c := range map[string]struct {
		do      func()
		changes bool
	}{
		"insert": {func() { e.Insert("x") }, true}, "backspace": {e.Backspace, true}, "paste": {func() { e.Paste("y") }, true},
		"undo": {func() { e.Insert("z"); e.Undo() }, true}, "open": {func() { e.Fill([]Piece{{"a", true}}); e.OpenChip() }, true},
		"clear": {func() { e.Insert("q"); e.Clear() }, true}, "take": {func() { e.Insert("q"); e.TakeValue() }, true},
		"left": {e.Left, false}, "up": {func() { e.Up() }, false}, "view": {func() { e.View(10, 3) }, false}, "save": {func() { e.Save() }, false},
	} {
		e.Reset("ab")
		e.Paste(strings.Repeat("x", PasteBytes+1))
		before := e.Version()
		c.do()
		if (e.Version() != before) != c.changes {
			t.Errorf("%s: from version %d to %d", name, before, e.Version())
		}
	}
}

// Older prompts go before those that are there, and a walk goes on where it is.
func TestPrecede(t *testing.T) {
	h := NewHistory([]string{"b", "new"})
	e := New()
	e.Insert("mine")
	h.Prev(&e)
	h.Precede([]string{"a", "b", " ", "c", "a"})
	if got := fmt.Sprint(h.Entries()); got != "[c a b new]" {
		t.Fatal(got)
	}
	for _, want := range []string{"b", "a", "c"} {
		if h.Prev(&e); e.Value() != want {
			t.Errorf("%q, want %q", e.Value(), want)
		}
	}
	for range 4 {
		h.Next(&e)
	}
	if e.Value() != "mine" {
		t.Errorf("the walk ends at %q", e.Value())
	}
	var many []string
	for i := range HistoryEntries + 7 {
		many = append(many, fmt.Sprint(i))
	}
	h.Precede(many)
	if got := h.Entries(); len(got) != HistoryEntries || got[len(got)-1] != "new" || got[0] != "11" {
		t.Errorf("%d entries from %q to %q", len(got), got[0], got[len(got)-1])
	}
}

// A prompt that is entered again moves to the end.
func TestHistoryMovesUp(t *testing.T) {
	h := NewHistory([]string{"a", "b", "c", "a"})
	if got := fmt.Sprint(h.Entries()); got != "[b c a]" {
		t.Error(got)
	}
}

// An opened chip folds again with undo.
func TestOpenedChipFoldsAgain(t *testing.T) {
	e := New()
	e.Paste(strings.Repeat("x\n", PasteLines+1))
	e.OpenChip()
	e.Undo()
	if ps := e.Save().Pieces(); len(ps) != 1 || !ps[0].Pasted {
		t.Errorf("%v", ps)
	}
}
