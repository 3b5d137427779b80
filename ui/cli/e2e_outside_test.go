//go:build linux || darwin

package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"baton/ui/termtest"
)

// told is one run of baton queue.
type told struct {
	code     int
	out, err string
}

func (r told) String() string { return fmt.Sprintf("exit %d\n%s%s", r.code, r.out, r.err) }

// queueCommand is baton queue in the world of a chat.
func queueCommand(t testing.TB, home string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(termtest.Build(t), append([]string{"queue"}, args...)...)
	cmd.Env = []string{"HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "state"), "XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
		"PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.Getenv("TMPDIR"), "GORACE=atexit_sleep_ms=0"}
	cmd.Dir = home
	return cmd
}

// outside runs baton queue to its end.
func (c chat) outside(args ...string) told { return c.outsideWith("", args...) }

func (c chat) outsideWith(stdin string, args ...string) told {
	c.t.Helper()
	c.listens()
	cmd := queueCommand(c.t, c.Home, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		c.t.Fatal(err)
	}
	r := told{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
	if strings.ContainsAny(strings.ReplaceAll(r.out+r.err, "\n", ""), "\x00\x07\x1b\x7f\r") {
		c.t.Errorf("controls in what baton queue prints: %q", r)
	}
	return r
}

// listens waits until a chat that was just opened can be reached: its socket comes behind the first frame. Where the path in the
// state directory would be too long for one, it is in a folder of the system's (outside.Places).
func (c chat) listens() {
	c.t.Helper()
	folders := []string{filepath.Join(c.Home, "state", "baton", "run")}
	for _, temp := range []string{os.TempDir(), "/tmp"} {
		folders = append(folders, filepath.Join(temp, fmt.Sprintf("baton-%d", os.Getuid())))
	}
	for end := time.Now().Add(10 * time.Second); c.Running(); time.Sleep(2 * time.Millisecond) {
		for _, folder := range folders {
			if found, _ := filepath.Glob(filepath.Join(folder, fmt.Sprintf("*-%d", c.PID()))); len(found) > 0 {
				return
			}
		}
		if time.Now().After(end) {
			c.t.Error("the chat opened no socket")
			return
		}
	}
}

// wants runs baton queue and looks at how it ended and for a pattern in what it said.
func (c chat) wants(code int, pattern string, args ...string) told {
	c.t.Helper()
	r := c.outside(args...)
	if r.code != code || !regexp.MustCompile(pattern).MatchString(r.out+r.err) {
		c.t.Fatalf("baton queue %q: %v\nwant exit %d and %s\n%s", args, r, code, pattern, c.Picture())
	}
	return r
}

// What enter, the queue's keys and /queue do can be done from another process; the person's draft stays.
func TestQueueFromOutside(t *testing.T) {
	t.Parallel()
	g := termtest.NewGate(t, "first ")
	p := termtest.NewProvider(t, g.Response(), termtest.Fail(401), termtest.Fail(400), termtest.OK("about A"))
	c := open(t, p, termtest.Options{})
	c.wants(0, `^\S+\.1 sent\n$`, "add", "the", "prompt")
	g.Wait()
	c.Type("my draft")
	c.wants(0, `queued as row 1 · next`, "add", "row A")
	if r := c.outsideWith("row B\nits second line\x1b[2J\n", "add", "-"); r.code != 0 || !strings.Contains(r.out, "row 2 · waiting") {
		t.Fatal(r)
	}
	c.wantRows("row A", "row B ⏎ +1 line")
	c.WaitFor("added from outside: row B")
	c.wants(0, `^queue 2/16 · session \S+ · open\n 1  \.2  next     row A\n 2  \.3  waiting  row B \(\+1 lines\)\n$`, "list")
	c.wants(0, `"text":"row B\\nits second line\\u001b\[2J"`, "list", "--json")
	c.wants(0, `now row 1`, "move", ".3", "1")
	c.wants(0, `changed`, "edit", "1", "row", "B2")
	c.wantRows("row B2", "row A")
	c.wants(0, `removed`, "rm", ".3")
	c.wants(1, `there is no row .3`, "rm", ".3")
	c.wants(1, `there is no row 7: there are 1`, "rm", "7")
	c.wants(1, `agent is busy`, "play")
	c.wants(0, `paused`, "pause")
	c.WaitFor("held: paused")
	if got := c.composer(); got != "my draft" {
		t.Errorf("the composer holds %q", got)
	}
	g.Release("answer")
	c.ready()
	c.quiet(1, 300*time.Millisecond)
	// Enter while idle sends ahead of what is held, and the exit code is that of its turn.
	c.wants(77, `(?s)sent\n.*turn failed: 401`, "add", "--wait", "fails")
	c.wants(1, `(?s)sent\n.*turn failed: 400`, "add", "--wait", "fails too")
	c.failed()
	c.wantRows("Continue the current turn", "row A")
	c.wants(0, `removed`, "rm", ".5") // by its id: numbers have just changed
	c.wants(0, `no longer paused but held: last turn failed`, "pause", "--off")
	c.quiet(3, 300*time.Millisecond)
	c.wants(0, `row 1 started`, "play")
	c.WaitFor("about A")
	c.ready()
	rs := c.p.Requests()
	if len(rs) != 4 || rs[3].Last() != "row A" {
		t.Errorf("%d requests, the last says %q", len(rs), rs[len(rs)-1].Last())
	}
	if got := c.composer(); got != "my draft" {
		t.Errorf("the composer holds %q", got)
	}
}

// What is done from outside while a row is open in the editor, while a turn retries, and while a held key plays: each text
// is in exactly one place (C3), and nothing starts that should not (C1, C10).
func TestQueueFromOutsideBesideThePerson(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t, termtest.Status(429, map[string]string{"Retry-After": "50"}, ""), termtest.Echo())
	p.Always(termtest.Echo())
	c := open(t, p, termtest.Options{})
	c.say("the prompt")
	c.WaitFor("retrying 2/5")
	c.wants(0, `row 1 · next`, "add", "row A")
	c.wants(0, `row 2 · waiting`, "add", "row B")
	c.WaitFor("retrying 2/5")
	c.Key("tab", "enter")
	c.WaitFor("1 editing")
	for _, args := range [][]string{{"rm", "1"}, {"edit", "1", "x"}, {"move", "1", "2"}, {"rm", "2", "1"}} {
		c.wants(1, `open in the editor`, args...)
	}
	c.wants(0, `row 3 · waiting`, "add", "row C")
	c.wantRows("row B", "row C") // behind the one that is open
	c.Key("ctrl+y")              // the wait was long enough for all of this
	c.WaitFor("once more asks now")
	c.another("ctrl+y")
	c.ready()
	c.quiet(2, 300*time.Millisecond)
	c.wants(1, `first row is open`, "play")
	c.Key("esc")
	rs := c.asked(5)
	c.ready()
	c.wantRows()
	for i, want := range []string{"the prompt", "the prompt", "row A", "row B", "row C"} {
		if rs[i].Last() != want {
			t.Errorf("request %d: %q, want %q", i, rs[i].Last(), want)
		}
	}
}

// Callers and keys at once: each text in exactly one place at the end, whoever came first.
func TestQueueFromOutsideRace(t *testing.T) {
	t.Parallel()
	g := termtest.NewGate(t, "x")
	p := termtest.NewProvider(t, g.Response())
	p.Always(termtest.Echo())
	c := open(t, p, termtest.Options{})
	c.say("the prompt")
	g.Wait()
	var all sync.WaitGroup
	var mu sync.Mutex
	taken := map[string]bool{}
	for i := range 6 {
		all.Go(func() {
			text := fmt.Sprintf("from outside %d", i)
			if r := c.outside("add", text); r.code == 0 {
				mu.Lock()
				taken[text] = true
				mu.Unlock()
			}
			_ = c.outside("move", "1", "2")
		})
	}
	for i := range 4 {
		text := fmt.Sprintf("typed %d", i)
		c.say(text)
		mu.Lock()
		taken[text] = true
		mu.Unlock()
	}
	g.Release()
	all.Wait()
	mu.Lock()
	defer mu.Unlock()
	if len(taken) != 10 {
		t.Errorf("taken: %v", taken)
	}
	c.asked(11)
	c.ready()
	c.wantRows()
	seen := map[string]int{}
	for _, r := range c.p.Requests() {
		seen[r.Last()]++
	}
	for text := range taken {
		if seen[text] != 1 {
			t.Errorf("%q was sent %d times", text, seen[text])
		}
	}
}

// What was acknowledged survives kill -9; a caller that got no answer says that it does not know; the socket that is left
// stands in nobody's way.
func TestQueueFromOutsideKilled(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t, termtest.StallAfter(3))
	c := open(t, p, termtest.Options{})
	c.say("the prompt")
	c.asked(1)
	c.wants(0, `row 1`, "add", "acknowledged")
	waiter := queueCommand(t, c.Home, "add", "--wait", "waited for")
	var out bytes.Buffer
	waiter.Stdout, waiter.Stderr = &out, &out
	if err := waiter.Start(); err != nil {
		t.Fatal(err)
	}
	c.wantRows("acknowledged", "waited for")

	// In flight: the chat is held up, then killed.
	c.Signal(syscall.SIGSTOP)
	late := queueCommand(t, c.Home, "add", "in flight", "--session", strings.TrimSuffix(filepath.Base(c.Sessions()[0]), ".jsonl"))
	lateOut, err := late.CombinedOutput()
	if err == nil || late.ProcessState.ExitCode() != 1 {
		t.Errorf("a chat that is held up: %v, %s", err, lateOut)
	}
	c.Signal(syscall.SIGKILL)
	c.Wait()
	if _ = waiter.Wait(); waiter.ProcessState.ExitCode() != 1 || !strings.Contains(out.String(), "went away before it told how it ends") {
		t.Errorf("exit %d: %s", waiter.ProcessState.ExitCode(), out.String())
	}
	c.wants(0, `(?s)parked.*held: restored  acknowledged.*held: restored  waited for`, "list")
	c.wants(0, `row 3 · held: restored`, "add", "parked")
	c.wants(1, `no chat has this session open`, "play")

	d := open(t, p, termtest.Options{Home: c.Home, Args: []string{"--continue"}})
	d.wantRows("acknowledged", "waited for", "parked")
	d.WaitFor("held: restored")
	d.wants(0, `· open`, "list")
	d.quiet(1, 300*time.Millisecond)
	sockets := func() []string {
		all, _ := filepath.Glob(filepath.Join(c.Home, "state", "baton", "run", "*"))
		return all
	}
	d.Until("the dead chat's socket gone", func() bool { return len(sockets()) == 1 })
	d.Key("ctrl+d")
	d.Wait()
	if left := sockets(); len(left) > 0 {
		t.Errorf("sockets are left: %q", left)
	}
	d.wants(0, `(?s)parked.*acknowledged.*waited for.*parked`, "list")
}

// Who is meant: the one that runs; the holder of the session, not who only shows it; the session shown behind /new; and
// with several, the one that is named.
func TestQueueFromOutsideFindsItsChat(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t)
	p.Always(termtest.Echo())
	c := open(t, p, termtest.Options{})
	c.wants(0, `\.1 sent`, "add", "one")
	c.WaitFor("echo: one")
	c.ready()
	first := strings.TrimSuffix(filepath.Base(c.Sessions()[0]), ".jsonl")
	shows := open(t, p, termtest.Options{Home: c.Home, Args: []string{"--continue"}})
	shows.WaitFor("read only: process ")
	c.wants(0, first+` · open`, "list")
	c.wants(0, `paused`, "add", "--hold", "two")
	shows.wantRows("two")
	c.wantRows("two")

	c.say("/new") // the row comes along
	moved := ""
	c.Until("another session", func() bool {
		found := regexp.MustCompile(`session (\S+)`).FindStringSubmatch(c.outside("list").out)
		if found != nil {
			moved = found[1]
		}
		return found != nil && moved != first
	})
	c.wantRows("two")
	c.wants(1, `no chat has this session open`, "play", "--session", first)
	c.wants(0, `held: paused +two`, "list")

	d := open(t, p, termtest.Options{Home: c.Home})
	both := d.wants(2, `(?s)process \d+.*process \d+.*2 chats run`, "list")
	if all := both.out + both.err; !regexp.MustCompile(`(?m)^`+moved+`  process \d+  idle  1 waiting  \S`).MatchString(all) || !strings.Contains(all, "(no prompt yet)") {
		t.Errorf("the chats are listed so: %s", all)
	}
	d.wants(0, `held: paused +two`, "list", "--session", moved)
	d.wants(1, `there is no session "nonsense"`, "list", "--session", "nonsense")
	d.Key("ctrl+d")
	d.Wait()
	d.wants(0, `removed`, "rm", ".2")
	c.wantRows()
}

// The chat in lines is reached in the same way.
func TestQueueFromOutsidePlain(t *testing.T) {
	t.Parallel()
	plainly(t, func(t *testing.T, start func(p *termtest.Provider, home string, args ...string) *plain) {
		g := termtest.NewGate(t, "a ")
		p := termtest.NewProvider(t, g.Response())
		home := t.TempDir()
		l := start(p, home)
		run := func(args ...string) string {
			out, _ := queueCommand(t, home, args...).CombinedOutput()
			return string(out)
		}
		if got := run("add", "hello"); !strings.Contains(got, "sent") {
			t.Fatal(got)
		}
		l.hears("Sent from outside: hello", "You: hello")
		g.Wait()
		if got := run("list"); !strings.Contains(got, "queue 0/16") {
			t.Fatal(got)
		}
		g.Release()
		l.hears("Ready.")
		l.quits()
	})
}
