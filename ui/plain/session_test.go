package plain

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/agentclient"
	"baton/model/command"
	"baton/model/engine"
	"baton/model/journal"
	"baton/retrypolicy"
)

// A session that is taken up is recited, its rows are held, and nothing is sent.
func TestTakenUp(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		k := openIn(t, dir, says("The first ", "answer.\nIts second line."), hangs)
		k.enter("one", "two", "three")
		k.quit()
		e, err := engine.Resume(options(dir, k.agent), k.eng.Session())
		if err != nil {
			t.Fatal(err)
		}
		again := around(t, e, k.agent, Options{Sessions: dir})
		again.hears("You: one", "Agent: The first answer.", "  Its second line.", "You: two", "Stopped",
			"Held: restored. 1 row waits. An empty line starts row 1: three", "Ready.")
		again.sent("one|two")
		again.enter("")
		again.hears("Starting row: three")
		again.quit()
	})
}

// Sessions are listed in words and taken up by number; turns are forked by theirs.
func TestListsInWords(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		first := openIn(t, dir, says("Yes."))
		first.enter("an older talk")
		first.quit()
		k := aroundCommands(t, dir, first.agent)
		k.enter("one", "two")
		k.skip()
		k.enter("/resume")
		k.pass(time.Second)
		k.hearsOf("1: an older talk, used ", "\n/resume and a number goes on in that session.\n")
		k.enter("/fork")
		k.hears("1: one", "2: two", "/fork and a number goes on in a copy that ends with that turn.")
		k.enter("/resume nowhere")
		k.hearsOf("There is no other session", "lists those there are\n")
		k.enter("/resume an talk")
		k.pass(time.Second)
		k.hearsOf("Now in session "+first.eng.Session()+".\nYou: an older talk\nAgent: Yes.\n", "Ready.\n")
		k.enter("/new")
		k.pass(time.Second)
		k.hearsOf("Now in session ", "Ready.\n")
		k.quit()
	})
}

// A new session takes the rows along; what starts there is said once.
func TestNewTakesRowsAlong(t *testing.T) {
	bubble(t, func(t *testing.T) {
		k := aroundCommands(t, t.TempDir(), &fake{script: []step{slow}})
		k.enter("one", "/new", "two", "three")
		k.skip()
		k.pass(time.Second)
		k.hearsOf("Agent: An answer.\nStarting row: /new\nNow in session ", ".\nQueued as row 1 of 1: three\nStarting row: two; 1 row waits\n")
		k.pass(2 * time.Second)
		k.hears("Agent: An answer.", "Starting row: three", "Agent: An answer.", "Ready.")
		k.quit()
	})
}

// aroundCommands is a program whose commands run.
func aroundCommands(t *testing.T, dir string, a *fake) *talk {
	o := options(dir, a)
	o.Command = func(ctx context.Context, text string, _ engine.Here) (engine.Finish, error) {
		return command.Run(ctx, command.World{}, text)
	}
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return around(t, e, a, Options{Sessions: dir})
}

// Files, exports and what there is none of.
func TestOutside(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		a := &fake{script: []step{says("Yes.")}}
		e, err := engine.New(options(dir, a))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "notes.txt")
		if err := os.WriteFile(file, []byte("some notes"), 0o600); err != nil {
			t.Fatal(err)
		}
		k := around(t, e, a, Options{Sessions: dir, Later: func() string { return "one old session was removed" },
			Attach: func(path string) (string, error) {
				if path == "none" {
					return "", errors.New("there is no file none")
				}
				return file, nil
			},
			Export: func(session, path string) (string, error) {
				if path == "" {
					return "", errors.New("it exists")
				}
				return session + path, nil
			},
		})
		k.hears("Ready.", "One old session was removed")
		k.enter("/export x", "/attach none", "/attach notes.txt", "/fault 500", "/theme ink", "/copy", "/help")
		k.hearsOf("This session is not on disk", "There is no file none\n", "Attached notes.txt; it goes with the next prompt.\n", "/fault is for the sandbox only: /agent sandbox goes there\n",
			"Plain output has no colours\n", "Plain output reaches no clipboard", "/queue [WHAT]: say how the queue stands; or pause, ")
		k.enter("look")
		k.pass(time.Second)
		k.hearsOf("Reading attached files.\n", "Starting row: look\n", "Agent: Yes.\n")
		k.enter("/export .md", "/export")
		k.hearsOf("Exported to "+e.Session()+".md\n", "Not exported: it exists\n")
		k.quit()
	})
}

// hostile is what a terminal would obey or hide.
var hostile = []string{
	"\x1b]52;c;aGk=\x07", "\x1b]0;owned\x07\x1b[2J\x1b[H\x1bc", "\x1b]8;;https://evil.example\x1b\\click", "\x1bP+q544e\x1b\\", "\u009b6n\u009d0;x\u009c",
	"a\bb\x0b\x0c\x00\x7f\r", "\u202eevil\u2066x\u200by\ufeffz\U000E0041", "\xff\xfe\xc3", "tab\there", "\x1b[31mred", "line\u2028end\u2029",
}

// No control byte from outside is ever said, wherever it comes from and however it is cut
// (C14). Every talk of this package is looked through; here the texts are made for it.
func TestHostileTexts(t *testing.T) {
	for _, h := range hostile {
		bubble(t, func(t *testing.T) {
			evil := "begin " + h + " end"
			bytewise := strings.Split(evil, "")
			cause := retrypolicy.Failure{Status: 400, Type: "t" + h, Code: "c" + h, Message: evil, RequestID: "r" + h}
			again := retrypolicy.Failure{Status: 503, Message: evil, RequestID: "r" + h}
			tool := func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
				sink(agentclient.Piece{Reasoning: evil})
				sink(agentclient.Piece{Tool: &agentclient.ToolPart{ID: "t" + h, Name: "n" + h, Title: evil, Status: "s" + h}})
				return says(bytewise...)(ctx, sink)
			}
			dir := t.TempDir()
			k := openIn(t, dir, says(evil), fails(again), tool, and(evil, fails(cause)), slow, hangs)
			typed := strings.ReplaceAll(evil, "\n", " ")
			for _, text := range []string{typed, "/" + typed, "/queue " + typed, "/queue edit 1 " + typed, "two", "three"} {
				k.enter(text)
				k.pass(5 * time.Second)
			}
			k.enter("four", typed, "/queue", "/queue edit 1 "+typed, "/retry info", "/fork", "/attach_"+typed)
			k.hearsOf("Turn failed: 400 invalid")
			k.quit()
			e, err := engine.Resume(options(dir, k.agent), k.eng.Session())
			if err != nil {
				t.Fatal(err)
			}
			e.Note(evil)
			around(t, e, k.agent, Options{Intro: []string{evil}, Later: func() string { return evil }}).quit()
		})
	}
}

// A secret is not said, even where one slips into a text (C15).
func TestSecretsAreNotSaid(t *testing.T) {
	bubble(t, func(t *testing.T) {
		a := &fake{script: []step{says("So it is sk-", "secret.")}}
		e, err := engine.New(options("", a))
		if err != nil {
			t.Fatal(err)
		}
		k := around(t, e, a, Options{Redact: func(s string) string { return strings.ReplaceAll(s, "sk-secret", "[redacted]") }})
		k.enter("my key is sk-secret")
		k.hearsOf("You: my key is [redacted]\nAgent: So it is [redacted].\n")
		k.quit()
		if strings.Contains(k.out.String(), "sk-secret") {
			t.Error("the secret was said")
		}
	})
}

// A session that another process has is heard as it goes on there, and is not changed.
func TestHeardElsewhere(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		// Texts are written down once a second; the end of this one is so with the whole answer alone.
		there := openIn(t, dir, says("Yes."), and("The begin", later(1200*time.Millisecond, and("ning\n", later(500*time.Millisecond, says("and its end."))))))
		there.enter("one")
		id, _, err := journal.Latest(dir)
		if err != nil {
			t.Fatal(err)
		}
		o := options(dir, &fake{script: []step{hangs}})
		_, why := engine.Resume(o, id)
		e, err := engine.Follow(o, id, why)
		if err != nil {
			t.Fatal(err)
		}
		here := around(t, e, &fake{}, Options{Sessions: dir})
		here.hearsOf("You: one\nAgent: Yes.\nRead only: ", "Ready.\n")
		here.enter("mine")
		here.hearsOf("Read only: ", "Not sent, and kept: mine; /send tries it again\n")
		there.enter("two", "three")
		here.pass(time.Second)
		here.hears("You: two", "Queued as row 1 of 1: three")
		here.pass(1200 * time.Millisecond)
		here.hears("Agent: The beginning", "  and its end.", "Starting row: three")
		there.quit()
		here.pass(5 * time.Second)
		here.hearsOf("Ready.\n", "Read only: nobody has it open any more")
		here.quit()
	})
}
