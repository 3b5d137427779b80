package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"baton/model/journal"
	"baton/ui/cli"
)

// keep writes a session that was left some hours ago: pairs of prompt and answer, then rows that wait.
func keep(t *testing.T, dir, id string, hours int, turns [][2]string, rows ...string) {
	t.Helper()
	w, err := journal.Create(dir, id, journal.Header{Created: time.Now(), App: "test"})
	if err != nil {
		t.Fatal(err)
	}
	add := func(kind string, data map[string]any) {
		raw, err := json.Marshal(data)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Append(time.Now(), []journal.Entry{{Kind: kind, Data: raw}}); err != nil {
			t.Fatal(err)
		}
	}
	for i, turn := range turns {
		add("turn.started", map[string]any{"turn": i + 1, "chain": i + 1, "text": turn[0]})
		add("turn.succeeded", map[string]any{"turn": i + 1, "answer": turn[1], "n": 1, "max": 5})
	}
	for i, text := range rows {
		add("row.queued", map[string]any{"index": i, "row": map[string]any{"id": fmt.Sprintf("%s.%d", id, 100+i), "text": text}})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(-time.Duration(hours) * time.Hour)
	if err := os.Chtimes(filepath.Join(dir, id+".jsonl"), at, at); err != nil {
		t.Fatal(err)
	}
}

// three are sessions to look for.
func three(t *testing.T, dir string) {
	t.Helper()
	keep(t, dir, "20260101-000000-aaaa", 3, [][2]string{{"fix the retry loop", "It was the jitter: " + nasty}}, "and deploy "+nasty)
	keep(t, dir, "20260102-000000-bbbb", 2, [][2]string{{"explain jitter\nin one line", "Noise."}})
	keep(t, dir, "20260103-000000-cccc", 1, [][2]string{{nasty, "## You\n\n<script>alert(1)</script>"}})
}

func TestSessionsFind(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	three(t, sessionsOf(home))
	r := run(t, home, "sessions", "list", "--find", "JITTER")
	lines := strings.Split(r.out, "\n")
	if r.code != 0 || len(lines) != 4 || !strings.HasPrefix(lines[0], "20260102") || !strings.HasPrefix(lines[1], "20260101") ||
		!strings.HasPrefix(lines[2], "    It was the jitter: one␛]52") || controls.MatchString(r.out) {
		t.Errorf("%+v", r)
	}
	if r := run(t, home, "sessions", "list", "--find", "deploy", "--json"); !strings.Contains(r.out, `"found":"and deploy one␛`) || strings.Count(r.out, `"id"`) != 1 {
		t.Errorf("%+v", r)
	}
	if r := run(t, home, "sessions", "list", "--find", "nowhere"); r.code != 0 || r.out != "" || !strings.Contains(r.errs, "no session has these words") {
		t.Errorf("%+v", r)
	}
	if r := run(t, home, "sessions", "list", "--find", "nowhere", "--json"); r.out != "[]\n" || r.errs != "" {
		t.Errorf("%+v", r)
	}
}

// broken cannot be written to.
type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

// An answer that could not be written is not taken for a short one; a reader that has gone away is no mistake.
func TestSessionsOutputThatFails(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	three(t, sessionsOf(home))
	_, shut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = shut.Close()
	for _, args := range [][]string{{"list"}, {"list", "--json"}, {"show", "20260101-000000-aaaa"}, {"export", "20260101-000000-aaaa"},
		{"export", "20260101-000000-aaaa", "--format", "html"}, {"export", "20260101-000000-aaaa", "--format", "jsonl", "-o", "-"}} {
		for name, c := range map[string]struct {
			to   io.Writer
			code int
			says string
		}{
			"full":   {broken{syscall.ENOSPC}, 1, "cannot write the output"},
			"closed": {shut, 1, "cannot write the output"},
			"left":   {broken{fmt.Errorf("write: %w", syscall.EPIPE)}, 141, ""},
		} {
			var errs bytes.Buffer
			code := cli.Main(t.Context(), cli.World{Args: append([]string{"sessions"}, args...), Env: func(string) string { return "" }, Home: home,
				Stdin: strings.NewReader(""), Stdout: c.to, Stderr: &errs, Version: "test"})
			if code != c.code || !strings.Contains(errs.String(), c.says) || (c.says == "") != (errs.Len() == 0) {
				t.Errorf("%v, %s: exit code %d, %q", args, name, code, errs.String())
			}
		}
	}
}

func TestSessionsExport(t *testing.T) {
	t.Parallel()
	home, dir := t.TempDir(), t.TempDir()
	three(t, sessionsOf(home))
	before := snapshot(t, home)
	const id = "20260103-000000-cccc"
	begins := map[string]string{"md": "# one␛]52;c;aGk=␇␛\\[2J\\<U+009B>31m\\<U+202E>two", "html": "<!doctype html>", "jsonl": `{"format":"baton.session","version":1,"session":"` + id + `"`}
	for format, begin := range begins {
		out := run(t, home, "sessions", "export", id, "--format", format)
		if out.code != 0 || out.errs != "" || !strings.HasPrefix(out.out, begin) || controls.MatchString(out.out) {
			t.Errorf("C14, %s: %+v", format, out)
		}
		path := filepath.Join(dir, "talk."+format)
		r := run(t, home, "sessions", "export", id, "-o", path) // the name tells the format
		text, err := os.ReadFile(path)
		if r.code != 0 || r.out != "" || !strings.Contains(r.errs, "wrote ") || err != nil || string(text) != out.out {
			t.Errorf("%s: %+v, %v", format, r, err)
		}
		if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v, %v", path, info.Mode(), err)
		}
		if err := os.WriteFile(path, []byte("mine"), 0o640); err != nil {
			t.Fatal(err)
		}
		run(t, home, "sessions", "export", id, "-o", path).refused(t, 2, "exists", "--force")
		if text, _ := os.ReadFile(path); string(text) != "mine" {
			t.Errorf("%s was overwritten", path)
		}
		if r := run(t, home, "sessions", "export", id, "--output", path, "--force"); r.code != 0 {
			t.Errorf("%+v", r)
		}
		if text, _ := os.ReadFile(path); string(text) != out.out {
			t.Errorf("%s was not overwritten", path)
		}
	}
	run(t, home, "sessions", "export", id, "-o", filepath.Join(dir, "talk.pdf")).refused(t, 2, ".pdf", "--format")
	for _, args := range [][]string{{"-o", filepath.Join(dir, "talk")}, {"-o", filepath.Join(dir, "talk.txt"), "--format", "md"}} {
		if r := run(t, home, append([]string{"sessions", "export", id}, args...)...); r.code != 0 {
			t.Errorf("%q: %+v", args, r)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 5 {
		t.Errorf("left %q", left)
	}
	if after := snapshot(t, home); after != before {
		t.Errorf("exporting changed something:\n%s\n%s", before, after)
	}
}

func TestSessionsExportRefuses(t *testing.T) {
	t.Parallel()
	home, dir := t.TempDir(), t.TempDir()
	three(t, sessionsOf(home))
	const id = "20260103-000000-cccc"
	target := filepath.Join(dir, "target")
	if err := os.WriteFile(target, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		if err := os.Symlink(target, filepath.Join(dir, "link.md")); err != nil {
			t.Fatal(err)
		}
		run(t, home, "sessions", "export", id, "-o", filepath.Join(dir, "link.md"), "--force").refused(t, 2, "not a file")
	}
	run(t, home, "sessions", "export", id, "-o", dir, "--force").refused(t, 2, "not a file")
	log := filepath.Join(sessionsOf(home), id+".jsonl")
	before, _ := os.ReadFile(log)
	run(t, home, "sessions", "export", id, "-o", log, "--force").refused(t, 2, "sessions are kept", "name another")
	run(t, home, "sessions", "export", id, "-o", filepath.Join(sessionsOf(home), "new.jsonl")).refused(t, 2, "sessions are kept")
	if after, _ := os.ReadFile(log); len(before) == 0 || string(after) != string(before) {
		t.Error("a session's own file was overwritten")
	}
	run(t, home, "sessions", "export", id, "-o", filepath.Join(dir, "none", "x.md")).refused(t, 1, "cannot write")
	run(t, home, "sessions", "export", id, "--format", "pdf").refused(t, 2, `no format "pdf"`, "md, html and jsonl")
	run(t, home, "sessions", "export").refused(t, 2)
	run(t, home, "sessions", "export", "../x").refused(t, 2, "not the name of a session")
	run(t, home, "sessions", "export", "20200101-000000-abcd", "-o", filepath.Join(dir, "new.md")).refused(t, 1, "no session", "sessions list")
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 2 {
		t.Errorf("left %q", left)
	}
	if hidden, _ := filepath.Glob(filepath.Join(dir, ".*")); len(hidden) != 0 {
		t.Errorf("left %q", hidden)
	}
	if text, _ := os.ReadFile(target); string(text) != "mine" {
		t.Errorf("what a link leads to was overwritten: %q", text)
	}
}

func TestSessionsRemove(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir := sessionsOf(home)
	three(t, dir)
	before := snapshot(t, home)
	const a, b, c = "20260101-000000-aaaa", "20260102-000000-bbbb", "20260103-000000-cccc"
	run(t, home, "sessions", "rm", a).refused(t, 2, "without a terminal", "--yes")
	run(t, home, "sessions", "rm", "--yes").refused(t, 2)
	run(t, home, "sessions", "rm", a, "20200101-000000-abcd", "--yes").refused(t, 1, "no session", "sessions list")
	run(t, home, "sessions", "rm", a, "../"+b, "--yes").refused(t, 2, "not the name of a session")
	if after := snapshot(t, home); after != before {
		t.Errorf("a refusal removed something:\n%s\n%s", before, after)
	}
	w, _, err := journal.Open(dir, b)
	if err != nil {
		t.Fatal(err)
	}
	run(t, home, "sessions", "rm", a, b, "--yes").refused(t, 1, fmt.Sprintf("in use by process %d", os.Getpid()), "nothing was removed")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := run(t, home, "sessions", "rm", a, c, a, "--yes")
	if r.code != 0 || r.errs != "" || strings.Count(r.out, "\n") != 2 || controls.MatchString(r.out) ||
		!strings.HasPrefix(r.out, "removed "+a+" · fix the retry loop · 1 turn · ") || !strings.Contains(r.out, " · 1 row that waits\n") {
		t.Errorf("%+v", r)
	}
	if left := ids(t, home); len(left) != 1 || left[0] != b {
		t.Errorf("left %q", left)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) > 2 { // the log and its lock
		t.Errorf("left %v, %v", files, err)
	}
	if _, err := os.Stat(filepath.Join(dir, a+".jsonl")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// Without a terminal there is no list to choose from: the candidates are named.
func TestResumeWithoutATerminal(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	run(t, home, "resume").refused(t, 1, "no session to take up")
	run(t, home, "resume", "some", "words").refused(t, 1, `no session "some words"`)
	three(t, sessionsOf(home))
	for _, args := range [][]string{{"resume"}, {"resume", "JITTER"}} {
		r := run(t, home, args...)
		lines := strings.Split(strings.TrimSuffix(r.errs, "\n"), "\n")
		want := 5 - len(args)
		if r.code != 2 || r.out != "" || len(lines) != want || !strings.Contains(lines[want-1], "without a terminal") || controls.MatchString(r.errs) ||
			!strings.Contains(r.errs, "20260102-000000-bbbb  ") || !strings.Contains(r.errs, "  explain jitter\n") {
			t.Errorf("%v: %+v", args, r)
		}
	}
	run(t, home, "resume", "noise").refused(t, 2, "needs a terminal") // one has it: the chat itself cannot open
	run(t, home, "resume", "20260101-000000-aaaa").refused(t, 2, "needs a terminal")
	run(t, home, "resume", "../../x").refused(t, 2, "not the name of a session")
	run(t, home, "resume", " ").refused(t, 2, "not the name of a session")
	for i := range 30 {
		keep(t, sessionsOf(home), fmt.Sprintf("20250101-000000-%04d", i), 9, [][2]string{{"many", "yes"}})
	}
	if r := run(t, home, "resume"); strings.Count(r.errs, "\n") != 22 || !strings.Contains(r.errs, "… and 13 more\n") {
		t.Errorf("%s", r.errs)
	}
}
