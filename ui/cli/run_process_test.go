//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/ui/termtest"
)

// At a terminal a run says what it waits for, shows what would be obeyed, and asks the
// terminal nothing: Start fails a test whose terminal was sent anything else (C14).
func TestRunAtATerminal(t *testing.T) {
	t.Parallel()
	var script []termtest.Response
	var shown []string
	for _, h := range hostile {
		script, shown = append(script, termtest.OK(h.text)), append(shown, h.shown)
	}
	p := termtest.NewProvider(t, script...)
	p.Then(termtest.Status(401, nil, termtest.ErrorBody("", "", "\x1b]52;c;aGk=\x07refused")))
	s := termtest.Start(t, termtest.Options{Args: []string{"run", "--base-url", p.URL(), "--model", "m", "-"}, Height: 200, Width: 200})
	s.WaitFor("baton: reading prompts from the terminal; ctrl+d ends")
	for range script {
		s.Type("one more\r\r")
	}
	s.Type("and the last\r")
	s.Key("ctrl+d")
	if code := s.Wait(); code != 77 {
		t.Error("exit code", code)
	}
	for _, text := range append(shown, "refused") {
		if !s.Has(text) {
			t.Errorf("nothing shows %q:\n%s", text, s.Picture())
		}
	}
	if n := p.Count(); n != len(script)+1 {
		t.Error(n, "requests")
	}
}

// pipedRun is a run with a pipe on each side.
type pipedRun struct {
	t    *testing.T
	cmd  *exec.Cmd
	home string
	out  *os.File // what it writes
	errs *bytes.Buffer
	over chan struct{}
}

func startPiped(t *testing.T, p *termtest.Provider, stdin io.Reader, args ...string) *pipedRun {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	h := &pipedRun{t: t, home: t.TempDir(), out: r, errs: &bytes.Buffer{}, over: make(chan struct{})}
	h.cmd = exec.Command(termtest.Build(t), append([]string{"run", "--base-url", p.URL(), "--model", "m"}, args...)...)
	h.cmd.Env = append(os.Environ(), "HOME="+h.home, "XDG_STATE_HOME="+h.home, "XDG_CONFIG_HOME="+h.home)
	h.cmd.Dir, h.cmd.Stdin, h.cmd.Stdout, h.cmd.Stderr = h.home, stdin, w, h.errs
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	go func() {
		_ = h.cmd.Wait() // the exit code tells
		close(h.over)
	}()
	t.Cleanup(func() {
		_ = h.cmd.Process.Kill() // it may have ended
		<-h.over
		r.Close()
	})
	return h
}

func (h *pipedRun) signal(s syscall.Signal) {
	if err := h.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		h.t.Fatal(err)
	}
}

func (h *pipedRun) wait(code int) string {
	h.t.Helper()
	select {
	case <-h.over:
	case <-time.After(3 * time.Minute): // only a run that hangs takes it
		h.t.Fatal("it goes on")
	}
	if got := h.cmd.ProcessState.ExitCode(); got != code {
		h.t.Errorf("exit code %d, want %d: %s", got, code, h.errs)
	}
	return h.errs.String()
}

// A reader that has stopped reading holds the run up. It can be ended all the same, and
// the session has the answer.
func TestRunHeldUpByItsReader(t *testing.T) {
	t.Parallel()
	for name, signals := range map[string][]syscall.Signal{
		"SIGTERM":      {syscall.SIGTERM},
		"SIGINT twice": {syscall.SIGINT, syscall.SIGINT},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := termtest.NewProvider(t, termtest.OK(strings.Repeat("word ", 100_000)))
			h := startPiped(t, p, nil, "-p", "one", "-p", "two")
			if _, err := io.ReadFull(h.out, make([]byte, 1)); err != nil { // the rest does not fit into the pipe
				t.Fatal(err)
			}
			for _, s := range signals {
				h.signal(s)
				time.Sleep(50 * time.Millisecond) // equal signals that come together count as one
			}
			h.wait(128 + int(signals[0]))
			if n := p.Count(); n != 1 {
				t.Error(n, "requests")
			}
			show := exec.Command(h.cmd.Path, "sessions", "list", "--json")
			show.Env = h.cmd.Env
			if out, err := show.Output(); err != nil || !strings.Contains(string(out), `"waiting":1`) {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// Before anything is open, a signal ends the run while it reads; and standard input that
// stays open beside -p is said to be waited for.
func TestRunEndsWhileItReads(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	told, teller, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer told.Close()
	cmd := exec.Command(termtest.Build(t), "run", "--base-url", p.URL(), "--model", "m", "-p", "why?")
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home)
	cmd.Stdin, cmd.Stderr = r, teller
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	teller.Close()
	line := make([]byte, 60)
	if _, err := io.ReadFull(told, line); err != nil || !strings.HasPrefix(string(line), "baton: waiting for the end of standard input") {
		t.Errorf("%q %v", line, err)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code tells
	if code := cmd.ProcessState.ExitCode(); code != 130 || p.Count() != 0 {
		t.Errorf("exit code %d, %d requests", code, p.Count())
	}
}

// Nobody reads any more while a turn is at work: the run ends without a word, and going on sends the turn again.
func TestRunLosesItsReader(t *testing.T) {
	t.Parallel()
	p := termtest.NewProvider(t, termtest.OK("first"), termtest.Hang())
	p.Always(termtest.Echo())
	h := startPiped(t, p, nil, "-p", "one", "-p", "two", "-p", "three")
	if _, err := io.ReadFull(h.out, make([]byte, len("first\n"))); err != nil {
		t.Fatal(err)
	}
	p.WaitCount(2)
	h.out.Close()
	if said := h.wait(141); said != "" {
		t.Errorf("it says %q", said)
	}
	again := exec.Command(h.cmd.Path, append([]string{"run", "--continue"}, h.cmd.Args[2:6]...)...)
	again.Env, again.Dir = h.cmd.Env, h.home
	if out, err := again.Output(); err != nil || string(out) != "echo: two\necho: three\n" {
		t.Errorf("%v: %s", err, out)
	}
}
