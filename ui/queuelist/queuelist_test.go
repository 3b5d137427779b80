package queuelist

import (
	"fmt"
	"strings"
	"testing"

	"baton/ui/frametest"
	"baton/ui/sanitize"
	"baton/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

func list(t *testing.T, rows []Row, h Header) *Model {
	t.Helper()
	th, err := theme.Named(theme.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	m := New(th)
	h.Count, h.Cap = len(rows), 16
	m.SetHeader(h)
	m.SetRows(rows)
	return &m
}

func rows(n int, word string) []Row {
	list := make([]Row, n)
	for i := range list {
		list[i] = Row{ID: fmt.Sprint("r", i+1), Text: fmt.Sprintf("prompt number %d", i+1), Word: word}
	}
	return list
}

var held = Header{Hold: "held: last turn failed", Hints: []string{"enter plays", "tab to edit"}}

func mixed() []Row {
	return []Row{
		{ID: "a", Text: "Continue the current turn", Word: "held: last turn failed", Generated: true},
		{ID: "b", Text: "and then add tests\nfor the parser\n\nand the printer", Word: "held: last turn failed", Attachments: []string{"notes.png"}},
		{ID: "c", Text: "look at \x1b]0;evil\a this \u202e file", Word: "held: missing \x1bnotes.png", Attachments: []string{"a.txt", "b.txt"}},
		{ID: "d", Text: "把测试写完 👨‍👩‍👧 " + strings.Repeat("很长的一行", 30), Word: "preparing", Locked: true},
		{ID: "e", Text: " \n", Word: "waiting", Attachments: []string{"/home/me/a picture.png"}},
	}
}

func plain(f Frame) []string {
	lines := make([]string, len(f.Lines))
	for i, l := range f.Lines {
		lines[i] = ansi.Strip(l)
	}
	return lines
}

func TestFrames(t *testing.T) {
	for _, w := range []int{20, 40, 80} {
		m := list(t, mixed(), held)
		m.MoveSelection(1)
		frametest.Golden(t, fmt.Sprintf("queuelist/mixed-%d", w), m.View(w, 10, 0, true, nil).Lines)
		m.rows[1].Word = "editing"
		ed := &EditorView{ID: "b", Lines: []string{"and then add tests", "for the parser", "", "and the printer"}, X: 3, Y: 1}
		f := m.View(w, 8, 0, true, ed)
		frametest.Golden(t, fmt.Sprintf("queuelist/editor-%d", w), append(f.Lines, fmt.Sprintf("caret %d,%d", f.X, f.Y)))
		full := list(t, rows(16, "waiting"), Header{Full: true, Hints: held.Hints})
		full.MoveSelection(9)
		frametest.Golden(t, fmt.Sprintf("queuelist/full-%d", w), full.View(w, 7, 0, false, nil).Lines)
	}
}

func TestGeometry(t *testing.T) {
	long := &EditorView{ID: "c", Lines: strings.Split(strings.Repeat(strings.Repeat("词", 60)+"\n", 12), "\n"), X: 119, Y: 9}
	short := &EditorView{ID: "e", Lines: []string{"x"}, X: 1}
	few, many := list(t, mixed(), held), list(t, rows(16, "held: last turn failed"), held)
	many.MoveSelection(7)
	frametest.Sizes(func(w, h int) {
		for _, c := range []struct {
			m    *Model
			ed   *EditorView
			open bool
		}{{list(t, nil, held), short, false}, {few, nil, false}, {few, long, true}, {few, short, true}, {many, short, false}} {
			f := c.m.View(w, h, w%4, h%2 == 0, c.ed)
			frametest.Fits(t, f.Lines, max(w, 0), max(h, 0))
			if f.Caret != (c.open && w > 0 && h > 0) {
				t.Fatalf("%dx%d: caret %v with an open editor %v", w, h, f.Caret, c.open)
			}
			if f.Caret && (f.X < 0 || f.X >= w || f.Y < 0 || f.Y >= len(f.Lines)) {
				t.Fatalf("%dx%d: caret at %d,%d of %d lines", w, h, f.X, f.Y, len(f.Lines))
			}
		}
	})
}

// TestSelectionIsVisible is case 26: with 16 rows the selected one is on the
// screen at every size that has a line for it.
func TestSelectionIsVisible(t *testing.T) {
	t.Run("case_26", func(t *testing.T) {
		m := list(t, rows(16, "next"), held)
		for sel := range 16 {
			m.Select(fmt.Sprint("r", sel+1))
			for h := 2; h <= 20; h++ {
				marked := 0
				for _, l := range plain(m.View(40, h, 0, true, nil)) {
					if strings.HasPrefix(l, "› ") && strings.Contains(l, fmt.Sprintf("%2d next", sel+1)) {
						marked++
					}
				}
				if marked != 1 {
					t.Fatalf("row %d is marked %d times in %d lines", sel+1, marked, h)
				}
			}
		}
	})
}

// TestCaretLineIsVisible: the line the caret is on is the one it is drawn on.
func TestCaretLineIsVisible(t *testing.T) {
	m := list(t, rows(16, "next"), held)
	for y := range 30 {
		ed := &EditorView{ID: "r9", Y: y, X: 2}
		for i := range 30 {
			ed.Lines = append(ed.Lines, fmt.Sprintf("line %d.", i))
		}
		for h := 1; h <= 40; h++ {
			f := m.View(40, h, 0, true, ed)
			if got := plain(f)[f.Y]; got != bar+fmt.Sprintf("line %d.", y) || f.X != 4 {
				t.Fatalf("height %d: the caret of line %d stands at %d on %q", h, y, f.X, got)
			}
		}
	}
}

func TestRooms(t *testing.T) {
	m := list(t, rows(16, "waiting"), held)
	lines := plain(m.View(80, m.Height(24, nil), 0, false, nil))
	if len(lines) != 7 || !strings.Contains(lines[6], "+11 more") {
		t.Errorf("80x24 shows %q", lines)
	}
	if lines := plain(m.View(40, m.Height(10, nil), 0, false, nil)); len(lines) != 3 || !strings.Contains(lines[2], "prompt number 2") {
		t.Errorf("40x10 shows %q", lines)
	}
	for h := range 100 {
		if got := m.Height(h, nil); got > h || h >= 3 && got < 3 || got > 17 {
			t.Errorf("on %d lines it wants %d", h, got)
		}
	}
	if got := list(t, nil, Header{}).Height(24, nil); got != 0 {
		t.Errorf("an empty queue wants %d lines", got)
	}
}

// A reason that its line would cut stands whole on lines of its own as soon as there are
// any, and takes no line of the two rows that every size shows.
func TestReasonsAreWhole(t *testing.T) {
	const why = "missing the minutes of the meeting.txt"
	for _, c := range []struct {
		name string
		hold string
		rows []Row
	}{
		{"what holds the queue", "held: " + why, rows(4, "held: "+why)},
		{"of one row", "held: paused", []Row{{ID: "a", Text: "prompt number 1", Word: "held: " + why}, {ID: "b", Text: "prompt number 2", Word: "held: paused"}}},
		{"without a first word", why, rows(4, why)},
	} {
		m := list(t, c.rows, Header{Hold: c.hold})
		for w := 20; w <= 100; w++ {
			for h := 3; h < 12; h++ {
				need := m.Aside(w, true, nil)
				for aside := range need + 3 {
					lines := plain(m.View(w, h, aside, true, nil))
					text := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
					if whole := strings.Contains(text, why); whole != (aside >= need && h >= need+3) {
						t.Fatalf("%s: %dx%d, %d of %d lines beside: whole %t\n%s", c.name, w, h, aside, need, whole, strings.Join(lines, "\n"))
					}
					if !strings.Contains(text, "1 ") || !strings.Contains(text, "2 ") {
						t.Fatalf("%s: %dx%d: a row has gone\n%s", c.name, w, h, strings.Join(lines, "\n"))
					}
				}
			}
		}
		if m.Aside(100, true, nil) != 0 {
			t.Errorf("%s: a line that has room for all of it gets another", c.name)
		}
	}
	m := list(t, rows(2, "held: "+why), Header{Hold: "held: " + why, Hints: []string{"tab to edit"}})
	for i, want := range []string{"queue 2/16 · held · tab to edit", "  missing the minutes of the", "  meeting.txt", "› 1 held prompt number 1"} {
		if got := plain(m.View(34, 5, 2, false, nil))[i]; got != want {
			t.Errorf("line %d is %q", i, got)
		}
	}
}

func TestNarrowIsUsable(t *testing.T) {
	m := list(t, rows(3, "held: you stopped"), Header{Hold: "held: you stopped"})
	lines := plain(m.View(20, 4, 0, true, nil))
	for i, want := range []string{"3/16 · held: you st…", "› 1 held prompt num…", "  2 held prompt num…"} {
		if lines[i] != want {
			t.Errorf("line %d is %q", i, lines[i])
		}
	}
}

func TestSelectionFollowsItsRow(t *testing.T) {
	named := func(ids string) []Row {
		var list []Row
		for _, id := range ids {
			list = append(list, Row{ID: string(id)})
		}
		return list
	}
	for _, c := range []struct{ before, selected, after, want string }{
		{"abcd", "b", "bacd", "b"}, // moved
		{"abcd", "b", "xabcd", "b"},
		{"abcd", "b", "acd", "c"}, // removed: the one below
		{"abcd", "d", "abc", "c"}, // the last one: the one above
		{"abcd", "b", "ad", "a"},  // both neighbours of the nearest distance but one
		{"abcd", "a", "d", "d"},
		{"abcd", "c", "xy", "x"}, // all new
		{"abcd", "c", "", ""},
		{"", "", "ab", "a"},
	} {
		m := list(t, named(c.before), Header{})
		m.Select(c.selected)
		m.SetRows(named(c.after))
		if id, i := m.Selected(); id != c.want || c.want != "" && c.after[i:i+1] != id || c.want == "" && i != -1 {
			t.Errorf("%s with %s selected → %s: %q at %d is selected, want %q", c.before, c.selected, c.after, id, i, c.want)
		}
	}
}

func TestMoveSelectionStopsAtTheEnds(t *testing.T) {
	m := list(t, rows(3, ""), Header{})
	for _, c := range []struct{ by, want int }{{-1, 0}, {1, 1}, {5, 2}, {1, 2}, {-9, 0}} {
		m.MoveSelection(c.by)
		if _, i := m.Selected(); i != c.want {
			t.Fatalf("moved by %d: row %d is selected, want %d", c.by, i, c.want)
		}
	}
	if m.Select("nobody") {
		t.Error("selected a row that does not exist")
	}
}

func TestLabelsFollowTheText(t *testing.T) {
	m := list(t, []Row{{ID: "a", Text: "old"}}, Header{})
	m.SetRows([]Row{{ID: "a", Text: "new\nmore"}})
	if l := plain(m.View(40, 2, 0, false, nil))[1]; !strings.Contains(l, "new ⏎ +1 line") {
		t.Errorf("after an edit the row is %q", l)
	}
	huge := strings.Repeat("é", 1<<17)
	m.SetRows([]Row{{ID: "b", Text: huge}})
	if l := plain(m.View(40, 2, 0, false, nil))[1]; sanitize.Width(l) != 40 || strings.ContainsRune(l, '\ufffd') {
		t.Errorf("a long text becomes %q", l)
	}
}
