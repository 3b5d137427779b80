//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/creack/pty"
)

const (
	width, height = 120, 40

	patience = time.Minute // for whatever is waited for
	settled  = 300 * time.Millisecond
)

// program runs in a pseudo-terminal whose other side is read by one goroutine.
type program struct {
	cmd   *exec.Cmd
	tty   *os.File
	began time.Time
	reads chan chunk
	read  int // bytes so far
}

// chunk is what one read brought. The last one has the error.
type chunk struct {
	at   time.Time
	data []byte
	err  error
}

// start runs a program in an environment of its own: no settings, no sessions.
func (b *bench) start(path string, args ...string) (*program, error) {
	home, err := os.MkdirTemp(b.scratch, "home-")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = home
	cmd.Env = []string{"HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "state"), "XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
		"PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8"}
	p := &program{cmd: cmd, reads: make(chan chunk, 1024), began: time.Now()}
	if p.tty, err = pty.StartWithSize(cmd, &pty.Winsize{Cols: width, Rows: height}); err != nil {
		return nil, err
	}
	go p.pump()
	return p, nil
}

// chat starts baton against the server and waits for its first frame.
func (b *bench) chat() (*program, error) {
	p, err := b.start(b.baton, "--base-url", b.server.url(), "--model", "m")
	if err != nil {
		return nil, err
	}
	if _, err := p.until(prompt); err != nil {
		p.kill()
		return nil, fmt.Errorf("the first frame: %w", err)
	}
	return p, nil
}

// prompt stands before the composer's line.
const prompt = "┃"

func (p *program) pump() {
	defer close(p.reads)
	for {
		buf := make([]byte, 64<<10)
		n, err := p.tty.Read(buf)
		p.reads <- chunk{time.Now(), buf[:n], err}
		if err != nil {
			return
		}
	}
}

// until reads on until what is on its way, and returns when it came.
func (p *program) until(what string) (time.Time, error) {
	limit := time.After(patience)
	var tail []byte
	for {
		select {
		case c := <-p.reads:
			p.read += len(c.data)
			tail = append(tail, c.data...)
			if bytes.Contains(tail, []byte(what)) {
				return c.at, nil
			}
			if c.at.IsZero() || c.err != nil {
				return time.Time{}, errors.New("the program has ended")
			}
			tail = append(tail[:0:0], tail[max(0, len(tail)-len(what)):]...)
		case <-limit:
			return time.Time{}, fmt.Errorf("%q was not drawn", what)
		}
	}
}

// quiet reads on until nothing came for a while.
func (p *program) quiet(d time.Duration) {
	for {
		select {
		case c := <-p.reads:
			p.read += len(c.data)
			if c.err != nil || c.at.IsZero() {
				return
			}
		case <-time.After(d):
			return
		}
	}
}

// drain reads what is there.
func (p *program) drain(d time.Duration) {
	for until := time.After(d); ; {
		select {
		case c, ok := <-p.reads:
			if !ok {
				return
			}
			p.read += len(c.data)
		case <-until:
			return
		}
	}
}

func (p *program) write(s string) error {
	_, err := p.tty.WriteString(s)
	return err
}

// say types a prompt and sends it.
func (p *program) say(text string) error {
	if err := p.write(text); err != nil {
		return err
	}
	p.drain(settled) // pressed at once, Enter would belong to a paste
	return p.write("\r")
}

// kill ends the program and returns the CPU time it took.
func (p *program) kill() time.Duration {
	_ = p.cmd.Process.Kill()
	for range p.reads {
	}
	_ = p.cmd.Wait()
	_ = p.tty.Close()
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}

// cpu is the CPU time of the program so far: exact on Linux, in hundredths of a second elsewhere.
func (p *program) cpu() (time.Duration, error) {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.cmd.Process.Pid))
	if err != nil || len(tasks) == 0 {
		return p.psTime()
	}
	var sum time.Duration
	for _, name := range tasks {
		b, err := os.ReadFile(name)
		if err != nil {
			return 0, err
		}
		ran, _, _ := strings.Cut(string(b), " ")
		n, err := strconv.ParseInt(ran, 10, 64)
		if err != nil {
			return 0, err
		}
		sum += time.Duration(n)
	}
	return sum, nil
}

// psTime asks ps, whose answer is [[days-]hours:]minutes:seconds.
func (p *program) psTime() (time.Duration, error) {
	out, err := p.ps("time=")
	if err != nil {
		return 0, err
	}
	var sum float64
	for _, part := range strings.FieldsFunc(out, func(r rune) bool { return r == ':' || r == '-' }) {
		n, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return 0, fmt.Errorf("ps says %q: %w", out, err)
		}
		sum = sum*60 + n
	}
	return time.Duration(sum * float64(time.Second)), nil
}

// rss is the memory of the program that is in use now, in bytes.
func (p *program) rss() (int64, error) {
	if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.cmd.Process.Pid)); err == nil {
		if f := strings.Fields(string(b)); len(f) > 1 {
			n, err := strconv.ParseInt(f[1], 10, 64)
			return n * int64(os.Getpagesize()), err
		}
	}
	out, err := p.ps("rss=")
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(out, 10, 64)
	return n << 10, err
}

func (p *program) ps(what string) (string, error) {
	out, err := exec.Command("ps", "-o", what, "-p", strconv.Itoa(p.cmd.Process.Pid)).Output()
	if err != nil {
		return "", fmt.Errorf("ask ps: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// alive reports whether the program still runs.
func (p *program) alive() bool { return p.cmd.Process.Signal(syscall.Signal(0)) == nil }
