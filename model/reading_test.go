package model

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/model/session"
	"baton/queue"
)

// reader has three answered prompts and the focus on the transcript.
func reader(t *testing.T) *pump {
	p := openIn(t, t.TempDir(), "names ",
		says("whales sing\n\n```go\nfmt.Println(1)\n```\n\nand\n\n```\nsecond\n```"), says("owls hoot at whales"), says("ants carry"))
	for _, prompt := range []string{"about whales", "about owls", "about ants"} {
		p.say(prompt)
		p.run(time.Second)
	}
	p.press("shift+tab")
	p.want("focus", "transcript", p.focus())
	return p
}

func TestSearchInTheTranscript(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := reader(t)
		p.press("/")
		p.sees("search: type what to look for", "enter keeps · esc ends")
		p.seesNot("/ searches", "tab to write")
		p.typ("Whales?")
		p.sees("/Whales? · nothing found")
		p.press("backspace")
		p.sees("/Whales · 3 of 3")
		p.press("enter", "n")
		p.sees("/Whales · 1 of 3", "n next · esc ends")
		p.press("N", "N")
		p.sees("/Whales · 2 of 3")
		p.press("esc")
		p.seesNot("/Whales")
		p.want("draft", "", p.draft())
		p.press("/")
		p.typ("ants")
		p.press("esc")
		p.seesNot("/ants")
		p.press("tab")
		p.typ("/x")
		p.want("draft", "/x", p.draft())
		p.end()
	})
}

// A search that was left stands in the last line only while keys go to the transcript, where n and N go on with it.
func TestSearchThatIsLeft(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := reader(t)
		p.press("/")
		p.typ("Whales")
		p.press("enter", "tab")
		p.want("focus", "composer", p.focus())
		p.seesNot("/Whales")
		p.press("shift+tab")
		p.sees("/Whales · 3 of 3")
		p.press("n")
		p.sees("/Whales · 1 of 3")
		p.end()
	})
}

// said presses keys and returns the word they lead to.
func (p *pump) said(names ...string) string {
	p.press(names...)
	p.run(3 * time.Second)
	return p.m.currentWord()
}

func TestMessagesAreCopied(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv("WAYLAND_DISPLAY", "w")
	t.Setenv("DISPLAY", "")
	t.Setenv("TMPDIR", dir)
	got := filepath.Join(dir, "got")
	script := "#!/bin/sh\nwhile IFS= read -r l || [ -n \"$l\" ]; do echo \"$l\"; done > '" + got + "'\n"
	if err := os.WriteFile(filepath.Join(dir, "wl-copy"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	tool, err := toClipboard("a\nb")
	if data, _ := os.ReadFile(got); tool != "wl-copy" || err != nil || string(data) != "a\nb\n" {
		t.Errorf("%q %v %q", tool, err, data)
	}
	if said, err := copyText("a text", ""); err != nil || said != "copied 6 bytes with wl-copy" {
		t.Error(said)
	}
	if err := os.Remove(filepath.Join(dir, "wl-copy")); err != nil {
		t.Fatal(err)
	}
	if said, err := copyText("a text", ""); err != nil || said != "copied 6 bytes, if this terminal allows it (OSC 52)" {
		t.Error(said)
	}
}

// What is too long for the terminal's clipboard goes to a private file that is named.
func TestLongCopies(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	for n, toFile := range map[int]bool{maxOSC52 - 1: false, maxOSC52: false, maxOSC52 + 1: true} {
		text := strings.Repeat("x", n)
		said, _ := copyText(text, "")
		_, path, ok := strings.Cut(said, " are in ")
		if ok != toFile {
			t.Errorf("%d bytes: %q", n, said)
		}
		if !ok {
			continue
		}
		data, _ := os.ReadFile(path)
		if info, err := os.Stat(path); string(data) != text || err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%q, %d bytes in it, %v", said, len(data), err)
		}
	}
}

// Which message and which block of code is copied is told.
func TestChosenMessages(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	bubble(t, func(t *testing.T) {
		p := reader(t)
		for _, c := range []struct{ keys, want string }{
			{"y", "copied 10 bytes, if this terminal allows it (OSC 52)"},
			{"b", "there is no code in it"},
			{"k k k", ""},
			{"y", "copied 19 bytes, if"},
			{"k k", ""},
			{"b", "copied code 1 of 2, 14 bytes, if"},
			{"b", "copied code 2 of 2, 6 bytes, if"},
			{"b", "copied code 1 of 2, 14 bytes, if"},
			{"j", ""},
			{"y", "copied 10 bytes"},
		} {
			if got := p.said(strings.Fields(c.keys)...); !strings.HasPrefix(got, c.want) {
				t.Fatalf("%s: %q, want %q\n%s", c.keys, got, c.want, p.screen())
			}
		}
		p.sees("› y copies · b code · r again · f forks")
		p.press("esc")
		p.seesNot("› y copies")
		p.size(60, 10)
		if got := p.said("k", "k", "k", "k", "k", "k", "end", "y"); !strings.HasPrefix(got, "copied 10 bytes") {
			t.Errorf("a message out of view: %q", got)
		}
		p.end()
	})
}

func TestForkFromTheTranscript(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := reader(t)
		from := p.m.eng.Session()
		if got := p.said("f"); got != "choose a message first: k chooses" {
			t.Fatal(got)
		}
		p.press("k", "k", "k", "f")
		p.run(3 * time.Second)
		if p.m.eng.Session() == from {
			t.Fatal(p.screen())
		}
		p.sees("owls hoot at whales")
		p.seesNot("about ants")
		p.end()
	})
}

// The prompt of any message can be sent again, as Enter would send it. What is written stays where it is.
func TestAskAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := openIn(t, t.TempDir(), "names ", says("whales sing"), answers(401), says("ants carry"), hangs)
		for _, prompt := range []string{"//about whales", "about owls", "about ants"} {
			p.say(prompt)
			p.run(time.Second)
		}
		p.typ("a draft")
		p.press("shift+tab")
		if got := p.said("r"); got != "choose a message first: k chooses" {
			t.Fatal(got)
		}
		p.press("k", "k", "k", "k", "k", "r") // all can be seen, so the last comes first: this is the first answer
		p.soon()
		p.want("prompts", "/about whales|about owls|about ants|/about whales", p.agent.prompts())
		p.run(time.Second)
		p.hold("r", 5)
		p.want("rows", "/about whales", p.rows())
		p.want("draft", "a draft", p.draft())
		p.end()
	})
}

// The last turn, if it came to nothing, is retried in its chain; an earlier one is a prompt like any other.
func TestAskAgainRetries(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := openIn(t, t.TempDir(), "names ", answers(401), answers(402), says("at last"), says("owls hoot"))
		for _, prompt := range []string{"about owls", "about ants"} {
			p.say(prompt)
			p.run(time.Second)
		}
		p.press("shift+tab", "end", "k", "r")
		p.run(time.Second)
		last, _ := p.state().LastTurn()
		if !last.Retry() || last.Outcome != session.Succeeded {
			t.Errorf("%+v", last)
		}
		p.press("k", "k", "r")
		p.run(time.Second)
		last, _ = p.state().LastTurn()
		if last.Retry() || last.Text != "about owls" {
			t.Errorf("%+v", last)
		}
		p.want("prompts", "about owls|about ants|about ants|about owls", p.agent.prompts())
		p.end()
	})
}

// A prompt that was retried in vain is retried once more from wherever in its chain, and not sent as another.
func TestAskAgainRetriesTheChain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := openIn(t, t.TempDir(), "names ", answers(401), answers(402), says("at last"))
		p.say("about ants")
		p.run(time.Second)
		p.press("ctrl+y")
		p.run(time.Second)
		p.press("shift+tab")
		for range 9 {
			p.press("k")
		}
		b, _ := p.m.chat.Selected()
		p.want("the chosen message", "1-user", b.ID)
		p.press("r")
		p.run(time.Second)
		last, _ := p.state().LastTurn()
		if last.Chain != 1 || last.Outcome != session.Succeeded {
			t.Errorf("%+v", last)
		}
		p.end()
	})
}

// The same key answers what it asked, as soon as that can be read; held down it does not.
func TestAskAgainAnswers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, asks, says("x"))
		p.say("one")
		p.press("shift+tab", "k")
		p.hold("r", 5)
		p.want("held", "one", p.agent.prompts())
		p.run(time.Second)
		p.keys("r")
		p.sees("once more")
		p.run(300 * time.Millisecond) // a held key may begin to repeat
		p.keys("r")
		p.run(repeatGuard + 20*time.Millisecond)
		p.want("pressed again", "one|one", p.agent.prompts())
		p.end()
	})
}

// What is pressed last has the last word: a stop right behind the key stops what it sent.
func TestStopBehindAskAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("x"), hangs, hangs)
		p.say("one")
		p.run(time.Second)
		p.press("shift+tab", "k")
		p.keys("r")
		p.run(300 * time.Millisecond)
		p.keys("r")
		p.run(50 * time.Millisecond)
		p.keys("ctrl+c")
		p.run(5 * time.Second)
		p.want("prompts", "one|one", p.agent.prompts())
		p.want("rows", "one", p.rows())
		p.sees("held: you stopped")
		p.end()
	})
}

// Files go along again, and a full queue refuses without taking anything away.
func TestAskAgainSendsFiles(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p, dir := inFolder(t, "notes.txt")
		p.agent.script = []step{says("read"), hangs}
		p.say("/attach " + filepath.Join(dir, "notes.txt"))
		p.say("read it")
		p.run(time.Second)
		p.press("shift+tab", "k", "r")
		p.soon()
		for i := range queue.MaxRows {
			p.step(session.Submit{Draft: session.Draft{Text: fmt.Sprint("row ", i)}})
		}
		reqs := p.agent.requests()
		sent := reqs[len(reqs)-1].Messages
		if got := sent[len(sent)-1]; got.Text != "read it" || len(got.Attachments) != 1 {
			t.Errorf("%+v", got)
		}
		if got := p.said("r"); !strings.Contains(got, "full") {
			t.Error(got)
		}
		p.end()
	})
}

// A text to look for has a limit; what is beyond it is not taken.
func TestLimitOfSearches(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := reader(t)
		p.press("/")
		for n, want := range map[int]int{maxFinding - 1: maxFinding - 1, maxFinding: maxFinding, maxFinding + 1: maxFinding} {
			p.press("ctrl+u")
			p.typ(strings.Repeat("x", n))
			if got := len(p.m.screen.finding.text); got != want {
				t.Errorf("%d typed: %d", n, got)
			}
		}
		p.end()
	})
}

// What is sent again while something runs goes to the end of the queue, out of sight of who reads: it is said where it waits.
func TestAskAgainSaysWhereItWaits(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := openIn(t, t.TempDir(), "names ", says("whales sing"), says("in short"), hangs)
		for _, prompt := range []string{"about whales", "/compact", "about ants", "a row"} {
			p.say(prompt)
			p.run(time.Second)
		}
		p.press("shift+tab")
		turns := map[string]string{}
		for range 9 {
			b, _ := p.m.chat.Selected()
			if id := strings.TrimSuffix(b.ID, "-user"); id != b.ID && turns[b.Text] == "" {
				turns[b.Text] = p.said("r")
			}
			p.press("k")
		}
		p.want("rows", "a row,/compact,about whales", p.rows())
		p.want("words", "it waits as row 2|it waits as row 3", turns["/compact"]+"|"+turns["about whales"])
		p.end()
	})
}
