package model

import (
	"errors"
	"strings"
	"testing"
	"time"

	"baton/model/command"
	"baton/model/engine"
	"baton/model/journal"
)

// refusedLines are lines of each command that cannot be done in a session with one answered turn. A command that takes
// nothing refuses whatever stands behind it.
var refusedLines = map[string][]string{
	"agent":   {"/agent nope", "/agent"},
	"attach":  {"/attach nothing.txt", "/attach"},
	"compact": {},
	"export":  {"/export existing.md", "/export a.doc"},
	"fault":   {"/fault 500", "/fault"},
	"fork":    {"/fork 99", "/fork x"},
	"model":   {"/model", "/model nope"},
	"queue":   {"/queue eat", "/queue clear", "/queue undo", "/queue play", "/queue pause", "/queue resume", "/queue rm 1", "/queue edit 1 x", "/queue move 1 2", "/queue send 1"},
	"resume":  {"/resume nothing", "/resume ../x", "/resume"},
	"retry":   {"/retry", "/retry now", "/retry soon"},
	"theme":   {"/theme nope"},
	// These take nothing.
	"copy": {}, "help": {}, "keys": {}, "new": {}, "paste": {"/paste"}, "quit": {}, "stop": {"/stop"},
}

// However a command is refused, its line is in the composer afterwards, and one line says why; so it is with every command
// there is. Where something else was begun meanwhile, the line is in the history.
func TestRefusedCommandsStay(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		t.Chdir(dir)
		writeFile(t, dir, "existing.md", "mine")
		p := keptIn(t, dir, "", says("x"))
		p.say("one")
		p.soon()
		for _, c := range command.All() {
			lines, ok := refusedLines[c.Name]
			if !ok {
				t.Errorf("say how /%s can be refused", c.Name)
			}
			if c.Args == "" {
				lines = append(lines, "/"+c.Name+" something")
			}
			for _, line := range lines {
				p.refuses(line)
			}
		}
		p.refuses("/nosuchcommand")
		if p.quit || p.agent.prompts() != "one" {
			t.Error("something was done")
		}
		p.end()
	})
}

// A command that waits its turn and can never succeed is refused while it would only wait, too.
func TestHopelessCommandsDoNotWait(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := busyWith(t, "a row")
		for line, word := range map[string]string{
			"/agent":   "/agent needs the name of an agent: there is none but fake; baton config init makes a file",
			"/model":   "/model needs the name of a model behind it",
			"/fork 99": "there is no turn 99 in this session",
			"/fork x":  "/fork takes the number of a turn",
		} {
			p.say(line)
			if got := p.m.currentWord(); !strings.Contains(got, word) || p.draft() != line {
				t.Errorf("%s: %q is said, the composer holds %q", line, got, p.draft())
			}
			p.want("queue", "a row", p.rows())
			p.press("ctrl+c")
		}
		p.press("alt+up", "ctrl+u")
		p.typ("/fork 99")
		p.press("enter")
		p.sees("there is no turn 99")
		p.want("the row editor", "/fork 99", p.m.row.Value())
		p.press("esc")
		p.say("/fork 2") // what may be a turn by then waits
		p.want("queue", "a row,/fork 2", p.rows())
		p.end()
	})
}

// refuses types a line and fails unless it stands in the composer afterwards with a word that says why.
func (p *pump) refuses(line string) {
	p.t.Helper()
	p.say(line)
	p.run(300 * time.Millisecond) // commands take a while
	if word := p.m.currentWord(); word == "" || strings.Contains(word, "\n") || p.draft() != line {
		p.t.Errorf("%s: the composer holds %q, and %q is said", line, p.draft(), word)
	}
	p.press("ctrl+c")
	p.want(line+": cleared", "", p.draft())
}

// A line that comes to nothing later comes back into an empty composer alone, and a command that was stopped is one.
func TestRefusedBehindOtherWords(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("x"))
		p.say("/agent nope")
		p.typ("other words")
		p.run(time.Second)
		p.want("composer", "other words", p.draft())
		p.sees("there is no agent")
		p.press("ctrl+c")
		p.say("/agent fake")
		p.press("esc")
		p.want("stopped", "/agent fake", p.draft())
		p.press("ctrl+c")
		p.say("/agent fake")
		p.run(time.Second)
		p.want("done", "", p.draft())
		p.start(p.m.command("/agent nope")) // nobody typed that
		p.run(time.Second)
		p.want("not typed", "", p.draft())
		p.end()
	})
}

// A question is no refusal: a held key must not answer it.
func TestAQuestionDoesNotStay(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, uses("t", after(time.Minute, says("x"))))
		p.say("one")
		p.say("row")
		p.say("/queue send 1")
		p.want("asked", "", p.draft())
		p.say("/queue send 1")
		p.run(time.Second)
		p.want("agreed", "", p.rows())
		p.end()
	})
}

// It is the same beside a session that another process has.
func TestRefusedBesideAnotherProcess(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		p := keptIn(t, dir, "", says("x"))
		p.say("one")
		p.soon()
		a := &fake{script: []step{says("x")}}
		o := engineOptions(p.m.deps.Sessions, a)
		e, err := engine.Follow(o, p.m.eng.Session(), &journal.LockedError{Session: p.m.eng.Session()})
		if err != nil {
			t.Fatal(err)
		}
		q := around(t, e, a, func(d *Deps) { d.State, d.Sessions = dir, o.Dir })
		for _, line := range []string{"/resume nothing", "/agent nope", "/fork 99", "/queue clear"} {
			q.refuses(line)
		}
		q.quits()
		p.quits()
	})
}

// Enter takes an entry that somebody went to, and the one that an unfinished word begins; what is whole, and a list of
// faults, which has no end of words, runs as it stands.
func TestEnterTakesWhatIsSelected(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.agent.protocol = "sandbox" // which has faults
		p.m.deps.Faults = func(string) error { return errors.New("not these") }
		p.say("one")
		for _, c := range []struct{ typed, keys, want string }{
			{"/theme ", "", "/theme ansi16 "}, {"/theme li", "", "/theme light "}, {"/theme dark", "", ""},
			{"/queue pa", "", "/queue pause "}, {"/queue ", "", ""}, {"/queue ", "down", "/queue resume "}, {"/queue pause", "", "/queue pause"},
			{"/retry ", "down", "/retry info "}, {"/fault 5", "down", "/fault 5"}, {"/fault 429", "", "/fault 429"}, {"/fault ", "down", "/fault 429:7 "},
			{"/", "up", "/theme "},
		} {
			p.typ(c.typed)
			for _, k := range strings.Fields(c.keys) {
				p.press(k)
			}
			p.press("enter")
			p.want(c.typed+" "+c.keys, c.want, p.draft())
			p.run(time.Second)
			p.press("ctrl+u")
		}
		p.end()
	})
}

// A command of one kind of agent is offered, helped with and run where it works, and refused with the way there elsewhere.
func TestCommandsOfTheSandbox(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("x"))
		armed := ""
		p.m.deps.Faults = func(list string) error { armed = list; return nil }
		helped := func() bool {
			p.press("f1")
			defer p.press("esc")
			p.size(80, 200)
			defer p.size(80, 24)
			return strings.Contains(p.screen(), "/fault LIST")
		}
		offered := func() bool {
			p.typ("/")
			defer p.press("ctrl+u")
			p.size(80, 24)
			for range command.All() {
				if p.press("down"); strings.Contains(p.screen(), "/fault LIST") {
					return true
				}
			}
			p.typ("fault ")
			return strings.Contains(p.screen(), "429:7")
		}
		if helped() || offered() {
			t.Error("/fault is offered with an agent that has no faults")
		}
		for _, line := range []string{"/fault", "/fault 500"} {
			p.refuses(line)
			p.say(line)
			p.sees("/fault is for the sandbox only: /agent sandbox goes there")
			p.press("ctrl+u")
		}
		p.want("armed", "", armed)

		p.agent.protocol = "sandbox"
		p.say("/agent fake")
		p.run(time.Second)
		if !helped() || !offered() {
			t.Error("/fault is not offered with the sandbox")
		}
		p.say("/fault 500")
		p.want("armed", "500", armed)
		p.end()
	})
}

// The words that a command knows are offered behind it, and tab takes one.
func TestWordsAreOffered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.agent.protocol = "sandbox" // which has faults
		p.say("one")
		p.say("row")
		p.typ("/queue ")
		p.sees("› pause", "hold the queue", "undo")
		p.typ("pau")
		p.press("tab")
		p.want("taken", "/queue pause ", p.draft())
		p.press("enter")
		if !p.state().Gate.Paused {
			t.Error("the queue is not paused")
		}
		p.typ("/fault ")
		p.sees("› 500", "429:7")
		p.press("ctrl+u")
		p.typ("/retry ")
		p.sees("› now", "info")
		p.press("ctrl+u")
		p.typ("/queue edit 1 x")
		p.seesNot("› pause")
		p.press("enter")
		p.want("rows", "x", p.rows())
		p.end()
	})
}

// Without a name, /theme says which themes there are, and is done.
func TestThemesAreListed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t)
		p.say("/theme")
		p.sees("themes: ansi16, dark, light")
		p.want("the composer", "", p.draft())
		p.end()
	})
}
