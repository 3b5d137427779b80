//go:build linux || darwin

package engine

import (
	"bytes"
	"os"
	"os/exec"
	ossignal "os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/model/session"
)

// A write beyond the limit is to fail with EFBIG and no more.
func init() { ossignal.Ignore(syscall.SIGXFSZ) }

// alone runs the test in a process of its own and reports whether this is it: the limit of
// full also holds for the file in which go test notes what a test looked at.
func alone(t *testing.T) bool {
	t.Helper()
	const mark = "BATON_TEST_ALONE"
	if os.Getenv(mark) != "" {
		return true
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run=^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$")
	cmd.Env = append(os.Environ(), mark+"=1")
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name())) {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// full lets no file of this process grow beyond n bytes until the returned function is
// called, as a full disk would.
func full(t *testing.T, n int64) (room func()) {
	t.Helper()
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Fatal(err)
	}
	now := old
	now.Cur = uint64(n)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &now); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
			t.Fatal(err)
		}
	}
}

// While the disk is full the chat goes on with a banner, and a job tries again; once
// there is room everything is in the log, in order, and the banner goes.
func TestFullDisk(t *testing.T) {
	t.Run("J6", func(t *testing.T) {
		if !alone(t) {
			return
		}
		bubble(t, func(t *testing.T) {
			dir := t.TempDir()
			d := open(t, dir, after(time.Second, says("answer")))
			d.say("one")
			d.soon()
			info, err := os.Stat(dir + "/" + d.Session() + ".jsonl")
			if err != nil {
				t.Fatal(err)
			}
			room := full(t, info.Size()+10)
			d.say("two")
			if err := d.Trouble(); err == nil || !strings.Contains(err.Error(), "kept in memory") || d.Saved() {
				room()
				t.Fatalf("trouble %v, saved %v", err, d.Saved())
			}
			d.run(5 * time.Second)
			turns, trouble := counted[session.TurnSucceeded](d), d.Trouble()
			room()
			if turns != 2 || trouble == nil {
				t.Fatalf("%d turns on a full disk, trouble %v", turns, trouble)
			}
			d.run(LogRetryEvery + 100*time.Millisecond)
			if d.Trouble() != nil || !d.Saved() {
				t.Fatalf("after room was made: %v", d.Trouble())
			}
			back, damage := Replay(session.New(session.Settings{}), logged(t, dir, d.Session()))
			d.want("log", view(d.State()), view(back))
			d.want("damage", "", damage)
			d.end()
		})
	})
}

// A session whose very first write fails is whole once there is room.
func TestFullDiskAtTheBeginning(t *testing.T) {
	if !alone(t) {
		return
	}
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := open(t, dir, says("answer"))
		room := full(t, 0)
		d.say("one")
		d.soon()
		trouble := d.Trouble()
		room()
		if trouble == nil {
			t.Fatal("no trouble")
		}
		d.run(LogRetryEvery + 100*time.Millisecond)
		if d.Trouble() != nil {
			t.Fatal(d.Trouble())
		}
		back, _ := Replay(session.New(session.Settings{}), logged(t, dir, d.Session()))
		d.want("log", view(d.State()), view(back))
		d.end()
	})
}

// /new on a full disk: without rows a retry that began before finds the new session's log; rows stay where they are until
// there is room, and then they go along.
func TestNewOnAFullDisk(t *testing.T) {
	if !alone(t) {
		return
	}
	for _, rows := range []string{"", "row"} {
		t.Run("rows:"+rows, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				dir := t.TempDir()
				d := openWithNew(t, dir, after(time.Second, says("answer")), hangs)
				d.say("one")
				d.say("/new")
				if rows != "" {
					d.say(rows)
				}
				d.soon()
				first := d.Session()
				info, err := os.Stat(dir + "/" + first + ".jsonl")
				if err != nil {
					t.Fatal(err)
				}
				room := full(t, info.Size()+10)
				d.run(4 * time.Second)
				room()
				if rows != "" {
					d.want("rows", "/new,row", d.rows())
					d.want("why", "held: 1 row waits here, and this session cannot be saved: send or remove what waits first", d.State().Held(time.Now()))
					d.in(session.Play{})
					d.soon()
				}
				if d.Session() == first {
					t.Fatal("no new session")
				}
				d.run(3 * LogRetryEvery)
				if d.Trouble() != nil {
					t.Fatalf("still %v", d.Trouble())
				}
				if rows != "" {
					turn, _ := d.State().LastTurn()
					d.want("the row runs", rows, turn.Text)
					d.in(session.Stop{Turn: turn.ID})
					d.soon()
				}
				d.run(time.Second)
				_ = d.Close()
				d.run(time.Minute)
			})
		})
	}
}
