package model

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"baton/ui/term"
)

// hold keeps a key down: the first repeat comes after a while, the others quickly.
func (p *pump) hold(name string, repeats int) {
	p.keys(name)
	p.run(400 * time.Millisecond)
	for range repeats {
		p.keys(name)
		p.run(30 * time.Millisecond)
	}
	p.run(repeatGuard)
}

// Enter held down on a row opens and saves it; it neither sends the draft nor plays.
func TestHeldEnterOnARow(t *testing.T) {
	for _, draft := range []string{"half a draft", ""} {
		bubble(t, func(t *testing.T) {
			p := open(t, after(time.Second, answers(401)))
			p.say("one")
			p.say("row")
			p.run(time.Second)
			p.typ(draft)
			p.press("tab", "down")
			p.hold("enter", 12)
			p.want("sent, rows and draft", "one Continue the current turn,row "+draft, p.agent.prompts()+" "+p.rows()+" "+p.draft())
			p.end()
		})
	}
}

// A key that is held down gives no consent; pressed again it does.
func TestHeldKeysConsentToNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, uses("read", hangs), says("x"))
		p.say("one")
		p.say("row")
		p.press("tab")
		p.hold("s", 12)
		p.want("held", "one", p.agent.prompts())
		p.press("s")
		p.sees("once more")
		p.run(300 * time.Millisecond)
		p.keys("s")
		p.run(repeatGuard + 20*time.Millisecond)
		p.want("pressed again", "one|row", p.agent.prompts())
		p.end()
	})
}

// ctrl+c held down takes the draft and the turn, and does not quit.
func TestHeldInterrupt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.say("one")
		p.typ("draft")
		p.hold("ctrl+c", 20)
		if p.quit {
			t.Fatal("it quit")
		}
		p.want("lifecycle and draft", "Ready ", p.life()+" "+p.draft())
		p.press("up")
		p.want("the draft is in the history", "draft", p.draft())
		p.end()
	})
}

// Two presses of ctrl+c that come at once quit, when there was nothing to take away.
func TestTwoQuickInterruptsQuit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("x"))
		p.keys("ctrl+c", "ctrl+c")
		p.soon()
		if !p.quit {
			t.Fatal("it did not quit")
		}
		p.end()
	})
}

// A stop that was pressed for the turn before does not touch the row that took its place.
func TestStopIsForWhatWasOnTheScreen(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c"} {
		bubble(t, func(t *testing.T) {
			p := open(t, after(time.Second, says("x")), hangs)
			p.say("one")
			p.say("row")
			for p.agent.prompts() != "one|row" {
				p.run(time.Millisecond)
			}
			p.run(30 * time.Millisecond)
			p.keys(key)
			p.soon()
			p.sees("that turn has already ended", "● Busy")
			p.run(unseen)
			p.keys(key)
			p.soon()
			p.want("a stop that means it", "Ready", p.life())
			p.end()
		})
	}
}

// late hands keys over as a busy machine does: long after they came, every apart.
func (p *pump) late(since time.Time, apart time.Duration, names ...string) {
	for i, n := range names {
		p.m.Arrived(since.Add(time.Duration(i) * apart))
		p.keys(n)
	}
	p.soon()
}

// On a busy machine a key is handled late. It is still meant for what was on the screen when it was pressed.
func TestALateStopIsForWhatWasOnTheScreen(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c"} {
		bubble(t, func(t *testing.T) {
			p := open(t, after(time.Second, says("x")), hangs)
			p.say("one")
			p.say("row")
			pressed := time.Now()
			for p.agent.prompts() != "one|row" {
				p.run(time.Millisecond)
			}
			p.run(10 * unseen)
			p.late(pressed, 0, key)
			p.sees("that turn has already ended", "● Busy")
			p.press(key)
			p.want("a stop that means it", "Ready", p.life())
			p.end()
		})
	}
}

// A key that was held while the machine was busy is one press still, though its repeats are handled at once.
func TestLateRepeats(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.say("one")
		p.say("row 1")
		p.say("row 2")
		p.say("row 3")
		p.press("tab", "down")
		p.run(time.Second)
		p.late(time.Now().Add(-500*time.Millisecond), 30*time.Millisecond, "d", "d", "d", "d")
		p.want("rows", "row 1,row 3", p.rows())
		p.late(time.Now().Add(-300*time.Millisecond), 200*time.Millisecond, "d", "d")
		p.run(repeatGuard) // until the second is clear to be no repeat
		p.want("rows, pressed twice", "", p.rows())
		p.end()
	})
}

// What stands in the row editor at the end can be undone in the next run.
func TestQuitKeepsAnOpenEdit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.say("one")
		p.say("row")
		p.press("alt+up")
		p.typ(" changed")
		p.send(term.SignalMsg{})
		p.run(3 * time.Second)
		u := p.state().Undo
		if !p.quit || u == nil || u.Draft == nil || u.Draft.Text != "row changed" || p.rows() != "row" {
			t.Fatalf("quit %v, undo %+v, rows %s", p.quit, u, p.rows())
		}
		p.end()
	})
}

// A piece of text that arrives at once is text wherever the focus is.
func TestPiecesOfTextAreText(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.say("one")
		p.say("row")
		p.press("tab")
		k := keyOf("d")
		k.Runes = []rune("du côté")
		p.send(k)
		p.want("rows and draft", "row du côté", p.rows()+" "+p.draft())
		p.end()
	})
}

// /retry cannot be held down: typed again it agrees to what it was asked.
func TestRetryTypedTwice(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, asks, says("x"))
		p.say("one")
		p.say("/retry")
		p.sees("once more")
		p.want("asked first", "one", p.agent.prompts())
		p.say("/retry")
		p.run(repeatGuard)
		p.want("then done", "one|one", p.agent.prompts())
		p.end()
	})
}

// What was sent in an earlier run is in the prompt history.
func TestHistoryOfAnEarlierRun(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("x"))
		p.say("the first")
		p.say("the second")
		again := around(t, p.m.eng, p.agent)
		again.press("up", "up")
		again.want("recalled", "the first", again.draft())
		again.press("down")
		if !strings.HasPrefix(again.draft(), "the second") {
			t.Error(again.draft())
		}
		again.end()
		p.end()
	})
}

// A key that was meant for a row which was promoted a moment ago neither sends the draft
// nor touches the row that moved up; text is not lost, and stopping works.
func TestKeysForAPromotedRow(t *testing.T) {
	for _, key := range []string{"enter", "d", "alt+down", "e", "p", "u"} {
		bubble(t, func(t *testing.T) {
			p := open(t, after(2*time.Second, says("x")), hangs)
			p.say("one")
			p.say("row")
			p.typ("half a draft")
			p.press("tab")
			for p.agent.prompts() != "one|row" {
				p.run(time.Millisecond)
			}
			p.run(30 * time.Millisecond)
			p.keys(key)
			p.soon()
			if key == "enter" {
				p.sees("the row has started")
				p.want("draft", "half a draft", p.draft())
			}
			p.want(key+": sent, rows", "one|row ", p.agent.prompts()+" "+p.rows())
			p.typ("typed at once")
			if !strings.HasSuffix(p.draft(), "typed at once") {
				t.Errorf("%s: text was lost: %q", key, p.draft())
			}
			p.press("esc")
			p.run(unseen)
			p.press("esc")
			p.want("a stop is not held back", "Ready", p.life())
			p.end()
		})
		bubble(t, func(t *testing.T) {
			p := open(t, after(2*time.Second, says("x")), hangs)
			p.say("one")
			p.say("row")
			p.say("other")
			p.press("tab")
			for p.agent.prompts() != "one|row" {
				p.run(time.Millisecond)
			}
			p.run(30 * time.Millisecond)
			p.keys(key)
			p.soon()
			p.want(key+": rows, editor, pause", "other  false", p.rows()+" "+string(p.state().Editing)+" "+fmt.Sprint(p.state().Gate.Paused))
			p.run(unseen)
			p.press("d")
			p.want("a key that means it", "", p.rows())
			p.end()
		})
	}
}

// What was removed can be brought back when the queue is empty, too.
func TestUndoOfTheLastRow(t *testing.T) {
	for _, away := range []string{"d", "c"} {
		bubble(t, func(t *testing.T) {
			p := open(t, hangs)
			p.say("one")
			p.say("row")
			p.press("tab", away)
			p.sees("undoes")
			p.want("gone", "", p.rows())
			p.run(time.Second)
			p.press("ctrl+_")
			p.want("back", "row", p.rows())
			p.end()
		})
	}
}

// A question is not asked any more once it was answered.
func TestAnAnsweredQuestionGoes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, asks, says("x"))
		p.say("one")
		p.say("/retry")
		p.say("/retry")
		p.run(time.Second)
		p.seesNot("once more")
		p.sees("○ Ready")
		p.end()
	})
}

// ctrl+c in the row editor takes the files off the row, so that a missing one no longer
// blocks it.
func TestFilesLeaveARow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.say("one")
		file := t.TempDir() + "/notes.txt"
		if err := os.WriteFile(file, []byte("n"), 0o600); err != nil {
			t.Fatal(err)
		}
		p.say("/attach " + file)
		p.say("look")
		p.want("with it", "1", fmt.Sprint(len(p.state().Queue.At(0).Attachments)))
		p.press("alt+up", "ctrl+c", "ctrl+_", "enter")
		p.want("undone", "look 1", p.rows()+" "+fmt.Sprint(len(p.state().Queue.At(0).Attachments)))
		p.press("alt+up", "ctrl+c", "enter")
		p.want("without", "look 0", p.rows()+" "+fmt.Sprint(len(p.state().Queue.At(0).Attachments)))
		p.end()
	})
}

// ctrl+c held down while idle takes the draft away and does not quit.
func TestHeldInterruptOfADraft(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("x"))
		p.typ("important draft")
		p.hold("ctrl+c", 20)
		if p.quit {
			t.Fatal("it quit")
		}
		p.press("up")
		p.want("the history has it", "important draft", p.draft())
		p.end()
	})
}

// s held down sends one row, and d held down takes one away.
func TestHeldRowKeys(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.say("one")
		for i := range 5 {
			p.say(fmt.Sprintf("row %d", i))
		}
		p.press("tab")
		p.hold("s", 20)
		p.want("sent", "one|row 0", p.agent.prompts())
		p.run(time.Second)
		p.hold("d", 20)
		p.want("left", "row 2,row 3,row 4", p.rows())
		p.press("u")
		p.want("one step undoes it", "row 1,row 2,row 3,row 4", p.rows())
		p.end()
	})
}

// Quick presses of d that are none of a held key take a row each, whatever key comes next; the rows they are meant for are
// those that were selected.
func TestQuickRemovals(t *testing.T) {
	for _, apart := range []time.Duration{101 * time.Millisecond, 150 * time.Millisecond, 400 * time.Millisecond} {
		bubble(t, func(t *testing.T) {
			p := open(t, hangs)
			p.say("one")
			for i := range 6 {
				p.say(fmt.Sprintf("row %d", i))
			}
			p.press("tab")
			for range 3 {
				p.keys("d")
				p.run(apart)
			}
			p.run(repeatGuard)
			p.want("left", "row 3,row 4,row 5", p.rows())
			p.run(time.Second)
			p.keys("d")
			p.run(150 * time.Millisecond)
			p.keys("d", "J") // the last row is moved when the one before it has gone
			p.run(repeatGuard)
			p.want("left at last", "row 5", p.rows())
			p.press("down", "enter")
			p.want("what is open", "row 5", p.m.row.Value())
			p.press("esc")
			p.end()
		})
	}
}

// ctrl+y held down does not ask a server that refuses again and again.
func TestHeldRetry(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, answers(401))
		p.say("one")
		p.hold("ctrl+y", 40)
		p.want("asked, and by hand three times", "one|one|one|one", p.agent.prompts())
		p.run(time.Second)
		p.keys("ctrl+y")
		p.soon()
		p.keys("ctrl+y")
		p.soon()
		p.want("twice in quick succession", "one|one|one|one|one|one", p.agent.prompts())
		p.end()
	})
}

// Enter that is held behind a prompt, and space that is held in the queue, play no head, even if what they sent fails at
// once: the first repeat of a key comes after half a second. Pressed again they do.
func TestHeldKeysPlayNothing(t *testing.T) {
	hold := func(p *pump, name string) {
		p.keys(name)
		p.run(600 * time.Millisecond)
		for range 20 {
			p.keys(name)
			p.run(30 * time.Millisecond)
		}
		p.run(repeatGuard)
	}
	bubble(t, func(t *testing.T) {
		p := open(t, hangs, answers(401))
		p.say("one")
		p.say("row")
		p.press("esc")
		p.run(time.Second)
		p.typ("now")
		hold(p, "enter")
		p.want("held behind a prompt", "one|now", p.agent.prompts())
		p.run(time.Second)
		hold(p, "enter")
		p.want("held on the empty line", "one|now|Continue the current turn", p.agent.prompts())
		p.press("tab")
		hold(p, " ")
		p.want("held in the queue", "one|now|Continue the current turn|Continue the current turn", p.agent.prompts())
		p.run(500 * time.Millisecond)
		p.keys(" ")
		p.run(repeatGuard + 20*time.Millisecond)
		p.keys("tab", "tab", "enter")
		p.want("pressed again", "one|now"+strings.Repeat("|Continue the current turn", 3), p.agent.prompts())
		p.run(500 * time.Millisecond)
		p.keys("enter")
		p.run(repeatGuard + 20*time.Millisecond)
		p.want("enter pressed again", "one|now"+strings.Repeat("|Continue the current turn", 4), p.agent.prompts())
		p.end()
	})
}

// Leaving an edit leads back to where it was opened: typing goes there.
func TestFocusBehindAnEdit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.say("one")
		p.say("row 0")
		p.say("row 1")
		p.press("alt+up", "esc")
		p.typ("can you do it")
		p.want("draft, rows", "can you do it row 0,row 1", p.draft()+" "+p.rows())
		p.press("tab", "enter")
		p.typ(" changed")
		p.press("enter")
		p.want("focus and rows", "queue row 0 changed,row 1", p.focus()+" "+p.rows())
		p.end()
	})
}
