package session

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The scripts are conversations one can read aloud: each line that is not indented
// is what somebody did (script_input_test.go lists the words), and the indented
// lines under it say which facts it made, what had to be done ("->"), and how the
// session stands ("="). Lines that begin with # explain. Every step is also held
// against the contract, as the small-scope check does.
//
// With -update the indented lines are written anew. Read the difference: it is
// what changed for people.

var update = flag.Bool("update", false, "write the outcome of scripts and the generated part of docs/journal.md")

const scripts = "../../testdata/sessions"

// The words of a limit show local time; the tests live in UTC.
func init() { time.Local = time.UTC }

func TestScripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(scripts, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txt"), func(t *testing.T) { runScript(t, f) })
	}
}

func runScript(t *testing.T, file string) {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := string(raw)
	if !strings.HasPrefix(want, "# ") {
		t.Fatal("a script begins with a line that says what it shows")
	}
	var out strings.Builder
	r := &script{t: t, now: epoch}
	for i, l := range strings.Split(strings.TrimSuffix(want, "\n"), "\n") {
		if strings.HasPrefix(l, "  ") {
			continue
		}
		fmt.Fprintln(&out, l)
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		r.at = fmt.Sprintf("%s:%d", filepath.Base(file), i+1)
		for _, l := range r.line(l) {
			fmt.Fprintln(&out, "  "+l)
		}
	}
	got := out.String()
	switch {
	case got == want:
	case *update:
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error(firstDifference(want, got))
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(w), len(g)) {
		if w[i] != g[i] {
			from := max(0, i-3)
			return fmt.Sprintf("line %d, after\n%s\nwant %s\ngot  %s", i+1, strings.Join(w[from:i], "\n"), w[i], g[i])
		}
	}
	return fmt.Sprintf("want %d lines, got %d", len(w), len(g))
}

// script runs the lines of one file.
type script struct {
	t        *testing.T
	at       string // file and line, for mistakes in the script itself
	n        *node
	set      Settings
	now      time.Time
	state    string    // the last line about it
	attempts []Attempt // receipts of the running turn, as a client collects them
}

func (r *script) wrong(format string, args ...any) {
	r.t.Helper()
	r.t.Fatalf("%s: %s", r.at, fmt.Sprintf(format, args...))
}

// line runs the inputs of one line and tells what came of them.
func (r *script) line(l string) []string {
	var out []string
	state := false
	for _, ws := range r.split(l) {
		told, moved := r.statement(ws)
		out, state = append(out, told...), state || moved
	}
	if state {
		out = append(out, r.stateLine())
	}
	return out
}

// statement runs one input, or answers a question about the session.
func (r *script) statement(ws *words) (out []string, moved bool) {
	verb := ws.next()
	switch verb {
	case "settings":
		r.settings(ws)
		return nil, false
	case "after":
		r.now = r.now.Add(r.duration(ws.next()))
		return nil, true
	case "rows":
		return r.transcript(), false
	case "context":
		return r.context(), false
	case "fill":
		for i := range r.number(ws.next()) {
			r.step(Submit{Draft{Text: fmt.Sprintf("row %d", i+1)}})
		}
		return nil, true
	case "exhaust":
		return r.exhaust(ws), true
	}
	in := r.input(verb, ws)
	if rest := ws.rest(); len(rest) > 0 {
		r.wrong("what is %q?", rest)
	}
	return r.step(in), true
}

// exhaust makes all five attempts fail with the same status.
func (r *script) exhaust(ws *words) []string {
	status := ws.next()
	var out []string
	say := func(l string) {
		for _, ws := range r.split(l) {
			out = append(out, r.step(r.input(ws.next(), ws))...)
		}
	}
	say("attempt")
	for range 4 {
		say("retry-scheduled 250ms " + status + "; retry-started waited 250ms")
	}
	say("gave-up " + status)
	return out
}

func (r *script) settings(ws *words) {
	if r.n != nil {
		r.wrong("settings come first")
	}
	r.set.Drain = ws.flag("drain")
	if n, ok := ws.opt("rows"); ok {
		r.set.Rows = r.number(n)
	}
}

// step takes one input, holds it against the contract and tells what it made.
func (r *script) step(in Input) []string {
	if r.n == nil {
		r.n = newNode(r.set, scope{})
	}
	from, real := r.n.s, in
	if _, ok := in.(crash); ok {
		from, real = r.n.disk, Opened{Session: "s"}
	}
	evs, effs := Decide(from, real)
	var out []string
	for _, e := range evs {
		out = append(out, r.event(e))
		if _, ok := e.(TurnStarted); ok {
			r.attempts = nil
		}
	}
	for _, e := range effs {
		out = append(out, "-> "+effect(e))
	}
	r.n = stepNode(r.t, r.n, in)
	if here, disk := lasting(r.n.s), lasting(r.n.disk); here != disk {
		r.t.Fatalf("%s: a crash would lose something\nhere    %s\non disk %s", r.at, here, disk)
	}
	if len(out) == 0 {
		out = []string{"nothing"}
	}
	return out
}
