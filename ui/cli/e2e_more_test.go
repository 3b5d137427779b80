//go:build unix

package cli_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"baton/ui/termtest"
)

// A log that cannot be written is no failure of the server (C13): the chat goes on, says so, and sends nothing twice.
func TestChatWithoutALog(t *testing.T) {
	t.Parallel()
	t.Run("J6", func(t *testing.T) {
		home := t.TempDir()
		file := filepath.Join(home, "in the way")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		g := termtest.NewGate(t, "first ")
		p := termtest.NewProvider(t, g.Response())
		c := open(t, p, termtest.Options{Home: home, Env: map[string]string{"XDG_STATE_HOME": file}})
		c.say("the prompt")
		g.Wait()
		c.WaitFor("not saved")
		c.say("row A")
		c.wantRows("row A")
		g.Release("answer")
		c.WaitFor("echo: row A")
		c.ready()
		c.wantRows()
		if n := p.Count(); n != 2 || c.Has("Turn failed") || c.Has("Retried") {
			t.Errorf("%d requests\n%s", n, c.Picture())
		}
		c.Key("ctrl+d")
		if code := c.Wait(); code != 0 {
			t.Error("exit code", code)
		}
	})
}

// No key reaches the screen or the log (C15), not even when the server says it.
func TestSecretsStayHidden(t *testing.T) {
	t.Parallel()
	const key = "sk-very-secret-4711"
	leak := "your key " + key + " (" + base64.StdEncoding.EncodeToString([]byte(key)) + ") is wrong"
	p := termtest.NewProvider(t,
		termtest.Status(401, map[string]string{"X-Request-Id": "req-" + key}, termtest.ErrorBody("auth "+key, key, leak)),
		termtest.Status(500, nil, "<html><title>"+key+"</title>"),
		termtest.ErrorEvent(1, "server_error", leak),
		termtest.OK("all is well"))
	c := open(t, p, termtest.Options{Env: map[string]string{"TEAM_KEY": key, "BATON_RETRY_BASE": "1ms"}, Args: []string{"--api-key-env", "TEAM_KEY"}})
	c.say("the prompt")
	c.failed()
	if s := unwrapped(c); !strings.Contains(s, "$TEAM_KEY") && !strings.Contains(s, "TEAM_KEY") {
		t.Errorf("nothing names the variable:\n%s", c.Picture())
	}
	c.say("another")
	c.WaitFor("all is well")
	c.ready()
	c.Key("ctrl+o")
	c.WaitFor("attempt 1")
	rs := p.Requests()
	if got := rs[0].Header.Get("Authorization"); got != "Bearer "+key {
		t.Errorf("Authorization %q", got)
	}
	log, err := os.ReadFile(c.Sessions()[0])
	if err != nil {
		t.Fatal(err)
	}
	for where, text := range map[string]string{"terminal": string(c.Output()), "log": string(log)} {
		if strings.Contains(text, "very-secret") {
			t.Errorf("the %s has the key", where)
		}
	}
}

// A prompt sent after a failure goes first; its success releases the rows (C1, case 11).
func TestASuccessReleasesHeldRows(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]struct{ code, requests int }{"case 11, refused": {400, 1}, "case 11, exhausted": {500, 5}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := make(chan struct{})
			p := termtest.NewProvider(t, func(a *termtest.Answer) { <-g; termtest.Fail(f.code)(a) })
			for range f.requests - 1 {
				p.Then(termtest.Fail(f.code))
			}
			c := open(t, p, termtest.Options{Env: quick})
			c.say("the prompt")
			c.say("row A")
			c.wantRows("row A")
			close(g)
			c.failed()
			c.wantRows("Continue the current turn", "row A")
			c.say("a correction")
			rs := c.asked(f.requests + 3)[f.requests-1:]
			c.ready()
			c.wantRows()
			for i, want := range []string{"the prompt", "a correction", "Continue the current turn", "row A"} {
				if got := rs[i].Last(); got != want {
					t.Errorf("request %d asks %q, want %q", i+1, got, want)
				}
			}
			for _, r := range rs { // roles take turns
				for i, m := range r.Messages {
					if want := []string{"user", "assistant"}[i%2]; m.Role != want || m.Text == "" {
						t.Errorf("request %d: %q", r.N, spoken(r))
					}
				}
			}
		})
	}
}

// A server's wait is cut short only by a person who was told of it.
func TestRetryNowAsksOnce(t *testing.T) {
	t.Parallel()
	t.Run("cases 52 53", func(t *testing.T) {
		p := termtest.NewProvider(t, termtest.Status(429, map[string]string{"Retry-After": "50"}, termtest.ErrorBody("rate_limit_error", "", "slow down")))
		c := open(t, p, termtest.Options{})
		c.say("the prompt")
		c.WaitFor("server asked 50s")
		c.Key("ctrl+y")
		c.WaitFor("once more")
		c.quiet(1, 300*time.Millisecond)
		c.Key("ctrl+y")
		rs := c.asked(2)
		c.ready()
		c.WaitFor("Retried model request (1/4)")
		wantSame(t, rs)
	})
}

// What arrives in pieces or with a flaw that is none.
func TestOddStreams(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]struct {
		answer termtest.Response
		shows  string
	}{
		"case 76, no end marker": {func(a *termtest.Answer) {
			a.Token("good")
			a.Event(`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)
		}, "good"},
		"W3, open after the end": {func(a *termtest.Answer) { termtest.OK("good")(a); <-a.Gone() }, "good"},
		"case 78, cut by the limit": {func(a *termtest.Answer) {
			a.Token("good")
			a.Event(`{"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}`)
			a.Event("[DONE]")
		}, "output limit"},
		"in one piece": {termtest.Status(200, nil, `{"choices":[{"index":0,"message":{"role":"assistant","content":"good"},"finish_reason":"stop"}]}`), "good"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := termtest.NewProvider(t, o.answer)
			c := open(t, p, termtest.Options{})
			c.say("the prompt")
			c.say("row A")
			c.WaitFor("echo: row A")
			c.ready()
			c.WaitFor(o.shows)
			c.quiet(2, 100*time.Millisecond)
		})
	}
}

// A queued /new opens a new session when its turn comes; the rows behind it run there.
func TestQueuedNew(t *testing.T) {
	t.Parallel()
	t.Run("case 32", func(t *testing.T) {
		g := termtest.NewGate(t, "first ")
		p := termtest.NewProvider(t, g.Response())
		c := open(t, p, termtest.Options{})
		c.say("the prompt")
		g.Wait()
		c.say("/new")
		c.wantRows("/new")
		c.say("row A")
		c.wantRows("/new", "row A")
		g.Release("answer")
		rs := c.asked(2)
		c.WaitFor("echo: row A")
		c.ready()
		c.wantRows()
		wantSpoken(t, rs[1], "user: row A")
		if files := c.Sessions(); len(files) != 2 {
			t.Fatalf("session files %q", files)
		}
		if c.user("the prompt") != 0 {
			t.Errorf("the old session is still on the screen:\n%s", c.Picture())
		}
	})
}

// ctrl+g hands the draft to the person's own editor and takes back what it left.
func TestEditorOfThePersonsOwn(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	script := filepath.Join(home, "editor")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nprintf 'seen: ' >> \"$1.new\"; cat \"$1\" >> \"$1.new\"; mv \"$1.new\" \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	p := termtest.NewProvider(t)
	c := open(t, p, termtest.Options{Home: home, Env: map[string]string{"EDITOR": script}})
	c.Type("a draft")
	c.Until("the draft", func() bool { return c.composer() == "a draft" })
	c.Key("ctrl+g")
	c.Until("the edited draft", func() bool { return c.composer() == "seen: a draft" })
	c.Key("enter")
	if rs := c.asked(1); rs[0].Last() != "seen: a draft" {
		t.Errorf("%q", rs[0].Last())
	}
	c.ready()
}

// A paste that carries the mark of its own end, and a newline behind it, is not sent by that.
func TestPasteWithItsOwnEndMark(t *testing.T) {
	t.Parallel()
	t.Run("K2", func(t *testing.T) {
		p := termtest.NewProvider(t)
		c := open(t, p, termtest.Options{})
		c.Type("\x1b[200~rm -rf \x1b[201~\rmore\x1b[201~")
		c.Until("the paste", func() bool { return strings.Contains(c.composer(), "more") })
		c.quiet(0, 300*time.Millisecond)
	})
}

// At 20 columns and at 40x10 the chat is usable; no row is wider than the window, since the terminal does not wrap.
func TestSmallWindows(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{20, 10}, {40, 10}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			t.Parallel()
			g := termtest.NewGate(t, "first ")
			p := termtest.NewProvider(t, g.Response())
			c := open(t, p, termtest.Options{Width: size[0], Height: size[1]})
			c.say("hello")
			g.Wait()
			c.say("row A")
			c.WaitFor("row A")
			g.Release("answer")
			c.asked(2)
			c.ready()
			c.WaitFor("echo: row A")
			c.redraws()
		})
	}
}

// Suspended and taken up again, the screen is as it was. There is no shell here, so it comes back by itself.
func TestSuspend(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t)
	c := open(t, p, termtest.Options{})
	c.say("the prompt")
	c.WaitFor("echo: the prompt")
	c.ready()
	before := transcript(c)
	c.Key("ctrl+z")
	c.Until("the screen left and taken again", func() bool { return strings.Count(string(c.Output()), "\x1b[?1049h") == 2 && c.AltScreen() })
	c.Until("the same screen", func() bool { return transcript(c) == before })
	c.say("again")
	c.WaitFor("echo: again")
}
