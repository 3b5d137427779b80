package model

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"baton/agentclient"
	"baton/model/engine"
	"baton/queue"
)

// Enter sends while idle and queues while busy.
func TestEnterSendsOrQueues(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, after(time.Second, says("answer")))
		p.say("one")
		p.want("lifecycle", "Turn", p.life())
		p.say("two")
		p.want("queue", "two", p.rows())
		p.want("composer", "", p.draft())
		p.run(3 * time.Second)
		p.want("sent", "one|two", p.agent.prompts())
		p.want("queue", "", p.rows())
		p.end()
	})
}

// A backslash before Enter, and the newline keys, begin a new line.
func TestEnterBehindABackslash(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("x"))
		p.typ(`one\`)
		p.press("enter")
		p.typ("two")
		p.press("ctrl+j")
		p.typ("three")
		p.press("alt+enter")
		p.typ("four")
		p.want("composer", "one\ntwo\nthree\nfour", p.draft())
		p.run(time.Second)
		p.press("enter")
		p.want("sent", "one\ntwo\nthree\nfour", p.agent.prompts())
		p.end()
	})
}

// Enter on an empty line plays the head, but not right behind a settlement, not by a key
// held down, and not with white space in the composer's way.
func TestEnterOnAnEmptyLine(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, after(time.Second, answers(401)), says("x"))
		p.say("one")
		p.say("two")
		for p.state().Busy() {
			p.run(5 * time.Millisecond)
		}
		p.want("before", "Error Continue the current turn,two", p.life()+" "+p.rows())
		p.run(playGuard - 20*time.Millisecond)
		p.keys("enter")
		p.want("just settled", "one", p.agent.prompts())
		for range 20 { // held down: 30 times a second
			p.keys("enter")
			p.run(33 * time.Millisecond)
		}
		p.want("held down", "one", p.agent.prompts())
		p.run(time.Second)
		p.typ("  ")
		p.press("enter")
		p.soon()
		p.want("played, then its success lets the other go", "one|Continue the current turn|two", p.agent.prompts())
		p.end()
	})
}

func TestEnterWithNothingToDo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.run(time.Second)
		p.press("enter")
		p.want("idle, no rows", "Ready", p.life())
		p.say("one")
		p.say("row")
		p.run(time.Second)
		p.press("enter")
		p.want("busy", "Turn row", p.life()+" "+p.rows())
		p.end()
	})
}

// The 17th row is refused; its text stays.
func TestFullQueueKeepsTheDraft(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.say("one")
		for range queue.MaxRows {
			p.say("row")
		}
		p.say("too many")
		p.want("composer", "too many", p.draft())
		p.sees("queue 16/16 full", "+11 more", "the queue is full (16 rows)")
		p.end()
	})
}

// A text that cannot be a row stays, and its size is said.
func TestTooLongIsKept(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.say("one")
		p.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(strings.Repeat("x", queue.MaxBytes+1)), Paste: true})
		p.press("enter")
		if n := p.m.write.Bytes(); n != queue.MaxBytes+1 || p.rows() != "" {
			t.Fatalf("%d bytes in the composer, rows %q", n, p.rows())
		}
		p.sees("262145 bytes")
		p.press("backspace") // a paste is one piece
		p.want("composer", "", p.draft())
		p.end()
	})
}

// Two slashes send a text that begins with one; what looks like a command and is none
// stays in the composer.
func TestSlashes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("x"))
		p.say("//help me")
		p.want("sent", "/help me", p.agent.prompts())
		p.sees("┃ /help me")
		p.say("/zzz now")
		p.want("composer", "/zzz now", p.draft())
		p.sees("there is no /zzz; //zzz sends it as text")
		p.want("sent", "/help me", p.agent.prompts())
		p.end()
	})
}

// The completion narrows down, its selection moves, tab takes it, esc closes it, and
// Enter on an unfinished name completes it first.
func TestCompletion(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("x"))
		p.typ("/")
		p.sees("/agent", "/attach")
		selected := func() string {
			it, _ := p.m.pop.Selected()
			return it.Name
		}
		p.press("down")
		p.want("selected", "/attach", selected())
		p.run(time.Second) // drawing and ticks do not move it
		p.want("selected later", "/attach", selected())
		p.press("down", "up")
		p.want("down and up", "/attach", selected())
		p.press("tab")
		p.want("composer", "/attach ", p.draft())
		p.seesNot("/agent")
		p.press("ctrl+c")
		p.typ("/qui")
		p.press("enter")
		p.want("composer", "/quit ", p.draft())
		p.press("ctrl+u")
		p.typ("/he")
		p.press("esc")
		p.seesNot("show the keys")
		p.want("esc keeps the text", "/he", p.draft())
		p.typ("l")
		p.sees("show the keys")
		p.press("ctrl+c")
		p.typ("//x")
		p.seesNot("/agent")
		p.end()
	})
}

// Earlier prompts come back with up, commands among them, and nothing on the way catches
// the key.
func TestHistory(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("x"))
		p.say("first")
		p.say("/queue")
		p.say("third")
		p.typ("draft")
		p.press("up")
		p.want("up", "third", p.draft())
		p.press("up")
		p.want("up", "/queue", p.draft())
		p.press("up")
		p.want("up", "first", p.draft())
		p.press("down", "down", "down")
		p.want("and back", "draft", p.draft())
		p.end()
	})
}

// A paste goes into the text, wherever the focus is, and sends nothing.
func TestPaste(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, hangs)
		p.say("one")
		p.say("row")
		p.press("tab")
		p.want("focus", "queue", p.focus())
		text := "dd\nss\n" + strings.Repeat("line\n", 20)
		p.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
		p.soon()
		p.want("composer", text, p.draft())
		p.want("rows and focus", "row composer", p.rows()+" "+p.focus())
		p.sees("[pasted 22 lines #1]")
		p.press("f1")
		p.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("more"), Paste: true})
		p.want("composer", text+"more", p.draft())
		p.end()
	})
}

// Files ride with the next prompt, not with a command; ctrl+c drops them.
func TestFiles(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		path := writeFile(t, dir, "my notes.txt", "the notes")
		p := open(t, says("x"))
		p.say("/attach " + path)
		p.sees("with my notes.txt · ctrl+c drops", "attached my notes.txt")
		p.say("/model big")
		p.run(time.Second)
		p.sees("with my notes.txt")
		p.say("read it")
		p.soon()
		p.want("sent", "read it", p.agent.prompts())
		if a := p.agent.requests()[0].Messages[0].Attachments; len(a) != 1 || string(a[0].Data) != "the notes" {
			t.Errorf("%+v", a)
		}
		p.seesNot("ctrl+c drops")
		p.sees(path)
		p.say("/attach " + path)
		p.press("ctrl+c")
		p.seesNot("ctrl+c drops")
		p.say("/attach " + dir)
		p.sees("is a directory; attach a file")
		p.want("what failed stays", "/attach "+dir, p.draft())
		p.end()
	})
}

// Undo gives a cleared draft back whole: text, chips and files, also where there were files alone; redo clears it again.
func TestUndoOfAClearedDraft(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		one, two := writeFile(t, dir, "one.txt", "1"), writeFile(t, dir, "two.txt", "2")
		p := open(t, says("x"))
		p.say("/attach " + one)
		pasted := strings.Repeat("line\n", 20)
		p.typ("look ")
		p.pasted(pasted)
		p.press("ctrl+c")
		p.want("cleared", "", p.draft())
		p.wantFiles()
		p.sees("1 attached file dropped · ctrl+_ brings them back")
		p.press("ctrl+_")
		p.want("undone", "look "+pasted, p.draft())
		p.sees("[pasted 20 lines #1]", "with one.txt")
		p.wantFiles(one)
		p.press("alt+_")
		p.want("redone", "", p.draft())
		p.wantFiles()
		p.press("ctrl+_", "ctrl+c")
		p.typ("other")
		p.m.attach(two)
		for range len("other") {
			p.press("ctrl+_")
			if p.draft() != "other" {
				break
			}
		}
		p.press("ctrl+_")
		p.want("behind other words", "look "+pasted, p.draft())
		p.wantFiles(two, one)
		p.press("enter")
		p.soon()
		p.want("sent", "look "+pasted, p.agent.prompts())
		if n := len(p.agent.requests()[0].Messages[0].Attachments); n != 2 {
			t.Errorf("%d files were sent", n)
		}
		p.m.attach(one)
		p.press("ctrl+c")
		p.wantFiles()
		p.press("ctrl+_")
		p.wantFiles(one)
		p.end()
	})
}

func TestAttachable(t *testing.T) {
	dir := t.TempDir()
	path := writeFile(t, dir, "a b.txt", "x")
	for _, typed := range []string{path, `"` + path + `"`, "'" + path + "'", strings.ReplaceAll(path, " ", `\ `)} {
		if got, err := Attachable(typed); got != path || err != nil {
			t.Errorf("%s: %q, %v", typed, got, err)
		}
	}
	t.Setenv("HOME", dir)
	if got, err := Attachable("~/a b.txt"); got != path || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	big := filepath.Join(dir, "big")
	for size, want := range map[int64]string{engine.MaxAttachment: "<nil>", engine.MaxAttachment + 1: big + " is too large: 20971521 bytes, at most 20971520"} {
		if err := os.WriteFile(big, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(big, size); err != nil {
			t.Fatal(err)
		}
		if _, err := Attachable(big); fmt.Sprint(err) != want {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	if _, err := Attachable(dir + "/none"); err == nil || !strings.HasPrefix(err.Error(), "there is no file") {
		t.Error(err)
	}
}

// What the agent cannot take is refused when it is attached, not when its turn comes.
func TestAttachWhatTheAgentCannotTake(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := open(t, says("x"))
		p.agent.takes = func(a agentclient.Attachment) error { return fmt.Errorf("%s cannot be sent", a.Name) }
		path := writeFile(t, t.TempDir(), "a.bin", "x")
		p.say("/attach " + path)
		p.sees("a.bin cannot be sent")
		p.want("the command, to be mended", "/attach "+path, p.draft())
		p.wantFiles()
		p.press("ctrl+c")
		p.pasted(path)
		p.wantFiles()
		p.want("a dropped one stays a path", path, p.draft())
		p.end()
	})
}
