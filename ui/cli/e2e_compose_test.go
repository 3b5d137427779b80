//go:build unix

package cli_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/ui/termtest"
)

// draftKept waits until what is in the composer is on disk.
func (c chat) draftKept(text string) {
	c.t.Helper()
	c.Until("the draft on disk", func() bool {
		found, _ := filepath.Glob(filepath.Join(c.Home, "state", "baton", "drafts", "*.json"))
		for _, path := range found {
			if raw, err := os.ReadFile(path); err == nil && strings.Contains(string(raw), text) {
				return true
			}
		}
		return false
	})
}

// A draft survives kill -9, with its pastes, in a session and before there is one, and is
// never in two places (C3).
func TestDraftSurvivesACrash(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t, termtest.Echo())
	p.Always(termtest.Echo())
	pasted := strings.TrimSuffix(strings.Repeat("a pasted line\n", 20), "\n")
	c := open(t, p, termtest.Options{})
	c.Type("before there is a session ")
	c.Paste(pasted)
	c.Until("the paste", func() bool { return strings.Contains(c.composer(), "[pasted 20 lines #1]") })
	c.draftKept("a pasted line")
	c.Kill9()

	d := open(t, p, termtest.Options{Home: c.Home})
	d.WaitFor("what you had not sent is back")
	d.Until("the draft", func() bool { return d.composer() == "before there is a session [pasted 20 lines #1]" })
	d.Type("!")
	d.Until("one more character", func() bool { return strings.HasSuffix(d.composer(), "!") })
	d.Key("enter")
	d.ready()
	if rs := d.asked(1); rs[0].Last() != "before there is a session "+pasted+"!" {
		t.Errorf("asked %q", rs[0].Last())
	}
	d.Type("of this session")
	d.draftKept("of this session")
	d.Kill9()

	e := open(t, p, termtest.Options{Home: c.Home})
	if e.composer() != "" {
		t.Errorf("a new session has another's draft: %q", e.composer())
	}
	e.Key("ctrl+d")
	e.Wait()
	f := open(t, p, termtest.Options{Home: c.Home, Args: []string{"--continue"}})
	f.WaitFor("what you had not sent is back")
	f.Until("the draft", func() bool { return f.composer() == "of this session" })
	f.Key("backspace")
	f.Until("one character less", func() bool { return f.composer() == "of this sessio" })
	f.Key("enter")
	f.Until("an empty composer", func() bool { return f.composer() == "" })
	f.Kill9() // right behind the acknowledgement

	g := open(t, p, termtest.Options{Home: c.Home, Args: []string{"--continue"}})
	if g.composer() != "" || g.user("of this sessio") != 1 {
		t.Errorf("the text is not in its turn alone:\n%s", g.Picture())
	}
}

// The draft of a chat that was killed outlives prompts that a run adds to its session.
func TestDraftOutlivesARun(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t, termtest.Echo())
	p.Always(termtest.Echo())
	c := open(t, p, termtest.Options{})
	c.say("a prompt")
	c.ready()
	c.Type("not sent yet")
	c.draftKept("not sent yet")
	c.Kill9()
	run := termtest.Start(t, termtest.Options{Home: c.Home, Args: []string{"run", "--continue", "--base-url", p.URL(), "--model", "m", "-p", "one", "-p", "two", "-p", "three"}})
	if code := run.Wait(); code != 0 {
		t.Fatal(code, run.Picture())
	}
	d := open(t, p, termtest.Options{Home: c.Home, Args: []string{"--continue"}})
	d.WaitFor("echo: three") // in the frame that has the draft
	if d.composer() != "not sent yet" {
		t.Errorf("the draft is gone:\n%s", d.Picture())
	}
	d.Kill9()
}

// A command that is refused, at once or when it is tried, stands in the composer and is put right there.
func TestRefusedCommandStays(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t, termtest.Echo())
	c := open(t, p, termtest.Options{})
	c.say("a prompt")
	c.ready()
	for _, r := range []struct{ line, why string }{
		{"/fork 99", "there is no turn 99 in this session; /fork lists them"},
		{"/resume nothing-of-that-name", "there is no other session"},
		{"/theme nope", "nope"},
		{"/agent nope", `there is no agent "nope"`},
	} {
		c.Type(r.line)
		c.Until("the command", func() bool { return c.composer() == r.line })
		c.Key("enter")
		c.WaitFor(r.why)
		c.Until("the command once more", func() bool { return c.composer() == r.line })
		c.Key("ctrl+u")
		c.Until("an empty composer", func() bool { return c.composer() == "" })
	}
}

// The edit of an open row survives kill -9 half a second behind the typing, and is undone into its row, once (C3).
func TestEditSurvivesACrash(t *testing.T) {
	t.Parallel()
	g := termtest.NewGate(t, "first ")
	p := termtest.NewProvider(t, g.Response())
	c := open(t, p, termtest.Options{})
	c.say("the prompt")
	g.Wait()
	c.say("a row")
	c.Key("alt+up")
	c.WaitFor("enter saves")
	c.Type(" that grows")
	c.Until("the edit in the session's log", func() bool {
		found, _ := filepath.Glob(filepath.Join(c.Home, "state", "baton", "sessions", "*.jsonl"))
		for _, path := range found {
			if raw, err := os.ReadFile(path); err == nil && strings.Contains(string(raw), "that grows") {
				return true
			}
		}
		return false
	})
	c.Kill9()

	d := open(t, p, termtest.Options{Home: c.Home, Args: []string{"--continue"}})
	d.WaitFor("the edit of a row was not saved · u in the queue brings it back")
	d.wantRows("a row")
	d.Key("tab")
	d.WaitFor("enter edits")
	d.Key("u")
	d.WaitFor("a row that grows")
	d.Key("enter")
	d.Until("the saved row", func() bool { return strings.Join(d.rows(), "|") == "a row that grows" })
	d.Kill9()

	e := open(t, p, termtest.Options{Home: c.Home, Args: []string{"--continue"}})
	e.wantRows("a row that grows")
	if e.Has("was not saved") {
		t.Errorf("it is there twice:\n%s", e.Picture())
	}
}

// A signal takes nothing of the composer away, however soon it comes, and says where it is.
func TestDraftSurvivesASignal(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			p := termtest.NewProvider(t)
			c := open(t, p, termtest.Options{})
			c.Type("not sent yet")
			c.Until("the draft", func() bool { return c.composer() == "not sent yet" })
			c.Signal(sig)
			c.Wait()
			if sig == syscall.SIGTERM && !strings.Contains(string(c.Output()), "what you had not sent is kept · baton brings it back") {
				t.Errorf("it does not say so:\n%s", c.Picture())
			}
			d := open(t, p, termtest.Options{Home: c.Home})
			d.Until("the draft", func() bool { return d.composer() == "not sent yet" })
		})
	}
}

// another presses a key once more, long enough behind the first time not to be one that is held down.
func (c chat) another(key string) {
	c.t.Helper()
	time.Sleep(200 * time.Millisecond)
	c.Key(key)
}

// ctrl+r finds what was sent in an earlier session.
func TestSearchOfEarlierPrompts(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t, termtest.Echo())
	p.Always(termtest.Echo())
	c := open(t, p, termtest.Options{})
	c.say("fix the retry loop")
	c.asked(1)
	c.ready()
	c.say("explain jitter")
	c.asked(2)
	c.ready()
	c.Key("ctrl+d")
	if code := c.Wait(); code != 0 {
		t.Error("exit code", code)
	}
	d := open(t, p, termtest.Options{Home: c.Home})
	d.Until("the list", func() bool {
		if !d.Has("explain jitter") { // they are read behind the screen
			d.Key("ctrl+r")
		}
		return d.Has("› explain jitter")
	})
	d.Type("loop")
	d.WaitFor("› fix the retry loop")
	d.Key("enter")
	d.Until("the prompt in the composer", func() bool { return d.composer() == "fix the retry loop" })
	d.quiet(2, 0)
	d.another("enter")
	if rs := d.asked(3); rs[2].Last() != "fix the retry loop" {
		t.Errorf("asked %q", rs[2].Last())
	}
}

// An @ attaches a file of the working directory, a path with a space among them.
func TestMentionedFile(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t, termtest.OK("read"))
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "my picture.png"), []byte("\x89PNG\r\n\x1a\npicture"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := open(t, p, termtest.Options{Home: home})
	c.Type("what is in @mypic")
	c.WaitFor("› my picture.png")
	c.Key("enter")
	c.WaitFor("with my picture.png")
	c.Until("its name as text", func() bool { return strings.TrimSpace(c.composer()) == "what is in my picture.png" })
	c.Key("ctrl+c") // cleared by mistake
	c.Until("nothing of it", func() bool { return c.composer() == "" && !c.Has("with my picture.png") })
	c.Key("ctrl+_")
	c.Until("all of it", func() bool {
		return strings.TrimSpace(c.composer()) == "what is in my picture.png" && c.Has("with my picture.png")
	})
	c.another("enter")
	rs := c.asked(1)
	c.WaitFor("read")
	if want := base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\npicture")); !strings.Contains(string(rs[0].Body), want) {
		t.Errorf("the file was not sent: %s", rs[0].Body)
	}
}

// The editor's own arguments are its own; one that fails changes nothing and its file is
// named; one that does not leaves no file (ctrl+g).
func TestEditorThatFails(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	script := filepath.Join(home, "editor")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nprintf '%s by %s' \"$(cat \"$2\")\" \"$1\" > \"$2\"\n[ \"$1\" != --fail ]\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	left := func() int {
		files, _ := filepath.Glob(filepath.Join(home, "state", "baton", "edit", "*"))
		return len(files)
	}
	p := termtest.NewProvider(t)
	c := open(t, p, termtest.Options{Home: home, Env: map[string]string{"VISUAL": script + " --fail", "EDITOR": "nothing"}})
	c.Type("a draft")
	c.Until("the draft", func() bool { return c.composer() == "a draft" })
	c.Key("ctrl+g")
	c.WaitFor("the editor failed")
	if c.composer() != "a draft" || left() != 1 {
		t.Errorf("%q, %d files", c.composer(), left())
	}
	c.Key("ctrl+c")
	c.Until("an empty composer", func() bool { return c.composer() == "" })
	c.Key("ctrl+d")
	c.Wait()

	d := open(t, p, termtest.Options{Home: home, Env: map[string]string{"VISUAL": script + " --well"}})
	d.Type("a draft")
	d.Until("the draft", func() bool { return d.composer() == "a draft" })
	d.Key("ctrl+g")
	d.Until("the edited draft", func() bool { return d.composer() == "a draft by --well" })
	if left() != 1 {
		t.Errorf("%d files", left())
	}
}

// Files that were chosen from the list stay with their row as those of /attach do.
func TestMentionedFilesStayWithTheirRow(t *testing.T) {
	t.Parallel()
	t.Run("case 34, chosen with @", func(t *testing.T) {
		home := t.TempDir()
		for name, text := range map[string]string{"one two.txt": "the first file", "three.txt": "the second file"} {
			if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		g := termtest.NewGate(t, "first ")
		p := termtest.NewProvider(t, g.Response())
		c := open(t, p, termtest.Options{Home: home})
		c.say("the prompt")
		g.Wait()
		for _, file := range []struct{ typed, name string }{{"see @onetw", "one two.txt"}, {" and @thr", "three.txt"}} {
			c.Type(file.typed)
			c.WaitFor("› " + file.name)
			c.Key("enter")
			c.Until("its name as text", func() bool { return strings.HasSuffix(strings.TrimSpace(c.composer()), file.name) })
		}
		c.another("enter")
		c.Until("a row", func() bool { return len(c.rows()) == 1 })
		c.selectRow(1)
		c.Key("enter")
		c.WaitFor("enter saves")
		c.Type(" changed")
		c.Key("enter")
		c.Until("the edited row", func() bool { return strings.Contains(strings.Join(c.rows(), "|"), "changed") })
		g.Release("answer")
		rs := c.asked(2)
		c.ready()
		for _, want := range []string{"changed", "one two.txt", "the first file", "three.txt", "the second file"} {
			if !strings.Contains(string(rs[1].Body), want) {
				t.Errorf("the request lacks %q: %s", want, rs[1].Body)
			}
		}
	})
}
