//go:build unix

package cli_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/ui/termtest"
)

// fiveRows starts a turn that waits for its gate, with five rows behind it.
func fiveRows(t *testing.T) (chat, *termtest.Gate) {
	t.Helper()
	g := termtest.NewGate(t, "first ")
	p := termtest.NewProvider(t, g.Response())
	c := open(t, p, termtest.Options{})
	c.say("the prompt")
	g.Wait()
	c.WaitFor("first")
	for i := range 5 {
		c.say(fmt.Sprintf("row %d", i+1))
	}
	c.wantRows("row 1", "row 2", "row 3", "row 4", "row 5")
	return c, g
}

// selectRow moves to a row of the queue, from 1.
func (c chat) selectRow(n int) {
	c.t.Helper()
	c.Key("tab")
	for range 16 {
		c.Key("up")
	}
	for range n - 1 {
		c.Key("down")
	}
	c.Until(fmt.Sprintf("row %d selected", n), func() bool { return c.Has(fmt.Sprintf("› %d ", n)) })
}

// An open editor holds every promotion; its row keeps its place (C10, cases 21 and 22).
func TestEditInPlaceHoldsThePromotion(t *testing.T) {
	t.Parallel()
	t.Run("case 21", func(t *testing.T) {
		c, g := fiveRows(t)
		c.selectRow(3)
		c.Key("enter")
		c.WaitFor("enter saves")
		c.Type(" changed")
		c.Key("ctrl+j")
		c.Type("on two lines")
		c.Until("the edit, in the row's place", func() bool {
			i := slices.Index(c.Lines(), "┃ row 3 changed")
			return i > 0 && c.Lines()[i+1] == "┃ on two lines" && strings.Contains(c.Lines()[i+2], "row 4")
		})
		g.Release("answer")
		c.ready()
		c.WaitFor("first answer")
		c.quiet(1, watch(time.Second))
		c.Key("enter")
		rs := c.asked(6)
		c.ready()
		c.wantRows()
		for i, want := range []string{"the prompt", "row 1", "row 2", "row 3 changed\non two lines", "row 4", "row 5"} {
			if got := rs[i].Last(); got != want {
				t.Errorf("request %d asks %q, want %q", i+1, got, want)
			}
		}
	})
}

func TestEscInTheEditorKeepsTheRow(t *testing.T) {
	t.Parallel()
	c, g := fiveRows(t)
	c.Key("alt+up") // the last row
	c.WaitFor("enter saves")
	c.Type(" discarded")
	c.WaitFor("row 5 discarded")
	c.Key("esc")
	c.WaitGone("enter saves")
	c.wantRows("row 1", "row 2", "row 3", "row 4", "row 5")
	c.busy()
	c.quiet(1, 200*time.Millisecond)
	g.Release("answer")
	if rs := c.asked(6); rs[5].Last() != "row 5" {
		t.Errorf("%q", rs[5].Last())
	}
}

func TestRemoveAndUndo(t *testing.T) {
	t.Parallel()
	t.Run("case 26", func(t *testing.T) {
		c, g := fiveRows(t)
		c.selectRow(2)
		c.Key("d")
		c.wantRows("row 1", "row 3", "row 4", "row 5")
		c.Key("u")
		c.wantRows("row 1", "row 2", "row 3", "row 4", "row 5")
		c.selectRowAgain(4)
		c.Key("K")
		c.wantRows("row 1", "row 2", "row 4", "row 3", "row 5")
		c.Key("d") // the selection went with the row
		c.wantRows("row 1", "row 2", "row 3", "row 5")
		g.Release("answer")
		rs := c.asked(5)
		c.ready()
		c.wantRows()
		for i, want := range []string{"row 1", "row 2", "row 3", "row 5"} {
			if got := rs[i+1].Last(); got != want {
				t.Errorf("request %d asks %q, want %q", i+2, got, want)
			}
		}
		c.quiet(5, 300*time.Millisecond)
	})
}

// selectRowAgain moves within the queue when it has the keys already.
func (c chat) selectRowAgain(n int) {
	c.t.Helper()
	for range 16 {
		c.Key("up")
	}
	for range n - 1 {
		c.Key("down")
	}
	c.Until(fmt.Sprintf("row %d selected", n), func() bool { return c.Has(fmt.Sprintf("› %d ", n)) })
}

// Pausing holds the next row through a success; letting go starts it.
func TestPause(t *testing.T) {
	t.Parallel()
	t.Run("case 38", func(t *testing.T) {
		c, g := fiveRows(t)
		c.Key("tab", "p")
		c.WaitFor("held: paused")
		g.Release("answer")
		c.ready()
		c.quiet(1, 500*time.Millisecond)
		c.Key("p")
		c.asked(6)
		c.ready()
		c.wantRows()
	})
}

// Send now stops the turn and runs the row; the others keep waiting for its success.
func TestSendNow(t *testing.T) {
	t.Parallel()
	c, _ := fiveRows(t)
	c.selectRow(4)
	c.Key("s")
	rs := c.asked(6)
	c.ready()
	c.wantRows()
	c.p.Until("the stopped turn's connection closed", func(rs []termtest.Request) bool { return !rs[0].Gone.IsZero() })
	for i, want := range []string{"row 4", "row 1", "row 2", "row 3", "row 5"} {
		if got := rs[i+1].Last(); got != want {
			t.Errorf("request %d asks %q, want %q", i+2, got, want)
		}
	}
}

// Pasted lines are one text, with or without brackets (case 35).
func TestPasteIsOneRow(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 12 {
		lines = append(lines, fmt.Sprintf("pasted line %d", i+1))
	}
	text := strings.Join(lines, "\n")
	for name, paste := range map[string]func(chat){
		"case 35, bracketed":   func(c chat) { c.Paste(text) },
		"case 35, bare, CR":    func(c chat) { c.Type(strings.Join(lines, "\r")) },
		"case 35, bare, CR LF": func(c chat) { c.Type(strings.Join(lines, "\r\n")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := termtest.NewGate(t, "first ")
			p := termtest.NewProvider(t, g.Response())
			c := open(t, p, termtest.Options{})
			c.say("the prompt")
			g.Wait()
			paste(c)
			c.Until("the paste in the composer", func() bool {
				return strings.Contains(c.composer(), "12 lines") || strings.HasSuffix(c.composer(), "pasted line 12")
			})
			if rows := c.rows(); len(rows) != 0 {
				t.Errorf("the paste sent itself: %q", rows)
			}
			c.Key("enter")
			c.Until("one row", func() bool { return len(c.rows()) == 1 && c.composer() == "" })
			g.Release("answer")
			rs := c.asked(2)
			c.ready()
			if rs[1].Last() != text {
				t.Errorf("asked %q", rs[1].Last())
			}
			c.quiet(2, 200*time.Millisecond)
		})
	}
}

// A full queue takes nothing more and loses nothing (C3, case 39).
func TestSeventeenthPromptStaysInTheComposer(t *testing.T) {
	t.Parallel()
	t.Run("case 39", func(t *testing.T) {
		g := termtest.NewGate(t, "first ")
		p := termtest.NewProvider(t, g.Response())
		c := open(t, p, termtest.Options{})
		c.say("the prompt")
		g.Wait()
		var want []string
		for i := range 16 {
			want = append(want, fmt.Sprintf("row %d", i+1))
			c.Type(want[i] + "\r")
			time.Sleep(3 * time.Millisecond)
		}
		c.wantRows(want...)
		c.Type("row 17\r")
		c.Until("the word full", func() bool { return c.Has("16/16 full") })
		c.Until("the 17th text in the composer", func() bool { return c.composer() == "row 17" })
		c.wantRows(want...)
		g.Release("answer")
		rs := c.asked(17)
		c.ready()
		for i, w := range want {
			if got := rs[i+1].Last(); got != w {
				t.Errorf("request %d asks %q, want %q", i+2, got, w)
			}
		}
		if c.composer() != "row 17" {
			t.Errorf("the 17th text is gone:\n%s", c.Picture())
		}
	})
}

func TestPasteOfMegabytes(t *testing.T) {
	t.Parallel()
	for _, mb := range []int{1, 10} {
		t.Run(fmt.Sprintf("K1 K3, %d MB", mb), func(t *testing.T) {
			t.Parallel()
			p := termtest.NewProvider(t, termtest.OK("that was long"))
			c := open(t, p, termtest.Options{})
			text := strings.Repeat("sixteen bytes, 你\n", mb<<16)[:mb<<20]
			text = strings.ToValidUTF8(text, "")
			typed := strings.Repeat("0123456789", 30) + strings.Repeat("你", 300)
			c.Paste(text)
			c.Raw(typed)
			c.Until("what was typed behind it", func() bool { return strings.Count(c.composer(), "你") == 300 })
			c.Key("enter")
			rs := c.asked(1)
			if got := rs[0].Last(); got != text+typed {
				t.Errorf("%d bytes were sent, not these %d", len(got), len(text+typed))
			}
			c.WaitFor("that was long")
		})
	}
}

// A text too long for a row is refused with the size and stays where it was.
func TestTooLongForARow(t *testing.T) {
	t.Parallel()
	g := termtest.NewGate(t, "first ")
	p := termtest.NewProvider(t, g.Response())
	c := open(t, p, termtest.Options{})
	c.say("the prompt")
	g.Wait()
	for _, n := range []int{262_145, 262_144} {
		c.Key("ctrl+u")
		c.Until("an empty composer", func() bool { return c.composer() == "" })
		c.Paste(strings.Repeat("x", n))
		c.Until("a chip", func() bool { return strings.HasPrefix(c.composer(), "[pasted ") })
		c.Key("enter")
		if n > 262_144 {
			c.WaitFor("too long")
			c.Until("the chip", func() bool { return strings.HasPrefix(c.composer(), "[pasted ") })
			c.wantRows()
		}
	}
	c.Until("one row", func() bool { return len(c.rows()) == 1 && c.composer() == "" })
	g.Release("answer")
	if rs := c.asked(2); len(rs[1].Last()) != 262_144 {
		t.Errorf("%d bytes were sent", len(rs[1].Last()))
	}
}
