package model

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"baton/model/engine"
)

// sessionInPages has so many answered prompts, in pages, and returns its id.
func sessionInPages(t testing.TB, dir string, prompts int) string {
	t.Helper()
	p := openIn(t, dir, "names ", says("an answer "+strings.Repeat("of many words ", 200)))
	for i := range prompts {
		p.say(fmt.Sprintf("prompt %d.", i))
		p.run(100 * time.Millisecond)
	}
	p.run(2 * time.Second)
	p.end()
	return p.m.eng.Session()
}

func resumed(t testing.TB, dir, id string, script ...step) *pump {
	t.Helper()
	a := &fake{script: script}
	e, err := engine.Resume(engineOptions(dir, a), id)
	if err != nil {
		t.Fatal(err)
	}
	p := around(t, e, a)
	p.m.deps.Sessions = dir
	return p
}

// Older messages come as one scrolls, and the lines that are read do not move.
func TestOlderMessages(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := resumed(t, dir, sessionInPages(t, dir, 70), after(time.Hour, says("x")))
		if p.state().Items.Start() == 0 {
			t.Fatal("everything was read at once")
		}
		p.sees("words of many")
		seen := map[string]bool{}
		loads := 0
		for range 600 {
			before := p.state().Items.Start()
			top := p.lines()[2]
			p.soon() // an older page may come in
			if after := p.state().Items.Start(); after != before {
				loads++
				p.want("the line that is read", top, p.lines()[2])
			}
			for i := range 70 {
				if text := fmt.Sprintf("prompt %d.", i); strings.Contains(p.screen(), text) {
					seen[text] = true
				}
			}
			if seen["prompt 0."] {
				break
			}
			p.keys("pgup")
		}
		if len(seen) != 70 || loads < 1 {
			t.Errorf("%d of 70 prompts seen, %d pages came\n%s", len(seen), loads, p.screen())
		}
		p.keys("shift+tab", "end")
		p.want("at the end", "true", fmt.Sprint(p.m.chat.AtEnd()))
		p.end()
	})
}

// The key to the beginning reads what is missing and shows it, while a turn streams too.
func TestToTheBeginning(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := resumed(t, dir, sessionInPages(t, dir, 70), and("streaming now", after(time.Hour, says("x"))))
		p.say("more")
		p.sees("streaming now")
		p.press("shift+tab", "home")
		p.run(time.Second)
		p.sees("prompt 0.")
		p.want("all", "0", fmt.Sprint(p.state().Items.Start()))
		p.press("end")
		p.sees("streaming now")
		p.press("esc")
		p.run(time.Second)
		p.sees("Stopped")
		p.end()
	})
}

// A session that another process has is shown as it goes on; keys change nothing and keep
// what is typed.
func TestShownOnly(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := openIn(t, dir, "names ", says("first"), and("part of the sec", after(5*time.Second, says("ond"))))
		p.say("one")
		p.run(time.Second)
		a := &fake{script: []step{says("mine")}}
		o := engineOptions(dir, a)
		_, err := engine.Resume(o, p.m.eng.Session())
		e, err := engine.Follow(o, p.m.eng.Session(), err)
		if err != nil {
			t.Fatal(err)
		}
		f := around(t, e, a)
		both := func(d time.Duration) {
			for ; d > 0; d -= 100 * time.Millisecond {
				p.run(50 * time.Millisecond)
				f.run(50 * time.Millisecond)
			}
		}
		both(time.Second)
		f.sees("one", "first", "read only: process", "Ready")
		p.say("two")
		p.say("a row")
		both(3 * time.Second)
		f.sees("two", "part of the sec", "Busy", "streaming", "1 next  a row")
		f.seesNot("esc stops", "tab to edit")
		f.typ("mine")
		f.press("enter")
		f.sees("mine", "/new starts another")
		f.want("draft", "mine", f.draft())
		f.press("ctrl+c", "esc", "ctrl+y")
		both(10 * time.Second)
		f.sees("part of the second", "Ready")
		p.want("asked", "one|two|a row", p.agent.prompts())
		f.want("asked", "", f.agent.prompts())
		f.say("/new")
		f.run(time.Second)
		f.say("mine")
		f.run(time.Second)
		f.want("asked", "mine", f.agent.prompts())
		f.seesNot("read only", "part of the sec")
		p.end()
		f.end()
	})
}

// What a follower finds in one look, a turn from its start to its end and the text of the
// next, is shown once.
func TestShownInOneLook(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := openIn(t, t.TempDir(), "names ", says("first"), after(30*time.Millisecond, says("second")), and("part of the third", after(time.Hour, says("x"))))
		p.say("one")
		p.run(time.Second)
		a := &fake{script: []step{says("mine")}}
		o := engineOptions(p.m.deps.Sessions, a)
		_, err := engine.Resume(o, p.m.eng.Session())
		e, err := engine.Follow(o, p.m.eng.Session(), err)
		if err != nil {
			t.Fatal(err)
		}
		f := around(t, e, a) // from here on it looks every 200 ms
		p.typ("two")
		p.keys("enter")
		p.soon()
		p.typ("three")
		p.keys("enter")
		p.run(100 * time.Millisecond)
		p.want("asked", "one|two|three", p.agent.prompts())
		f.run(time.Second)
		if n := strings.Count(f.screen(), "part of the third"); n != 1 {
			t.Errorf("shown %d times:\n%s", n, f.screen())
		}
		f.sees("second", "three")
		p.end()
		f.run(3 * time.Second)
		f.end()
	})
}
