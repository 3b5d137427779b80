package model

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/queue"
)

// blockedRow has a row held because its file is gone, and another behind it.
func blockedRow(t *testing.T) *pump {
	p := open(t, after(3*time.Second, says("x")), says("y"), hangs)
	p.say("go")
	p.m.write.files = []queue.Attachment{{Path: filepath.Join(t.TempDir(), "gone.txt")}}
	p.say("read it")
	p.say("behind")
	p.run(30 * time.Second)
	p.want("rows", "read it,behind", p.rows())
	p.sees("held: missing gone.txt")
	return p
}

// Whoever plays a row whose file is missing is told each time that it was tried and what helps; the way that is named works.
func TestRowThatIsHeldAgainSaysSo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := blockedRow(t)
		for range 2 {
			p.run(time.Second)
			if got := p.said("enter"); got != "row 1 was not sent: missing gone.txt · tab to the queue, enter opens it, ctrl+c there drops its files" {
				t.Errorf("%q", got)
			}
		}
		p.press("tab")
		p.run(time.Second)
		if got := p.said(" "); got != "row 1 was not sent: missing gone.txt · enter opens it, ctrl+c there drops its files" {
			t.Errorf("in the queue: %q", got)
		}
		p.press("enter")
		p.sees("enter saves · esc discards · ctrl+c drops files")
		p.press("ctrl+c")
		p.seesNot("drops files")
		p.run(time.Second)
		p.press("enter")
		p.run(time.Second)
		p.press(" ")
		p.run(5 * time.Second)
		p.want("sent", "go|read it|behind", p.agent.prompts())
		p.end()
	})
}

// However long the reason is, the open row says how to leave it, and that its files can be dropped.
func TestOpenRowSaysHowToDropItsFiles(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, after(3*time.Second, says("x")), hangs)
		longReason(p)
		p.press("tab", "up", "enter")
		for _, w := range []int{72, 80, 100} {
			p.size(w, 30)
			p.sees("enter saves · esc discards · ctrl+c drops files")
			if text := strings.Join(strings.Fields(p.screen()), " "); !strings.Contains(text, "missing the minutes of the meeting about what becomes of the old harbour.txt") {
				t.Errorf("%d: the reason is cut:\n%s", w, p.screen())
			}
		}
		p.end()
	})
}
