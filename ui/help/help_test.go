package help

import (
	"fmt"
	"strings"
	"testing"

	"baton/ui/frametest"
	"baton/ui/keymap"
	"baton/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

func overlay(t *testing.T, override map[string][]string) *Model {
	t.Helper()
	th, err := theme.Named(theme.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	keys, _, err := keymap.Default().Override(override)
	if err != nil {
		t.Fatal(err)
	}
	m := New(th, keys)
	return &m
}

func TestFrames(t *testing.T) {
	for _, size := range [][2]int{{20, 24}, {40, 24}, {80, 24}} {
		m := overlay(t, nil)
		frametest.Golden(t, fmt.Sprintf("help/top-%d", size[0]), m.View(size[0], size[1]))
		m.Scroll(1000, size[0], size[1])
		frametest.Golden(t, fmt.Sprintf("help/end-%d", size[0]), m.View(size[0], size[1]))
	}
}

func TestGeometry(t *testing.T) {
	m := overlay(t, map[string][]string{"retry": {"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9"}, "queue_up": {"词", "👍"}})
	frametest.Sizes(func(w, h int) {
		m.Scroll(h-20, w, h)
		frametest.Fits(t, m.View(w, h), max(w, 0), max(h, 0))
	})
}

// TestHelpIsTrue: every bound key and its whole help text are listed, in the
// section of its scope; what is not bound is not.
func TestHelpIsTrue(t *testing.T) {
	m := overlay(t, map[string][]string{"retry": {"f5"}, "redo": {}})
	if len(sections) != 7 {
		t.Fatalf("%d sections", len(sections))
	}
	for _, w := range []int{12, 20, 40, 80, 200} {
		all := strings.Join(strings.Fields(ansi.Strip(strings.Join(m.View(w, 1000), " "))), " ")
		for _, r := range m.keys.Table() {
			listed := strings.Contains(all, strings.TrimSpace(labels(r)+" "+r.Help))
			if w == 12 { // keys may be cut there, what they do may not
				listed = strings.Contains(all, r.Help) || strings.Contains(strings.ReplaceAll(all, " ", ""), strings.ReplaceAll(r.Help, " ", ""))
			}
			if want := len(r.Keys) > 0; listed != want && !(w == 12 && !want) {
				t.Errorf("width %d: %s is listed: %v, want %v", w, r.Action, listed, want)
			}
		}
		if strings.Contains(all, "ctrl+y") {
			t.Errorf("width %d: a replaced key is listed", w)
		}
	}
}

func TestScrollReachesBothEnds(t *testing.T) {
	m := overlay(t, nil)
	for _, h := range []int{1, 4, 5, 24} {
		all := len(m.body(80))
		m.Scroll(-1000, 80, h)
		if m.top != 0 {
			t.Errorf("height %d: the top is line %d", h, m.top)
		}
		seen := map[string]bool{}
		for range all {
			for _, l := range m.View(80, h) {
				seen[l] = true
			}
			m.Scroll(Page(h), 80, h)
		}
		for _, l := range m.body(80) {
			if !seen[l] {
				t.Errorf("height %d: paging never shows %q", h, ansi.Strip(l))
			}
		}
		m.Scroll(-1, 80, h)
		if m.top != all-Page(h)-1 {
			t.Errorf("height %d: one line back from the end is line %d of %d", h, m.top, all)
		}
	}
}

func TestGrowingTheWindowLeavesNoGap(t *testing.T) {
	m := overlay(t, nil)
	m.Scroll(1000, 40, 10)
	if got, all := len(m.View(120, 1000)), len(m.body(120)); got != all+2 {
		t.Errorf("a high window shows %d lines of %d", got, all)
	}
}

// The commands stand behind the keys, as they are typed.
func TestCommands(t *testing.T) {
	th, err := theme.Named(theme.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	m := New(th, keymap.Default(), Command{"/new", "open a new session"}, Command{"/x\x1b[31m", "hostile"})
	text := ansi.Strip(strings.Join(m.View(80, 200), "\n"))
	keys, commands := strings.Index(text, "Everywhere"), strings.Index(text, "Commands")
	if keys < 0 || commands < keys || !strings.Contains(text[commands:], "/new") || !strings.Contains(text[commands:], "open a new session") || strings.Contains(text, "\x1b") {
		t.Errorf("%s", text)
	}
}
