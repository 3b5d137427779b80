package model

import (
	"testing"
	"time"

	"baton/model/session"
)

// busyWith opens a program whose turn hangs and whose queue holds rows.
func busyWith(t *testing.T, rows ...string) *pump {
	t.Helper()
	p := open(t, hangs)
	p.say("one")
	for _, r := range rows {
		p.say(r)
	}
	return p
}

// tab goes round composer, queue and transcript, and leaves out a queue without rows.
func TestFocus(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.press("tab")
		p.want("no rows", "transcript", p.focus())
		p.press("tab")
		p.want("round", "composer", p.focus())
		p.press("shift+tab", "shift+tab")
		p.want("back round", "composer", p.focus())
		p.say("one")
		p.say("row")
		p.press("tab")
		p.want("rows", "queue", p.focus())
		p.press("tab", "tab", "shift+tab", "shift+tab")
		p.want("back", "queue", p.focus())
		p.press("d")
		p.want("the last row leaves", "composer", p.focus())
		p.end()
	})
}

func TestQueueKeys(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := busyWith(t, "a", "b", "c")
		p.press("tab")
		selected := func() string {
			id, _ := p.m.list.Selected()
			for _, r := range p.state().Queue.Rows() {
				if string(r.ID) == id {
					return r.Text
				}
			}
			return ""
		}
		p.want("selected", "a", selected())
		p.press("down")
		p.want("down", "b", selected())
		p.press("J")
		p.want("moved down, with the selection", "a,c,b b", p.rows()+" "+selected())
		p.press("J")
		p.want("at the end", "a,c,b", p.rows())
		p.press("K", "alt+up")
		p.want("moved up", "b,a,c b", p.rows()+" "+selected())
		p.press("alt+up")
		p.want("at the beginning", "b,a,c", p.rows())
		p.press("alt+down")
		p.want("alt+down", "a,b,c b", p.rows()+" "+selected())
		p.press("d")
		p.want("removed", "a,c c", p.rows()+" "+selected())
		p.press("u")
		p.want("undone, and selected", "a,b,c b", p.rows()+" "+selected())
		p.press("u")
		p.sees("nothing to undo")
		p.press("p")
		p.sees("held: paused")
		p.press("p")
		p.seesNot("held: paused")
		p.press(" ")
		p.sees("the agent is busy")
		p.press("c")
		p.want("cleared", "", p.rows())
		p.want("focus", "composer", p.focus())
		p.end()
	})
}

// A row is edited in its place, over several lines; nothing is promoted meanwhile, and
// the draft is not touched.
func TestEditInPlace(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, after(3*time.Second, says("x")))
		p.say("one")
		p.say("a")
		p.say("b")
		p.typ("draft")
		p.press("tab", "enter")
		p.want("open", "a", p.m.row.Value())
		p.sees("› 1 editing", "enter saves")
		p.press("home")
		p.typ("first")
		p.press("ctrl+j")
		p.typ("second ")
		p.want("editor", "first\nsecond a", p.m.row.Value())
		p.sees("┃ first", "┃ second a", "┆ draft")
		if x, y, ok := p.m.Cursor(); !ok || x != 2+len("second ") || p.lines()[y] != "┃ second a" {
			t.Errorf("caret at %d,%d %v", x, y, ok)
		}
		p.run(10 * time.Second)
		p.press("ctrl+end")
		p.want("nothing is promoted", "Ready a,b one", p.life()+" "+p.rows()+" "+p.agent.prompts())
		p.typ(`more\`)
		p.press("enter")
		p.want("a backslash before enter", "first\nsecond amore\n", p.m.row.Value())
		p.press("backspace", "enter")
		p.run(10 * time.Second)
		p.want("saved, then sent", "one|first\nsecond amore|b", p.agent.prompts())
		p.want("draft and focus", "draft composer", p.draft()+" "+p.focus())
		p.end()
	})
}

// What the header and the indicator say of a key is what it does where the focus is.
func TestHintsOfWhereTheFocusIs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := busyWith(t, "a", "b")
		p.sees("tab to edit", "alt+up last", "esc stops")
		p.press("alt+up")
		p.sees("enter saves · esc discards")
		p.seesNot("esc stops")
		p.press("shift+tab")
		p.sees("┆ b", "tab to the open row · esc discards")
		p.seesNot("enter saves", "esc stops")
		p.press("shift+tab")
		p.sees("┆ b", "shift+tab to the open row · esc discards")
		p.press("esc")
		p.sees("shift+tab to edit", "esc stops")
		p.seesNot("alt+up last")
		p.press("k")
		p.seesNot("esc stops")
		p.press("esc", "tab")
		p.typ("/mo")
		p.seesNot("tab to edit", "esc stops")
		p.press("esc", "ctrl+c", "esc")
		p.sees("held: you stopped · enter plays · tab to edit")
		p.typ("x")
		p.sees("held: you stopped · tab to edit")
		p.end()
	})
}

// esc discards the edit into the undo slot; u opens it again.
func TestDiscardedEdit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := busyWith(t, "a", "b")
		p.press("alt+up")
		p.want("alt+up opens the last", "b", p.m.row.Value())
		p.typ(" changed")
		p.press("esc")
		p.want("discarded", "a,b", p.rows())
		p.want("focus", "composer", p.focus()) // where alt+up was pressed
		p.sees("edit discarded", "ctrl+_ undoes")
		p.press("ctrl+_")
		p.want("again", "b changed", p.m.row.Value())
		p.press("enter")
		p.want("saved", "a,b changed", p.rows())
		p.end()
	})
}

// What was edited in a row that has left comes back into the composer, behind the draft.
func TestEditOfARowThatLeft(t *testing.T) {
	t.Run("case_25", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			p := open(t, after(5*time.Second, says("x")), after(time.Second, says("y")), hangs)
			p.say("one")
			p.say("a")
			p.say("b")
			p.press("tab", "enter")
			p.typ(" changed")
			p.press("esc", "shift+tab")
			p.typ("draft")
			p.run(4 * time.Second)
			p.want("the row runs", "b", p.rows())
			p.press("tab", "u")
			p.want("composer and focus", "draft\n\na changed composer", p.draft()+" "+p.focus())
			p.sees("its row has left the queue")
			p.end()
		})
	})
}

// Removing a row that is open keeps both the row and the edit for undo.
func TestRemoveAnOpenRow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := busyWith(t, "a", "b")
		p.press("alt+up")
		p.typ(" changed")
		p.m.screen.focus = onComposer
		p.typ("/queue clear")
		p.press("enter")
		p.want("cleared", " ", p.rows()+" "+p.m.row.Value())
		p.say("c")
		p.press("tab", "u")
		p.want("both back", "a,b,c b changed", p.rows()+" "+p.m.row.Value())
		p.end()
	})
}

// A command that runs at once cannot become a row, an unknown one neither; the editor
// stays open.
func TestRowThatWouldBeACommand(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := busyWith(t, "a")
		for text, word := range map[string]string{"/help": "runs at once and cannot wait", "/zzz": "there is no /zzz"} {
			p.m.screen.focus = onComposer
			p.press("alt+up", "ctrl+u")
			p.typ(text)
			p.press("enter")
			p.sees(word)
			p.want("open", text, p.m.row.Value())
			p.press("esc")
		}
		p.m.screen.focus = onComposer
		p.press("alt+up", "ctrl+u")
		p.typ("/new")
		p.press("enter")
		if r := p.state().Queue.At(0); !r.Command || r.Text != "/new" {
			t.Errorf("%+v", r)
		}
		p.end()
	})
}

// A second row is not opened beside the first.
func TestOneRowAtATime(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := busyWith(t, "a", "b")
		p.press("alt+up")
		p.typ(" changed")
		p.press("shift+tab", "tab") // the focus comes back to the editor
		p.want("still b", "b changed", p.m.row.Value())
		p.send(keyOf("shift+tab"))
		p.press("alt+up")
		p.want("the same row again", "b changed", p.m.row.Value())
		p.step(session.BeginEdit{Row: p.state().Queue.At(0).ID})
		p.sees("another row is open")
		p.end()
	})
}

func (p *pump) step(in session.Input) { p.start(p.m.step(in)); p.m.refresh() }

// s sends a row now; where a tool has run it asks first, and only the same key directly
// after it is a yes.
func TestSendNow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, uses("read", hangs), hangs)
		p.size(120, 40)
		p.say("one")
		p.say("a")
		p.say("b")
		p.press("tab", "down", "s")
		p.sees("once more stops it and sends the row")
		p.want("nothing moved", "a,b one", p.rows()+" "+p.agent.prompts())
		p.press("up", "s")
		p.want("another row asks anew", "one", p.agent.prompts())
		p.press("u", "s") // u has a word of its own
		p.want("a key between is no yes", "one", p.agent.prompts())
		p.press("s")
		p.want("sent", "b one|a", p.rows()+" "+p.agent.prompts())
		p.press("s")
		p.soon()
		p.want("without a tool it does not ask", "one|a|b", p.agent.prompts())
		p.end()
	})
}

// A yes is for the turn that was asked about: if another runs by then, it is asked anew.
func TestConsentIsForOneTurn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, uses("read", after(3*time.Second, says("x"))), uses("write", hangs))
		p.say("one")
		p.say("two")
		p.say("row")
		p.press("tab", "down", "s")
		p.run(4 * time.Second)
		p.want("the next turn runs", "one|two", p.agent.prompts())
		p.press("s")
		p.want("asked anew", "one|two", p.agent.prompts())
		p.press("s")
		p.want("agreed", "one|two|row", p.agent.prompts())
		p.end()
	})
}

// ctrl+y during a wait asks where the server named a time, and the second press goes.
func TestRetryNow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, asks, answers(500), says("x"))
		p.size(120, 40)
		p.press("ctrl+y")
		p.sees("nothing to retry yet")
		p.say("one")
		p.run(time.Second)
		p.sees("retrying 2/5 in 6s", "503 overloaded", "server asked 7s")
		p.press("ctrl+y")
		p.sees("the server asked to wait until")
		p.want("not yet", "one", p.agent.prompts())
		p.press("ctrl+y")
		p.want("now", "one|one", p.agent.prompts())
		p.press("ctrl+y")
		p.want("a wait nobody asked for needs no consent", "one|one|one", p.agent.prompts())
		p.run(time.Second)
		p.want("lifecycle", "Ready", p.life())
		p.press("ctrl+y")
		p.sees("there is no unsuccessful turn to run again")
		p.end()
	})
}

// ctrl+y after a failure runs the same prompt again, under the same user row.
func TestRetryByHand(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, answers(401), says("fine"))
		p.say("one")
		p.say("two")
		p.want("failed twice would be wrong", "Ready", p.life())
		p.end()

		p = open(t, answers(401), says("fine"))
		p.say("one")
		p.sees("✗ Error", "ctrl+y retries", "Turn failed · auth · 401")
		p.seesNot("held") // nothing waits
		p.press("ctrl+y")
		p.sees("fine", "Turn failed · auth · 401", "○ Ready")
		p.want("sent", "one|one", p.agent.prompts())
		if n := countOf(p, "┃ one"); n != 1 {
			t.Errorf("%d user rows\n%s", n, p.screen())
		}
		p.end()
	})
}

func countOf(p *pump, line string) (n int) {
	for _, l := range p.lines() {
		if l == line {
			n++
		}
	}
	return n
}

// A queued /new shows how it stands, then that it runs; the rows behind it go along.
func TestQueuedNew(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, after(3*time.Second, says("x")), hangs)
		p.say("one")
		p.say("/new")
		p.say("behind")
		p.sees("› 1 next     /new", "2 waiting  behind")
		for p.life() != "Command" {
			p.run(10 * time.Millisecond)
		}
		p.sees("1 running", "● Busy")
		p.run(time.Second)
		p.want("sent there", "one|behind", p.agent.prompts())
		p.seesNot("┃ one")
		p.sees("┃ behind")
		p.end()
	})
}

// An open editor makes /new wait, also one that was opened while /new was on its way.
func TestNewWhileARowIsOpen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, after(time.Second, answers(401)))
		p.say("one")
		p.say("a")
		p.run(time.Second)
		p.press("alt+up")
		p.press("tab", "tab")
		p.typ("/new")
		p.press("enter")
		p.sees("a row is open in the editor")
		p.want("stays", "/new", p.draft())
		p.press("esc", "esc", "enter")
		p.press("tab", "down", "enter")
		p.want("the command runs, a row opens", "Command a", p.life()+" "+p.m.row.Value())
		p.typ(" changed")
		p.run(time.Second)
		p.sees("a row is open in the editor", "┃ one")
		p.want("the edit", "a changed", p.m.row.Value())
		p.press("enter")
		p.want("saved", "Continue the current turn,a changed", p.rows())
		p.end()
	})
}

// A row that is open shows the files that it would be saved with, and the word of a row that may start names enter only
// where enter starts it.
func TestRowIsShownAsItStands(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p, _ := inFolder(t, "notes.md")
		p.agent.script = []step{after(3*time.Second, says("x"))}
		p.say("one")
		p.typ("@notes")
		p.soon()
		p.press("tab")
		p.typ("row")
		p.press("enter")
		p.press("alt+up")
		p.sees("› 1 editing   [notes.md]")
		p.press("ctrl+c")
		p.seesNot("[notes.md]")
		p.press("ctrl+_")
		p.sees("› 1 editing   [notes.md]")
		p.press("esc", "tab", "d")
		p.run(5 * time.Second)
		p.press("ctrl+_")
		p.sees("› 1 ready: enter plays", "enter plays · tab to edit")
		p.press("tab")
		p.sees("› 1 ready  ", "space plays")
		p.seesNot("enter plays")
		p.press("shift+tab")
		p.typ("x")
		p.sees("› 1 ready  ")
		p.seesNot("enter plays")
		p.end()
	})
}
