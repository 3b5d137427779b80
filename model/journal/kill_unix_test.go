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
	default:
		os.Exit(m.Run())
	}
}

func helper(t *testing.T, role, dir string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	cmd := exec.Command(must(os.Executable()))
	cmd.Env = append(os.Environ(), helperRole+"="+role, helperDir+"="+dir)
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

// TestLockDiesWithItsHolder: a second process is refused and told who holds the session, may read meanwhile, and
// gets the lock once the holder was killed.
func TestLockDiesWithItsHolder(t *testing.T) {
	dir := t.TempDir()
	cmd, out := helper(t, "hold", dir)
	must(out.ReadString('\n'))
	_, _, err := Open(dir, "s")
	var locked *LockedError
	if !errors.As(err, &locked) || locked.PID != cmd.Process.Pid {
		t.Fatalf("%v, want process %d", err, cmd.Process.Pid)
	}
	if got := said(must(Read(dir, "s"))); got != "held" {
		t.Fatal(got)
	}
	check(t, cmd.Process.Kill())
	_ = cmd.Wait()
	if _, after := appendAndRead(t, dir, "next"); said(after) != "held,next" {
		t.Fatal(said(after))
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
			if _, err := Create(dir, id, Header{}); err == nil {
				t.Errorf("%s: created over", id)
			}
		}
		// The lock's name may be taken as well: no wait, and never through a link.
		check(t, os.Symlink(path("elsewhere"), path("real.lock")))
		if _, _, err := Open(dir, "real"); err == nil {
			t.Error("locked through a link")
		}
		if _, err := os.Stat(path("elsewhere")); !errors.Is(err, fs.ErrNotExist) {
			t.Error("wrote through a link")
		}
		check(t, os.Remove(path("real.lock")))
		check(t, syscall.Mkfifo(path("real.lock"), 0o600))
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
		for _, mode := range []fs.FileMode{0o444, 0o000} {
			dir := place(t, sample(t, "a"))
			check(t, os.Chmod(filepath.Join(dir, "s.jsonl"), mode))
			w, _, err := Open(dir, "s")
			if os.Geteuid() == 0 { // root may do everything
				check(t, err)
				check(t, w.Close())
				continue
			}
			wantErr(t, err, fs.ErrPermission)
			_, err = Read(dir, "s")
			if mode == 0 {
				wantErr(t, err, fs.ErrPermission)
			} else {
				check(t, err)
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
		c := must(Read(dir, "s"))
		if said(c) != "a" || c.Torn != hole {
			t.Fatalf("%q torn %d", said(c), c.Torn)
		}
	})
}
