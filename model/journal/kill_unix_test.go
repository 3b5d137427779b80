//go:build unix

package journal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary starts itself with these set to act as another process.
const (
	helperRole = "BATON_JOURNAL_HELPER"
	helperDir  = "BATON_JOURNAL_DIR"
	helperStep = "BATON_JOURNAL_STEP"
)

func TestMain(m *testing.M) {
	switch os.Getenv(helperRole) {
	case "append":
		w := must(Create(os.Getenv(helperDir), "s", Header{}))
		for i := 1; ; i++ {
			b := must(w.Append(time.Now(), say(strings.Repeat("x", i%3000))))
			fmt.Println(b.Seq) // unbuffered: acknowledged only after Append returned
		}
	case "hold":
		w := must(Create(os.Getenv(helperDir), "s", Header{}))
		must(w.Append(time.Now(), say("held")))
		fmt.Println("holding")
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "stumble":
		stumble(os.Getenv(helperDir))
	case "build":
		buildUntil(os.Getenv(helperDir), os.Getenv(helperStep))
	default:
		os.Exit(m.Run())
	}
}

// followed is how many lines the stumbling writer writes.
const followed = 900

// stumble appends numbered lines; every third write comes out short, by another length each time, and some of the
// cuts that follow fail as well. What was kept is written by the next one.
func stumble(dir string) {
	f := &faulty{
		write: func(n, size int) (int, error) {
			if n > 1 && n%3 == 0 {
				return n * 7 % size, syscall.ENOSPC
			}
			return size, nil
		},
		truncate: func(n int) error {
			if n%4 == 0 {
				return syscall.EIO
			}
			return nil
		},
	}
	w := must(create(dir, "s", Header{}, with(f.over)))
	fmt.Println("created")
	for i := 1; i <= followed; i++ {
		text := fmt.Sprintf("%d %s", i, strings.Repeat("x", i*131%9000))
		if _, err := w.Append(time.Now(), say(text)); err != nil && !errors.Is(err, ErrKept) {
			panic(err)
		}
	}
	for w.Retry() != nil {
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
}

// buildUntil builds a session and ends as by kill -9 at a step like "before 3", of which it says what it is.
func buildUntil(dir, step string) {
	var when string
	var nth int
	_ = must(fmt.Sscan(step, &when, &nth))
	die := func(n int, call, now string) {
		if n == nth && now == when {
			fmt.Println(when, call)
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	c := &calls{
		before: func(n int, call string) error { die(n, call, "before"); return nil },
		after:  func(n int, call string) { die(n, call, "after") },
	}
	if err := build(dir, "s", Header{}, fillABC, c.disk()); err != nil {
		panic(err)
	}
	fmt.Println("built")
}

func helper(t *testing.T, role, dir string, env ...string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	cmd := exec.Command(must(os.Executable()))
	cmd.Env = append(append(os.Environ(), helperRole+"="+role, helperDir+"="+dir), env...)
	out := must(cmd.StdoutPipe())
	must(cmd.StdinPipe())
	check(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd, bufio.NewReader(out)
}

// TestKill9: however a process is killed while it appends, the file holds a gapless prefix with every batch that was
// acknowledged, and can be continued.
func TestKill9(t *testing.T) {
	for _, after := range []int{1, 7, 60, 500} {
		dir := t.TempDir()
		cmd, out := helper(t, "append", dir)
		for range after {
			must(out.ReadString('\n'))
		}
		check(t, cmd.Process.Kill())
		rest := must(io.ReadAll(out))
		_ = cmd.Wait()
		acknowledged := after
		for _, word := range strings.Fields(string(rest)) {
			acknowledged = must(strconv.Atoi(word))
		}
		opened, read := appendAndRead(t, dir, "next")
		if len(opened.Batches) < acknowledged || len(read.Damage) != 0 {
			t.Fatalf("%d acknowledged, %d kept, damage %s", acknowledged, len(opened.Batches), damage(read))
		}
		for i, b := range read.Batches {
			if b.Seq != uint64(i+1) {
				t.Fatalf("batch %d has number %d", i+1, b.Seq)
			}
		}
	}
}

// TestLockDiesWithItsHolder: a second process is refused and told who holds the session, however it wants to write;
// it may read and follow meanwhile, and gets the lock once the holder was killed.
func TestLockDiesWithItsHolder(t *testing.T) {
	dir := t.TempDir()
	cmd, out := helper(t, "hold", dir)
	must(out.ReadString('\n'))
	for name, try := range map[string]func() error{
		"Open":     func() error { _, _, err := Open(dir, "s"); return err },
		"OpenTail": func() error { _, _, err := OpenTail(dir, "s", markKind); return err },
		"Create":   func() error { _, err := Create(dir, "s", Header{}); return err },
		"Build":    func() error { return Build(dir, "s", Header{}, fillABC) },
		"Remove":   func() error { return Remove(dir, "s") },
	} {
		err := try()
		var locked *LockedError
		if !errors.As(err, &locked) || locked.PID != cmd.Process.Pid || !strings.Contains(err.Error(), strconv.Itoa(cmd.Process.Pid)) {
			t.Fatalf("%s: %v, want process %d", name, err, cmd.Process.Pid)
		}
	}
	if pid, held, err := Holder(dir, "s"); pid != cmd.Process.Pid || !held || err != nil {
		t.Fatalf("%d %v %v", pid, held, err)
	}
	if got := said(must(Read(dir, "s"))); got != "held" {
		t.Fatal(got)
	}
	f := follow(t, dir)
	f.want("")
	check(t, cmd.Process.Kill())
	_ = cmd.Wait()
	if pid, held, err := Holder(dir, "s"); pid != 0 || held || err != nil {
		t.Fatalf("after its end: %d %v %v", pid, held, err)
	}
	if _, after := appendAndRead(t, dir, "next"); said(after) != "held,next" {
		t.Fatal(said(after))
	}
	f.want("next")
}

// TestFollowALiveWriter: another process writes, fails, takes back and writes again; what is followed is every line
// once, in order, whole, and never what was taken back.
func TestFollowALiveWriter(t *testing.T) {
	dir := t.TempDir()
	cmd, out := helper(t, "stumble", dir)
	must(out.ReadString('\n'))
	ended := make(chan error, 1)
	go func() {
		_, _ = io.Copy(io.Discard, out)
		ended <- cmd.Wait()
	}()
	r := must(OpenReader(dir, "s"))
	defer r.Close()
	var end int64
	seen, looks := 0, 0
	for over := false; ; {
		c, next, err := r.Follow(end)
		check(t, err)
		end = next
		if c.Torn != 0 || len(c.Damage) != 0 {
			t.Fatalf("torn %d damage %s", c.Torn, damage(c))
		}
		for _, text := range strings.Split(said(c), ",") {
			if text == "" {
				continue
			}
			seen++
			if want := fmt.Sprintf("%d %s", seen, strings.Repeat("x", seen*131%9000)); text != want {
				t.Fatalf("line %d reads %.30q (%d bytes)", seen, text, len(text))
			}
		}
		if over && len(c.Batches) == 0 {
			break
		}
		select {
		case err := <-ended:
			check(t, err)
			over = true
		default:
			looks++
		}
	}
	if seen != followed {
		t.Fatalf("%d lines in %d looks", seen, looks)
	}
	if c := must(Read(dir, "s")); len(c.Batches) != followed || len(c.Damage) != 0 || c.End != end {
		t.Fatalf("%d lines, damage %s", len(c.Batches), damage(c))
	}
}

// TestKilledWhileBuilding: before and after each call that Build makes on the disk, a process that is killed there
// leaves the whole session or none, for List, Latest and Read alike, no lock, and nothing that the next Build does
// not remove.
func TestKilledWhileBuilding(t *testing.T) {
	absent, whole := 0, 0
	for _, when := range []string{"before", "after"} {
		for nth := 1; ; nth++ {
			dir := t.TempDir()
			cmd, out := helper(t, "build", dir, fmt.Sprintf("%s=%s %d", helperStep, when, nth))
			step := strings.TrimSpace(string(must(io.ReadAll(out))))
			err := cmd.Wait()
			if step == "built" {
				check(t, err)
				break
			}
			t.Run(fmt.Sprintf("%s, call %d", step, nth), func(t *testing.T) {
				var exit *exec.ExitError
				if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
					t.Fatalf("%v", err)
				}
				there := wantWholeOrAbsent(t, step, dir)
				wantFree(t, dir, "s")
				if there {
					whole++
				} else {
					absent++
				}
				check(t, Build(dir, "next", Header{}, fillABC))
				wantNoneAside(t, dir)
				if again := Build(dir, "s", Header{}, fillABC); there != errors.Is(again, fs.ErrExist) || !there && again != nil {
					t.Fatalf("built again: %v", again)
				}
			})
		}
	}
	if absent < 10 || whole < 3 {
		t.Fatalf("%d steps left none, %d the whole session", absent, whole)
	}
}

// TestStrangeFiles (J4): what is no plain file is refused by name, at once, wherever it stands.
func TestStrangeFiles(t *testing.T) {
	t.Run("J4", func(t *testing.T) {
		dir := t.TempDir()
		path := func(name string) string { return filepath.Join(dir, name) }
		check(t, os.Mkdir(path("folder.jsonl"), 0o700))
		check(t, syscall.Mkfifo(path("fifo.jsonl"), 0o600))
		check(t, os.WriteFile(path("real.jsonl"), sample(t, "a"), 0o600))
		check(t, os.Symlink("real.jsonl", path("link.jsonl")))
		check(t, os.Symlink("absent", path("dangling.jsonl")))
		for id, want := range map[string]error{"folder": ErrNotRegular, "fifo": ErrNotRegular, "link": ErrSymlink, "dangling": ErrSymlink} {
			_, err := Read(dir, id)
			wantErr(t, err, want)
			_, _, err = Open(dir, id)
			wantErr(t, err, want)
			_, _, err = OpenTail(dir, id, markKind)
			wantErr(t, err, want)
			_, err = OpenReader(dir, id)
			wantErr(t, err, want)
			_, err = Head(dir, id, 100)
			wantErr(t, err, want)
			if err := Build(dir, id, Header{}, fillABC); !errors.Is(err, fs.ErrExist) {
				t.Errorf("%s: built over: %v", id, err)
			}
			if _, err := Create(dir, id, Header{}); err == nil {
				t.Errorf("%s: created over", id)
			}
		}
		// The lock's name may be taken as well: no wait, and never through a link.
		check(t, os.Symlink(path("elsewhere"), path("real.lock")))
		if _, _, err := Open(dir, "real"); err == nil {
			t.Error("locked through a link")
		}
		_, _, err := Holder(dir, "real")
		wantErr(t, err, ErrSymlink)
		if _, err := os.Stat(path("elsewhere")); !errors.Is(err, fs.ErrNotExist) {
			t.Error("wrote through a link")
		}
		check(t, os.Remove(path("real.lock")))
		check(t, syscall.Mkfifo(path("real.lock"), 0o600))
		_, _, err = Holder(dir, "real")
		wantErr(t, err, ErrNotRegular)
		if w, _, err := Open(dir, "real"); err == nil {
			check(t, w.Close())
		}
	})
}

// TestModes (J4): wider than 0600 is tightened and reported; closed to its owner is an error of permission.
func TestModes(t *testing.T) {
	t.Run("J4", func(t *testing.T) {
		for found, want := range map[fs.FileMode]fs.FileMode{0o644: 0o600, 0o666: 0o600, 0o700: 0o600, 0o600: 0o600} {
			dir := place(t, sample(t, "a"))
			path := filepath.Join(dir, "s.jsonl")
			check(t, os.Chmod(path, found))
			opened, _ := appendAndRead(t, dir, "next")
			if got := must(os.Stat(path)).Mode().Perm(); got != want {
				t.Errorf("%04o became %04o", found, got)
			}
			if reported := opened.WideMode; (reported != 0) != (found != want) || reported != 0 && reported != found {
				t.Errorf("%04o reported as %04o", found, reported)
			}
		}
	})
}

// TestHugeHole (J4): nothing but NUL behind a record, more of it than a line may be, is counted without being held.
func TestHugeHole(t *testing.T) {
	t.Run("J4", func(t *testing.T) {
		const hole = MaxLine + 1<<20
		dir := place(t, sample(t, "a"))
		path := filepath.Join(dir, "s.jsonl")
		f := must(os.OpenFile(path, os.O_WRONLY, 0))
		size := must(f.Stat()).Size()
		check(t, f.Truncate(size+hole))
		check(t, f.Close())
		r := must(OpenReader(dir, "s"))
		defer r.Close()
		if c := must(r.Tail(markKind)); said(c) != "a" || c.Torn != hole { // backwards for a mark, then all of it
			t.Fatalf("%q torn %d", said(c), c.Torn)
		}
	})
}
