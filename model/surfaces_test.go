package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/agentclient"
	"baton/model/engine"
	"baton/model/keepsake"
	"baton/queue"
	"baton/retrypolicy"
)

// surface is a state of the program that people meet: how it comes about, and the words
// that must be readable in any look and at any size down to 40 cells by 12 lines.
type surface struct {
	script []step
	world  func(d *Deps) // changes what the program is made of, before it starts
	open   func(t testing.TB, s surface) *pump
	play   func(p *pump)
	words  []string
}

// surfaces is the one table of what is looked at: each row is drawn in every size and
// theme, compared with its golden pictures, read without colours and in ASCII, and swept
// through all windows. A new surface is a new row.
var surfaces = map[string]surface{
	// What was said.
	"welcome": {script: []step{hangs}, world: func(d *Deps) { d.Welcome = welcomeText },
		words: []string{"# baton", "hello", "○ Ready"}},
	"markdown": {script: []step{says(markdownText)}, play: func(p *pump) { p.say("Explain how a turn is retried") },
		words: []string{"○ Ready"}},
	"code": {script: []step{says(codeText)}, play: func(p *pump) { p.say("Show me the code") }},
	"answers": {script: []step{after(12*time.Second, spends(1234, "A first answer.")), after(83*time.Second, spends(56789, "A second answer."))}, play: func(p *pump) {
		p.say("One")
		p.run(13 * time.Second)
		p.say("Two")
		p.run(90 * time.Second)
	}, words: []string{"A second answer.", "1:23", "56k tok"}},
	"streaming": {script: []step{and("# An answer\n\nThat is **still** coming, in a line that is long enough to be wrapped on most screens", hangs)}, play: func(p *pump) {
		p.say("Explain the queue to me")
		p.say("and then add tests")
		p.say("first line of three\\")
		p.typ("second")
		p.keys("ctrl+j")
		p.typ("third")
		p.press("enter")
		p.say("/new")
		p.typ("a draft")
	}, words: []string{"● Busy", "queue 3/16", "1 next", "2 waiting", "a draft", "esc stops"}},
	"thinking":  {script: []step{thinks("It asks for a **queue**. First I look at the rows.", hangs)}, play: func(p *pump) { p.say("Explain the queue to me") }, words: []string{"∴ Reasoning ▸", "● Busy"}},
	"silent":    {script: []step{and("The beginning of", hangs)}, play: func(p *pump) { p.say("Explain the queue to me"); p.run(34 * time.Second) }, words: []string{"● Busy", "silent 34s", "esc stops"}},
	"folded":    {script: workedThrough, play: func(p *pump) { p.say("Fix the parser"); p.run(time.Minute) }, words: []string{"∴ Reasoning ▸", "◆ read_file a file", "↻ Retried model request (1/4) ▸"}},
	"unfolded":  {script: workedThrough, play: func(p *pump) { p.say("Fix the parser"); p.run(time.Minute); p.press("ctrl+o") }, words: []string{"↻ Retried model request (1/4) ▾", "attempt 1"}},
	"cut":       {script: []step{cutOff}, play: func(p *pump) { p.say("Count") }, words: []string{"The answer reached the output limit and was cut off"}},
	"stopped":   {script: []step{and("As far as it came", hangs)}, play: func(p *pump) { p.say("Count"); p.say("and on"); p.press("esc"); p.run(2 * time.Second) }, words: []string{"■ interrupted", "held: you stopped", "ctrl+y retries"}},
	"stopping":  {script: []step{deaf}, play: func(p *pump) { p.say("Count"); p.say("and on"); p.press("esc") }, words: []string{"● Busy", "stopping"}},
	"receipts":  {script: workedThrough, play: func(p *pump) { p.say("Fix the parser"); p.run(time.Minute); p.say("/retry info") }},
	"selection": {script: []step{says("An answer with\n\n```go\ncode()\n```")}, play: func(p *pump) { p.say("Show me"); p.say("Again"); p.press("tab", "k", "k") }, words: []string{"y copies", "f forks"}},
	"search": {script: []step{says("The queue is a queue of rows.")}, play: func(p *pump) {
		p.say("What is a queue?")
		p.press("tab", "/")
		p.typ("queue")
	}, words: []string{"/queue", "3 of 3"}},
	"above": {script: []step{says(strings.Repeat("A line of an answer.\n\n", 40)), after(3*time.Second, says("More."))}, play: func(p *pump) {
		p.say("Much")
		p.say("more")
		p.press("tab", "home")
		p.run(5 * time.Second)
	}, words: []string{"A line of an answer.", "↓ new messages below", "tab to write"}},
	"scrolled": {script: []step{says(strings.Repeat("A line of an answer.\n\n", 40))}, play: func(p *pump) {
		p.say("Much")
		p.press("pgup")
	}},

	// How a turn goes wrong.
	"retry": {script: []step{and("the beginning of", asks)}, play: func(p *pump) {
		p.say("Explain the queue to me")
		p.say("and then add tests")
		p.run(480 * time.Millisecond)
	}, words: []string{"●", "retrying 2/5 in 6s · 503", "esc stops"}},
	"failed": {script: []step{and("the beginning of", after(2*time.Second, answers(401)))}, play: func(p *pump) {
		p.say("Explain the queue to me")
		p.say("and then add tests")
		p.run(5 * time.Second)
	}, words: []string{"✗ Turn failed · auth · 401", "check the key", "✗ Error", "ctrl+y retries", "held: last turn failed", "1 held Continue the current turn"}},
	"exhausted": {script: []step{breaks(500, "the upstream worker ended without an answer, and nobody there knows why")}, play: func(p *pump) {
		p.say("Explain the queue to me")
		p.run(time.Minute)
		p.press("ctrl+o")
	}, words: []string{"✗ Turn failed · server · 500", "5 attempts"}},
	"limit": {script: []step{limited}, play: func(p *pump) {
		p.say("Explain the queue to me")
		p.say("and then add tests")
		p.run(5 * time.Second)
	}, words: []string{"rate limited · 429", "held: limit until 02:01"}},
	"limit passed": {script: []step{limited}, play: func(p *pump) {
		p.say("Explain the queue to me")
		p.say("and then add tests")
		p.run(3 * time.Hour)
	}, words: []string{"held: limit passed"}},
	"unsaved": {script: []step{says("An answer")}, open: openUnsaved, play: func(p *pump) { p.say("Hello") },
		words: []string{"! not saved: not a directory"}},
	"read only": {script: []step{says("An answer")}, open: openReadOnly,
		words: []string{"! read only: nobody has it open any more", "takes it over"}},

	// The queue.
	"full": {script: []step{and("An answer that comes", hangs)}, play: func(p *pump) {
		p.say("Explain the queue to me")
		for i := range 16 {
			p.say(fmt.Sprintf("follow-up number %d", i+1))
		}
		p.say("one too many")
	}, words: []string{"queue 16/16 full", "the queue is full (16 rows): remove one or wait; your text stays here"}},
	"rows": {script: []step{and("An answer that comes", hangs)}, play: func(p *pump) {
		p.say("Explain the queue to me")
		for i := range 5 {
			p.say(fmt.Sprintf("follow-up number %d", i+1))
		}
		p.press("tab", "down", "down", "alt+up", "d")
	}, words: []string{"queue 4/16", "› 2"}},
	"editing": {script: []step{hangs}, play: func(p *pump) {
		p.say("Explain the queue to me")
		p.say("and then add tests")
		p.say("and a row behind it")
		p.typ("a draft")
		p.press("tab", "enter", "ctrl+j")
		p.typ("over three lines,")
		p.press("ctrl+j")
		p.typ("the last of them")
	}, words: []string{"1 editing", "enter saves", "and then add tests", "the last of them", "a draft"}},
	"editing elsewhere": {script: []step{hangs}, play: func(p *pump) {
		p.say("Explain the queue to me")
		p.say("and then add tests")
		p.press("alt+up")
		p.typ(" for it")
		p.press("tab")
	}, words: []string{"1 editing", "shift+tab to the open row", "and then add tests for it", "━"}},
	"editing files": {script: []step{hangs}, play: func(p *pump) {
		p.say("Explain the queue to me")
		p.m.write.files = []queue.Attachment{{Path: "/tmp/some notes.txt"}, {Path: "/tmp/a picture.png"}}
		p.say("look at these")
		p.press("alt+up")
	}, words: []string{"editing", "[2 files]"}},
	"paused": {script: []step{after(3*time.Second, says("An answer"))}, play: func(p *pump) {
		p.say("Explain the queue to me")
		p.say("and then add tests")
		p.press("tab", "p")
		p.run(5 * time.Second)
	}, words: []string{"held: paused", "p goes on"}},
	"restored": {script: []step{and("half of an", hangs)}, open: openRestored, words: []string{"held: restored", "■ interrupted"}},
	"blocked": {script: []step{after(3*time.Second, says("An answer"))}, play: func(p *pump) {
		p.say("Explain the queue to me")
		p.m.write.files = []queue.Attachment{{Path: "/nowhere/some notes.txt"}}
		p.say("look at this file")
		p.run(5 * time.Second)
	}, words: []string{"held: missing some notes.txt"}},
	"long reason": {script: []step{after(3*time.Second, says("An answer")), hangs}, play: func(p *pump) { longReason(p); p.run(2 * wordFor) }, // the queue says it when the passing word is gone
		words: []string{"2/16 · held", "missing the minutes of the meeting about what becomes of the old harbour.txt", "2 held", "An answer"}},
	"long reason in the queue": {script: []step{after(3*time.Second, says("An answer"))}, play: func(p *pump) { longReason(p); p.press("tab", "down") },
		words: []string{"2/16 · held", "missing the minutes of the meeting about what becomes of the old harbour.txt", "› 2 held and then add tests"}},
	"after this turn": {script: []step{after(time.Second, answers(401)), hangs}, play: func(p *pump) {
		p.say("Explain the queue to me")
		p.say("and then add tests")
		p.run(3 * time.Second)
		p.say("another way")
	}, words: []string{"after this turn"}},
	"sending next": {script: []step{deaf}, play: func(p *pump) {
		p.say("Explain the queue to me")
		p.say("and then add tests")
		p.press("tab", "s")
	}, words: []string{"sending next", "stopping"}},
	"running": {script: []step{after(time.Second, says("An answer"))}, play: func(p *pump) {
		p.say("Hello")
		p.say("/model one-large")
		for i := 0; i < 400 && p.life() != "Command"; i++ {
			p.run(5 * time.Millisecond)
		}
	}, words: []string{"1 running /model one-large", "● Busy", "/model · esc stops"}},
	"compacting": {script: []step{after(time.Second, says("An answer")), and("In short", hangs)}, play: func(p *pump) {
		p.say("Hello")
		p.say("/compact the names")
		p.say("and a row behind it")
		p.run(3 * time.Second)
	}, words: []string{"● Busy", "/compact · esc stops", "1 next and a row behind it"}},

	// What is typed.
	"files": {script: []step{hangs}, play: func(p *pump) {
		p.say("Explain the queue to me")
		p.m.write.files = []queue.Attachment{{Path: "/tmp/some notes.txt"}}
		p.typ("with a file")
	}, words: []string{"with some notes.txt", "ctrl+c drops"}},
	"draft": {script: []step{hangs}, play: func(p *pump) {
		p.m.write.files = []queue.Attachment{{Path: "/tmp/some notes.txt"}, {Path: "/tmp/the second of the two pictures that were taken.png"}}
		for i := range 10 {
			p.typ(fmt.Sprintf("line %d of the draft", i+1))
			p.keys("ctrl+j")
		}
		p.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(strings.Repeat("a pasted line\n", 1240)), Paste: true})
		p.typ(" and what to do with it")
		p.soon()
	}, words: []string{"[pasted 1,240 lines #1]"}},
	"complete": {script: []step{hangs}, play: func(p *pump) { p.typ("/"); p.press("down") },
		words: []string{"› /attach PATH", "/compact [WHAT MATTERS]", "send a file along with the next prompt", "tab takes", "esc closes"}},
	"complete queue":  {script: []step{hangs}, play: func(p *pump) { p.typ("/que") }, words: []string{"› /queue"}},
	"complete agents": {script: []step{hangs}, world: withNames, play: func(p *pump) { p.typ("/agent ") }, words: []string{"› fake", "in use", "tab takes"}},
	"complete models": {script: []step{hangs}, world: withNames, play: func(p *pump) { p.typ("/model "); p.soon() }, words: []string{"› one", "in use"}},
	"complete themes": {script: []step{hangs}, play: func(p *pump) { p.typ("/theme ") }, words: []string{"› ansi16", "in use", "mono"}},
	"complete files": {script: []step{hangs}, world: withNames, play: func(p *pump) { p.typ("look at @"); p.soon() },
		words: []string{"notes.txt"}},

	// What lies over the screen, and passing words.
	"help":     {script: []step{hangs}, play: func(p *pump) { p.press("f1") }, words: []string{"Keys", "esc closes"}},
	"sessions": {script: []step{hangs}, open: openSessions, play: func(p *pump) { p.say("/resume"); p.run(time.Second) }, words: []string{"resume a session", "› about ants", "enter resumes", "esc closes"}},
	"sessions found": {script: []step{hangs}, open: openSessions, play: func(p *pump) { p.say("/resume"); p.run(time.Second); p.typ("whales"); p.run(time.Second) },
		words: []string{"resume a session · 2 of 3", "of 3 whales ›", "about owls"}},
	"turns":   {script: []step{says("An answer")}, play: func(p *pump) { p.say("One"); p.say("Two"); p.say("/fork") }, words: []string{"fork behind a turn", "› Two", "enter forks", "esc closes"}},
	"history": {script: []step{says("An answer")}, world: withHistory, play: func(p *pump) { p.soon(); p.press("ctrl+r") }, words: []string{"› fix the queue", "enter takes it", "esc closes"}},
	"notice": {script: []step{and("An answer that comes", hangs)}, play: func(p *pump) {
		p.say("Explain the queue to me")
		p.say("and then add tests")
		p.m.say("no list of models: the server at https://llm.example.com/v1 answered 503 · type the name of the model yourself")
		p.soon()
	}, words: []string{"no list of models:", "type the name of the model yourself", "● Busy", "esc stops"}},
	"question": {script: []step{uses("read_file", hangs)}, play: func(p *pump) { p.say("Fix the parser"); p.say("row"); p.press("tab", "s") },
		words: []string{"once more"}},
	"quit": {script: []step{hangs}, play: func(p *pump) { p.press("ctrl+c") }, words: []string{"ctrl+c once more quits"}},
}

const (
	welcomeText = "# baton\n\nYou are talking to the **sandbox**: a scripted agent inside this program. No key, no network. f1 shows every key, ctrl+d quits.\n\n" +
		"1. Type `hello` and press enter. While the answer comes, type a second and a third prompt: they wait in the queue.\n" +
		"2. `/fault 500,500` and another prompt: watch two retries inside one turn.\n"
	markdownText = "# Retries\n\nA turn is **one piece of work, however often it is *tried*.** See [waits](https://baton.example/docs#waits).\n\n" +
		"1. The request fails\n   - with `503`, or\n   - with ~~nothing~~ silence\n2. The wait begins\n\n- [x] counted\n- [ ] shown\n\n> A hint is a minimum.\n> > Never a maximum.\n\n" +
		"| Kind | Retried | Why |\n|:--|:-:|---|\n| `network` | yes | the way there may be free again in a moment |\n| `auth` | no | a key does not get better by waiting |\n\nLast words: 世界, 👨‍👩‍👧‍👦."
	codeText = "The head is the row that starts:\n\n```go\n// Next is the row that starts.\nfunc (q *Queue) Next() (Row, bool) {\n\treturn q.rows[0], true // \"nothing\" is not asked for here\n}\n```\n\n" +
		"```diff\n-old\n+new\n```\n\nThat is all."
)

// workedThrough thinks, uses a tool, fails once and answers.
var workedThrough = []step{
	after(2*time.Second, breaks(503, "try again later")),
	thinks("The rows are read first.", uses("read_file", and("The parser is fixed.", after(3*time.Second, spends(4321, ""))))),
}

// longReason blocks the head for a reason that few header lines have room for.
func longReason(p *pump) {
	p.say("Explain the queue to me")
	p.m.write.files = []queue.Attachment{{Path: "/nowhere/the minutes of the meeting about what becomes of the old harbour.txt"}}
	p.say("look at this file")
	p.say("and then add tests")
	p.run(5 * time.Second)
}

// breaks fails with a wish that is longer than any wait would be, so that chance has no part in it.
func breaks(code int, message string) step {
	return fails(retrypolicy.Failure{Status: code, Message: message, Hint: retrypolicy.Hint{Wait: 5 * time.Second, Source: "Retry-After"}})
}

// spends answers and tells how many tokens that took.
func spends(tokens int64, text string) step {
	return func(_ context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
		sink(agentclient.Piece{Text: text})
		return agentclient.Finish{Usage: agentclient.Usage{Output: tokens}}, nil
	}
}

func cutOff(_ context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
	sink(agentclient.Piece{Text: "one, two, thr"})
	return agentclient.Finish{Cut: true}, nil
}

// withNames gives the completions something to offer.
func withNames(d *Deps) {
	d.Agents = []string{"fake", "local", "work"}
	d.Models = func(context.Context, agentclient.Agent) ([]string, error) {
		return []string{"one", "one-large", "two"}, nil
	}
	for _, name := range []string{"README.md", "docs/keys.md", "notes.txt"} {
		path := filepath.Join(d.Dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			panic(err)
		}
	}
}

func withHistory(d *Deps) {
	err := keepsake.At(d.State).AddPrompts([]string{"fix the retry loop, which waits too long after the server has said when to come back", "explain\njitter", "fix the queue"})
	if err != nil {
		panic(err)
	}
}

// playable makes the program of a surface in directories of its own.
func playable(t testing.TB, s surface, e *engine.Engine, a *fake) *pump {
	return around(t, e, a, func(d *Deps) {
		d.Dir, d.State = t.TempDir(), t.TempDir()
		if s.world != nil {
			s.world(d)
		}
	})
}

func openPlain(t testing.TB, s surface) *pump {
	a := &fake{script: s.script}
	e, err := engine.New(engineOptions(t.TempDir(), a))
	if err != nil {
		t.Fatal(err)
	}
	return playable(t, s, e, a)
}

// openUnsaved finds a file where its directory should be.
func openUnsaved(t testing.TB, s surface) *pump {
	t.(*testing.T).Chdir(t.TempDir())
	writeFile(t, ".", "sessions", "")
	a := &fake{script: s.script}
	e, err := engine.New(engineOptions("sessions", a))
	if err != nil {
		t.Fatal(err)
	}
	return playable(t, s, e, a)
}

// left is a session that ended while a row waited.
func left(t testing.TB, s surface) (dir, id string, a *fake) {
	a = &fake{script: s.script}
	dir = t.TempDir()
	e, err := engine.New(engineOptions(dir, a))
	if err != nil {
		t.Fatal(err)
	}
	p := playable(t, s, e, a)
	p.say("Explain the queue to me")
	p.say("and then add tests")
	p.end()
	return dir, e.Session(), a
}

func openRestored(t testing.TB, s surface) *pump {
	dir, id, a := left(t, s)
	e, err := engine.Resume(engineOptions(dir, a), id)
	if err != nil {
		t.Fatal(err)
	}
	return playable(t, s, e, a)
}

// openReadOnly is a session that another process had when it was opened.
func openReadOnly(t testing.TB, s surface) *pump {
	dir, id, a := left(t, s)
	held, err := engine.Resume(engineOptions(dir, a), id)
	if err != nil {
		t.Fatal(err)
	}
	_, why := engine.Resume(engineOptions(dir, a), id)
	e, err := engine.Follow(engineOptions(dir, a), id, why)
	if err != nil {
		t.Fatal(err)
	}
	p := playable(t, s, e, a)
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	p.run(5 * time.Second)
	return p
}

// openSessions has three other sessions to choose from.
func openSessions(t testing.TB, s surface) *pump {
	dir := t.TempDir()
	for i, said := range [][2]string{{"about whales, and how their songs travel through the oceans of the world", "they sing"},
		{"about owls", "In the woods at night they hoot at each other, at mice, at whales when there are any, and at the moon"}, {"about ants", "they carry"}} {
		p := openIn(t, dir, fmt.Sprintf("names %d ", i), says(said[1]))
		p.say(said[0])
		p.run(2 * time.Second)
		p.end()
		at := time.Now().Add(time.Duration(i) * time.Hour)
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.Contains(f, p.m.eng.Session()) {
				if err := os.Chtimes(f, at, at); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	a := &fake{script: s.script}
	o := engineOptions(dir, a)
	o.Random = bytes.NewReader(bytes.Repeat([]byte("others "), 50))
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	p := playable(t, s, e, a)
	p.m.deps.Sessions = dir
	return p
}

// shown plays a surface.
func (s surface) shown(t testing.TB) *pump {
	open := openPlain
	if s.open != nil {
		open = s.open
	}
	p := open(t, s)
	if s.play != nil {
		s.play(p)
	}
	return p
}
