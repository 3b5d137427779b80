//go:build unix

package term

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

func ignoreTTOU() { signal.Ignore(syscall.SIGTTOU) }

// patience bounds every wait for the program; only a broken one needs it.
const patience = 60 * time.Second

// session is a program in a pseudo-terminal.
type session struct {
	t       *testing.T
	keys    *os.File // the terminal's own side
	tty     *os.File // the program's side, kept to see its modes
	cmd     *exec.Cmd
	before  unix.Termios
	crash   string
	exited  chan struct{}
	stalled chan struct{} // closed when reading may go on; nil: it goes on

	mu  sync.Mutex
	out bytes.Buffer
}

func launch(t *testing.T, role string, w, h uint16) *session {
	t.Helper()
	keys, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(keys, &pty.Winsize{Cols: w, Rows: h}); err != nil {
		t.Fatal(err)
	}
	s := &session{t: t, keys: keys, tty: tty, exited: make(chan struct{}), crash: filepath.Join(t.TempDir(), "crash")}
	s.before = s.modes()
	s.cmd = exec.Command(os.Args[0])
	s.cmd.Env = append(os.Environ(), roleEnv+"="+role, "TERM=xterm-256color", "GORACE=atexit_sleep_ms=0", "TERM_TEST_CRASH="+s.crash)
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go s.read()
	go func() { _ = s.cmd.Wait(); close(s.exited) }()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		<-s.exited
		keys.Close()
		tty.Close()
	})
	return s
}

// started returns a session whose first frame is on the screen.
func started(t *testing.T) *session {
	t.Helper()
	s := launch(t, "program", 80, 24)
	s.see("80x24")
	return s
}

func (s *session) read() {
	buf := make([]byte, 32<<10)
	for {
		s.mu.Lock()
		wait := s.stalled
		s.mu.Unlock()
		if wait != nil {
			<-wait
		}
		n, err := s.keys.Read(buf)
		s.mu.Lock()
		s.out.Write(buf[:n])
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (s *session) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

// until waits for something to become true.
func (s *session) until(what string, ok func() bool) {
	s.t.Helper()
	for limit := time.Now().Add(patience); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(limit) {
			s.t.Fatalf("%s never came; the terminal got %q", what, s.text())
		}
	}
}

// see waits until the terminal has received text, after what was seen before.
func (s *session) see(text string) {
	s.t.Helper()
	s.until(text, func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		_, rest, ok := strings.Cut(s.out.String(), text)
		if ok {
			s.out.Reset()
			s.out.WriteString(rest)
		}
		return ok
	})
}

func (s *session) type_(text string) {
	s.t.Helper()
	if _, err := s.keys.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

// act types a line and Enter in reads of their own.
func (s *session) act(line string) {
	s.t.Helper()
	s.type_(line)
	s.see(line[len(line)-1:])
	s.type_("\r")
}

func (s *session) modes() unix.Termios {
	s.t.Helper()
	m, err := unix.IoctlGetTermios(int(s.tty.Fd()), getTermios)
	if err != nil {
		s.t.Fatal(err)
	}
	return *m
}

func (s *session) isRaw() bool { return s.modes().Lflag&(unix.ICANON|unix.ECHO|unix.ISIG) == 0 }

func (s *session) signal(sig syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

// ends waits for the end and checks that the terminal is as it was.
func (s *session) ends(code int) {
	s.t.Helper()
	select {
	case <-s.exited:
	case <-time.After(patience):
		s.t.Fatalf("still running; the terminal got %q", s.text())
	}
	if got := s.cmd.ProcessState.ExitCode(); got != code {
		s.t.Errorf("exit code %d (%v), want %d; the terminal got %q", got, s.cmd.ProcessState, code, s.text())
	}
	if s.modes() != s.before {
		s.t.Errorf("modes %+v, before the start %+v", s.modes(), s.before)
	}
	s.until("the leave sequence", func() bool { return strings.Contains(s.text(), resetModes) })
	out := s.text()
	if _, after, _ := strings.Cut(out, resetModes); strings.Contains(after, "\x1b") {
		s.t.Errorf("after leaving came %q", after)
	}
}

// allowed is all that may ever reach a terminal. There is no query in it.
var allowed = regexp.MustCompile(`^(\x1b\[\?(1049|2004|1004|1007|7|25|2026|1006|1000)[hl]|\x1b\[2[23];0t|\x1b\[[0-9;]*[mHKJrS]|\x1b\](2;|9; ?|777;notify;|52;c;)[^\x00-\x1f]*\x07|[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\x07)+$`)

func TestStartAsksNothing(t *testing.T) {
	t.Parallel()
	s := launch(t, "program", 80, 24)
	s.until("a frame", func() bool { return strings.Contains(s.text(), "pasted=0") })
	if !s.isRaw() {
		t.Error("not raw")
	}
	out := s.text()
	if !allowed.MatchString(out) {
		t.Errorf("the terminal got %q", out)
	}
	want := pushTitle + setModes + "\x1b]2;a title]0;not\a" + beginFrame + eraseAll
	if !strings.HasPrefix(out, want) {
		t.Errorf("began with %q, want %q", out[:min(len(out), len(want))], want)
	}
	s.act("title x")
	s.see("\x1b]2;x]52;c;aGk=\a")
	s.act("mouse on")
	s.see(setMouse)
	s.act("mouse off")
	s.see(resetMouse)
	s.act("notify x")
	s.see("\x1b]777;notify;baton;x]52,c,aGk=\a")
	s.act("copy x")
	s.see("\x1b]52;c;eA==\a")
	s.act("quit")
	s.ends(0)
	s.see("goroutines left: []")
}

func TestEnds(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(*session)
		code int
	}{
		"quit":           {func(s *session) { s.act("quit") }, 0},
		"SIGTERM":        {func(s *session) { s.signal(syscall.SIGTERM) }, 143},
		"SIGHUP":         {func(s *session) { s.signal(syscall.SIGHUP) }, 129},
		"SIGINT":         {func(s *session) { s.signal(syscall.SIGINT) }, 130},
		"SIGQUIT":        {func(s *session) { s.signal(syscall.SIGQUIT) }, 131},
		"panic-update":   {func(s *session) { s.act("panic-update") }, 1},
		"panic-view":     {func(s *session) { s.act("panic-view") }, 1},
		"panic-cmd":      {func(s *session) { s.act("panic-cmd") }, 1},
		"panic-batch":    {func(s *session) { s.act("panic-batch") }, 1},
		"panic-sequence": {func(s *session) { s.act("panic-sequence") }, 1},
		"a loop that hangs": {func(s *session) {
			s.act("hang")
			s.until("the hang", func() bool { _, err := os.Stat(s.crash); return err == nil })
			s.signal(syscall.SIGTERM)
		}, 143},
		"a model that ignores it": {func(s *session) {
			s.act("deaf")
			s.see("deaf")
			s.signal(syscall.SIGTERM)
			s.see("ignored terminated")
		}, 143},
		"a second signal does not wait": {func(s *session) {
			s.act("deaf")
			s.see("deaf")
			s.signal(syscall.SIGTERM)
			s.see("ignored terminated")
			s.signal(syscall.SIGINT) // its code tells that it was the one to end the program
		}, 130},
		"SIGHUP twice is one": {func(s *session) {
			s.act("deaf")
			s.see("deaf")
			s.signal(syscall.SIGHUP)
			s.see("ignored hangup")
			s.signal(syscall.SIGHUP)
			s.signal(syscall.SIGTERM)
		}, 143},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := started(t)
			c.do(s)
			s.ends(c.code)
			if !strings.HasPrefix(name, "panic") {
				return
			}
			var after string
			s.until("a line", func() bool {
				_, after, _ = strings.Cut(s.text(), resetModes)
				return strings.Contains(after, "\n")
			})
			if line, _, _ := strings.Cut(after, "\r\n"); !strings.HasPrefix(line, "baton: internal error: the [redacted] of a") {
				t.Errorf("standard error says %q", line)
			}
			stack, err := os.ReadFile(s.crash)
			if err != nil || !strings.Contains(string(stack), "program_unix_test.go") || strings.Contains(string(stack), "the secret") {
				t.Errorf("%v: %s", err, stack)
			}
		})
	}
}

// stall stops reading the terminal; the program must be writing. The caller closes s.stalled.
func (s *session) stall() {
	s.mu.Lock()
	s.stalled = make(chan struct{})
	s.mu.Unlock()
}

func TestTerminalGoesAway(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.stall()
	s.type_("x") // its echo ends the read that is under way, which would keep the terminal open
	s.until("x", func() bool { return strings.Contains(s.text(), "x") })
	s.tty.Close()
	s.keys.Close()
	close(s.stalled)
	<-s.exited
	if got := s.cmd.ProcessState.ExitCode(); got != 129 {
		t.Error("exit code", got)
	}
}

// Three seconds are the promise, so here the clock is what is tested.
func TestStalledTerminal(t *testing.T) {
	t.Parallel()
	t.Run("K6", func(t *testing.T) {
		s := launch(t, "program", 200, 100)
		s.see("200x100")
		s.act("flood")
		s.see("0001")
		s.stall()
		time.Sleep(1500 * time.Millisecond) // until the kernel's buffers are full
		began := time.Now()
		s.signal(syscall.SIGTERM)
		select {
		case <-s.exited:
		case <-time.After(3 * time.Second):
			t.Fatal("no end within 3 s")
		}
		t.Log("ended after", time.Since(began))
		close(s.stalled)
		s.ends(143)
		if !strings.Contains(s.text(), cancel+resetModes) {
			t.Error("the terminal was not stalled: the test tried nothing")
		}
	})
}

func TestEditorHasTheTerminal(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.act("edit")
	s.see(resetModes)
	s.see("editor ready")
	if s.modes() != s.before {
		t.Error("the editor got a terminal in other modes")
	}
	if err := pty.Setsize(s.keys, &pty.Winsize{Cols: 70, Rows: 20}); err != nil {
		t.Fatal(err)
	}
	s.type_("hello\r")
	s.see("editor got hello")
	s.see(setModes)
	s.see("70x20")
	s.see("edited: done (<nil>)")
	if !s.isRaw() {
		t.Error("not raw after the editor")
	}
	s.act("nothing")
	s.see("edited: starting /does/not/exist")
	s.act("edit")
	s.see("editor ready")
	s.type_("\x03") // meant for the editor
	s.see("edited: done (signal: interrupt)")
	s.act("edit")
	s.see("editor ready")
	s.signal(syscall.SIGTERM)
	s.see("editor told")
	s.ends(143)
}

func TestSuspendWithoutAShell(t *testing.T) {
	t.Parallel()
	s := started(t)
	for range 2 {
		s.type_("\x1a")
		s.see(resetModes)
		s.see(setModes)
		s.see("resumed false")
	}
	s.act("quit")
	s.ends(0)
}

var stoppedJob = regexp.MustCompile(`job (\d+) stopped`)

func TestSuspendInAShell(t *testing.T) {
	t.Parallel()
	s := launch(t, "shell", 80, 24)
	s.see("80x24")
	for round := range 5 {
		s.type_("\x1a")
		s.see(resetModes)
		s.until("the stop", func() bool { return stoppedJob.MatchString(s.text()) })
		if s.modes() != s.before {
			t.Error("the shell got a terminal in other modes")
		}
		pid := 0
		for _, c := range stoppedJob.FindStringSubmatch(s.text())[1] {
			pid = pid*10 + int(c-'0')
		}
		if round > 0 { // a person stays in the shell for longer than a stop may take to arrive
			time.Sleep(orphanWait + 50*time.Millisecond)
		}
		if err := syscall.Kill(-pid, syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		s.see(setModes)
		s.see("resumed true")
		if !s.isRaw() {
			t.Error("not raw after the stop")
		}
	}
	s.act("quit")
	s.ends(0)
}

func TestStoppedFromOutside(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.see("pasted=0")
	s.signal(syscall.SIGSTOP)
	if err := unix.IoctlSetTermios(int(s.tty.Fd()), setTermiosForTest, &s.before); err != nil {
		t.Fatal(err)
	}
	s.signal(syscall.SIGCONT)
	s.see(eraseAll)
	s.see("80x24")
	if !s.isRaw() {
		t.Error("not raw after SIGCONT")
	}
	s.act("quit")
	s.ends(0)
}

// A window that was small for a moment has lost what did not fit, also when it is as large as before by the time its size is
// read: any change of the size is drawn in full.
func TestTheSameSizeAgain(t *testing.T) {
	t.Parallel()
	s := started(t)
	s.signal(syscall.SIGWINCH)
	s.see(eraseAll)
	s.act("quit")
	s.ends(0)
}

func TestSizes(t *testing.T) {
	t.Parallel()
	s := launch(t, "program", 0, 0)
	s.see("80x24")
	resize := func(w, h uint16) {
		if err := pty.Setsize(s.keys, &pty.Winsize{Cols: w, Rows: h}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range uint16(300) {
		resize(40+i%50, 10+i%7)
	}
	resize(66, 11)
	s.see("66x11")
	resize(0, 0)
	resize(1, 1)
	s.type_("\x0c")
	s.see(eraseAll)
	resize(10_000, 10_000)
	s.see("10000x10000")
	resize(50, 12)
	s.see("50x12")
	s.act("quit")
	s.ends(0)
}

// Each submit is seen before the next is typed, so that no slow machine joins two into one read.
func TestSubmitsArrive(t *testing.T) {
	t.Parallel()
	s := started(t)
	for i := range 16 {
		s.type_("x\r")
		s.see(fmt.Sprintf("enters=%d", i+1))
	}
	s.act("quit")
	s.ends(0)
	s.see("bye after 17")
}

func TestPastesArriveWhole(t *testing.T) {
	t.Parallel()
	t.Run("K2 K3", func(t *testing.T) {
		s := started(t)
		s.type_("\x1b[200~" + strings.Repeat("0123456789abcde\r", 1<<16) + "\x1b[201~")
		s.see("pasted=1048576")
		slow := 0
		for range 20 { // longer than the kernel's buffer, so that reads end anywhere, behind a CR too
			began := time.Now()
			s.type_(strings.Repeat("0123456789\r", 1000) + "z")
			if time.Since(began) > joinWait {
				slow++ // so busy a machine may have left a gap in it, and what stands before a gap is Enter
			}
		}
		enters := 0
		s.until("all of it", func() bool {
			all := counts.FindAllStringSubmatch(s.text(), -1)
			if all == nil {
				return false
			}
			enters, _ = strconv.Atoi(all[len(all)-1][1])
			newlines, _ := strconv.Atoi(all[len(all)-1][2])
			return enters+newlines == 85536
		})
		if enters > slow {
			t.Errorf("%d newlines of pastes became Enter, and %d pastes may have had a gap", enters, slow)
		}
		s.type_("\x1b[200~never ending")
		s.see("last=12")
		s.type_("\x15")
		s.signal(syscall.SIGTERM)
		s.ends(143)
		s.see(fmt.Sprint("bye after ", enters))
	})
}

var counts = regexp.MustCompile(`enters=(\d+) newlines=(\d+)`)

func TestNotATerminal(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleEnv+"=program")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "error: standard input: not a terminal true") {
		t.Errorf("%v: %s", err, out)
	}
}

// The signal of a key that ended an editor may be noticed after the editor's end.
func TestLateSignalOfAnEditor(t *testing.T) {
	term := newTerminal(&tty{in: os.Stdin, out: os.Stdout}, Options{})
	defer close(term.done)
	term.reacquire()
	term.answer(syscall.SIGINT)
	if code := term.code.Load(); code != 0 {
		t.Error("ends with", code)
	}
	term.keysElsewhere.Store(time.Now().UnixNano())
	term.answer(syscall.SIGINT)
	term.force.Load().Stop()
	if code := term.code.Load(); code != 130 {
		t.Error("a later signal leaves the code at", code)
	}
}
