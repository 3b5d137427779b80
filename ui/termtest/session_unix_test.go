//go:build unix

package termtest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/term"
)

const roleEnv = "TERMTEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleEnv) {
	case "":
		os.Exit(m.Run())
	case "echo":
		os.Exit(echo())
	case "ask":
		fmt.Print("\x1b[6nasked")
		_, _ = io.ReadAll(os.Stdin)
	}
	os.Exit(3)
}

// echo is a program with raw mode and an alternate screen. It shows each read; q quits, d leaves everything as it is.
func echo() int {
	before, err := term.MakeRaw(0)
	if err != nil {
		return 2
	}
	fmt.Print("\x1b[?1049h\x1b[?2004h\x1b[?7l\x1b]2;echo\a\x1b[2J\x1b[Hready")
	sizes := make(chan os.Signal, 1)
	signal.Notify(sizes, syscall.SIGWINCH)
	reads := make(chan string)
	go func() {
		in := bufio.NewReaderSize(os.Stdin, 4096)
		for {
			b := make([]byte, 4096)
			n, err := in.Read(b)
			if err != nil {
				return
			}
			reads <- string(b[:n])
		}
	}()
	for n := 1; ; n++ {
		select {
		case <-sizes:
			w, h, _ := term.GetSize(0)
			fmt.Printf("\x1b[3;1H%dx%d\x1b[K", w, h)
		case r := <-reads:
			switch r {
			case "d":
				return 7
			case "q":
				fmt.Print("\x1b[?2004l\x1b[?7h\x1b[?1049l")
				_ = term.Restore(0, before)
				fmt.Print("bye\r\n")
				return 5
			}
			fmt.Printf("\x1b[2;1H\x1b[K%d bytes %.60q", len(r), r)
		}
	}
}

func startRole(t *testing.T, role string) *Session {
	t.Helper()
	return Start(t, Options{Binary: os.Args[0], Env: map[string]string{roleEnv: role}, Width: 80, Height: 5, Lax: role == "ask"})
}

func TestSession(t *testing.T) {
	t.Parallel()
	s := startRole(t, "echo")
	s.WaitFor("ready")
	if !s.AltScreen() || !s.Mode(2004) || s.Title() != "echo" {
		t.Error(s.Picture())
	}
	s.Type("ab")
	s.WaitFor(`2 bytes "ab"`)
	s.Key("alt+up")
	s.WaitFor(`6 bytes "\x1b[1;3A"`)
	s.WaitGone(`"ab"`)
	s.Paste("one\ntwo")
	s.WaitFor(`"\x1b[200~one\rtwo\x1b[201~"`)
	s.Resize(70, 4)
	s.WaitFor("70x4")
	s.Raw("q")
	if code := s.Wait(); code != 5 {
		t.Error("exit code", code)
	}
	if left := s.Restored(); len(left) > 0 {
		t.Error(left)
	}
	if s.Running() || s.AltScreen() || !s.Has("bye") {
		t.Error(s.Picture())
	}
}

// Keys must be reads of their own, however fast they come.
func TestKeysAreReadOneByOne(t *testing.T) {
	t.Parallel()
	s := startRole(t, "echo")
	s.WaitFor("ready")
	for i := range 200 {
		s.Type("x")
		s.Key("enter")
		s.Type(fmt.Sprint(i))
	}
	s.WaitFor(`3 bytes "199"`)
	if out := string(s.Output()); strings.Contains(out, `x\r`) || strings.Contains(out, `\r1`) || strings.Count(out, `1 bytes "x"`) != 200 {
		t.Errorf("%q", out)
	}
}

func TestWhatIsLeftBehindIsFound(t *testing.T) {
	t.Parallel()
	s := startRole(t, "echo")
	s.WaitFor("ready")
	s.Raw("d")
	if code := s.Wait(); code != 7 {
		t.Error("exit code", code)
	}
	if left := s.Restored(); len(left) != 4 { // alternate screen, paste, wrap, tty
		t.Error(left)
	}
}

func TestQueriesAreFoundAndNotAnswered(t *testing.T) {
	t.Parallel()
	s := startRole(t, "ask")
	s.WaitFor("asked")
	if v := s.Violations(); len(v) != 1 || v[0] != `sequence "\x1b[6n"` {
		t.Error(v)
	}
	s.Kill9()
	if code := s.Wait(); code != -1 {
		t.Error("exit code", code)
	}
}
