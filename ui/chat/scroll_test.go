package chat

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// shown is the text of a frame of 20 by 5.
func shown(m *Model) string { return unstyled(m.View(20, 5)) }

func expect(t *testing.T, m *Model, want ...string) {
	t.Helper()
	frame := m.View(20, 5)
	checkFrame(t, frame, 20, 5)
	if got := unstyled(frame); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func TestFollowsTheEnd(t *testing.T) {
	m := newModel(t)
	expect(t, m, "", "", "", "", "")
	m.Append(Block{ID: "a", Kind: User, Text: "one"})
	expect(t, m, "┃ one", "", "", "", "")
	m.Append(Block{ID: "b", Kind: User, Text: "two\nthree\nfour\nfive"})
	expect(t, m, "", "┃ two", "┃ three", "┃ four", "┃ five")
	m.Stream("c", Agent, "six")
	expect(t, m, "┃ three", "┃ four", "┃ five", "", "six")
	m.Stream("c", Agent, "\n\nseven")
	expect(t, m, "┃ five", "", "six", "", "seven")
	if !m.AtEnd() {
		t.Error("not at the end")
	}
}

func TestScrolling(t *testing.T) {
	m := newModel(t)
	m.Reset(numbered(10))
	expect(t, m, "┃ row 7", "", "┃ row 8", "", "┃ row 9")
	m.ScrollUp(1)
	expect(t, m, "", "┃ row 7", "", "┃ row 8", "")
	if m.AtEnd() {
		t.Error("at the end")
	}
	m.PageUp()
	expect(t, m, "", "┃ row 5", "", "┃ row 6", "")
	m.PageDown()
	expect(t, m, "", "┃ row 7", "", "┃ row 8", "")
	m.Home()
	expect(t, m, "┃ row 0", "", "┃ row 1", "", "┃ row 2")
	m.ScrollUp(5)
	expect(t, m, "┃ row 0", "", "┃ row 1", "", "┃ row 2")
	m.ScrollDown(3)
	expect(t, m, "", "┃ row 2", "", "┃ row 3", "")
	m.End()
	expect(t, m, "┃ row 7", "", "┃ row 8", "", "┃ row 9")
	m.ScrollUp(4)
	m.ScrollDown(1000)
	if !m.AtEnd() {
		t.Error("not at the end")
	}
	m.Append(Block{ID: "new", Kind: User, Text: "new"})
	expect(t, m, "┃ row 8", "", "┃ row 9", "", "┃ new")
}

// A text that fits has nowhere to scroll to, so it goes on following.
func TestShortTextDoesNotScroll(t *testing.T) {
	m := newModel(t)
	m.Reset(numbered(2))
	m.View(20, 5)
	m.ScrollUp(1)
	m.PageUp()
	m.Home()
	if !m.AtEnd() {
		t.Error("left the end")
	}
}

func TestNews(t *testing.T) {
	m := newModel(t)
	m.Reset(numbered(10))
	m.View(20, 5)
	m.ScrollUp(4)
	expect(t, m, "┃ row 5", "", "┃ row 6", "", "┃ row 7")
	m.Append(Block{ID: "new", Kind: User, Text: "new"})
	expect(t, m, "┃ row 5", "", "┃ row 6", "", "↓ new messages below")
	m.ScrollDown(1)
	expect(t, m, "", "┃ row 6", "", "┃ row 7", "↓ new messages below")
	m.ScrollDown(6)
	expect(t, m, "┃ row 8", "", "┃ row 9", "", "┃ new")
	if !m.AtEnd() {
		t.Error("seeing the end is not following it")
	}
	m.ScrollUp(3)
	m.Stream("live", Agent, "text")
	m.End()
	expect(t, m, "┃ row 9", "", "┃ new", "", "text")
	m.ScrollUp(2)
	expect(t, m, "┃ row 8", "", "┃ row 9", "", "┃ new")
}

// What is read stays where it is, whatever happens to other blocks.
func TestReadingIsNotMoved(t *testing.T) {
	m := newModel(t)
	m.Reset(numbered(10))
	m.View(20, 5)
	m.ScrollUp(6)
	still := func() {
		t.Helper()
		frame := strings.Split(shown(m), "\n")
		if strings.Join(frame[:4], "\n") != "┃ row 4\n\n┃ row 5\n" {
			t.Errorf("moved:\n%s", strings.Join(frame, "\n"))
		}
	}
	still()
	m.Replace("b1", Block{ID: "b1", Kind: User, Text: "1\n2\n3\n4\n5\n6\n7"})
	still()
	m.Remove("b0")
	still()
	m.Reset(append([]Block{{ID: "older", Kind: Agent, Text: "old\n\nolder"}}, numbered(10)...))
	still()
	m.Stream("live", Agent, strings.Repeat("x\n\n", 50))
	still()
	m.DropLive("live")
	still()
	m.Remove("b9")
	still()
	m.ToggleFold()
	still()
	m.Remove("b4")
	if got := strings.Split(shown(m), "\n"); got[1] != "┃ row 5" {
		t.Errorf("after the removal of what was read: %q", got)
	}
}

// If what was read goes, the view is somewhere sensible, not beyond the end.
func TestShrinking(t *testing.T) {
	m := newModel(t)
	m.Reset(numbered(3))
	m.Stream("live", Agent, strings.Repeat("x\n\n", 50))
	m.View(20, 5)
	m.ScrollUp(20)
	m.DropLive("live")
	expect(t, m, "┃ row 0", "", "┃ row 1", "", "┃ row 2")
	if !m.AtEnd() {
		t.Error("the end is in view but not followed")
	}
	m.Reset(nil)
	expect(t, m, "", "", "", "", "")
	m.ScrollUp(3)
	m.ScrollDown(3)
	m.Home()
}

// If the part that is read becomes shorter, its last line is what is left of it.
func TestPartBecomesShorter(t *testing.T) {
	m := newModel(t)
	m.Append(Block{ID: "a", Kind: Agent, Text: "```\n1\n2\n3\n4\n5\n6\n```"})
	m.Append(Block{ID: "b", Kind: Agent, Text: "```\nb\n" + strings.Repeat("x\n", 9) + "```"})
	m.View(20, 5)
	m.Home()
	m.ScrollDown(4)
	expect(t, m, "  5", "  6", "", "  b", "  x")
	m.Replace("a", Block{ID: "a", Kind: Agent, Text: "```\n1\n2\n3\n```"})
	expect(t, m, "  3", "", "  b", "  x", "  x")
}

// A change of width keeps the block that is read in view.
func TestResizeKeepsThePlace(t *testing.T) {
	m := newModel(t)
	var blocks []Block
	for i := range 50 {
		blocks = append(blocks, Block{ID: fmt.Sprint(i), Kind: Agent, Text: fmt.Sprintf("block %d %s", i, strings.Repeat("word ", 40))})
	}
	m.Reset(blocks)
	m.View(80, 10)
	m.ScrollUp(60)
	place := m.top.item
	for _, width := range []int{20, 120, 7, 80} {
		m.View(width, 10)
		if m.top.item != place {
			t.Errorf("at %d cells block %d is on top, was %d", width, m.top.item, place)
		}
	}
}

// Scrolling to and fro line by line shows the same lines as one tall frame.
func TestScrollingShowsEveryLine(t *testing.T) {
	m := newModel(t)
	m.Reset(session)
	m.ToggleFold()
	whole := strings.Split(strings.TrimRight(unstyled(m.View(33, 200)), "\n"), "\n")
	m.View(33, 4)
	m.Home()
	var seen []string
	for range len(whole) - 4 {
		seen = append(seen, strings.Split(unstyled(m.View(33, 4)), "\n")[0])
		m.ScrollDown(1)
	}
	seen = append(seen, strings.Split(unstyled(m.View(33, 4)), "\n")...)
	if strings.Join(seen, "\n") != strings.Join(whole, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(seen, "\n"), strings.Join(whole, "\n"))
	}
	var back []string
	for range len(whole) - 4 {
		back = append([]string{strings.Split(unstyled(m.View(33, 4)), "\n")[3]}, back...)
		m.ScrollUp(1)
	}
	back = append(strings.Split(unstyled(m.View(33, 4)), "\n"), back...)
	if strings.Join(back, "\n") != strings.Join(whole, "\n") {
		t.Errorf("backwards\n%s\nwant\n%s", strings.Join(back, "\n"), strings.Join(whole, "\n"))
	}
}

// Any order of calls leaves a frame that fits, and End shows the end.
func TestAnyOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := newModel(t)
		id := rapid.SampledFrom([]string{"a", "b", "c", "d", "e"})
		text := rapid.SampledFrom([]string{"", "x", "one\n\ntwo\n\nthree", "- a\n- b", "```\na\nb", "long words to be wrapped here"})
		block := func(rt *rapid.T) Block {
			return Block{ID: id.Draw(rt, "id"), Kind: Kind(rapid.IntRange(0, 6).Draw(rt, "kind")), Text: text.Draw(rt, "text"),
				Title: rapid.SampledFrom([]string{"", "title"}).Draw(rt, "title"), Foldable: rapid.Bool().Draw(rt, "fold"),
				Failed: rapid.Bool().Draw(rt, "failed"), Interrupted: rapid.Bool().Draw(rt, "interrupted")}
		}
		lines := rapid.IntRange(0, 9)
		rt.Repeat(map[string]func(*rapid.T){
			"append":  func(rt *rapid.T) { m.Append(block(rt)) },
			"replace": func(rt *rapid.T) { m.Replace(id.Draw(rt, "old"), block(rt)) },
			"remove":  func(rt *rapid.T) { m.Remove(id.Draw(rt, "old")) },
			"reset":   func(rt *rapid.T) { m.Reset(rapid.SliceOfN(rapid.Custom(block), 0, 6).Draw(rt, "blocks")) },
			"stream":  func(rt *rapid.T) { m.Stream(id.Draw(rt, "live"), Agent, text.Draw(rt, "more")) },
			"drop":    func(rt *rapid.T) { m.DropLive(id.Draw(rt, "live")) },
			"close":   func(rt *rapid.T) { m.CloseLive(id.Draw(rt, "live"), block(rt)) },
			"fold":    func(*rapid.T) { m.ToggleFold() },
			"up":      func(rt *rapid.T) { m.ScrollUp(lines.Draw(rt, "n")) },
			"down":    func(rt *rapid.T) { m.ScrollDown(lines.Draw(rt, "n")) },
			"page":    func(*rapid.T) { m.PageUp() },
			"home":    func(*rapid.T) { m.Home() },
			"end":     func(*rapid.T) { m.End() },
			"": func(rt *rapid.T) {
				width, height := rapid.IntRange(1, 30).Draw(rt, "width"), rapid.IntRange(1, 8).Draw(rt, "height")
				checkFrame(rt, m.View(width, height), width, height)
				for name, i := range m.index {
					if m.items[i].ID != name {
						rt.Fatalf("%q is at %d in the index, where %q is", name, i, m.items[i].ID)
					}
				}
				if len(m.index) != len(m.items) {
					rt.Fatalf("%d blocks, %d in the index", len(m.items), len(m.index))
				}
			},
		})
	})
}
