package model

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/model/engine"
	"baton/model/journal"
	"baton/model/keepsake"
	"baton/model/outside"
)

// keptIn opens a program whose files are kept in a directory: in a new session, or in the
// one with that id.
func keptIn(t *testing.T, dir, id string, script ...step) *pump {
	t.Helper()
	a := &fake{script: script}
	o := engineOptions(filepath.Join(dir, "sessions"), a)
	// Sessions of one test have names of their own.
	o.Random = strings.NewReader(strings.Repeat(string(rune('a'+len(entriesOf(t, dir)))), 99))
	e, err := engine.New(o)
	if id != "" {
		e, err = engine.Resume(o, id)
	}
	if err != nil {
		t.Fatal(err)
	}
	return around(t, e, a, func(d *Deps) { d.State, d.Sessions = dir, o.Dir })
}

// entriesOf are the sessions below a directory of state.
func entriesOf(t *testing.T, dir string) []string {
	t.Helper()
	var ids []string
	all, err := journal.List(filepath.Join(dir, "sessions"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		ids = append(ids, s.ID)
	}
	return ids
}

// crash copies the files as a program that is killed now leaves them.
func crash(t *testing.T, from string) (to string) {
	t.Helper()
	to = t.TempDir()
	copyDir(t, to, from)
	return to
}

// part copies a part of the files over that of another moment.
func part(t *testing.T, name, to, from string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(to, name)); err != nil {
		t.Fatal(err)
	}
	copyDir(t, filepath.Join(to, name), filepath.Join(from, name))
}

func (p *pump) pasted(text string) {
	p.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
}

// half lets pass the time in which a draft is to be kept.
func (p *pump) half() { p.run(500 * time.Millisecond) }

// quits ends a program as its end would, and returns whether there is something unsent.
func (p *pump) quits() bool {
	p.t.Helper()
	unsent, err := p.m.Leave()
	if err != nil {
		p.t.Error(err)
	}
	p.end()
	return unsent
}

func drafts(t *testing.T, dir string) int {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "drafts", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}

var big = strings.Repeat("a pasted line\n", 30)

// What stands in the composer for half a second survives a crash, with its pastes and
// files, in a new session that had no file.
func TestDraftOfANewSession(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		file := writeFile(t, dir, "my notes.txt", "x")
		p := keptIn(t, dir, "", says("x"))
		p.say("/attach " + file)
		p.typ("look at ")
		p.pasted(big)
		p.typ(" and 你")
		p.half()
		want := p.draft()
		left := crash(t, dir)
		p.press("ctrl+c")
		p.soon()
		if p.quits() || drafts(t, dir) != 0 {
			t.Error("what was cleared is kept")
		}

		p = keptIn(t, left, "", says("x"))
		p.want("composer", want, p.draft())
		p.sees("[pasted 30 lines #1]", "with my notes.txt", "what you had not sent is back", "ctrl+c clears it")
		for _, held := range []bool{true, true, true, true, true, false} { // the Enter that started it
			p.want("sent by a held key", "", p.agent.prompts())
			p.run(firstRepeat / 6)
			if held {
				p.keys("enter")
			}
		}
		p.run(repeatGuard)
		p.press("enter")
		p.soon()
		p.want("sent", want, p.agent.prompts())
		if n := len(p.agent.requests()[0].Messages[0].Attachments); n != 1 {
			t.Errorf("%d files were sent", n)
		}
		p.half()
		if p.quits() || drafts(t, left) != 0 {
			t.Error("what was sent is kept")
		}
	})
}

// Quitting keeps a draft for its session, and for no other.
func TestDraftOfASession(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := keptIn(t, dir, "", says("x"))
		p.say("one")
		p.soon()
		p.typ("a draft")
		if !p.quits() {
			t.Error("nothing is said to be unsent")
		}
		id := entriesOf(t, dir)[0]

		p = keptIn(t, dir, "", says("x"))
		p.want("a new session", "", p.draft())
		p.quits()
		p = keptIn(t, dir, id, says("x"))
		p.want("the session", "a draft", p.draft())
		p.sees("what you had not sent is back")
		p.press("backspace")
		p.half()
		left := crash(t, dir)
		p.quits()
		p = keptIn(t, left, id, says("x"))
		p.want("the session once more", "a draf", p.draft())
		p.quits()
	})
}

// A crash right behind an Enter: the journal has the text, and the draft is on the desk
// still, perhaps as it was a moment before. It is in one place (C3).
func TestCrashBehindEnter(t *testing.T) {
	for name, c := range map[string]struct {
		before []string // sent before
		draft  string   // as it was kept
		more   string   // typed behind that
		rows   string   // what waits at the end
		files  bool
	}{
		"a prompt":           {draft: "the text"},
		"an earlier state":   {draft: "the te", more: "xt"},
		"what was said once": {before: []string{"the text"}, draft: "the text", rows: "the text"},
		"a row":              {before: []string{"one"}, draft: "the text", rows: "the text"},
		"one more row":       {before: []string{"one", "two"}, draft: "the te", more: "xt", rows: "two,the text"},
		"a command's row":    {before: []string{"one"}, draft: "/model", more: " big", rows: "/model big"},
		"with a file":        {draft: "the text", files: true},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				dir := t.TempDir()
				p := keptIn(t, dir, "", after(time.Minute, says("x")))
				if c.files {
					p.say("/attach " + writeFile(t, dir, "notes.txt", "x"))
				}
				for _, text := range c.before {
					p.say(text)
				}
				p.run(2 * time.Second)
				p.typ(c.draft)
				p.half()
				desk := crash(t, dir)
				p.typ(c.more)
				p.press("enter")
				p.want("composer", "", p.draft())
				p.soon()
				left := crash(t, dir)
				part(t, "drafts", left, desk)
				p.quits()
				if drafts(t, left) != 1 {
					t.Fatal("there is no draft that could be brought back")
				}

				p = keptIn(t, left, entriesOf(t, left)[0], says("x"))
				p.want("composer", "", p.draft())
				p.want("rows", c.rows, p.rows())
				if len(p.m.write.files) > 0 {
					t.Errorf("%+v", p.m.write.files)
				}
				if drafts(t, left) != 0 {
					t.Error("the draft is still on the desk")
				}
				p.quits()
			})
		})
	}
}

// What happened in the session meanwhile takes no draft away: rows that waited were
// promoted, a turn was given up and retried, a command ran that was not typed, another row
// was removed. Nor does what was sent before it, in the same words.
func TestDraftOutlivesTheSession(t *testing.T) {
	for name, c := range map[string]struct {
		script []step
		said   []string
		then   func(p *pump)
	}{
		"promoted":       {[]step{after(2*time.Second, says("x")), says("y"), hangs}, []string{"one", "two"}, func(p *pump) { p.run(3 * time.Second) }},
		"two promoted":   {[]step{after(2*time.Second, says("x")), says("y"), says("z")}, []string{"one", "two", "three"}, func(p *pump) { p.run(3 * time.Second) }},
		"given up":       {[]step{after(2*time.Second, answers(401))}, []string{"one", "two"}, func(p *pump) { p.run(3 * time.Second) }},
		"retried":        {[]step{answers(401), says("x")}, []string{"one"}, func(p *pump) { p.press("ctrl+y") }},
		"removed":        {[]step{hangs}, []string{"one", "two"}, func(p *pump) { p.press("tab", "d") }},
		"a command":      {[]step{says("x")}, []string{"one"}, func(p *pump) { p.start(p.m.command("/model big")); p.run(time.Second) }},
		"the same words": {[]step{says("x")}, []string{"the draft"}, func(*pump) {}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				dir := t.TempDir()
				p := keptIn(t, dir, "", c.script...)
				for _, text := range c.said {
					p.say(text)
				}
				p.typ("the draft")
				p.half()
				desk := crash(t, dir)
				c.then(p)
				left := crash(t, dir)
				part(t, "drafts", left, desk) // the newest state was not written
				p.quits()

				p = keptIn(t, left, entriesOf(t, left)[0], hangs)
				p.want("composer", "the draft", p.draft())
				p.quits()
			})
		})
	}
}

// The draft is written again at once when the session moves on under it: a chat that is killed a moment later has both.
func TestDraftBesideWhatIsSent(t *testing.T) {
	for name, c := range map[string]struct {
		script []step
		then   func(p *pump)
		rows   string
		turns  int
	}{
		"a row from outside": {[]step{says("x"), hangs}, func(p *pump) {
			p.say("two")
			p.typ("draft")
			p.half()
			p.call(outside.Request{Do: outside.Add, Text: "theirs"})
		}, "theirs", 2},
		"a prompt from outside": {[]step{says("x"), hangs}, func(p *pump) {
			p.typ("draft")
			p.half()
			p.call(outside.Request{Do: outside.Add, Text: "theirs"})
		}, "", 2},
		"a prompt sent again": {[]step{says("x"), hangs}, func(p *pump) {
			p.typ("draft")
			p.press("shift+tab", "k")
			p.half()
			p.press("r")
		}, "", 2},
		"an edited row that starts": {[]step{after(2*time.Second, says("x")), hangs}, func(p *pump) {
			p.say("two")
			p.typ("draft")
			p.press("alt+up")
			p.run(2 * time.Second)
			p.typ("!")
			p.half()
			p.press("enter")
		}, "", 2},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				dir := t.TempDir()
				p := keptIn(t, dir, "", c.script...)
				p.m.deps.Desk = outside.NewDesk(p.m.eng, time.Now)
				p.say("one")
				p.run(time.Second)
				c.then(p)
				p.run(time.Millisecond)
				q := keptIn(t, crash(t, dir), entriesOf(t, dir)[0], says("x"))
				q.want("rows", c.rows, q.rows())
				q.want("draft", "draft", q.draft())
				if n := q.state().Prompts; n != c.turns {
					t.Errorf("%d prompts, want %d", n, c.turns)
				}
				q.quits()
				p.quits()
			})
		})
	}
}

// Who only shows a session leaves its drafts alone, also those that were sent: whoever has the session may be looking for them
// at the same moment, and must not find them taken.
func TestDraftsOfAShownSession(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := keptIn(t, dir, "", says("x"))
		p.say("one")
		p.run(time.Second)
		desk := keepsake.At(dir).Desk()
		d := keepsake.Draft{Session: p.m.eng.Session(), Next: 1, Time: time.Now(), Pieces: []keepsake.Piece{{Text: "on"}}}
		if err := errors.Join(desk.Save(1, d), desk.Close()); err != nil {
			t.Fatal(err)
		}
		a := &fake{}
		o := engineOptions(filepath.Join(dir, "sessions"), a)
		e, err := engine.Follow(o, d.Session, &journal.LockedError{Session: d.Session})
		if err != nil {
			t.Fatal(err)
		}
		q := around(t, e, a, func(d *Deps) { d.State, d.Sessions = dir, o.Dir })
		q.want("composer", "", q.draft())
		if n := drafts(t, dir); n != 1 {
			t.Error(n, "drafts")
		}
		q.quits()
		p.quits()
		p = keptIn(t, dir, d.Session)
		p.want("composer", "", p.draft())
		if n := drafts(t, dir); n != 0 {
			t.Error(n, "drafts, though it was sent")
		}
		p.quits()
	})
}

// A living process's draft is nobody else's.
func TestDraftOfALivingProcess(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := keptIn(t, dir, "", says("x"))
		p.typ("mine")
		p.half()
		q := keptIn(t, dir, "", says("x"))
		q.want("the other's composer", "", q.draft())
		q.typ("other")
		q.half()
		q.quits()
		p.quits()
		q = keptIn(t, dir, "", says("x")) // the one that was written down last
		q.want("composer", "mine", q.draft())
		q.sees("1 more wait")
		q.press("ctrl+c")
		q.half()
		q.quits()
		q = keptIn(t, dir, "", says("x"))
		q.want("composer", "other", q.draft())
		q.quits()
	})
}

// /new and /resume take the draft along; where one waits already, it waits on, and what is
// sent meanwhile is not taken for it.
func TestDraftGoesAlong(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := keptIn(t, dir, "", says("x"))
		p.say("first session")
		p.soon()
		p.typ("first draft")
		p.quits()
		first := entriesOf(t, dir)[0]

		p = keptIn(t, dir, "", after(time.Second, says("x")))
		p.say("second session")
		p.say("/new")
		p.typ("along")
		p.run(3 * time.Second)
		if p.state().Items.Len() != 0 {
			t.Fatal("that is no new session")
		}
		p.want("composer", "along", p.draft())
		p.start(p.m.command("/resume " + first))
		p.run(time.Second)
		p.sees("┃ first session", "another draft of this session is kept")
		p.want("composer", "along", p.draft())
		left := crash(t, dir)
		p.press("enter")
		p.run(3 * time.Second)
		p.want("sent", "second session|along", p.agent.prompts())
		p.quits()

		p = keptIn(t, dir, first, says("x"))
		p.want("composer", "first draft", p.draft())
		p.quits()
		p = keptIn(t, left, first, says("x"))
		p.want("the newest of both", "along", p.draft())
		p.sees("1 more wait")
		p.quits()
	})
}

// With an empty composer /resume brings the session's draft.
func TestResumeBringsTheDraft(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := keptIn(t, dir, "", says("x"))
		p.say("first session")
		p.soon()
		p.typ("first draft")
		p.quits()
		first := entriesOf(t, dir)[0]
		p = keptIn(t, dir, "", says("x"))
		p.say("/resume " + first)
		p.run(time.Second)
		p.want("composer", "first draft", p.draft())
		if drafts(t, dir) != 1 {
			t.Errorf("%d drafts", drafts(t, dir))
		}
		p.quits()
	})
}

// A session that is only shown sends nothing, so no draft of it can have been sent.
func TestDraftBesideAnotherProcess(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := keptIn(t, dir, "", says("x"))
		p.say("one")
		p.soon()
		p.typ("mine")
		p.half()
		id := p.m.eng.Session()
		a := &fake{script: []step{says("x")}}
		o := engineOptions(filepath.Join(dir, "sessions"), a)
		e, err := engine.Follow(o, id, &journal.LockedError{Session: id})
		if err != nil {
			t.Fatal(err)
		}
		q := around(t, e, a, func(d *Deps) { d.State, d.Sessions = dir, o.Dir })
		q.want("beside it", "", q.draft())
		q.typ("from beside")
		q.quits()
		p.press("ctrl+u")
		p.say("two")
		p.soon()
		p.quits()
		p = keptIn(t, dir, id, says("x"))
		p.want("composer", "from beside", p.draft())
		p.quits()
	})
}

// That a draft cannot be kept is said once, and stops nobody.
func TestDraftThatCannotBeKept(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := keptIn(t, dir, "", says("x"))
		writeFile(t, dir, "drafts", "in the way")
		p.typ("a")
		p.half()
		p.sees("would not survive a crash")
		p.typ("b")
		p.half()
		p.seesNot("would not survive a crash")
		p.press("enter")
		p.soon()
		p.want("sent", "ab", p.agent.prompts())
		p.half()
		_, _ = p.m.Leave()
		p.end()
	})
}

// Drafts cost nothing while the composer rests, and at most a write in the time of a pause.
func TestDraftsArePaced(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := keptIn(t, dir, "", says("x"))
		k := &p.m.write.keep
		for range 100 {
			p.typ("x")
			p.run(20 * time.Millisecond)
		}
		if n := k.count; n < 5 || n > 9 { // two seconds, and the look at the start
			t.Errorf("%d writes", n)
		}
		p.half()
		n := k.count
		p.run(time.Minute)
		if k.count != n {
			t.Errorf("%d writes of an old text", k.count-n)
		}
		p.quits()
	})
}

// A program without a place for it keeps nothing.
func TestNothingIsKeptWithoutAPlace(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("x"))
		p.typ("text")
		p.half()
		if p.m.keep() != nil || p.quits() {
			t.Error("something is kept")
		}
	})
}

// sent is what the rules of a draft look at, case by case.
func TestSentNeedsANumber(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("x"))
		p.say("one")
		p.soon()
		for next, want := range map[int]bool{0: false, 1: true, 2: false} {
			d := draftOf("one")
			d.Next = next
			if sent(p.state(), d) != want {
				t.Errorf("at %d it was sent: %v", next, !want)
			}
		}
		p.end()
	})
}

func draftOf(text string) keepsake.Draft {
	return keepsake.Draft{Pieces: []keepsake.Piece{{Text: text}}}
}
