//go:build unix

package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"baton/ui/termtest"
)

// keptHome is a home whose three sessions are found by the program in a terminal.
func keptHome(t *testing.T) (home, dir string) {
	home = t.TempDir()
	dir = filepath.Join(home, "state", "baton", "sessions")
	three(t, dir)
	return home, dir
}

// picked waits for the list of sessions.
func picked(t *testing.T, o termtest.Options) chat {
	t.Helper()
	c := chat{termtest.Start(t, o), t, nil}
	c.WaitFor("Take up which session?")
	return c
}

// A session is chosen from a list that typing narrows down, by titles at once and by texts soon after.
func TestResumePicksASession(t *testing.T) {
	t.Parallel()
	home, _ := keptHome(t)
	c := picked(t, termtest.Options{Home: home, Width: 100, Args: []string{"resume"}})
	c.WaitFor("› one␛]52;c;")
	c.Until("three sessions, one with a row", func() bool { return c.count("20") == 3 && c.Has("1 waiting") })
	c.Type("jitter")
	c.WaitFor("› explain jitter")
	c.Until("the text of another", func() bool { return c.count("It was the jitter") == 1 && c.Has("2 of 3") })
	c.Key("down")
	c.WaitFor("› fix the re")
	c.Key("enter")
	c.WaitFor("┃ fix the retry loop")
	c.idle()
	c.WaitFor("held: restored")
	c.Key("ctrl+d")
	if code := c.Wait(); code != 0 || len(c.Restored()) != 0 {
		t.Errorf("exit code %d, %q", code, c.Restored())
	}
	if !c.Has("session 20260101-000000-aaaa") {
		t.Errorf("another session was opened:\n%s", c.Picture())
	}
}

// Words that one session has open it; an id does, and without any the only one.
func TestResumeByWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"words":  {[]string{"resume", "Retry", "deploy"}, "┃ fix the retry loop"},
		"letter": {[]string{"resume", "explain"}, "┃ explain jitter"},
		"id":     {[]string{"resume", "20260102-000000-bbbb"}, "┃ explain jitter"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home, _ := keptHome(t)
			s := chat{termtest.Start(t, termtest.Options{Home: home, Args: c.args}), t, nil}
			s.WaitFor(c.says)
			s.idle()
		})
	}
	t.Run("several", func(t *testing.T) {
		t.Parallel()
		home, _ := keptHome(t)
		c := picked(t, termtest.Options{Home: home, Args: []string{"resume", "jitter"}})
		c.Until("both", func() bool { return slices.Contains(c.Lines(), "  jitter") && c.Has("2 of 3") })
		c.Key("ctrl+c") // clears what is typed, and the next one leaves
		c.WaitFor("type to narrow down")
		c.Key("ctrl+c")
		if code := c.Wait(); code != 0 || len(c.Restored()) != 0 {
			t.Errorf("exit code %d, %q", code, c.Restored())
		}
	})
}

// Leaving the list opens nothing, and no window is too small for it; signals end it.
func TestResumeLeavesTheList(t *testing.T) {
	t.Parallel()
	home, dir := keptHome(t)
	before := snapshot(t, dir)
	for _, size := range [][2]int{{20, 3}, {80, 24}} {
		c := chat{termtest.Start(t, termtest.Options{Home: home, Width: size[0], Height: size[1], Args: []string{"resume"}}), t, nil}
		c.WaitFor("› one")
		c.Key("esc")
		if code := c.Wait(); code != 0 || len(c.Restored()) != 0 {
			t.Errorf("exit code %d, %q", code, c.Restored())
		}
	}
	c := picked(t, termtest.Options{Home: home, Args: []string{"resume"}})
	c.Signal(syscall.SIGTERM)
	if code := c.Wait(); code != 143 || len(c.Restored()) != 0 {
		t.Errorf("exit code %d, %q", code, c.Restored())
	}
	if after := snapshot(t, dir); after != before {
		t.Errorf("choosing nothing changed something:\n%s\n%s", before, after)
	}
}

// A removal names what goes and takes nothing but yes for an answer.
func TestSessionsRemoveAsks(t *testing.T) {
	t.Parallel()
	for answer, gone := range map[string]bool{"y": true, "YES": true, "": false, "n": false, "yo": false} {
		t.Run("answer_"+answer, func(t *testing.T) {
			t.Parallel()
			home, dir := keptHome(t)
			c := chat{termtest.Start(t, termtest.Options{Home: home, Width: 80, Args: []string{"sessions", "rm", "20260101-000000-aaaa", "20260102-000000-bbbb"}}), t, nil}
			c.WaitFor("Remove these 2 for good? [y/N]")
			if !c.Has("· 1 turn · ") || !c.Has("    fix the retry loop") || !c.Has("1 row that waits") || !c.Has("waits: and deploy one␛]52") {
				t.Errorf("what would go is not named:\n%s", c.Picture())
			}
			c.Type(answer)
			c.Key("enter")
			if code := c.Wait(); code != 0 {
				t.Error("exit code", code)
			}
			if c.Has("nothing was removed") == gone || c.Has("removed 20260101-000000-aaaa") != gone {
				t.Errorf("%s", c.Picture())
			}
			left, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
			if want := map[bool]int{true: 1, false: 3}[gone]; err != nil || len(left) != want {
				t.Errorf("%d sessions left, want %d", len(left), want)
			}
		})
	}
}

// The program itself: a full disk is an error, a reader that has gone away is none.
func TestSessionsToAFullDisk(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has /dev/full")
	}
	home, _ := keptHome(t)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	for _, args := range [][]string{{"list"}, {"list", "--json"}, {"show", "20260101-000000-aaaa"}, {"export", "20260101-000000-aaaa"}} {
		cmd := exec.Command(termtest.Build(t), append([]string{"sessions"}, args...)...)
		cmd.Env = []string{"HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "state")}
		var errs strings.Builder
		cmd.Stdout, cmd.Stderr = full, &errs
		_ = cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != 1 || strings.Count(errs.String(), "\n") != 1 || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("%v: exit code %d, %q", args, code, errs.String())
		}
	}
}

// Old sessions go while the chat is open, if the setting says so; those with rows that wait stay.
func TestOldSessionsGo(t *testing.T) {
	t.Parallel()
	for setting, left := range map[string]int{"off": 3, "90d": 2} {
		t.Run(setting, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			dir := filepath.Join(home, "state", "baton", "sessions")
			keep(t, dir, "old", 91*24, [][2]string{{"old", "yes"}})
			keep(t, dir, "waits", 91*24, [][2]string{{"old too", "yes"}}, "not sent yet")
			keep(t, dir, "young", 89*24, [][2]string{{"young", "yes"}})
			sessions := func() int {
				all, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
				return len(all)
			}
			p := termtest.NewProvider(t)
			c := open(t, p, termtest.Options{Home: home, Env: map[string]string{"BATON_SESSIONS_KEEP": setting}})
			c.Until("the old one to go", func() bool { return sessions() == left })
			if setting != "off" {
				c.WaitFor("removed 1 session not used for 90 days: old (sessions.keep)")
			}
			c.say("hello")
			c.WaitFor("echo: hello")
			c.ready()
			c.Key("ctrl+d")
			if code := c.Wait(); code != 0 || len(c.Restored()) != 0 {
				t.Errorf("exit code %d, %q", code, c.Restored())
			}
			if sessions() != left+1 {
				t.Errorf("%d sessions\n%s", sessions(), c.Picture())
			}
		})
	}
}
