package composer

import (
	"fmt"
	"strings"
	"testing"
)

// with returns an editor that holds s, the caret where s has a '|'.
func with(s string) *Editor {
	before, after, _ := strings.Cut(s, "|")
	e := New()
	e.Reset(before + after)
	e.DocStart()
	for offset(&e) < len(before) {
		e.Right()
	}
	return &e
}

// mark returns the text with a '|' where the caret is.
func mark(e *Editor) string {
	text, at := e.Value(), offset(e)
	return text[:at] + "|" + text[at:]
}

const family = "👩\u200d👩\u200d👧\u200d👦"

func TestKeys(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		do       func(*Editor)
		want     string
	}{
		{"left over a family", "a" + family + "|b", (*Editor).Left, "a|" + family + "b"},
		{"right over a flag", "|🇩🇪🇫🇷", (*Editor).Right, "🇩🇪|🇫🇷"},
		{"left over marks", "xe\u0301|", (*Editor).Left, "x|e\u0301"},
		{"left to the line above", "你\n|好", (*Editor).Left, "你|\n好"},
		{"left at the start", "|a", (*Editor).Left, "|a"},
		{"right at the end", "a|", (*Editor).Right, "a|"},
		{"backspace a family", "a" + family + "|b", (*Editor).Backspace, "a|b"},
		{"backspace a line end", "a\n|b", (*Editor).Backspace, "a|b"},
		{"delete a line end", "a|\nb", (*Editor).Delete, "a|b"},
		{"backspace joins", "e\x00|\u0301", (*Editor).Backspace, "e\u0301|"},
		{"word left", "one two, |three", (*Editor).WordLeft, "one |two, three"},
		{"word left across lines", "one\n  |two", (*Editor).WordLeft, "|one\n  two"},
		{"word left inside a word", "on_e1t|wo", (*Editor).WordLeft, "|on_e1two"},
		{"word right", "one|, two three", (*Editor).WordRight, "one, two| three"},
		{"word right across lines", "one |\n\ntwo", (*Editor).WordRight, "one \n\ntwo|"},
		{"line start", "a\nb c|d\ne", (*Editor).LineStart, "a\n|b cd\ne"},
		{"line end", "a\nb |cd\ne", (*Editor).LineEnd, "a\nb cd|\ne"},
		{"doc start", "a\nb|", (*Editor).DocStart, "|a\nb"},
		{"doc end", "|a\nb", (*Editor).DocEnd, "a\nb|"},
		{"kill to the end", "a\nb| c\nd", (*Editor).KillLineEnd, "a\nb|\nd"},
		{"kill the line end", "a\nb|\nd", (*Editor).KillLineEnd, "a\nb|d"},
		{"kill to the start", "a\nb c|d", (*Editor).KillLineStart, "a\n|d"},
		{"kill a word", "one two  |x", (*Editor).KillWord, "one |x"},
		{"kill nothing", "a|", (*Editor).KillLineEnd, "a|"},
		{"newline", "a|b", (*Editor).Newline, "a\n|b"},
		{"continue", `a\|`, func(e *Editor) { e.ContinueLine() }, "a\n|"},
		{"no continue inside", `a\|b`, func(e *Editor) { e.ContinueLine() }, `a\|b`},
		{"kill and yank", "one two|", func(e *Editor) { e.KillWord(); e.Yank(); e.Yank() }, "one twotwo|"},
		{"yank lines", "|a\n", func(e *Editor) { e.KillLineEnd(); e.KillLineEnd(); e.Insert("x"); e.Yank() }, "x\n|"},
		{"complete", "/he|", func(e *Editor) { e.ReplaceBefore(3, "/help ") }, "/help |"},
		{"complete too much", "a\n/h|", func(e *Editor) { e.ReplaceBefore(99, "x") }, "a\nx|"},
		{"CR LF", "|", func(e *Editor) { e.Insert("a\r\nb\rc") }, "a\nb\nc|"},
		{"set", "a|b", func(e *Editor) { e.SetValue("x\r\ny") }, "x\ny|"},
		{"NUL is kept", "|", func(e *Editor) { e.Insert("\x00\x1b") }, "\x00\x1b|"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := with(tc.in)
			if got := mark(e); got != tc.in {
				t.Fatalf("began with %q", got)
			}
			tc.do(e)
			if got := mark(e); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestZeroEditor(t *testing.T) {
	for name, k := range keys {
		var e Editor
		k.real(&e)
		if v := e.Value(); name != "newline" && v != "" {
			t.Errorf("%s on the zero Editor: %q", name, v)
		}
	}
	var e Editor
	if e.Up() || e.Down() || e.Undo() || e.Redo() || e.Yank() || e.OpenChip() || e.EndsWithBackslash() {
		t.Error("the zero Editor did something")
	}
	if lines, x, y := e.View(10, 3); len(lines) != 1 || lines[0] != "" || x != 0 || y != 0 {
		t.Errorf("view of nothing: %q %d,%d", lines, x, y)
	}
}

func TestBefore(t *testing.T) {
	e := with("x\n/re" + family + "|s")
	if got := e.Before(100); got != "/re"+family {
		t.Errorf("Before = %q", got)
	}
	if got := e.Before(2); got != "e"+family {
		t.Errorf("Before(2) = %q", got)
	}
	if row, col := e.Caret(); row != 1 || col != 4 {
		t.Errorf("caret %d,%d", row, col)
	}
	e.Paste(strings.Repeat("z", PasteBytes+1))
	e.Insert("@f")
	if got := e.Before(100); got != "@f" {
		t.Errorf("behind a chip: %q", got)
	}
}

func TestUpDown(t *testing.T) {
	e := with("0123456\nab\n\n89你好xyz|")
	e.View(40, 10)
	for _, step := range []struct {
		do   func(*Editor) bool
		ok   bool
		want string
	}{
		{(*Editor).Down, false, "0123456\nab\n\n89你好xyz|"},
		{(*Editor).Up, true, "0123456\nab\n|\n89你好xyz"},
		{(*Editor).Up, true, "0123456\nab|\n\n89你好xyz"},
		{(*Editor).Up, true, "0123456|\nab\n\n89你好xyz"},
		{(*Editor).Up, false, "0123456|\nab\n\n89你好xyz"},
		{func(e *Editor) bool { e.Left(); e.Left(); e.Left(); return e.Down() && e.Down() && e.Down() }, true, "0123456\nab\n\n89你|好xyz"},
		{(*Editor).Up, true, "0123456\nab\n|\n89你好xyz"},
	} {
		if ok := step.do(e); ok != step.ok || mark(e) != step.want {
			t.Fatalf("%v %q, want %v %q", ok, mark(e), step.ok, step.want)
		}
	}
	wrapped := with("aaaa bbbb cccc|")
	wrapped.View(6, 10)
	if !wrapped.Up() || mark(wrapped) != "aaaa bbbb| cccc" {
		t.Errorf("a screen row up: %q", mark(wrapped))
	}
}

func TestRunsAreUndoneTogether(t *testing.T) {
	e := New()
	for _, r := range "hello big world" {
		e.Insert(string(r))
	}
	e.Left()
	e.Insert("X")
	for range 3 {
		e.Backspace()
	}
	e.Delete()
	steps := []string{"", "hello ", "hello big ", "hello big world", "hello big worlXd", "hello big wod"}
	if got := e.Value(); got != "hello big wo" {
		t.Fatalf("typed %q", got)
	}
	for i := len(steps) - 1; i >= 0; i-- {
		if !e.Undo() || e.Value() != steps[i] {
			t.Fatalf("back to %q, want %q", e.Value(), steps[i])
		}
	}
	if e.Undo() {
		t.Error("one step too many")
	}
	n := 0
	for e.Redo() {
		n++
	}
	if e.Value() != "hello big wo" || n != len(steps) {
		t.Errorf("redo of %d: %q", n, e.Value())
	}
	e.Undo()
	e.Insert("!")
	if e.Redo() {
		t.Error("redo after an edit")
	}
}

func TestDeletesAreUndoneTogether(t *testing.T) {
	e := with("ab|cdefg")
	for range 3 {
		e.Delete()
	}
	e.Backspace()
	e.Backspace()
	for _, want := range []string{"|fg", "ab|fg", "ab|cdefg"} {
		if got := mark(e); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		e.Undo()
	}
	long := with("|" + strings.Repeat("x", 3*stepUnits))
	for range 3 * stepUnits {
		long.Delete()
	}
	if n := len(long.log.undo); n != 3 {
		t.Errorf("%d steps", n)
	}
}

// TestNewestStepStays: making room never drops the step just made.
func TestNewestStepStays(t *testing.T) {
	big := func() step { return step{old: []*line{newLine(strings.Repeat("x", UndoBytes*2/3))}} }
	var l log
	l.push(&l.redo, big())
	l.push(&l.undo, big())
	if len(l.undo) != 1 || len(l.redo) != 0 {
		t.Errorf("%d undo, %d redo", len(l.undo), len(l.redo))
	}
	l.push(&l.redo, big())
	if len(l.undo) != 0 || len(l.redo) != 1 {
		t.Errorf("%d undo, %d redo", len(l.undo), len(l.redo))
	}
}

func TestUndoIsBounded(t *testing.T) {
	e := New()
	for range UndoSteps + 50 {
		e.Insert("a\n")
	}
	if n := len(e.log.undo); n != UndoSteps {
		t.Errorf("%d steps, want %d", n, UndoSteps)
	}
	big := strings.Repeat("x", UndoBytes/4)
	for range 10 {
		e.Paste(big)
		e.Clear()
	}
	if e.log.cost > UndoBytes {
		t.Errorf("undo keeps %d bytes", e.log.cost)
	}
	for e.Undo() {
	}
	for e.Redo() {
	}
	if e.log.cost > UndoBytes {
		t.Errorf("undo and redo keep %d bytes", e.log.cost)
	}
	sum := 0
	for _, s := range append(e.log.undo, e.log.redo...) {
		sum += s.cost
	}
	if sum != e.log.cost {
		t.Errorf("the books say %d, the steps %d", e.log.cost, sum)
	}
}

// TestClearedDraftComesBack: the newest step stays whatever its size.
func TestClearedDraftComesBack(t *testing.T) {
	e := New()
	e.Insert("see ")
	e.Paste(strings.Repeat("x", UndoBytes+1))
	want := e.Value()
	e.Clear()
	if !e.Empty() || !e.Undo() || e.Value() != want {
		t.Fatal("the cleared draft is gone")
	}
	if !e.Redo() || !e.Empty() {
		t.Fatal("redo of the clear")
	}
}

func TestTakenTextIsNotKept(t *testing.T) {
	e := with("a|b")
	e.Insert("x")
	if got := e.TakeValue(); got != "axb" || !e.Empty() || e.Bytes() != 0 {
		t.Fatalf("took %q", got)
	}
	if e.Undo() || e.Redo() || e.Value() != "" {
		t.Error("sent text came back")
	}
}

func TestHistory(t *testing.T) {
	h := NewHistory([]string{"one", "two", " ", "two", "three"})
	e := New()
	e.Insert("dra")
	e.Paste(strings.Repeat("p", PasteBytes+1))
	draft := e.Value()
	see := func(want string) {
		t.Helper()
		if e.Value() != want {
			t.Fatalf("in the editor: %.40q, want %.40q", e.Value(), want)
		}
	}
	h.Prev(&e)
	see("three")
	h.Prev(&e)
	see("two")
	e.Insert("!")
	h.Prev(&e)
	see("one")
	if h.Prev(&e) {
		t.Error("before the oldest")
	}
	h.Next(&e)
	see("two!") // a change to a recalled prompt is kept
	h.Next(&e)
	h.Next(&e)
	see(draft)
	if lines, _, _ := e.View(80, 1); !strings.Contains(lines[0], "[pasted 1 line #1]") {
		t.Errorf("the draft lost its chip: %q", lines)
	}
	if h.Next(&e) {
		t.Error("behind the draft")
	}
	h.Prev(&e)
	h.Add("four")
	h.Prev(&e)
	see("four")
	if got := fmt.Sprint(h.Entries()); got != "[one two three four]" {
		t.Errorf("entries %s", got)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	h := &History{}
	for i := range HistoryEntries + 5 {
		h.Add(fmt.Sprint(i))
	}
	if got := h.Entries(); len(got) != HistoryEntries || got[0] != "5" {
		t.Errorf("%d entries from %q", len(got), got[0])
	}
	h.Add(strings.Repeat("x", HistoryBytes))
	if got := h.Entries(); len(got) != 1 {
		t.Errorf("%d entries beside one that fills it", len(got))
	}
	h.Add("y")
	if got := h.Entries(); len(got) != 1 || got[0] != "y" {
		t.Errorf("%d entries", len(got))
	}
}

// TestGapForgets: what was removed or moved is not kept alive in the hole.
func TestGapForgets(t *testing.T) {
	e := with("|" + strings.Repeat("abc ", 30))
	for i := range 40 {
		if e.Right(); i%3 == 0 {
			e.Insert("xy")
		}
		if i%5 == 0 {
			e.LineStart()
			e.Delete()
		}
	}
	g := &e.line().units
	for i, u := range g.buf[g.lo:g.hi] {
		if u != (unit{}) {
			t.Fatalf("slot %d of the hole holds %q", i, u.text)
		}
	}
}

// TestFoldedTextDividesAlike: undo may join what it keeps, yet brings the same
// units back.
func TestFoldedTextDividesAlike(t *testing.T) {
	e := New()
	e.Reset(strings.Repeat(family+"🇩🇪🇫e\u0301 \x1b"+strings.Repeat("\u0301", 200), 40))
	ln := e.line()
	before := ln.open().slice(0, ln.len())
	e.move(pos{0, 7})
	e.KillLineEnd()
	if last := e.log.undo[len(e.log.undo)-1].old[0]; last.split {
		t.Fatal("a long line was kept divided")
	}
	e.Undo()
	after := e.line().open().slice(0, e.line().len())
	if fmt.Sprint(after) != fmt.Sprint(before) {
		t.Error("the units differ")
	}
}

// TestWhatGoesWithAText: what was taken away beside a text comes back with it, once, and goes again with a redo.
func TestWhatGoesWithAText(t *testing.T) {
	e := New()
	e.Insert("see ")
	e.Paste(strings.Repeat("line\n", 20))
	want := e.Value()
	e.ClearWith("files")
	e.Insert("more")
	if b, ok := e.UndoWith(); !ok || b != nil {
		t.Fatalf("undo of the typing: %v %v", b, ok)
	}
	if b, ok := e.UndoWith(); !ok || b != "files" || e.Value() != want || e.Before(99) != "" {
		t.Fatalf("undo of the clear: %v %v %q", b, ok, e.Value())
	}
	if b, ok := e.RedoWith(); !ok || b != "files" || !e.Empty() {
		t.Fatalf("redo of the clear: %v %v", b, ok)
	}
	e.UndoWith()
	e.Beside("one of them")
	if b, ok := e.UndoWith(); !ok || b != "one of them" || e.Value() != want {
		t.Fatalf("undo of what changed no text: %v %v", b, ok)
	}
	f := New()
	f.ClearWith("alone")
	if b, ok := f.UndoWith(); !ok || b != "alone" || f.Undo() {
		t.Fatalf("without a text: %v %v", b, ok)
	}
}
