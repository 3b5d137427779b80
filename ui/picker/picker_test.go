package picker

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"baton/ui/frametest"
	"baton/ui/theme"

	"github.com/charmbracelet/x/ansi"
)

var commands = []Item{
	{Name: "/agent", Hint: "choose the agent"}, {Name: "/attach", Hint: "attach a file to the next prompt"}, {Name: "/copy", Hint: "copy the last answer"},
	{Name: "/export", Hint: "write the transcript to a file"}, {Name: "/fault", Hint: "arm the sandbox's next requests"}, {Name: "/fork", Hint: "go on from an older turn in a new session"},
	{Name: "/keys", Hint: "show all keys"}, {Name: "/queue", Hint: "show and change the queue"}, {Name: "/quit", Hint: "leave"}, {Name: "/retry", Hint: "try the last turn again"},
}

func picker(t *testing.T, items []Item) *Model {
	t.Helper()
	th, err := theme.Named(theme.Default, true)
	if err != nil {
		t.Fatal(err)
	}
	m := New(th, items)
	return &m
}

func names(m *Model) string {
	var list []string
	for _, f := range m.found {
		list = append(list, m.items[f.item].Name)
	}
	return strings.Join(list, " ")
}

func TestFrames(t *testing.T) {
	for _, w := range []int{20, 40, 80} {
		m := picker(t, commands)
		m.MoveSelection(5)
		frametest.Golden(t, fmt.Sprintf("picker/all-%d", w), m.View(w, 6))
		m.SetItems(append([]Item{{Name: "/compact", Args: "[WHAT MATTERS]", Hint: "let the agent summarize; the summary stands for what came before"}}, commands...))
		m.MoveSelection(0)
		frametest.Golden(t, fmt.Sprintf("picker/args-%d", w), m.View(w, 8))
		m.Filter("/q")
		frametest.Golden(t, fmt.Sprintf("picker/filtered-%d", w), m.View(w, 6))
		m.Filter("zz")
		frametest.Golden(t, fmt.Sprintf("picker/none-%d", w), m.View(w, 6))
	}
}

func TestGeometry(t *testing.T) {
	m := picker(t, append([]Item{{Name: "/x", Args: "[词\x1b]", Hint: strings.Repeat("as long as a hint can be ", 9)}, {Name: "模型\x1b]52;c;aGk=\a", Hint: "\u202eevil\nline"}, {Name: "", Hint: ""}, {Name: strings.Repeat("long/", 50), Hint: strings.Repeat("词", 90)}}, commands...))
	frametest.Sizes(func(w, h int) {
		for _, text := range []string{"", "o", "模", "/"} {
			m.Filter(text)
			m.MoveSelection(w)
			frametest.Fits(t, m.View(w, h), max(w, 0), max(h, 0))
		}
	})
}

func TestFilter(t *testing.T) {
	m := picker(t, commands)
	for text, want := range map[string]string{
		"":       "/agent /attach /copy /export /fault /fork /keys /queue /quit /retry",
		"/f":     "/fault /fork",
		"/Q":     "/queue /quit",
		"/qt":    "/quit",
		"rty":    "/retry",
		"/retry": "/retry",
		"/retri": "",
	} {
		if m.Filter(text); names(m) != want {
			t.Errorf("%q shows %q, want %q", text, names(m), want)
		}
	}
	m.Filter("/a")
	if got := names(m); !strings.HasPrefix(got, "/agent /attach") {
		t.Errorf("names that begin with the text are not first: %q", got)
	}
}

func TestSelection(t *testing.T) {
	m := picker(t, commands)
	m.MoveSelection(-1)
	if it, _ := m.Selected(); it.Name != "/retry" {
		t.Errorf("above the first is %q", it.Name)
	}
	m.MoveSelection(1)
	m.MoveSelection(2)
	if it, _ := m.Selected(); it.Name != "/copy" {
		t.Errorf("the third is %q", it.Name)
	}
	m.Filter("/fo")
	if it, ok := m.Selected(); !ok || it != commands[5] {
		t.Errorf("narrowed down to %q", it.Name)
	}
	m.Filter("zz")
	m.MoveSelection(1)
	if it, ok := m.Selected(); ok {
		t.Errorf("%q is selected although nothing fits", it.Name)
	}
	m.Filter("/fo")
	m.SetItems(commands[:3])
	if m.Len() != 0 {
		t.Error("new items are not narrowed down")
	}
}

func TestSelectionIsVisible(t *testing.T) {
	m := picker(t, commands)
	for sel := range commands {
		for h := 1; h <= 12; h++ {
			marked := slices.IndexFunc(m.View(60, h), func(l string) bool {
				return strings.HasPrefix(ansi.Strip(l), "› "+commands[sel].Name)
			})
			if marked < 0 {
				t.Errorf("%s is not marked in %d lines", commands[sel].Name, h)
			}
		}
		m.MoveSelection(1)
	}
}

func TestSelectedIsRaw(t *testing.T) {
	raw := Item{Name: "a\x1bb", Hint: "x"}
	m := picker(t, []Item{raw})
	if it, _ := m.Selected(); it != raw {
		t.Errorf("the chosen item came back as %q", it)
	}
}

func TestMarksCoverClusters(t *testing.T) {
	const name = "e\u0301👨‍👩‍👧x"
	m := picker(t, []Item{{Name: "e-x", Hint: ""}, {Name: name, Hint: ""}})
	m.Filter("ex")
	if m.Len() != 2 || m.sel != 0 {
		t.Fatalf("%d items shown, %d selected", m.Len(), m.sel)
	}
	line := m.View(40, 5)[1]
	marked := m.theme.Match.Render
	if want := "  " + marked("e\u0301") + m.theme.Text.Render("👨‍👩‍👧") + marked("x"); line != want {
		t.Errorf("drawn %q, want %q", line, want)
	}
}
