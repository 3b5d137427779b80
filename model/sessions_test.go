package model

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"baton/model/catalog"
)

// threeKept keeps three sessions in dir and returns their names.
func threeKept(t *testing.T, dir string) (ids []string) {
	t.Helper()
	for i, s := range [][2]string{{"about whales", "they sing"}, {"about owls", "they hoot at whales"}, {"about ants", "they carry"}} {
		p := openIn(t, dir, fmt.Sprintf("names %d ", i), says(s[1]))
		p.say(s[0])
		p.run(2 * time.Second)
		ids = append(ids, p.m.eng.Session())
		p.end()
	}
	return ids
}

// Words that one session has go there, while the agent works as a row that waits its turn; those of several are looked
// for in the list; those of none stay where they were typed.
func TestResumeByWords(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		ids := threeKept(t, dir)
		p := openIn(t, dir, "others ", after(5*time.Second, says("mine")))
		p.say("/resume hoot  WHALES")
		p.soon()
		p.run(time.Second)
		p.want("session", ids[1], p.m.eng.Session())
		p.sees("they hoot at whales", "now in session "+ids[1])

		p.say("/resume whales") // this session has them too, and is not meant
		p.run(time.Second)
		p.want("session", ids[0], p.m.eng.Session())

		p.say("/resume they")
		p.run(time.Second)
		p.sees("resume a session", "about owls", "about ants", "2 of 2")
		p.seesNot("about whales")
		p.want("typed", "they", p.m.screen.choice.Typed())
		p.sees("› about owls") // used last
		p.press("enter")
		p.run(time.Second)
		p.want("session", ids[1], p.m.eng.Session())

		p.say("work")
		p.say("/resume carry")
		p.run(time.Second)
		p.want("waits", "/resume "+ids[2], p.rows())
		p.run(6 * time.Second)
		p.want("session", ids[2], p.m.eng.Session())
		p.refuses("/resume nowhere at all")
		p.refuses("/resume carry") // nobody but this one
		p.refuses("/resume " + ids[2])
		p.end()
	})
}

// Who closes the list or types in it before the words were looked up is not taken anywhere, and no second list is either.
func TestResumeByWordsComesLate(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		ids := threeKept(t, dir)
		p := openIn(t, dir, "others ", says("mine"))
		here := p.m.eng.Session()
		p.run(time.Second)
		for _, late := range []func(){
			func() { p.keys("esc") },
			func() { p.keys("esc"); p.typ("/resume"); p.keys("enter") },
			func() { p.keys("x", "backspace", "y") },
		} {
			p.typ("/resume carry")
			p.keys("enter")
			c := p.m.screen.choice
			late()
			p.send(sessionsMeant{of: c, words: "carry", found: []catalog.Match{{Info: catalog.Info{ID: ids[2]}}}}) // it was on its way
			p.run(2 * time.Second)
			p.want("session", here, p.m.eng.Session())
			p.want("rows", "", p.rows())
			if p.m.screen.choice != nil {
				p.press("esc")
			}
		}
		p.end()
	})
}

// /resume is completed by what sessions are about; their names are what is taken, and words are words all the same.
func TestSessionsAreOffered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		ids := threeKept(t, dir)
		p := openIn(t, dir, "others ", says("mine"))
		p.typ("/resume ")
		p.run(time.Second)
		p.sees("› about ants", ids[2], "about owls", "about whales")
		p.typ("about w")
		p.sees("› about whales", ids[0])
		p.seesNot("about ants")
		p.press("tab")
		p.want("taken", "/resume "+ids[0]+" ", p.draft())
		p.seesNot("› about")
		p.press("enter")
		p.run(time.Second)
		p.want("session", ids[0], p.m.eng.Session())
		p.typ("/resume about ")
		p.run(time.Second)
		p.sees("› about ants", "about owls")
		p.press("down", "enter") // which takes what somebody went to
		p.want("taken", "/resume "+ids[1]+" ", p.draft())
		p.press("ctrl+u")
		p.typ("/resume ants")
		p.press("enter") // not what is selected, but the words
		p.run(time.Second)
		p.want("session", ids[2], p.m.eng.Session())
		p.typ("/export ")
		p.seesNot("› ")
		p.press("ctrl+u")
		p.typ("/resume about ")
		p.run(time.Second)
		if s := p.screen(); strings.Contains(s, "  "+ids[2]) || !strings.Contains(s, ids[0]) {
			t.Errorf("this session is offered, or another is not:\n%s", s)
		}
		p.end()
	})
}
