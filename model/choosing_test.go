package model

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/model/engine"
)

// openIn makes a program whose sessions are kept in dir.
func openIn(t testing.TB, dir, names string, script ...step) *pump {
	t.Helper()
	a := &fake{script: script}
	o := engineOptions(dir, a)
	o.Random = bytes.NewReader(bytes.Repeat([]byte(names), 50))
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	p := around(t, e, a)
	p.m.deps.Sessions = dir
	return p
}

// Lists and completions name the keys that act there, as they are bound.
func TestListsNameTheirKeys(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := &fake{script: []step{says("An answer")}}
		e, err := engine.New(engineOptions(t.TempDir(), a))
		if err != nil {
			t.Fatal(err)
		}
		p := around(t, e, a, func(d *Deps) {
			keys, _, err := d.Keys.Override(map[string][]string{"send": {"ctrl+s", "enter"}, "popup_accept": {"f7", "tab"}, "popup_down": {"ctrl+n", "down"}, "stop": {"f9", "esc"}})
			if err != nil {
				t.Fatal(err)
			}
			d.Keys = keys
		})
		p.typ("/")
		p.sees("f7 takes", "f9 closes", "up/ctrl+n choose")
		p.size(40, 12) // where they stand for the agent
		p.sees("f7 takes")
		p.size(80, 24)
		p.press("f9")
		p.seesNot("f7 takes")
		p.press("ctrl+c")
		p.say("One")
		p.say("/fork")
		p.sees("ctrl+s forks", "f9 closes", "up/ctrl+n choose")
		p.press("f9")
		p.seesNot("ctrl+s forks")
		p.press("ctrl+r")
		p.sees("ctrl+s takes it", "f9 closes")
		p.press("f9")
		p.end()
	})
}

// /resume lists the other sessions; what is typed is looked for in their titles and texts.
func TestChooseASession(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		var ids []string
		for i, s := range [][2]string{{"about whales", "they sing"}, {"about owls", "they hoot at whales"}, {"about ants", "they carry"}} {
			p := openIn(t, dir, fmt.Sprintf("names %d ", i), says(s[1]))
			p.say(s[0])
			p.run(2 * time.Second)
			ids = append(ids, p.m.eng.Session())
			p.end()
		}
		p := openIn(t, dir, "others ", after(5*time.Second, says("mine")))
		p.say("/resume")
		p.run(time.Second)
		p.sees("resume a session", "about whales", "about owls", "about ants")
		p.typ("whale")
		p.run(2 * time.Second)
		p.sees("about whales", "about owls", "hoot at whales")
		p.seesNot("about ants")
		p.press("esc")
		p.seesNot("resume a session")
		p.want("draft", "", p.draft())
		p.want("session", "0", fmt.Sprint(p.state().Items.Len()))

		p.say("work") // while it runs the choice waits its turn, and so do the rows behind it
		p.say("/resume")
		p.run(time.Second / 4)
		p.typ("owl?") // the question mark is text here
		p.want("typed", "owl?", p.m.screen.choice.Typed())
		p.press("backspace", "enter")
		p.want("rows", "/resume "+ids[1], p.rows())
		p.say("row")
		p.run(6 * time.Second)
		p.want("session", ids[1], p.m.eng.Session())
		p.sees("about owls", "they hoot at whales", "now in session "+ids[1]+"; 1 row stays in ")
		p.seesNot("work")
		p.want("rows", "", p.rows())
		p.want("sent", "work", p.agent.prompts())
		p.end()
	})
}

// /fork lists the prompts; the one that is taken is the last of the copy.
func TestChooseATurn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := openIn(t, dir, "names ", says("one answer"), says("two answer"), says("three answer"))
		p.say("/fork")
		p.sees("there is no turn to fork from yet")
		p.press("ctrl+c")
		for _, prompt := range []string{"one", "two", "three"} {
			p.say(prompt)
			p.run(2 * time.Second)
		}
		from := p.m.eng.Session()
		p.say("/fork")
		p.sees("fork behind a turn", "turn 3 · succeeded")
		p.typ("two")
		p.press("enter")
		p.run(2 * time.Second)
		if p.m.eng.Session() == from {
			t.Fatal(p.screen())
		}
		p.sees("one answer", "two answer", "now in session "+p.m.eng.Session())
		p.seesNot("three")
		p.end()
	})
}

// A paste, an unknown key and a window of any size do nothing bad to the list.
func TestChoosingGeometry(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := openIn(t, t.TempDir(), "names ", says("an answer"))
		p.say("one " + strings.Repeat("long ", 50))
		p.say("/fork")
		p.keys("f5", "ctrl+x", "alt+q", "pgup", "pgdown", "down", "up", "tab")
		p.say("/fork")
		for w := 0; w < 90; w += 7 {
			for h := 0; h < 30; h++ {
				p.size(w, h)
				for _, l := range p.lines() {
					if n := len([]rune(l)); n > max(w, 1) {
						t.Fatalf("%dx%d: %q", w, h, l)
					}
				}
			}
		}
		p.end()
	})
}

// A session is written to a file beside what runs, and never over one that is there.
func TestExport(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := openIn(t, dir, "names ", says("the **answer**"), hangs)
		p.say("/export " + filepath.Join(dir, "none.md"))
		p.sees("there is nothing to export")
		p.press("ctrl+c")
		p.say("the prompt")
		p.run(time.Second)
		p.say("another")
		for _, name := range []string{"a.md", "a b.html", "a.jsonl"} {
			path := filepath.Join(dir, name)
			p.say("/export " + path)
			p.run(time.Second)
			p.sees("exported to ")
			data, err := os.ReadFile(path)
			if err != nil || !bytes.Contains(data, []byte("the prompt")) {
				t.Errorf("%s: %v %.200q", name, err, data)
			}
			p.say("/export " + path)
			p.run(time.Second)
			p.sees("not exported", "is there already")
			if again, _ := os.ReadFile(path); !bytes.Equal(again, data) {
				t.Errorf("%s was changed", name)
			}
			p.want("the command stays", "/export "+path, p.draft())
			p.press("ctrl+c")
		}
		p.say("/export a.pdf")
		p.sees("a session is written as .md, .html or .jsonl, not as a.pdf")
		p.press("ctrl+c")
		p.say("/export " + filepath.Join(dir, "no", "such", "folder.md"))
		p.run(time.Second)
		p.sees("not exported")
		p.want("life", "Turn", p.life())
		p.end()
	})
}
