//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/ui/termtest"
)

// Bubble Tea by itself waits up to 5 s for a terminal that does not answer.
const unanswered = 4 * time.Second

func TestStartAsksTheTerminalNothing(t *testing.T) {
	t.Parallel()
	t.Run("K6", func(t *testing.T) {
		termtest.Build(t) // that is not measured
		p := termtest.NewProvider(t)
		began := time.Now()
		c := open(t, p, termtest.Options{})
		if took := time.Since(began); took > unanswered {
			t.Error("the first frame took", took)
		}
		if !c.AltScreen() || !c.Mode(2004) || c.Title() != "baton: ready" {
			t.Errorf("alternate screen %t, bracketed paste %t, title %q", c.AltScreen(), c.Mode(2004), c.Title())
		}
		if p.Lists() != 0 || p.Count() != 0 {
			t.Error("opening asked the server something")
		}
		if files := c.Sessions(); len(files) != 0 {
			t.Errorf("an empty session left %q", files)
		}
	})
}

func TestVersion(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--version"}, {"version"}} {
		s := termtest.Start(t, termtest.Options{Args: args})
		if code := s.Wait(); code != 0 {
			t.Error("exit code", code)
		}
		if out := string(s.Output()); !strings.HasPrefix(out, "baton ") || strings.Contains(out, "\x1b") || strings.Count(out, "\n") != 1 {
			t.Errorf("%q", out)
		}
	}
}

func TestSessionsHaveTheirFolder(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t)
	c := open(t, p, termtest.Options{})
	c.say("the prompt")
	c.WaitFor("echo: the prompt")
	files := c.Sessions()
	if len(files) != 1 || filepath.Dir(files[0]) != filepath.Join(c.Home, "state", "baton", "sessions") {
		t.Fatalf("%q", files)
	}
	for path, want := range map[string]os.FileMode{files[0]: 0o600, filepath.Dir(files[0]): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
}

// However the program ends, the terminal is as it was and the queue is kept (C3, case 108).
func TestEnds(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]struct {
		do   func(c chat)
		code int
	}{
		"case 108, SIGTERM":      {func(c chat) { c.Signal(syscall.SIGTERM) }, 143},
		"case 108, SIGHUP":       {func(c chat) { c.Signal(syscall.SIGHUP) }, 129},
		"case 108, SIGINT":       {func(c chat) { c.Signal(syscall.SIGINT) }, 130},
		"case 108, ctrl+c twice": {func(c chat) { c.Key("ctrl+c"); c.WaitFor("once more"); c.Key("ctrl+c") }, 0},
		"case 108, ctrl+d":       {func(c chat) { c.Key("ctrl+d") }, 0},
		"case 108, quit command": {func(c chat) { c.Type("/quit"); c.Key("enter") }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := termtest.NewProvider(t, termtest.Hang())
			c := open(t, p, termtest.Options{})
			c.say("the prompt")
			c.asked(1)
			c.say("row A")
			c.say("row B")
			c.wantRows("row A", "row B")
			c.Key("esc")
			c.ready()
			c.WaitFor("held: you stopped")
			e.do(c)
			c.wantEnd(e.code, 1)
		})
	}
}

// wantEnd checks how the program ended, and that its two rows are there when it is taken up again.
func (c chat) wantEnd(code, requests int) {
	c.t.Helper()
	if got := c.Wait(); got != code {
		c.t.Errorf("exit code %d, want %d\n%s", got, code, c.Picture())
	}
	if left := c.Restored(); len(left) != 0 {
		c.t.Errorf("not restored: %q", left)
	}
	if !c.Has("baton --continue") {
		c.t.Errorf("no word on how to go on:\n%s", c.Picture())
	}
	d := open(c.t, c.p, termtest.Options{Home: c.Home, Args: []string{"--continue"}})
	d.wantRows("row A", "row B")
	d.quiet(requests, 300*time.Millisecond)
}

// A signal while busy stops the turn first; its rows wait.
func TestEndsWhileBusy(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]termtest.Response{"case 108, streaming": termtest.StallAfter(3), "case 108, in a wait": termtest.Fail(503)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := termtest.NewProvider(t, answer)
			c := open(t, p, termtest.Options{Env: map[string]string{"BATON_RETRY_BASE": "1h", "BATON_RETRY_CAP": "1h"}})
			c.say("the prompt")
			c.Until("the turn under way", func() bool { return c.Has("word3") || c.Has("retrying 2/5") })
			c.say("row A")
			c.say("row B")
			c.wantRows("row A", "row B")
			c.Signal(syscall.SIGTERM)
			c.wantEnd(143, 1)
		})
	}
}

func TestWrongUse(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "config", "baton"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "config", "baton", "config.toml"), []byte("agent = \"sandbox\"\n\n[retry]\n  attemps = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, u := range map[string]struct {
		o     termtest.Options
		code  int
		shows []string
	}{
		"wrong flag":         {termtest.Options{Args: []string{"--nonsense"}}, 2, []string{"--nonsense"}},
		"wrong argument":     {termtest.Options{Args: []string{"sessions", "show", "a", "b"}}, 2, nil},
		"unknown key":        {termtest.Options{Home: home}, 78, []string{"config.toml:4:3:", "attemps", "attempts"}},
		"unknown agent":      {termtest.Options{Args: []string{"--agent", "nobody"}}, 78, []string{"nobody"}},
		"nothing to go on":   {termtest.Options{Args: []string{"--continue"}}, 1, []string{"no session"}},
		"J5, id with a path": {termtest.Options{Args: []string{"resume", "../../x"}}, 2, []string{"not the name of a session"}},
		"faults for another": {termtest.Options{Args: []string{"--base-url", "http://127.0.0.1:1/v1", "--model", "m", "--fault", "500"}}, 2, []string{"sandbox"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := termtest.Start(t, u.o)
			code := s.Wait()
			out := strings.ReplaceAll(string(s.Output()), "\r\n  ", " ") // as it is wrapped
			if code != u.code || strings.Count(out, "\n") != 1 || !strings.HasPrefix(out, "baton: ") || strings.Contains(out, "\x1b") {
				t.Errorf("exit code %d, want %d: %q", code, u.code, out)
			}
			for _, want := range u.shows {
				if !strings.Contains(out, want) {
					t.Errorf("nothing says %q: %q", want, out)
				}
			}
		})
	}
}

func TestWithoutATerminal(t *testing.T) {
	t.Parallel()
	t.Run("K5", func(t *testing.T) {
		cmd := exec.Command(termtest.Build(t))
		home := t.TempDir()
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm"}
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		var exit *exec.ExitError
		if err := cmd.Run(); !errors.As(err, &exit) || exit.ExitCode() != 2 {
			t.Error(err)
		}
		if out.Len() != 0 || strings.Count(errs.String(), "\n") != 1 || !strings.Contains(errs.String(), "baton run") {
			t.Errorf("%q, %q", out.String(), errs.String())
		}
	})
}

// No window is too small, and a big one again shows all.
func TestTinyWindows(t *testing.T) {
	t.Parallel()
	t.Run("K5", func(t *testing.T) {
		g := termtest.NewGate(t, "first ")
		p := termtest.NewProvider(t, g.Response())
		c := open(t, p, termtest.Options{Width: 80, Height: 24})
		c.say("the prompt")
		g.Wait()
		c.say("row A")
		c.wantRows("row A")
		c.WaitFor("first")
		before := c.Lines()[:22]
		for _, size := range [][2]int{{1, 1}, {2, 1}, {1, 2}, {2, 2}, {20, 4}, {7, 40}, {1, 1}} {
			c.Resize(size[0], size[1])
			c.Key("ctrl+l")
		}
		c.Resize(80, 24)
		c.Until("the screen as it was", func() bool { return strings.Join(c.Lines()[:22], "\n") == strings.Join(before, "\n") })
		g.Release("answer")
		c.asked(2)
		c.WaitFor("echo: row A")
		c.ready()
	})
}

// The program without any configuration talks to its own sandbox, and its faults are real ones.
func TestSandbox(t *testing.T) {
	t.Parallel()
	c := chat{termtest.Start(t, termtest.Options{Args: []string{"--fault", "500,cut@3"}, Env: quick, Width: 100, Height: 30}), t, nil}
	c.idle()
	c.WaitFor("sandbox")
	c.say("hello")
	c.WaitFor("Retried model request (2/4)")
	c.ready()
	if n := c.user("hello"); n != 1 {
		t.Errorf("%d user rows\n%s", n, c.Picture())
	}
}
