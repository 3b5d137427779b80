package choose

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"baton/ui/frametest"
	"baton/ui/keymap"
	"baton/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

var sessions = []Item{
	{"s1", "Fix the retry loop", "2026-11-30 15:42 · 12 KiB", "jitter"},
	{"s2", "Explain jitter", "2026-11-29 09:10 · 3 KiB · 2 waiting", ""},
	{"s3", "写一首关于接力赛的诗", "2026-11-28 21:00 · 7 KiB", "baton"},
	{"s4", "", "2026-11-01 10:00 · 0 B · empty", ""},
	{"s5", "A long title " + strings.Repeat("that goes on and on ", 20), "2026-10-31 · 9 MiB · in use by 4711", ""},
	{"s6", "Retry, but with a queue", "2026-10-30 08:00 · 44 KiB", ""},
}

func list(t *testing.T, items []Item) *Model {
	t.Helper()
	th, err := theme.Named(theme.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	m := New(th, "Which session?", items)
	return &m
}

func ids(m *Model) string {
	var all []string
	for _, e := range m.shown {
		all = append(all, m.items[e.item].ID)
	}
	return strings.Join(all, " ")
}

func TestFrames(t *testing.T) {
	for _, w := range []int{20, 40, 80} {
		m := list(t, sessions)
		m.MoveSelection(1)
		frametest.Golden(t, fmt.Sprintf("choose/all-%d", w), m.View(w, 7))
		m.SetHints("enter takes it", "esc leaves", "up/down choose")
		frametest.Golden(t, fmt.Sprintf("choose/keys-%d", w), m.View(w, 8))
		m.Insert("jitter")
		m.Looking()
		frametest.Golden(t, fmt.Sprintf("choose/looking-%d", w), m.View(w, 7))
		m.Found("jitter", []Hit{{"s1", "it was the jitter, of course"}, {"s6", "…and the jitter was left out of the loop…"}})
		frametest.Golden(t, fmt.Sprintf("choose/found-%d", w), m.View(w, 7))
		m.Insert("zz")
		frametest.Golden(t, fmt.Sprintf("choose/none-%d", w), m.View(w, 7))
	}
}

func TestGeometry(t *testing.T) {
	evil := Item{"x\x1b[2J", "模型\x1b]52;c;aGk=\a\u202eevil\nline", "de\x9btail" + strings.Repeat("词", 60), "\x00"}
	var lists []*Model
	for _, typed := range []string{"", "e", "\x1b[2J", "模" + strings.Repeat("词 x", 40)} {
		m := list(t, append([]Item{evil, {"", "", "", ""}}, sessions...))
		m.Insert(typed)
		m.Found(m.Typed(), []Hit{{"s1", "…\x1b]0;x\a" + strings.Repeat("词", 90)}, {"s2", ""}})
		lists = append(lists, m)
	}
	frametest.Sizes(func(w, h int) {
		m := lists[(w+h)&3]
		m.MoveSelection(1)
		lines := m.View(w, h)
		frametest.Fits(t, lines, max(w, 0), max(h, 0))
		if x, y := m.Caret(w, h); w > 0 && h > 0 && (x < 0 || x >= w || y >= len(lines)) {
			t.Fatalf("%dx%d: the caret stands at %d,%d of %d lines", w, h, x, y, len(lines))
		}
	})
}

func TestNarrow(t *testing.T) {
	for typed, want := range map[string]string{
		"":            "s1 s2 s3 s4 s5 s6",
		"jitter":      "s2 s1", // what is called so comes first
		"RETRY":       "s1 s6",
		"retry loop":  "s1",
		"loop  retry": "s1",
		"rtry":        "s1 s6",
		"fix jitter":  "s1",
		"接力":          "s3",
		"waiting":     "s2",
		"4711":        "s5",
		"xq":          "",
		"fl":          "", // letters of two words are none of one
	} {
		m := list(t, sessions)
		m.Insert(typed)
		if got := ids(m); got != want {
			t.Errorf("%q shows %q, want %q", typed, got, want)
		}
	}
}

func TestTyping(t *testing.T) {
	m := list(t, sessions)
	m.Insert("fix\nthe ")
	m.Insert("e\u0301👨‍👩‍👧")
	if m.Typed() != "fix the e\u0301👨‍👩‍👧" {
		t.Errorf("typed %q", m.Typed())
	}
	for _, want := range []string{"fix the e\u0301", "fix the ", "fix the"} {
		if m.Erase(); m.Typed() != want {
			t.Errorf("erased to %q, want %q", m.Typed(), want)
		}
	}
	for _, want := range []string{"fix ", "", ""} {
		if m.EraseWord(); m.Typed() != want {
			t.Errorf("erased to %q, want %q", m.Typed(), want)
		}
	}
	m.Erase()
	for _, n := range []int{MaxTyped - 1, MaxTyped, MaxTyped + 1} {
		m.Clear()
		m.Insert(strings.Repeat("x", n-2))
		m.Insert("é")
		if got := len(m.Typed()); got != min(n, MaxTyped) && !(n > MaxTyped && got == n-2) {
			t.Errorf("of %d bytes %d are kept", n, got)
		}
	}
	m.Clear()
	m.Insert(strings.Repeat("x", 4<<20)) // a paste: would take days if each character left out cost the whole text
	if got := len(m.Typed()); got != MaxTyped {
		t.Errorf("of a long paste %d bytes are kept", got)
	}
}

func TestSelection(t *testing.T) {
	m := list(t, sessions)
	selected := func() string { it, _ := m.Selected(); return it.ID }
	for _, step := range []struct {
		by   int
		want string
	}{{-1, "s6"}, {1, "s1"}, {-5, "s1"}, {3, "s4"}, {99, "s6"}, {-2, "s4"}} {
		if m.MoveSelection(step.by); selected() != step.want {
			t.Errorf("by %d: %s, want %s", step.by, selected(), step.want)
		}
	}
	m.SetItems(sessions[2:])
	if selected() != "s4" {
		t.Errorf("new items move the selection to %s", selected())
	}
	m.SetItems(nil)
	m.MoveSelection(1)
	if it, ok := m.Selected(); ok {
		t.Errorf("%q is selected of none", it.ID)
	}
}

// What was found for another text than the one typed changes nothing; what is found late moves no selection.
func TestFound(t *testing.T) {
	m := list(t, sessions)
	m.Insert("retry")
	m.MoveSelection(1)
	m.Looking()
	m.Found("retr", []Hit{{"s3", "stale"}})
	if ids(m) != "s1 s6" || !m.looking {
		t.Errorf("a stale answer counts: %s", ids(m))
	}
	m.Found("retry", []Hit{{"s1", "known"}, {"s3", "here"}, {"gone", "x"}})
	if it, _ := m.Selected(); ids(m) != "s1 s6 s3" || it.ID != "s6" || m.looking {
		t.Errorf("%s, selected %s", ids(m), it.ID)
	}
	if m.Erase(); ids(m) != "s1 s6" {
		t.Errorf("hits outlive what they were found for: %s", ids(m))
	}
}

func TestSelectionIsVisible(t *testing.T) {
	m := list(t, sessions)
	for range sessions {
		for h := 2; h <= 12; h++ {
			for _, w := range []int{20, 80} {
				if !slices.ContainsFunc(m.View(w, h), func(l string) bool { return strings.HasPrefix(ansi.Strip(l), "› ") }) {
					t.Errorf("nothing is marked in %dx%d", w, h)
				}
			}
		}
		m.MoveSelection(1)
	}
}

// The keys stand in the last line of a list that has room for them: as many as fit, whole.
func TestHints(t *testing.T) {
	m := list(t, sessions)
	m.SetHints("enter takes it", "", "esc \x1bleaves", "up/down choose")
	for _, c := range []struct {
		w, h int
		want string
	}{
		{80, 24, "enter takes it · esc ␛leaves · up/down choose"},
		{44, 24, "enter takes it · esc ␛leaves"},
		{20, 8, "enter takes it"},
		{13, 24, ""},
		{80, 7, ""},
	} {
		lines := m.View(c.w, c.h)
		at, last := -1, ansi.Strip(lines[len(lines)-1])
		for i, l := range lines {
			if strings.Contains(ansi.Strip(l), "enter") {
				at = i
			}
		}
		if c.want == "" && at >= 0 || c.want != "" && (at != c.h-1 || last != c.want) {
			t.Errorf("%dx%d: in line %d of %d: %q, want %q", c.w, c.h, at, len(lines), last, c.want)
		}
	}
}

// What takes an entry and what leaves the list have two keys each; where the better one has none, the other is named.
func TestKeyHints(t *testing.T) {
	for _, c := range []struct {
		keys map[string][]string
		want string
	}{
		{nil, "enter takes it|esc leaves|up/down choose"},
		{map[string][]string{"send": {"ctrl+s"}, "stop": {"f9", "esc"}, "popup_down": {"ctrl+n"}}, "ctrl+s takes it|f9 leaves|up/ctrl+n choose"},
		{map[string][]string{"send": {}, "stop": {}, "popup_up": {}}, "tab takes it|ctrl+c leaves|"},
	} {
		k, _, err := keymap.Default().Override(c.keys)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(KeyHints(k, "takes it", "leaves"), "|"); got != c.want {
			t.Errorf("%v: %q, want %q", c.keys, got, c.want)
		}
	}
}

// What stands before what is typed is no key: a slash was typed into the filter.
func TestTypedLineShowsNoKey(t *testing.T) {
	m := list(t, sessions)
	line := func() string { return strings.TrimRight(ansi.Strip(m.View(80, 8)[1]), " ") }
	if got := line(); got != "  type to narrow down" {
		t.Errorf("%q", got)
	}
	m.Insert("jitter")
	if got := line(); got != "  jitter" {
		t.Errorf("%q", got)
	}
}
