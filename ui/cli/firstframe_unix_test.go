//go:build unix

package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/creack/pty"

	"baton/ui/termtest"
)

// From exec to its first frame baton takes at most three times the CPU time of a bare Bubble Tea program with the same options.
// The least of both is compared, again and again until it is near enough: a busy machine adds to some runs, code to all.
func TestFirstFrameAgainstABareProgram(t *testing.T) {
	const limit, tries = 3, 60
	if termtest.Raced() {
		t.Skip("with the race detector in it, the program's start is another one; the run without it looks")
	}
	bare := filepath.Join(t.TempDir(), "bare")
	if out, err := exec.Command("go", "build", "-o", bare, "baton/testdata/speed/bare").CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	program := termtest.Build(t)
	var ours, theirs time.Duration
	for range tries {
		ours = least(ours, untilDrawn(t, program, "┃"))
		theirs = least(theirs, untilDrawn(t, bare, "first frame"))
		if ours <= limit*theirs {
			break
		}
	}
	t.Logf("%v of CPU time until the first frame, and %v of a bare program", ours, theirs)
	if ours > limit*theirs {
		t.Error("that is too much")
	}
}

func least(a, b time.Duration) time.Duration {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// untilDrawn runs a program in a terminal until it has drawn a text, and returns the CPU time that took.
func untilDrawn(t *testing.T, program, text string) time.Duration {
	t.Helper()
	home := t.TempDir()
	cmd := exec.Command(program)
	cmd.Dir, cmd.Env = home, []string{"HOME=" + home, "TERM=xterm-256color", "LANG=C.UTF-8"}
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 80, Rows: 24})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	ended := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Signal(os.Kill) }) // it draws nothing
	defer ended.Stop()
	var seen []byte
	buf := make([]byte, 32<<10)
	for !bytes.Contains(seen, []byte(text)) {
		n, err := tty.Read(buf)
		if seen = append(seen, buf[:n]...); err != nil {
			break
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if !bytes.Contains(seen, []byte(text)) {
		t.Fatalf("%s drew no %q but %q", program, text, seen)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
