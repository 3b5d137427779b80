//go:build unix

package termtest

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"
)

// Options say what to start and in what kind of terminal.
type Options struct {
	Args   []string
	Env    map[string]string // beside HOME, PATH, TERM, LANG and the XDG variables; "" unsets
	Width  int               // 80 by default
	Height int               // 24 by default
	Binary string            // the module's program by default
	// Home holds the program's home, configuration and state. Two sessions with one Home share them. By default it is
	// new and goes with the test.
	Home string
	// Lax leaves violations and data races for the test to judge. By default either one fails it at its end.
	Lax bool
}

// Session is a program in a pseudo-terminal that answers no query.
type Session struct {
	Home string

	t      testing.TB
	keys   *os.File // the terminal's own side
	tty    *os.File // the program's side: to see its modes, and whether it has read what was typed
	cmd    *exec.Cmd
	before *term.State
	after  *term.State   // valid when exited is closed
	exited chan struct{} // closed when the program is over and all it wrote was read
	escAt  time.Time     // when a lone ESC was typed last

	mu      sync.Mutex
	screen  *Screen
	output  bytes.Buffer
	changed chan struct{} // closed and replaced when output arrives
}

// Start runs the program until the test ends.
func Start(t testing.TB, o Options) *Session {
	t.Helper()
	if o.Binary == "" {
		o.Binary = Build(t)
	}
	if o.Home == "" {
		o.Home = t.TempDir()
	}
	s := &Session{Home: o.Home, t: t, exited: make(chan struct{}), changed: make(chan struct{})}
	w, h := o.Width, o.Height
	if w == 0 {
		w = 80
	}
	if h == 0 {
		h = 24
	}
	s.screen = NewScreen(w, h)
	s.open(w, h)
	s.cmd = exec.Command(o.Binary, o.Args...)
	s.cmd.Dir = o.Home
	s.cmd.Env = environment(o)
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = s.tty, s.tty, s.tty
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go s.read(read)
	go s.await(read)
	t.Cleanup(func() { s.end(o.Lax) })
	return s
}

func (s *Session) open(w, h int) {
	s.t.Helper()
	var err error
	if s.keys, s.tty, err = pty.Open(); err != nil {
		s.t.Fatal(err)
	}
	if err := pty.Setsize(s.keys, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)}); err != nil {
		s.t.Fatal(err)
	}
	if s.before, err = term.GetState(int(s.tty.Fd())); err != nil {
		s.t.Fatal(err)
	}
}

// environment holds nothing of the machine the tests run on but PATH and what Go's own tools need.
func environment(o Options) []string {
	env := map[string]string{
		"HOME": o.Home, "XDG_STATE_HOME": stateHome(o.Home), "XDG_CONFIG_HOME": configHome(o.Home),
		"XDG_CACHE_HOME": filepath.Join(o.Home, "cache"), "TERM": "xterm-256color", "LANG": "C.UTF-8",
		"GORACE": "atexit_sleep_ms=0",
	}
	for _, name := range []string{"PATH", "TMPDIR", "GOCOVERDIR"} {
		env[name] = os.Getenv(name)
	}
	maps.Copy(env, o.Env)
	var list []string
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if env[name] != "" {
			list = append(list, name+"="+env[name])
		}
	}
	return list
}

func stateHome(home string) string  { return filepath.Join(home, "state") }
func configHome(home string) string { return filepath.Join(home, "config") }

func (s *Session) read(done chan<- struct{}) {
	defer close(done)
	buf := make([]byte, 64<<10)
	for {
		n, err := s.keys.Read(buf)
		s.mu.Lock()
		s.output.Write(buf[:n])
		_, _ = s.screen.Write(buf[:n])
		close(s.changed)
		s.changed = make(chan struct{})
		s.mu.Unlock()
		if err != nil {
			return // the last user of the other side is gone
		}
	}
}

// await waits for the program's end. The other side is closed only then, so that all that was written is read first.
func (s *Session) await(read <-chan struct{}) {
	defer close(s.exited)
	_ = s.cmd.Wait()
	s.after, _ = term.GetState(int(s.tty.Fd()))
	_ = s.tty.Close()
	<-read
}

func (s *Session) end(lax bool) {
	_ = s.cmd.Process.Kill()
	<-s.exited
	_ = s.keys.Close()
	if lax {
		return
	}
	if v := s.Violations(); len(v) > 0 {
		s.t.Errorf("the terminal was sent %d things that are not allowed: %s", len(v), strings.Join(v, "; "))
	}
	if _, race, found := strings.Cut(string(s.Output()), "WARNING: DATA RACE"); found {
		s.t.Errorf("data race:%s", race)
	}
}

// Restored lists what the program did not put back: the tty's own modes and everything Screen.Unrestored knows. It waits
// for the program's end.
func (s *Session) Restored() []string {
	s.t.Helper()
	s.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.screen.Unrestored()
	if !reflect.DeepEqual(s.before, s.after) {
		found = append(found, fmt.Sprintf("tty modes %+v, before %+v", s.after, s.before))
	}
	return found
}

// Wait waits for the program's end and returns its exit code; -1 if a signal ended it.
func (s *Session) Wait() int {
	s.t.Helper()
	select {
	case <-s.exited:
	case <-time.After(patience):
		s.t.Fatalf("the program still runs\n%s", s.Picture())
	}
	return s.cmd.ProcessState.ExitCode()
}

// Running reports whether the program has not ended.
func (s *Session) Running() bool {
	select {
	case <-s.exited:
		return false
	default:
		return true
	}
}

// PID is the program's process id.
func (s *Session) PID() int { return s.cmd.Process.Pid }

// Signal sends a signal to the program.
func (s *Session) Signal(sig syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

// Kill9 ends the program as a crash would and waits until it is gone.
func (s *Session) Kill9() {
	s.t.Helper()
	s.Signal(syscall.SIGKILL)
	s.Wait()
}

// Resize changes the terminal's size in cells, as a window does: first the size, then SIGWINCH.
func (s *Session) Resize(w, h int) {
	s.t.Helper()
	s.mu.Lock()
	s.screen.Resize(w, h)
	s.mu.Unlock()
	if err := pty.Setsize(s.keys, &pty.Winsize{Cols: uint16(w), Rows: uint16(h)}); err != nil {
		s.t.Fatal(err)
	}
}

// Sessions returns the paths of the session logs, wherever they are below the state directory, in order of their names.
func (s *Session) Sessions() []string {
	var found []string
	_ = filepath.WalkDir(stateHome(s.Home), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".jsonl" {
			found = append(found, path)
		}
		return nil // no directory yet: no log yet
	})
	return found
}
