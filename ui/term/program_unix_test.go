//go:build unix

package term

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

// The tests with a real terminal run this test binary again, as the program in it or as a shell around it.
const roleEnv = "TERM_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleEnv) {
	case "program":
		os.Exit(program())
	case "shell":
		os.Exit(shell())
	}
	os.Exit(m.Run())
}

// program runs an actor and says good bye.
func program() int {
	final, code, err := Run(&actor{}, Options{
		Title:     "a title\x1b]0;not\a",
		CrashFile: func() string { return os.Getenv("TERM_TEST_CRASH") },
		Redact:    func(s string) string { return strings.ReplaceAll(s, "secret", "[redacted]") },
	})
	if code == 128+int(syscall.SIGHUP) { // the news of a lost terminal comes once more
		_ = syscall.Kill(os.Getpid(), syscall.SIGHUP)
	}
	if err != nil && !errors.Is(err, ErrReported) {
		fmt.Println("error:", err, errors.Is(err, ErrNotTerminal))
	}
	if a, ok := final.(*actor); ok {
		fmt.Println("bye after", a.enters)
	}
	fmt.Println("goroutines left:", leftGoroutines())
	return code
}

// leftGoroutines names goroutines of this package that outlive Run, once they have had time to end.
func leftGoroutines() (left []string) {
	for range 50 {
		buf := make([]byte, 1<<20)
		left = nil
		for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(stack, "term.(*") && !strings.Contains(stack, "leftGoroutines") {
				left = append(left, stack)
			}
		}
		if left == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return left
}

// shell runs the program as a job in the foreground and tells when it stops.
func shell() int {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleEnv+"=program")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Foreground: true, Ctty: 0}
	ignoreTTOU()
	if err := cmd.Start(); err != nil {
		fmt.Println("shell:", err)
		return 99
	}
	for {
		var ws unix.WaitStatus
		if _, err := unix.Wait4(cmd.Process.Pid, &ws, unix.WUNTRACED, nil); err == unix.EINTR {
			continue
		} else if err != nil {
			fmt.Println("shell:", err)
			return 99
		}
		if !ws.Stopped() {
			return ws.ExitStatus()
		}
		fmt.Printf("job %d stopped\n", cmd.Process.Pid)
	}
}

// actor does what the typed line says.
type actor struct {
	w, h, enters, newlines, pasted, last, frame int
	draft, note                                 string
	window                                      Window
	deaf, flooding, badView                     bool
}

type flood struct{}

func (a *actor) Init() tea.Cmd { return nil }

func (a *actor) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		a.w, a.h = m.Width, m.Height
	case SignalMsg:
		if !a.deaf {
			return a, tea.Quit
		}
		a.note = "ignored " + m.Signal.String()
	case ResumeMsg:
		a.note = fmt.Sprint("resumed ", m.Stopped)
	case flood:
		a.frame++
		return a, a.next()
	case error:
		a.note = "edited: " + m.Error()
	case tea.KeyMsg:
		return a.key(m)
	}
	return a, nil
}

func (a *actor) next() tea.Cmd {
	return tea.Tick(time.Millisecond, func(time.Time) tea.Msg { return flood{} })
}

func (a *actor) key(k tea.KeyMsg) (tea.Model, tea.Cmd) {
	switch {
	case k.Paste:
		a.pasted += len(k.Runes)
		a.last = len(k.Runes)
		a.newlines += strings.Count(string(k.Runes), "\n")
	case k.Type == tea.KeyRunes, k.Type == tea.KeySpace:
		a.draft += string(k.Runes)
		a.draft = a.draft[max(0, len(a.draft)-40):]
	case k.Type == tea.KeyCtrlJ:
		a.newlines++
	case k.Type == tea.KeyCtrlZ:
		return a, Suspend
	case k.Type == tea.KeyCtrlL:
		return a, Repaint
	case k.Type == tea.KeyEnter:
		a.enters++
		line := a.draft
		a.draft = ""
		return a, a.act(line)
	}
	return a, nil
}

func bad() tea.Msg { panic("the secret of a command") }
func idle() tea.Msg {
	return nil
}

func (a *actor) act(line string) tea.Cmd {
	verb, rest, _ := strings.Cut(line, " ")
	switch verb {
	case "quit":
		return tea.Quit
	case "deaf":
		a.deaf, a.note = true, "deaf"
	case "hang":
		_ = os.WriteFile(os.Getenv("TERM_TEST_CRASH"), nil, 0o600) // tells the test
		time.Sleep(time.Hour)
	case "flood":
		a.flooding = true
		return a.next()
	case "panic-update":
		panic("the secret of an update")
	case "panic-view":
		a.badView = true
	case "panic-cmd":
		return bad
	case "panic-batch":
		return tea.Batch(idle, bad)
	case "panic-sequence":
		return tea.Sequence(idle, tea.Batch(idle, bad))
	case "title":
		a.window.Title = rest + "\x1b]52;c;aGk=\a"
	case "mouse":
		a.window.Mouse = rest == "on"
	case "notify":
		return Notify(OSC777, rest+"\x1b]52;c;aGk=\a")
	case "copy":
		return Copy(rest)
	case "edit":
		return Exec(exec.Command("sh", "-c", editor), func(err error) tea.Msg { return fmt.Errorf("done (%v)", err) })
	case "nothing":
		return Exec(exec.Command("/does/not/exist"), func(err error) tea.Msg { return err })
	}
	return nil
}

const editor = `trap "echo editor told; exit" TERM; echo editor ready; read line; echo "editor got $line"`

// View begins its lines with a character that is not ASCII, so that each is drawn whole and can be waited for.
func (a *actor) View() string {
	if a.badView {
		panic("the secret of a view")
	}
	if a.flooding {
		return strings.Repeat(fmt.Sprintf("·%0*d\n", a.w-1, a.frame), a.h)
	}
	return fmt.Sprintf("·%dx%d\n·enters=%d newlines=%d pasted=%d last=%d\n·%s\n> %s", a.w, a.h, a.enters, a.newlines, a.pasted, a.last, a.note, a.draft)
}

func (a *actor) Window() Window { return a.window }

func (a *actor) Cursor() (int, int, bool) { return 2, 3, true }
