//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/ui/termtest"
)

// block is a fenced block of a page.
type block struct {
	page   string
	line   int // of its fence
	lang   string
	reason string // why it is not run, from the comment above it
	lines  []string
}

var notRun = regexp.MustCompile(`^<!-- not run: (.+) -->$`)

func blocks(t *testing.T) []block {
	t.Helper()
	var all []block
	for page, text := range pages(t) {
		var open *block
		reason := ""
		for n, line := range strings.Split(text, "\n") {
			fence, isFence := strings.CutPrefix(line, "```")
			switch {
			case open != nil && isFence:
				all = append(all, *open)
				open, reason = nil, ""
			case open != nil:
				open.lines = append(open.lines, line)
			case isFence:
				open = &block{page: page, line: n + 1, lang: fence, reason: reason}
			case notRun.MatchString(line):
				reason = notRun.FindStringSubmatch(line)[1]
			case line != "":
				reason = ""
			}
		}
		if open != nil {
			t.Errorf("%s:%d: the block has no end", page, open.line)
		}
	}
	return all
}

// mostNotRun bounds how many blocks of commands may say why they are not run.
const mostNotRun = 4

// TestDocumentedCommands runs every command of every page, line by line, each in a home
// with one session of its own. A server on loopback stands for the addresses, files and
// other programs that a page names are there, and a chat is lines that are left at once.
// A block that cannot be run says why in a comment above it.
func TestDocumentedCommands(t *testing.T) {
	t.Parallel()
	begun := beginShells(t)
	var ran, left int
	for _, b := range blocks(t) {
		switch {
		case b.lang == "":
			t.Errorf("%s:%d: the block does not say what it is: sh is run, toml and jsonl are checked, text is neither", b.page, b.line)
		case b.lang == "jsonl":
			for _, l := range b.lines {
				if !json.Valid([]byte(l)) {
					t.Errorf("%s:%d: %s is no JSON", b.page, b.line, l)
				}
			}
		case b.reason != "":
			left++
		case b.lang == "sh" || b.lang == "toml":
			ran++
			t.Run(strings.TrimSuffix(filepath.Base(b.page), ".md")+"_"+thousands(int64(b.line)), func(t *testing.T) {
				t.Parallel()
				b.try(t, begun)
			})
		}
	}
	if ran < 10 || left > mostNotRun {
		t.Errorf("%d blocks were run; %d were not, at most %d", ran, left, mostNotRun)
	}
}

func (b block) try(t *testing.T, begun *shell) {
	if b.lang == "toml" {
		s := begun.another(t)
		s.write("config.toml", strings.Join(b.lines, "\n"))
		if code, out := s.run("baton config check --config config.toml"); code != 0 {
			t.Errorf("%s:%d: %s", b.page, b.line, out)
		}
		return
	}
	for i, l := range b.lines {
		if strings.TrimSpace(l) == "" {
			continue
		}
		s := begun.another(t)
		want := 0
		if strings.HasPrefix(l, "baton sandbox") {
			want = 130 // it runs until it is interrupted
		}
		if code, out := s.run(s.staged(l)); code != want {
			t.Errorf("%s:%d: %s\nends with %d:\n%s", b.page, b.line+i+1, l, code, out)
		}
	}
}

// shell is a place where one line of a page is run.
type shell struct {
	t        *testing.T
	dir      string
	provider *termtest.Provider
	session  string
}

// beginShells makes the place that the others are copies of.
func beginShells(t *testing.T) *shell {
	t.Helper()
	s := &shell{t: t, dir: t.TempDir(), provider: termtest.NewProvider(t)}
	for _, name := range []string{"git", "man"} { // whatever they print
		s.tool(name, "#!/bin/sh\necho '-old'\necho '+new'\n")
	}
	s.tool("jq", "#!/bin/sh\ncat\n")
	s.write("prompts.txt", "first\n---\nsecond\n")
	s.write("picture.png", "\x89PNG\r\n\x1a\n")
	s.write("morning.txt", "503\nok\n")
	if code, out := s.run("baton run -p 'a retry loop'"); code != 0 {
		t.Fatal(out)
	}
	logs, err := filepath.Glob(filepath.Join(s.dir, "state", "baton", "sessions", "*.jsonl"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	s.session = strings.TrimSuffix(filepath.Base(logs[0]), ".jsonl")
	return s
}

func (s *shell) another(t *testing.T) *shell {
	t.Helper()
	o := &shell{t: t, dir: t.TempDir(), provider: s.provider, session: s.session}
	if err := os.CopyFS(o.dir, os.DirFS(s.dir)); err != nil {
		t.Fatal(err)
	}
	return o
}

func (s *shell) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shell) tool(name, script string) {
	s.t.Helper()
	bin := filepath.Join(s.dir, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o700); err != nil {
		s.t.Fatal(err)
	}
}

var (
	address = regexp.MustCompile(`https?://[^ /]+/v1`)
	someID  = regexp.MustCompile(`\b(ID|20\d{6}-\d{6}-[0-9a-z]{4})\b`)
	aName   = regexp.MustCompile(`\bNAME\b`)
)

// staged puts the server, the session and free ports where a page has examples of them.
func (s *shell) staged(line string) string {
	line = address.ReplaceAllString(line, s.provider.URL())
	line = someID.ReplaceAllString(line, s.session)
	line = aName.ReplaceAllString(line, "m")
	return strings.ReplaceAll(line, "127.0.0.1:8080", "127.0.0.1:0")
}

// run runs a line as a shell does, and returns how it ended and all it wrote. A server is
// interrupted once it has said where it is.
func (s *shell) run(line string) (code int, wrote string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), scriptPatience)
	defer cancel()
	path := filepath.Join(s.dir, "bin") + ":" + os.Getenv("PATH")
	c := exec.CommandContext(ctx, "sh", "-c", line)
	c.Dir = s.dir
	c.Env = []string{"PATH=" + path, "HOME=" + s.dir, "XDG_STATE_HOME=" + filepath.Join(s.dir, "state"), "XDG_CONFIG_HOME=" + filepath.Join(s.dir, "config"),
		"BATON_RETRY_BASE=1ms", "BATON_RETRY_CAP=2ms", "BATON_PLAIN=1", "TERM=xterm", "WORK_API_KEY=sk-0123456789abcdef0123", "GORACE=atexit_sleep_ms=0",
		"BATON_BASE_URL=" + s.provider.URL(), "BATON_MODEL=m"} // the sandbox answers at a person's pace
	c.Stdin = strings.NewReader("/quit\n")
	var out output
	c.Stdout, c.Stderr = &out, &out
	server := strings.HasPrefix(line, "baton sandbox")
	if server {
		c.Args[2] = "exec " + line // so that the signal reaches it
	}
	if err := c.Start(); err != nil {
		s.t.Fatal(err)
	}
	if server {
		for ctx.Err() == nil && !strings.Contains(out.String(), "/v1\n") {
			time.Sleep(time.Millisecond)
		}
		_ = c.Process.Signal(syscall.SIGINT) // its code tells
	}
	err := c.Wait()
	var ex *exec.ExitError
	switch {
	case errors.As(err, &ex):
		return ex.ExitCode(), out.String()
	case err != nil:
		s.t.Fatal(err)
	}
	return 0, out.String()
}
