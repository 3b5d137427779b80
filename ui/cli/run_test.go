package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode"

	"baton/model/journal"
	"baton/model/session"
	"baton/queue"
	"baton/ui/termtest"
)

// invocation is what one run of the program left.
type invocation struct {
	code        int
	out, errOut string
	state       string // where its sessions are
}

// safeBuffer is written by the program while the test looks.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// runWith runs the program against p with quick retries.
func runWith(t *testing.T, ctx context.Context, p *termtest.Provider, stdin string, args ...string) invocation {
	t.Helper()
	home := t.TempDir()
	vars := map[string]string{"XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_CONFIG_HOME": filepath.Join(home, "config"), "BATON_RETRY_BASE": "1ms", "BATON_RETRY_CAP": "2ms"}
	if p != nil {
		args = append(args, "--base-url", p.URL(), "--model", "scripted")
	}
	var out, errOut safeBuffer
	code := Main(ctx, World{Args: args, Env: func(n string) string { return vars[n] }, Home: home, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errOut, Version: "test"})
	return invocation{code, out.String(), errOut.String(), filepath.Join(home, "state", "baton", "sessions")}
}

func run(t *testing.T, p *termtest.Provider, args ...string) invocation {
	t.Helper()
	return runWith(t, t.Context(), p, "", append([]string{"run"}, args...)...)
}

func lasts(p *termtest.Provider) string {
	var all []string
	for _, r := range p.Requests() {
		all = append(all, r.Last())
	}
	return strings.Join(all, "|")
}

// Answers go to standard output and nothing else does; each prompt is sent with the ones
// before it.
func TestRunAnswers(t *testing.T) {
	p := termtest.NewProvider(t, termtest.OK("the ", "first"), termtest.OK("the second"))
	got := run(t, p, "-p", "one", "-p", "two")
	if got.code != ExitOK || got.out != "the first\nthe second\n" || got.errOut != "" {
		t.Errorf("%+v", got)
	}
	rs := p.Requests()
	if len(rs) != 2 || len(rs[1].Messages) != 3 || rs[1].Messages[1].Text != "the first" {
		t.Errorf("%+v", rs)
	}
}

// How each kind of failure ends the run. What was not sent stays queued.
func TestRunExitCodes(t *testing.T) {
	for name, c := range map[string]struct {
		script   []termtest.Response
		code     int
		requests int
		says     string
	}{
		"a refused request": {[]termtest.Response{termtest.Fail(400)}, ExitFailed, 1, "turn failed: 400 invalid"},
		"retries exhausted": {[]termtest.Response{termtest.Fail(500), termtest.Fail(502), termtest.CutAfter(3), termtest.Empty200(), termtest.Fail(503)}, ExitExhausted, 5, "turn failed: 503 overloaded"},
		"a refused key":     {[]termtest.Response{termtest.Fail(401)}, ExitAuth, 1, "turn failed: 401 auth"},
	} {
		t.Run(name, func(t *testing.T) {
			p := termtest.NewProvider(t, c.script...)
			got := run(t, p, "-p", "one", "-p", "two", "-p", "three")
			if got.code != c.code || got.out != "" || !strings.Contains(got.errOut, c.says) || len(p.Requests()) != c.requests {
				t.Errorf("%d requests, %+v", len(p.Requests()), got)
			}
			if n := strings.Count(got.errOut, "turn failed"); n != 1 {
				t.Errorf("%d failures told", n)
			}
			if !strings.Contains(got.errOut, "3 prompts stay in session ") { // the offer to continue is none of them
				t.Errorf("nothing is said of the rest: %s", got.errOut)
			}
		})
	}
}

// Retries are told on standard error, and the failed attempt's text nowhere.
func TestRunRetries(t *testing.T) {
	t.Run("case 93", func(t *testing.T) {
		p := termtest.NewProvider(t, termtest.CutAfter(3), termtest.Fail(503), termtest.OK("the answer"))
		got := run(t, p, "-p", "one")
		if got.code != ExitOK || got.out != "the answer\n" {
			t.Errorf("%+v", got)
		}
		lines := strings.Split(strings.TrimSpace(got.errOut), "\n")
		if len(lines) != 4 || !strings.HasPrefix(lines[0], "baton: retrying 2/5 in ") || lines[1] != "baton: sending again, request 2" || !strings.HasPrefix(lines[2], "baton: retrying 3/5 in ") || strings.Contains(got.errOut, "word1") {
			t.Errorf("%q", got.errOut)
		}
	})
}

// What is wrong with the call ends it before anything is sent.
func TestRunUsage(t *testing.T) {
	many := []string{}
	for i := range maxPrompts + 1 {
		many = append(many, "-p", fmt.Sprint(i))
	}
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"no prompt":      {nil, "there is no prompt · give -p TEXT, a file, or - for standard input"},
		"too many":       {many, "18 prompts are too many: one runs and 16 wait"},
		"blank":          {[]string{"-p", "one", "-p", " \n"}, "prompt 2: the text is blank"},
		"too long":       {[]string{"-p", "one", "-p", strings.Repeat("x", queue.MaxBytes+1)}, "prompt 2: the text is too long: 262145 bytes"},
		"no file":        {[]string{"/nowhere/at/all"}, "no such file or directory"},
		"odd output":     {[]string{"-p", "x", "--output", "xml"}, `--output is text or jsonl, not "xml"`},
		"two files":      {[]string{"a", "b"}, "there can be one file of prompts, not 2"},
		"an odd flag":    {[]string{"--colour"}, "unknown flag"},
		"fault of other": {[]string{"-p", "x", "--fault", "500"}, "faults can be armed on the sandbox only"},
	} {
		t.Run(name, func(t *testing.T) {
			p := termtest.NewProvider(t)
			got := run(t, p, c.args...)
			if got.code != ExitUsage || got.out != "" || !strings.Contains(got.errOut, c.says) || strings.Count(got.errOut, "\n") != 1 {
				t.Errorf("%+v", got)
			}
			if n := len(p.Requests()); n != 0 {
				t.Errorf("%d requests", n)
			}
			if _, err := os.Stat(got.state); err == nil {
				t.Error("it left a session")
			}
		})
	}
}

// Seventeen prompts are one that runs and a full queue.
func TestRunAsManyAsFit(t *testing.T) {
	p := termtest.NewProvider(t)
	var args, want []string
	for i := range maxPrompts {
		args = append(args, "-p", fmt.Sprint("prompt ", i))
		want = append(want, fmt.Sprint("prompt ", i))
	}
	got := run(t, p, args...)
	if got.code != ExitOK || lasts(p) != strings.Join(want, "|") || strings.Count(got.out, "\n") != maxPrompts {
		t.Errorf("%d, sent %s", got.code, lasts(p))
	}
}

// A prompt comes from a file or from standard input, as it is.
func TestRunReadsPrompts(t *testing.T) {
	p := termtest.NewProvider(t)
	file := filepath.Join(t.TempDir(), "prompt.txt")
	if err := os.WriteFile(file, []byte("from\r\na file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run(t, p, "-p", "before", file); got.code != ExitOK {
		t.Errorf("%+v", got)
	}
	if got := runWith(t, t.Context(), p, "from standard input\n/new is no command here", "run", "-"); got.code != ExitOK {
		t.Errorf("%+v", got)
	}
	if got := lasts(p); got != "before|from\na file|from standard input\n/new is no command here" {
		t.Errorf("%q", got)
	}
}

// The first prompt is no row and may be longer than one; it has its own limit, counted
// as it is sent.
func TestRunLongPrompt(t *testing.T) {
	line := strings.Repeat("x", 1023)
	for by, refused := range map[int]bool{-1: false, 0: false, 1: true} {
		n := session.MaxPrompt + by
		a := &app{World: World{Stdin: strings.NewReader(strings.Repeat(line+"\r\n", (n-1)/1024) + strings.Repeat("x", n-(n-1)/1024*1024))}}
		ps, err := a.drafts(runFlags{split: splitAuto}, []string{"-"})
		if refused != (err != nil) || !refused && len(ps[0].Text) != n {
			t.Errorf("%+d: %v", by, err)
		}
	}
}

// With jsonl each line of standard output is an event as the log has it, and no control
// character stands in it; people are told on standard error.
func TestRunJSONL(t *testing.T) {
	p := termtest.NewProvider(t, termtest.CutAfter(2), termtest.OK("an\u009b31m \x1b[31m answer\x7f\u202e"), termtest.Fail(401))
	got := run(t, p, "--output", "jsonl", "-p", "one", "-p", "two")
	if got.code != ExitAuth {
		t.Errorf("%+v", got)
	}
	var events []string
	answer := ""
	first, rest, _ := strings.Cut(got.out, "\n")
	if sessions, err := journal.List(got.state); err != nil || len(sessions) != 1 || first != `{"format":"baton.run","version":1,"session":"`+sessions[0].ID+`","app":"test"}` {
		t.Errorf("%s, %v %v", first, sessions, err)
	}
	for line := range strings.Lines(rest) {
		var ev struct {
			Time time.Time
			Kind string
			Data map[string]any
		}
		if err := json.Unmarshal([]byte(line), &ev); err != nil || ev.Kind == "" || ev.Time.IsZero() {
			t.Fatalf("%q: %v", line, err)
		}
		if ev.Kind != "turn.partial" {
			events = append(events, ev.Kind)
		}
		if ev.Kind == "turn.succeeded" {
			answer, _ = ev.Data["answer"].(string)
		}
	}
	want := "turn.started row.queued retry.scheduled retry.started turn.succeeded baton.passed row.promoted turn.started turn.failed gate.changed"
	if s := strings.Join(events, " "); s != want {
		t.Errorf("events %s", s)
	}
	if answer != "an\u009b31m \x1b[31m answer\x7f\u202e" {
		t.Errorf("answer %q", answer)
	}
	if i := strings.IndexFunc(got.out, func(r rune) bool {
		return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || unicode.Is(unicode.Bidi_Control, r)
	}); i >= 0 {
		t.Errorf("a control character in %q", got.out[max(0, i-20):i+5])
	}
	if !strings.Contains(got.errOut, "retrying 2/5") || !strings.Contains(got.errOut, "turn failed") {
		t.Errorf("%q", got.errOut)
	}
}

// What stays queued after a failure is in the session, held, and can be taken up.
func TestRunLeavesTheRest(t *testing.T) {
	p := termtest.NewProvider(t, termtest.OK("fine"), termtest.Fail(401))
	got := run(t, p, "-p", "one", "-p", "two", "-p", "three")
	sessions, err := journal.List(got.state)
	if err != nil || len(sessions) != 1 {
		t.Fatal(sessions, err)
	}
	c, err := journal.Read(got.state, sessions[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	var queued []string
	for _, b := range c.Batches {
		for _, e := range b.Entries {
			if e.Kind == "row.queued" || e.Kind == "row.promoted" {
				queued = append(queued, e.Kind)
			}
		}
	}
	if s := strings.Join(queued, " "); s != "row.queued row.queued row.promoted row.queued" {
		t.Errorf("rows: %s", s)
	}
	if !strings.Contains(got.errOut, "baton resume "+sessions[0].ID) || lasts(p) != "one|two" {
		t.Errorf("%s, sent %s", got.errOut, lasts(p))
	}
}

// An end from outside stops the turn, keeps what came, and is no success.
func TestRunIsEnded(t *testing.T) {
	p := termtest.NewProvider(t, termtest.StallAfter(3))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan invocation)
	go func() { done <- runWith(t, ctx, p, "", "run", "-p", "one", "-p", "two") }()
	for len(p.Requests()) == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	cancel()
	got := <-done
	if got.code != ExitFailed || got.out != "" || !strings.Contains(got.errOut, "stopped; 1 prompt stays queued in session ") || lasts(p) != "one" {
		t.Errorf("%+v, sent %s", got, lasts(p))
	}
}

// Where no session can be kept, what was not sent is said to be lost.
func TestRunWithoutAPlace(t *testing.T) {
	p := termtest.NewProvider(t, termtest.Fail(401))
	var out, errOut bytes.Buffer
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	code := Main(t.Context(), World{
		Args: []string{"run", "-p", "one", "-p", "two", "--base-url", p.URL(), "--model", "m"}, Home: home, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errOut,
		Env: func(n string) string { return map[string]string{"XDG_STATE_HOME": filepath.Join(home, "file")}[n] },
	})
	if code != ExitAuth || !strings.Contains(errOut.String(), "the session could not be saved: creating session") {
		t.Errorf("%d %s", code, errOut.String())
	}
}

// unwritable takes nothing.
type unwritable struct{}

func (unwritable) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestRunUnwritten: an answer that cannot be written is no success, and no further prompt
// is sent for nobody to read.
func TestRunUnwritten(t *testing.T) {
	for _, output := range []string{"text", "jsonl"} {
		dir := t.TempDir()
		var errs bytes.Buffer
		env := map[string]string{"XDG_STATE_HOME": dir, "XDG_CONFIG_HOME": dir}
		code := Main(t.Context(), World{Args: []string{"run", "--output", output, "-p", "one", "-p", "two"}, Env: func(k string) string { return env[k] }, Home: dir,
			Stdin: strings.NewReader(""), Stdout: unwritable{}, Stderr: &errs, Version: "test"})
		if code != ExitFailed || !strings.Contains(errs.String(), "could not be written: no space left on device") {
			t.Errorf("%s: exit %d, %s", output, code, errs.String())
		}
		if output == "text" && !strings.Contains(errs.String(), "1 prompt stays queued in session ") { // it has not left the queue
			t.Errorf("nothing is said of the rest: %s", errs.String())
		}
	}
}

// leftReader is a pipe whose reader has left.
type leftReader struct{}

func (leftReader) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// TestRunLosesNoPromptToAReader: whatever the answers are written as, prompts whose reader
// had left before anything was sent are kept, and gone on with.
func TestRunLosesNoPromptToAReader(t *testing.T) {
	for _, output := range []string{"text", "jsonl"} {
		dir := t.TempDir()
		env := map[string]string{"XDG_STATE_HOME": dir, "XDG_CONFIG_HOME": dir}
		call := func(out io.Writer, args ...string) (int, string) {
			var errs bytes.Buffer
			code := Main(t.Context(), World{Args: append([]string{"run"}, args...), Env: func(k string) string { return env[k] }, Home: dir,
				Stdin: strings.NewReader(""), Stdout: out, Stderr: &errs, Version: "test"})
			return code, errs.String()
		}
		if code, said := call(leftReader{}, "--output", output, "-p", "hello", "-p", "and the keys?"); code != exitPipe || said != "" {
			t.Errorf("%s: exit %d, %s", output, code, said)
		}
		var answers bytes.Buffer
		if code, said := call(&answers, "--continue", "--output", "jsonl"); code != ExitOK || said != "" {
			t.Errorf("%s: exit %d, %s", output, code, said)
		}
		if want := map[string]int{"text": 1, "jsonl": 2}[output]; strings.Count(answers.String(), `"turn.succeeded"`) != want {
			t.Errorf("%s: %s", output, answers.String())
		}
	}
}
