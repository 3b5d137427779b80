package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/rogpeppe/go-internal/testscript"

	"baton/model/journal"
	"baton/ui/termtest"
)

// stage is what one script has built up.
type stage struct {
	env     *testscript.Env
	server  *termtest.Provider
	gates   []*termtest.Gate // not released yet
	running map[string]*process
}

// standing finds a script's stage.
type standing struct{}

func stageOf(ts *testscript.TestScript) *stage { return ts.Value(standing{}).(*stage) }

// test is the subtest, for what outlives a command.
func (s *stage) test() testing.TB { return s.env.T().(testing.TB) }

// scriptPatience bounds every wait of a script. Only a broken program needs it.
const scriptPatience = 90 * time.Second

type scriptCommand = func(ts *testscript.TestScript, neg bool, args []string)

func scriptCommands() map[string]scriptCommand {
	all := map[string]scriptCommand{
		"exits": positive(2, exits), "refused": positive(3, refused), "printable": positive(1, printable),
		"session": positive(1, newestSession), "sessions": positive(1, countSessions), "hold": positive(1, holdSession),
		"start": positive(2, startBeside), "talk": positive(2, startTalk), "type": positive(2, typeLine), "waitfor": positive(2, waitFor), "signal": positive(2, sendSignal), "ends": positive(2, ends),
	}
	for name, c := range serverCommands() {
		all[name] = c
	}
	return all
}

// positive is a command that takes at least so many arguments and no "!".
func positive(least int, f func(ts *testscript.TestScript, args []string)) scriptCommand {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) < least {
			ts.Fatalf("wants at least %d arguments and no !", least)
		}
		f(ts, args)
	}
}

func number(ts *testscript.TestScript, arg string) int {
	n, err := strconv.Atoi(arg)
	ts.Check(err)
	return n
}

func pattern(ts *testscript.TestScript, arg string) *regexp.Regexp {
	re, err := regexp.Compile("(?m)" + arg)
	ts.Check(err)
	return re
}

func exits(ts *testscript.TestScript, args []string) {
	want, got := number(ts, args[0]), 0
	var ex *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &ex):
		got = ex.ExitCode()
	default:
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func refused(ts *testscript.TestScript, args []string) {
	exits(ts, append(args[:1:1], args[2:]...))
	out, errs := ts.ReadFile("stdout"), ts.ReadFile("stderr")
	if out != "" || !strings.HasPrefix(errs, "baton: ") || strings.Count(errs, "\n") != 1 || !strings.HasSuffix(errs, "\n") {
		ts.Fatalf("want nothing on stdout, and one line on stderr that begins with baton:")
	}
	if !pattern(ts, args[1]).MatchString(errs) {
		ts.Fatalf("stderr does not match %s", args[1])
	}
	printable(ts, []string{"stderr"})
}

func printable(ts *testscript.TestScript, args []string) {
	for _, name := range args {
		for _, r := range ts.ReadFile(name) {
			if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
				ts.Fatalf("%s holds %U", name, r)
			}
		}
	}
}

func newestSession(ts *testscript.TestScript, args []string) {
	all, err := journal.List(ts.Getenv("SESSIONS"))
	ts.Check(err)
	if len(all) == 0 {
		ts.Fatalf("no session is kept")
	}
	ts.Setenv(args[0], all[0].ID)
}

func countSessions(ts *testscript.TestScript, args []string) {
	all, err := journal.List(ts.Getenv("SESSIONS"))
	ts.Check(err)
	if len(all) != number(ts, args[0]) {
		ts.Fatalf("%d sessions are kept", len(all))
	}
}

func holdSession(ts *testscript.TestScript, args []string) {
	w, _, err := journal.Open(ts.Getenv("SESSIONS"), args[0])
	ts.Check(err)
	ts.Defer(func() { ts.Check(w.Close()) })
}

// surroundings is the name under which the test binary writes down what a script's next
// program would be given.
const surroundings = "surroundings"

type given struct {
	Env   []string
	Stdin []byte
}

func tellSurroundings() {
	in, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	told, err := json.Marshal(given{os.Environ(), in})
	if err == nil {
		err = os.WriteFile(os.Args[1], told, 0o600)
	}
	if err != nil {
		panic(err)
	}
}

// process is a program that runs beside its script.
type process struct {
	cmd       *exec.Cmd
	out, errs output
	over      chan struct{}
	keys      io.WriteCloser // its standard input, nil where that was given whole
}

// output is written by a process and looked at meanwhile.
type output struct {
	mu sync.Mutex
	b  strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

func startBeside(ts *testscript.TestScript, args []string) { begin(ts, args, false) }
func startTalk(ts *testscript.TestScript, args []string)   { begin(ts, args, true) }

func begin(ts *testscript.TestScript, args []string, talk bool) {
	s := stageOf(ts)
	if s.running[args[0]] != nil {
		ts.Fatalf("%s runs already", args[0])
	}
	var g given
	told := filepath.Join(s.test().TempDir(), surroundings)
	ts.Check(ts.Exec(surroundings, told))
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(told)), &g))
	path, err := exec.LookPath(args[1])
	ts.Check(err)
	p := &process{cmd: exec.Command(path, args[2:]...), over: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env, p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = ts.MkAbs("."), g.Env, strings.NewReader(string(g.Stdin)), &p.out, &p.errs
	if talk {
		p.cmd.Stdin = nil
		p.keys, err = p.cmd.StdinPipe()
		ts.Check(err)
	}
	ts.Check(p.cmd.Start())
	s.running[args[0]] = p
	go func() {
		_ = p.cmd.Wait() // the exit code tells
		close(p.over)
	}()
	ts.Defer(func() {
		_ = p.cmd.Process.Kill() // it may have ended
		<-p.over
	})
}

func (s *stage) process(ts *testscript.TestScript, name string) *process {
	p := s.running[name]
	if p == nil {
		ts.Fatalf("nothing was started as %s", name)
	}
	return p
}

func typeLine(ts *testscript.TestScript, args []string) {
	p := stageOf(ts).process(ts, args[0])
	if p.keys == nil {
		ts.Fatalf("%s was started, not talked to", args[0])
	}
	_, err := io.WriteString(p.keys, args[1]+"\n")
	ts.Check(err)
}

func (p *process) ended() bool {
	select {
	case <-p.over:
		return true
	default:
		return false
	}
}

// alone reports whether no program runs beside the script.
func (s *stage) alone() bool {
	for _, p := range s.running {
		if !p.ended() {
			return false
		}
	}
	return true
}

func waitFor(ts *testscript.TestScript, args []string) {
	p, re := stageOf(ts).process(ts, args[0]), pattern(ts, args[1])
	for limit := time.Now().Add(scriptPatience); ; time.Sleep(time.Millisecond) {
		over := p.ended()
		switch out, errs := p.out.String(), p.errs.String(); {
		case re.MatchString(out) || re.MatchString(errs):
			return
		case over || time.Now().After(limit):
			ts.Fatalf("%s never wrote %s; it wrote\n%s%s", args[0], args[1], out, errs)
		}
	}
}

func sendSignal(ts *testscript.TestScript, args []string) {
	p := stageOf(ts).process(ts, args[0])
	sig, ok := signalNames[args[1]]
	if !ok {
		ts.Fatalf("no signal %s on %s", args[1], runtime.GOOS)
	}
	ts.Check(p.cmd.Process.Signal(sig))
}

func ends(ts *testscript.TestScript, args []string) {
	s := stageOf(ts)
	p := s.process(ts, args[0])
	select {
	case <-p.over:
	case <-time.After(scriptPatience):
		ts.Fatalf("%s goes on; it wrote\n%s%s", args[0], p.out.String(), p.errs.String())
	}
	delete(s.running, args[0])
	_, err := io.WriteString(ts.Stdout(), p.out.String())
	ts.Check(err)
	_, err = io.WriteString(ts.Stderr(), p.errs.String())
	ts.Check(err)
	if got, want := p.cmd.ProcessState.ExitCode(), number(ts, args[1]); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// TestScriptNames keeps the scripts where TestScripts looks, and their names telling.
func TestScriptNames(t *testing.T) {
	names, err := filepath.Glob("testdata/script/*")
	if err != nil || len(names) == 0 {
		t.Fatal("no scripts", err)
	}
	telling := regexp.MustCompile(`^[a-z]+(_[a-z0-9]+)*\.txtar$`)
	for _, name := range names {
		if !telling.MatchString(filepath.Base(name)) {
			t.Errorf("%s: a script is called COMMAND.txtar or COMMAND_WHAT.txtar", name)
		}
	}
}
