//go:build unix

package cli_test

import (
	"bytes"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode"

	"baton/ui/termtest"
)

// plain is the program in lines, reached through pipes or through a terminal.
type plain struct {
	t      testing.TB
	p      *termtest.Provider
	home   string
	enter  func(text string)
	output func() string
	signal func(syscall.Signal)
	eof    func()
	wait   func() int
	ended  func() bool
	mark   int
}

// plainly runs f once with pipes and once in a terminal. Whatever was said is looked through at the end.
func plainly(t *testing.T, f func(t *testing.T, start func(p *termtest.Provider, home string, args ...string) *plain)) {
	for name, reach := range map[string]func(*plain, []string){"pipes": (*plain).throughPipes, "terminal": (*plain).throughTerminal} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t, func(p *termtest.Provider, home string, args ...string) *plain {
				c := &plain{t: t, p: p, home: home}
				if home == "" {
					c.home = t.TempDir()
				}
				reach(c, append([]string{"--plain", "--base-url", p.URL(), "--model", "scripted"}, args...))
				c.hears("Ready.")
				return c
			})
		})
	}
}

// plainKey is a key that the program may use.
const plainKey = "sk-very-secret-1234567890"

// plainEnv is quick, with a key.
func plainEnv() map[string]string {
	env := maps.Clone(quick)
	env["PLAIN_KEY"] = plainKey
	return env
}

func (c *plain) throughTerminal(args []string) {
	s := termtest.Start(c.t, termtest.Options{Args: args, Env: plainEnv(), Home: c.home, Width: 200})
	c.enter = func(text string) { s.Raw(text + "\n") }
	c.output = func() string { return string(s.Output()) }
	c.signal, c.wait = s.Signal, s.Wait
	c.ended = func() bool { return !s.Running() }
	c.eof = func() { s.Raw("\x04") }
	c.t.Cleanup(func() {
		if found := s.Restored(); len(found) > 0 {
			c.t.Errorf("not as before: %q", found)
		}
	})
}

// collected is written by the program while the test looks.
type collected struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *collected) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *collected) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func (c *plain) throughPipes(args []string) {
	out := &collected{}
	cmd := exec.Command(termtest.Build(c.t), args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.home, out, out
	cmd.Env = []string{"HOME=" + c.home, "XDG_STATE_HOME=" + filepath.Join(c.home, "state"), "XDG_CONFIG_HOME=" + filepath.Join(c.home, "config"), "PATH=" + os.Getenv("PATH")}
	for name, value := range plainEnv() {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	c.t.Cleanup(func() { _ = cmd.Process.Kill(); <-ended })
	c.enter = func(text string) {
		if _, err := io.WriteString(in, text+"\n"); err != nil {
			c.t.Fatal(err)
		}
	}
	c.output = out.String
	c.signal = func(s syscall.Signal) { _ = cmd.Process.Signal(s) }
	c.eof = func() { in.Close() }
	c.ended = func() bool {
		select {
		case <-ended:
			return true
		default:
			return false
		}
	}
	c.wait = func() int {
		select {
		case <-ended:
		case <-time.After(90 * time.Second):
			c.t.Fatalf("it does not end:\n%s", c.output())
		}
		return cmd.ProcessState.ExitCode()
	}
}

// hears waits until texts were said, in this order, behind what was waited for before.
func (c *plain) hears(texts ...string) {
	c.t.Helper()
	for _, text := range texts {
		for end := time.Now().Add(90 * time.Second); ; time.Sleep(5 * time.Millisecond) {
			said := strings.ReplaceAll(c.output(), "\r\n", "\n")
			if at := strings.Index(said[c.mark:], text); at >= 0 {
				c.mark += at + len(text)
				break
			}
			if time.Now().After(end) {
				c.t.Fatalf("nothing says %q:\n%s", text, said[c.mark:])
			}
		}
	}
}

// hearsOrEnds waits until a text was said, or the program has ended.
func (c *plain) hearsOrEnds(text string) (heard bool) {
	c.t.Helper()
	for end := time.Now().Add(90 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		over := c.ended()
		said := strings.ReplaceAll(c.output(), "\r\n", "\n")
		if at := strings.Index(said[c.mark:], text); at >= 0 {
			c.mark += at + len(text)
			return true
		}
		if over {
			return false
		}
	}
	c.t.Fatalf("neither said nor ended: %q\n%s", text, c.output())
	return false
}

// leaves waits for the end and looks for anything that a terminal obeys (C14).
func (c *plain) leaves(code int) {
	c.t.Helper()
	if got := c.wait(); got != code {
		c.t.Errorf("exit code %d, want %d:\n%s", got, code, c.output())
	}
	for i, r := range strings.ReplaceAll(c.output(), "\r\n", "\n") {
		if r != '\n' && !unicode.IsPrint(r) {
			c.t.Fatalf("%U at %d:\n%q", r, i, c.output())
		}
	}
}

func (c *plain) quits() {
	c.t.Helper()
	c.eof()
	c.leaves(0)
}

// sent are the last messages of the requests so far.
func (c *plain) sent(want ...string) {
	c.t.Helper()
	var got []string
	for _, r := range c.p.Requests() {
		got = append(got, r.Last())
	}
	if !slices.Equal(got, want) {
		c.t.Errorf("asked %q, want %q", got, want)
	}
}

// Three follow-ups run in their order, each after the success before it; one failed request is repeated.
func TestPlainQueue(t *testing.T) {
	t.Parallel()
	plainly(t, func(t *testing.T, start func(*termtest.Provider, string, ...string) *plain) {
		g := termtest.NewGate(t, "The first ")
		p := termtest.NewProvider(t, g.Response(), termtest.Fail(503), termtest.OK("The second ", "answer."), termtest.OK("The third answer."), termtest.OK("The fourth answer."))
		c := start(p, "")
		c.enter("one")
		c.hears("You: one\n")
		g.Wait()
		for _, text := range []string{"two", "three", "four"} {
			c.enter(text)
			c.hears("Queued as row ", ": "+text+"\n")
		}
		c.enter("/queue")
		c.hears("3 of 16 rows\nRow 1, next: two\nRow 2, waiting: three\nRow 3, waiting: four\n")
		c.sent("one")
		g.Release("answer.")
		c.hears("Agent: The first answer.\nStarting row: two; 2 rows wait\n", "Retrying in ", ": 503 overloaded, attempt 2 of 5\n", "Agent: The second answer.\nStarting row: three; 1 row waits\n",
			"Agent: The third answer.\nStarting row: four\n", "Agent: The fourth answer.\nReady.\n")
		c.sent("one", "two", "two", "three", "four")
		c.quits()
		c.hears("Session ", " is kept; baton --plain --continue takes it up.\n")
	})
}

// A turn that is given up holds the rows; they are changed, kept over a quit, and go on when the person says so.
func TestPlainHeld(t *testing.T) {
	t.Parallel()
	plainly(t, func(t *testing.T, start func(*termtest.Provider, string, ...string) *plain) {
		refused := make(chan struct{})
		p := termtest.NewProvider(t, func(a *termtest.Answer) {
			<-refused
			a.Status(400, nil, termtest.ErrorBody("bad", "", "no such thing"))
		})
		c := start(p, "")
		c.enter("one")
		c.hears("You: one\n")
		c.enter("two")
		c.enter("three")
		c.hears("Queued as row 2 of 2: three\n")
		close(refused)
		c.hears("Turn failed: 400 invalid: no such thing, 1 attempt; next: ", "Added as row 1 of 3: Continue the current turn\n",
			"Held: last turn failed. 3 rows wait. An empty line starts row 1: Continue the current turn\nReady.\n")
		c.enter("/queue rm 1")
		c.hears("Removed row 1: Continue the current turn\n")
		c.enter("/queue edit 2 another")
		c.hears("Row 2 is now: another\n")
		c.sent("one")
		c.quits()

		c = start(p, c.home, "--continue")
		if !strings.Contains(c.output(), "Held: restored. 2 rows wait. An empty line starts row 1: two") {
			t.Errorf("nothing is said of the rows:\n%s", c.output())
		}
		c.sent("one")
		c.enter("")
		c.hears("Starting row: two; 1 row waits\n", "Agent: echo: two\nStarting row: another\n", "Agent: echo: another\nReady.\n")
		c.quits()
	})
}

// /stop and control c stop a turn; a second control c quits; signals end with their codes. Rows stay.
func TestPlainStop(t *testing.T) {
	t.Parallel()
	plainly(t, func(t *testing.T, start func(*termtest.Provider, string, ...string) *plain) {
		p := termtest.NewProvider(t)
		p.Always(termtest.StallAfter(3))
		c := start(p, "")
		c.enter("one")
		c.hears("You: one\n")
		c.p.WaitCount(1)
		c.enter("two")
		c.hears("Queued as row 1 of 1: two\n")
		c.enter("/stop")
		c.hears("Stopping.\n", "Stopped.\nHeld: you stopped. 1 row waits. An empty line starts row 1: two\nReady.\n")
		c.enter("three")
		c.hears("You: three\n")
		c.signal(syscall.SIGINT)
		c.hears("Stopping.\n", "Control c once more within 2 seconds quits.\n", "Ready.\n")
		for again := true; again; again = c.hearsOrEnds("Control c once more within 2 seconds quits.\n") { // it is asked anew if the second comes late
			c.signal(syscall.SIGINT)
		}
		c.leaves(130)
		for sig, code := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGHUP: 129, syscall.SIGQUIT: 131} {
			c := start(p, c.home, "--continue")
			c.enter("more")
			c.hears("You: more\n")
			c.signal(sig)
			c.hears("Stopping.\n", "Stopped.\n")
			c.leaves(code)
		}
		c = start(p, c.home, "--continue")
		c.enter("/queue")
		c.hears("1 of 16 rows, held: restored\nRow 1, held: restored: two\n")
		c.quits()
	})
}

// In a terminal control c and control d are keys.
func TestPlainKeys(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t)
	p.Always(termtest.Silent())
	s := termtest.Start(t, termtest.Options{Args: []string{"--base-url", p.URL(), "--model", "scripted"}, Env: map[string]string{"BATON_PLAIN": "1"}, Width: 120})
	s.WaitFor("Ready.")
	s.Raw("one\n")
	s.WaitFor("You: one")
	s.Raw("\x03")
	s.WaitFor("Stopped.")
	if s.AltScreen() || bytes.ContainsRune(s.Output(), '\x1b') {
		t.Errorf("%q", s.Output())
	}
	time.Sleep(2 * time.Second) // the interrupt is forgotten
	s.Raw("\x03")
	s.WaitFor("Nothing runs. Control c once more within 2 seconds quits.")
	s.Raw("\x04")
	if code := s.Wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if found := s.Restored(); len(found) > 0 {
		t.Errorf("not as before: %q", found)
	}
}

// What a terminal would obey is said in another form, from answers, failures, rows and titles (C14).
func TestPlainHostile(t *testing.T) {
	t.Parallel()
	plainly(t, func(t *testing.T, start func(*termtest.Provider, string, ...string) *plain) {
		p := termtest.NewProvider(t)
		c := start(p, "")
		for _, h := range hostile {
			p.Then(termtest.OK("begin "+h.text, " and on"), termtest.Status(503, map[string]string{"X-Request-Id": "id-\u009b6n"}, h.text),
				termtest.Status(400, nil, termtest.ErrorBody("t"+h.text, "c"+h.text, "begin "+h.text+" and on")))
			c.enter("one")
			c.hears("Agent: begin", "and on\nReady.\n")
			c.enter("two")
			c.hears("Retrying in ", "Turn failed: 400 invalid", "Ready.\n")
		}
		c.enter("/retry info")
		c.enter("/fork")
		c.hears("/fork and a number goes on")
		c.quits()
	})
}

// A key is said nowhere, also where the server sends it back (C15).
func TestPlainSecret(t *testing.T) {
	t.Parallel()
	plainly(t, func(t *testing.T, start func(*termtest.Provider, string, ...string) *plain) {
		p := termtest.NewProvider(t, termtest.OK("Your key is "+plainKey+"."), termtest.Status(400, nil, termtest.ErrorBody("t", "c", "key "+plainKey+" is odd")))
		c := start(p, "", "--api-key-env", "PLAIN_KEY")
		c.enter("one")
		c.hears("You: one\n", "Ready.\n")
		c.enter("two")
		c.hears("Turn failed: ", "Ready.\n")
		c.quits()
		if got := p.Requests()[0].Header.Get("Authorization"); got != "Bearer "+plainKey {
			t.Errorf("the server got %q", got)
		}
		if strings.Contains(c.output(), "sk-very") {
			t.Error(c.output())
		}
	})
}

// The demonstration plays in lines too; a session that could be several is named, not chosen from a list.
func TestPlainDemoAndResume(t *testing.T) {
	t.Parallel()
	s := termtest.Start(t, termtest.Options{Args: []string{"demo", "--plain"}, Width: 160, Height: 200})
	s.WaitFor("Queued as row 2 of 2: Last: which keys are there?")
	s.WaitFor("Starting row: Last")
	s.Raw("\x04")
	if code := s.Wait(); code != 0 || len(s.Sessions()) != 0 || bytes.ContainsRune(s.Output(), '\x1b') {
		t.Errorf("code %d, sessions %q", code, s.Sessions())
	}
	p := termtest.NewProvider(t)
	home := t.TempDir()
	for range 2 {
		s := termtest.Start(t, termtest.Options{Args: []string{"--plain", "--base-url", p.URL(), "--model", "scripted"}, Home: home})
		s.WaitFor("Ready.")
		s.Raw("hello\n")
		s.WaitFor("Agent: echo: hello")
		s.Raw("\x04")
		s.Wait()
	}
	pick := termtest.Start(t, termtest.Options{Args: []string{"resume", "--plain"}, Home: home, Width: 160})
	if code := pick.Wait(); code != 2 || !pick.Has("2 sessions can be meant") {
		t.Errorf("code %d\n%s", code, pick.Picture())
	}
}

// Where the output is held up, as by a pipe that nobody reads, signals end the program all the same.
func TestPlainHeldUp(t *testing.T) {
	t.Parallel()
	for sig, code := range map[syscall.Signal]int{syscall.SIGTERM: 143, syscall.SIGINT: 130} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			p := termtest.NewProvider(t, termtest.OK(strings.Repeat("A line.\n", 200_000)))
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close() // until then it is open, and not read
			home := t.TempDir()
			cmd := exec.Command(termtest.Build(t), "--plain", "--base-url", p.URL(), "--model", "scripted")
			cmd.Dir, cmd.Stdout, cmd.Env = home, w, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			w.Close()
			ended := make(chan struct{})
			go func() { _ = cmd.Wait(); close(ended) }()
			defer func() { _ = cmd.Process.Kill(); <-ended }()
			if _, err := io.WriteString(in, "one\n"); err != nil {
				t.Fatal(err)
			}
			p.Until("the answer was sent", func(rs []termtest.Request) bool { return len(rs) == 1 && !rs[0].Done.IsZero() })
			_ = cmd.Process.Signal(sig)
			for limit := time.Now().Add(90 * time.Second); ; {
				select {
				case <-ended:
					if got := cmd.ProcessState.ExitCode(); got != code {
						t.Errorf("exit code %d, want %d", got, code)
					}
					return
				case <-time.After(100 * time.Millisecond):
				}
				if sig == syscall.SIGINT {
					_ = cmd.Process.Signal(sig) // as somebody does who sees nothing happen
				}
				if time.Now().After(limit) {
					t.Fatal("it does not end")
				}
			}
		})
	}
}
