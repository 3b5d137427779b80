package chat

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// found is what a search says and where the view is: "2/3" and the lines.
func found(m *Model) string {
	_, total, at := m.Searched()
	return fmt.Sprintf("%d/%d", at, total)
}

func TestSearch(t *testing.T) {
	m := newModel(t)
	m.Reset(numbered(30))
	m.View(20, 5)
	m.Search("ROW 2")
	if got := found(m); got != "11/11" { // row 2 and row 20 to 29; the last is nearest to the end
		t.Error(got)
	}
	expect(t, m, "┃ row 27", "", "┃ row 28", "", "┃ row 29")
	m.NextMatch(1)
	if got := found(m); got != "1/11" || !strings.Contains(shown(m), "┃ row 2\n") {
		t.Errorf("%s\n%s", got, shown(m))
	}
	m.NextMatch(-1)
	m.NextMatch(-1)
	if got := found(m); got != "10/11" || !strings.Contains(shown(m), "row 28") {
		t.Errorf("%s\n%s", got, shown(m))
	}
	m.Append(Block{ID: "x", Kind: Agent, Text: "and row 2 again"})
	m.NextMatch(1)
	m.NextMatch(1)
	if got := found(m); got != "12/12" || !strings.Contains(shown(m), "and row 2") {
		t.Errorf("%s\n%s", got, shown(m))
	}
	m.Search("nowhere")
	if got := found(m); got != "0/0" {
		t.Error(got)
	}
	m.NextMatch(1)
	m.Search("")
	if text, _, _ := m.Searched(); text != "" {
		t.Error(text)
	}
}

// From where one reads, a search goes to the place above the end of the view.
func TestSearchFromHere(t *testing.T) {
	m := newModel(t)
	m.Reset(numbered(30))
	m.View(20, 5)
	m.Home()
	m.View(20, 5)
	m.Search("row 1")
	if got := found(m); got != "1/11" {
		t.Error(got)
	}
	expect(t, m, "┃ row 0", "", "┃ row 1", "", "┃ row 2")
}

// Going to a place in a long text shows the line that has it, and marks it.
func TestSearchInALongText(t *testing.T) {
	m := newModel(t)
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "word%d **bold%d** and more.\n\n", i, i)
	}
	m.Append(Block{ID: "a", Kind: Agent, Text: text.String()})
	m.View(40, 8)
	m.Search("Bold17")
	if got := found(m); got != "11/11" { // 17 and 170 to 179
		t.Error(got)
	}
	m.NextMatch(1)
	frame := m.View(40, 8)
	checkFrame(t, frame, 40, 8)
	line := ""
	for _, l := range frame {
		if strings.Contains(bare(l), "word17 ") {
			line = l
		}
	}
	if bare(line) != "word17 bold17 and more." || !strings.Contains(line, m.theme.Match.Render("bold17")) {
		t.Errorf("%q", line)
	}
}

// A marked line reads as before, whatever its styles and its text.
func TestHighlight(t *testing.T) {
	m := newModel(t)
	rapid.Check(t, func(t *rapid.T) {
		var line string
		for range rapid.IntRange(1, 6).Draw(t, "parts") {
			part := rapid.StringMatching(`[abAB世é👩‍👩‍👧 ]{0,6}`).Draw(t, "text")
			if rapid.Bool().Draw(t, "styled") {
				part = m.theme.Bold.Render(part)
			}
			line += part
		}
		what := rapid.StringMatching(`[ab世é]{1,3}`).Draw(t, "what")
		got := highlight(line, what, m.theme.Match)
		if ansi.Strip(got) != ansi.Strip(line) {
			t.Fatalf("%q became %q", ansi.Strip(line), ansi.Strip(got))
		}
	})
}

func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		text, what string
		want       int
	}{{"aaaa", "aa", 2}, {"ÄÖ äö", "äö", 2}, {"", "a", 0}, {"a", "", 0}, {"İi", "i", 2}, {"\xff\xfea", "a", 1}, {"ab", "abc", 0}} {
		if got := len(places(c.text, c.what)); got != c.want {
			t.Errorf("%q in %q: %d, want %d", c.what, c.text, got, c.want)
		}
	}
}

func TestSelection(t *testing.T) {
	m := newModel(t)
	m.SetSelectedHint("y copies")
	if m.MoveSelection(-1) {
		t.Error("something is chosen where nothing is")
	}
	m.Reset(session)
	m.View(60, 12)
	var ids []string
	for range 20 {
		if !m.MoveSelection(-1) {
			t.Fatal("nothing chosen")
		}
		b, ok := m.Selected()
		if !ok {
			t.Fatal("no block")
		}
		frame := m.View(60, 12)
		checkFrame(t, frame, 60, 12)
		if !strings.Contains(unstyled(frame), "› y copies") {
			t.Fatalf("%s is chosen and not marked:\n%s", b.ID, unstyled(frame))
		}
		ids = append(ids, b.ID)
	}
	if got := strings.Join(ids[:9], " "); got != "a3 u3 e2 a2 u2 a1 u1 u1 u1" {
		t.Error(got)
	}
	m.MoveSelection(1)
	if b, _ := m.Selected(); b.ID != "a1" {
		t.Error(b.ID)
	}
	m.Remove("a1")
	if _, ok := m.Selected(); ok {
		t.Error("what is gone is chosen")
	}
	m.MoveSelection(-1)
	m.Unselect()
	if strings.Contains(unstyled(m.View(60, 12)), "y copies") {
		t.Error("still marked")
	}
}

// What is scrolled out of view is no longer chosen; what is in view stays so.
func TestScrolledAwayIsNotChosen(t *testing.T) {
	m := newModel(t)
	m.Reset(session)
	m.View(60, 12)
	for _, away := range []func(){m.End, func() { m.ScrollDown(1000) }, func() {
		for !m.AtEnd() {
			m.PageDown()
		}
	}} {
		for range 6 {
			m.MoveSelection(-1)
		}
		m.UnselectHidden()
		if b, ok := m.Selected(); !ok || b.ID != "a1" {
			t.Fatalf("in view: %q chosen", b.ID)
		}
		m.ScrollDown(1)
		m.UnselectHidden()
		if _, ok := m.Selected(); !ok {
			t.Fatal("a line further down: forgotten")
		}
		away()
		m.UnselectHidden()
		if b, ok := m.Selected(); ok {
			t.Errorf("out of view: %q chosen", b.ID)
		}
	}
}
