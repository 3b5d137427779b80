package model

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"baton/model/engine"
)

// transcript is all of it, as it stands and unfolded.
func (p *pump) transcript() string {
	var all []string
	for range 2 {
		for _, l := range p.m.chat.View(80, 300) {
			if l = strings.TrimRight(ansi.Strip(l), " "); l != "" {
				all = append(all, l)
			}
		}
		all = append(all, "--")
		p.m.chat.ToggleFold()
		if len(all) > 0 && p.m.chat.Len() == 0 {
			break
		}
	}
	return strings.Join(all, "\n")
}

// A streamed answer is on the screen once: while it comes, when it settles, and after.
func TestAnswerIsShownOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, thinks("hmm", and("first ", after(time.Second, and("second ", after(time.Second, says("third")))))))
		p.say("one")
		p.run(500 * time.Millisecond)
		p.sees("first", "∴ Reasoning", "● Busy")
		p.run(time.Second)
		p.sees("first second")
		for range 3 {
			p.run(time.Second)
			if n := strings.Count(p.screen(), "first"); n != 1 {
				t.Fatalf("%d times\n%s", n, p.screen())
			}
		}
		p.sees("first second third", "○ Ready")
		if n := strings.Count(p.screen(), "Reasoning"); n != 1 {
			t.Errorf("%d reasonings\n%s", n, p.screen())
		}
		p.end()
	})
}

// The text of a failed attempt stays while the wait lasts and leaves when the next begins;
// in the end there is the answer and one line about the retries.
func TestFailedAttemptLeavesTheView(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, and("lost words", asks), after(time.Second, and("good", after(time.Second, says(" words")))))
		p.say("one")
		p.run(6 * time.Second)
		p.sees("lost words", "retrying 2/5")
		p.seesNot("Retried", "Turn failed")
		p.run(1500 * time.Millisecond)
		p.seesNot("lost words")
		p.run(time.Second)
		p.sees("good", "attempt 2/5")
		p.run(time.Second)
		p.sees("good words", "↻ Retried model request (1/4)")
		p.seesNot("lost words")
		p.end()
	})
}

// A tool that comes while a note stands behind the turn is shown, and all is in order in
// the end.
func TestToolBehindANote(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, and("before ", after(time.Second, uses("read", after(time.Second, says("after"))))))
		p.say("one")
		p.start(p.m.after(p.m.eng.Note("a note")))
		p.soon()
		p.sees("before", "· a note")
		p.run(1200 * time.Millisecond)
		p.sees("◆ read a file")
		p.run(2 * time.Second)
		p.sees("before after", "· a note", "◆ read a file")
		if s := p.transcript(); strings.Count(s, "◆ read") != 2 || strings.Count(s, "before") != 2 { // twice: folded and not
			t.Error(s)
		}
		p.end()
	})
}

// Whoever reads further up stays there while an answer streams and settles.
func TestReadingStaysInPlace(t *testing.T) {
	bubble(t, func(t *testing.T) {
		long := ""
		for i := range 60 {
			long += fmt.Sprintf("line %d of the first answer\n\n", i)
		}
		p := open(t, says(long), and("second", after(2*time.Second, says(" end"))))
		p.say("one")
		p.say("two")
		p.press("pgup", "pgup")
		above := func() string { return strings.Join(p.lines()[:15], "\n") }
		before := above()
		p.run(time.Second)
		p.run(3 * time.Second)
		p.want("after the settlement", before, above())
		p.sees("↓ new messages below")
		p.press("tab", "end")
		p.sees("second end")
		p.end()
	})
}

// What was on the screen is there again after a restart, turn by turn: answers, retries,
// failures, stops, retries by hand, tools, reasoning, notes.
func TestReloadedTranscriptIsTheLiveOne(t *testing.T) {
	for name, c := range map[string]struct {
		script []step
		do     func(p *pump)
	}{
		"success":   {[]step{thinks("hmm", says("# an answer\n\n- of\n- items"))}, func(p *pump) { p.say("one") }},
		"retried":   {[]step{and("lost", answers(503)), answers(500), says("answer")}, func(p *pump) { p.say("one"); p.run(20 * time.Second) }},
		"exhausted": {[]step{and("lost", answers(503))}, func(p *pump) { p.say("one"); p.say("row"); p.run(time.Minute) }},
		"permanent": {[]step{answers(401)}, func(p *pump) { p.say("one") }},
		"stopped":   {[]step{and("partial", hangs)}, func(p *pump) { p.say("one"); p.press("esc") }},
		"stopped in a wait": {[]step{and("lost", asks)}, func(p *pump) {
			p.say("one")
			p.run(time.Second)
			p.press("esc")
		}},
		"stopped before a word": {[]step{hangs}, func(p *pump) { p.say("one"); p.press("esc") }},
		"stop nobody heard":     {[]step{and("partial", deaf)}, func(p *pump) { p.say("one"); p.press("esc"); p.run(3 * time.Second) }},
		"retried by hand":       {[]step{answers(401), and("half", answers(400)), says("well")}, func(p *pump) { p.say("one"); p.press("ctrl+y"); p.press("ctrl+y") }},
		"tools":                 {[]step{and("before", uses("read", uses("write", says("after"))))}, func(p *pump) { p.say("one") }},
		"notes": {[]step{says("x")}, func(p *pump) {
			p.say("one")
			p.start(p.m.after(p.m.eng.Note("noted")))
			p.say("two")
		}},
		"a row sent": {[]step{after(time.Second, says("x")), says("y")}, func(p *pump) { p.say("one"); p.say("row"); p.run(5 * time.Second) }},
		"files": {[]step{says("x")}, func(p *pump) {
			p.say("/attach " + writeFile(p.t, p.t.TempDir(), "a.txt", "text"))
			p.say("one")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				a := &fake{script: c.script}
				dir := t.TempDir()
				e, err := engine.New(engineOptions(dir, a))
				if err != nil {
					t.Fatal(err)
				}
				p := around(t, e, a)
				c.do(p)
				p.soon()
				if p.state().Busy() {
					t.Fatalf("it still runs\n%s", p.screen())
				}
				live, rows := p.transcript(), p.rows()
				p.end()
				e, err = engine.Resume(engineOptions(dir, a), e.Session())
				if err != nil {
					t.Fatal(err)
				}
				q := around(t, e, a)
				if d := cmp.Diff(live, q.transcript()); d != "" || len(live) < 10 {
					t.Errorf("(-live +reloaded):\n%s", d)
				}
				q.want("rows", rows, q.rows())
				q.run(time.Minute)
				q.want("life", map[bool]string{true: "Error", false: "Ready"}[strings.Contains(name, "exhausted") || strings.Contains(name, "permanent")], q.life())
				q.end()
			})
		})
	}
}

// An interrupted turn shows its partial text and offers to run again; its rows are held.
func TestResumedScreen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := &fake{script: []step{and("partial words", hangs)}}
		dir := t.TempDir()
		e, err := engine.New(engineOptions(dir, a))
		if err != nil {
			t.Fatal(err)
		}
		p := around(t, e, a)
		p.say("one")
		p.say("row")
		p.run(2 * time.Second)
		killed := t.TempDir()
		copyDir(t, killed, dir)
		p.end()
		e, err = engine.Resume(engineOptions(killed, a), e.Session())
		if err != nil {
			t.Fatal(err)
		}
		q := around(t, e, a)
		q.sees("┃ one", "partial words", "■ interrupted", "Interrupted: baton ended while this turn ran", "queue 1/16 · held: restored", "○ Ready", "ctrl+y retries")
		a.script = []step{says("whole words")}
		q.press("ctrl+y")
		q.sees("whole words", "1 held", "row")
		q.run(time.Second)
		q.press("enter")
		q.soon()
		q.want("queue", "", q.rows())
		q.end()
	})
}

// What the log could not save is said above the indicator, and a refusal beside it.
func TestTroubleIsShown(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := &fake{script: []step{says("x")}}
		e, err := engine.New(engineOptions(writeFile(t, t.TempDir(), "file", ""), a))
		if err != nil {
			t.Fatal(err)
		}
		p := around(t, e, a)
		p.seesNot("not saved")
		p.say("one")
		p.sees("! not saved: not a directory · creating session", "x")
		p.end()
	})
}

// The passing word goes after a while, or with the next key.
func TestWordPasses(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("x"))
		p.say("/queue")
		p.sees("the queue is empty: while the agent works")
		p.run(wordFor + 2*time.Second)
		p.seesNot("the queue is empty")
		p.say("/queue")
		p.press("x")
		p.seesNot("the queue is empty")
		p.end()
	})
}

// A limit that is waited for is looked at now and then only; a turn that begins meanwhile
// has its seconds shown all the same.
func TestClockBehindASlowTick(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, limited, hangs)
		p.say("one")
		p.say("two")
		p.run(wordFor + 20*time.Second)
		if p.state().Gate.Limit.IsZero() {
			t.Fatal("no limit: this test tests nothing")
		}
		p.run(100 * time.Millisecond)
		before := len(p.other)
		p.run(5 * time.Second)
		idle := len(p.other) - before
		p.say("three")
		before = len(p.other)
		p.run(5 * time.Second)
		if busy := len(p.other) - before; idle > 1 || busy < 4 {
			t.Errorf("%d messages in 5 s idle, %d while a turn runs", idle, busy)
		}
		p.end()
	})
}

// The elapsed time moves on, a countdown in tenths, also after a slower clock was set.
func TestClockOnTheScreen(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, after(3*time.Second, asks))
		p.size(120, 30)
		seen := map[string]bool{}
		p.m.say("a word, which sets a slow tick")
		p.say("one")
		frames := 0
		for range 900 {
			before := len(p.other)
			p.run(10 * time.Millisecond)
			if len(p.other) == before {
				continue // nothing drawn
			}
			frames++
			last := p.lines()
			seen[last[len(last)-1]] = true
		}
		got := 0
		for l := range seen {
			for _, part := range []string{"● Busy 0:01 ", "● Busy 0:02 ", "retrying 2/5 in 6.5s", "retrying 2/5 in 3.2s", "retrying 2/5 in 0.5s"} {
				if strings.Contains(l, part) {
					got++
				}
			}
		}
		if got < 5 {
			t.Errorf("of five times only %d were shown", got)
		}
		p.press("esc")
		p.end()
	})
}

// /retry info lists the attempts of the last turns, a line each.
func TestRetryInfo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, answers(503), says("x"))
		p.say("one")
		p.run(5 * time.Second)
		p.say("/retry info")
		var lines []string
		for _, l := range p.lines() {
			if strings.Contains(l, "attempt 1 ·") || strings.Contains(l, "attempt 2 ·") || strings.Contains(l, "turn 1 · succeeded") {
				lines = append(lines, l)
			}
		}
		if len(lines) != 3 || !strings.Contains(lines[1], "503 overloaded") || !strings.Contains(lines[2], "answered") {
			t.Errorf("%q\n%s", lines, p.screen())
		}
		p.end()
	})
}
