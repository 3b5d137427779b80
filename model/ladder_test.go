package model

import (
	"errors"
	"syscall"
	"testing"
	"time"

	"baton/queue"
	"baton/ui/term"
)

// ctrl+c takes away what is nearest: the draft, then the turn, and twice the program.
func TestInterruptLadder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.say("one")
		p.typ("draft")
		p.press("ctrl+c")
		p.want("draft and lifecycle", " Turn", p.draft()+" "+p.life())
		p.press("ctrl+_")
		p.want("undone", "draft", p.draft())
		p.press("ctrl+c", "ctrl+c")
		p.want("stopped", "Ready", p.life())
		p.press("ctrl+c")
		p.sees("ctrl+c once more quits")
		if p.quit {
			t.Fatal("it quits at the first")
		}
		p.press("ctrl+c")
		if !p.quit {
			t.Fatal("it does not quit at the second")
		}
		p.end()
	})
}

// Only a second ctrl+c that follows soon and directly quits.
func TestInterruptTwice(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("x"))
		p.press("ctrl+c")
		p.run(quitWithin + 10*time.Millisecond)
		p.press("ctrl+c")
		if p.quit {
			t.Fatal("two that are far apart")
		}
		p.press("ctrl+y") // says something of its own
		p.press("ctrl+c")
		if p.quit {
			t.Fatal("a key between them")
		}
		p.press("x", "backspace", "ctrl+c")
		if p.quit {
			t.Fatal("typing between them")
		}
		p.end()
	})
}

// esc closes what is open, from the top, then stops the turn, then goes home.
func TestEscapeLadder(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.say("one")
		p.say("row")
		p.press("alt+up")
		p.press("tab", "tab") // the editor stays open, the composer has the focus
		p.typ("/he")
		p.press("f1")
		p.want("focus", "composer", p.focus())
		p.sees("Everywhere")
		p.press("esc")
		p.seesNot("Everywhere")
		p.sees("show the keys")
		p.press("esc")
		p.seesNot("show the keys")
		p.want("text and editor", "/he row", p.draft()+" "+p.m.row.Value())
		p.press("esc")
		p.want("editor", "", string(p.state().Editing))
		p.want("lifecycle", "Turn", p.life())
		p.press("tab", "tab", "esc")
		p.want("stopped from anywhere", "Ready transcript", p.life()+" "+p.focus())
		p.press("esc")
		p.want("home", "composer", p.focus())
		p.press("esc")
		p.want("nothing left", "Ready composer /he", p.life()+" "+p.focus()+" "+p.draft())
		p.end()
	})
}

// ctrl+d quits on an empty composer only, and a quit while a turn runs waits for its
// stop.
func TestQuitWaitsForTheStop(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, and("part", after(time.Second, says("x"))))
		p.say("one")
		p.typ("ab")
		p.press("home", "ctrl+d")
		p.want("ctrl+d deletes", "b", p.draft())
		p.press("ctrl+d")
		began := time.Now()
		p.keys("ctrl+d")
		for !p.quit {
			p.run(10 * time.Millisecond)
		}
		if took := time.Since(began); took > 100*time.Millisecond {
			t.Errorf("an agent that hears the stop: %v", took)
		}
		p.end()

		p = open(t, deaf)
		p.say("one")
		p.say("row")
		began = time.Now()
		p.press("ctrl+d")
		p.sees("stopping")
		for !p.quit {
			p.run(10 * time.Millisecond)
		}
		if took := time.Since(began); took < 1900*time.Millisecond || took > 2100*time.Millisecond {
			t.Errorf("an agent that does not: %v", took)
		}
		p.want("queue", "row", p.rows())
		p.end()

		p = open(t, deaf)
		p.say("one")
		p.press("ctrl+d")
		if p.quit {
			t.Fatal("it did not wait")
		}
		p.press("ctrl+d")
		if !p.quit {
			t.Fatal("the second does not go at once")
		}
		p.end()
	})
}

// A signal stops the turn and goes after a second at most.
func TestSignal(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, deaf)
		p.say("one")
		p.send(term.SignalMsg{Signal: syscall.SIGTERM})
		p.run(hurry - 20*time.Millisecond)
		if p.quit {
			t.Fatal("the turn had no time to stop")
		}
		p.run(40 * time.Millisecond)
		if !p.quit {
			t.Fatal("still there")
		}
		p.end()

		p = open(t, says("x"))
		p.send(term.SignalMsg{Signal: syscall.SIGTERM})
		p.soon()
		if !p.quit {
			t.Fatal("idle, and still there")
		}
		p.end()
	})
}

// What the person's own editor left goes where it came from; if that row has left, to the
// composer.
func TestExternalEditor(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.typ("draft")
		p.send(edited{text: "edited\r\ntext\n"})
		p.want("composer", "edited\ntext", p.draft())
		p.press("ctrl+_")
		p.want("undo", "draft", p.draft())
		p.send(edited{err: errors.New("the editor failed")})
		p.want("after a failure", "draft", p.draft())
		p.sees("the editor failed")
		p.press("ctrl+c")

		p.say("one")
		p.say("row")
		p.press("alt+up")
		row := p.m.row.id
		p.send(edited{row: row, text: "longer row"})
		p.want("row editor", "longer row", p.m.row.Value())
		p.press("enter")
		p.want("saved", "longer row", p.rows())
		p.typ("mine")
		p.send(edited{row: row, text: "late"})
		p.want("its row is not open", "mine\n\nlate", p.draft())
		p.send(edited{row: queue.ID("gone"), text: "later"})
		p.want("its row is gone", "mine\n\nlate\n\nlater", p.draft())
		p.sees("its row has left the queue")
		p.end()
	})
}

func TestExternalEditorIsAsked(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("x"))
		p.typ("draft")
		n := len(p.other)
		p.press("ctrl+g")
		if len(p.other) == n {
			t.Error("the terminal was not asked")
		}
		p.m.deps.Editor = func() []string { return nil }
		p.press("ctrl+g")
		p.sees("set $VISUAL or $EDITOR")
		p.press("f1", "ctrl+g")
		p.sees("Everywhere")
		p.end()
	})
}

// Without a shell to go to, ctrl+z says so.
func TestSuspend(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("x"))
		p.send(term.ResumeMsg{Stopped: false})
		p.sees("there is no shell to suspend to")
		p.end()
	})
}
