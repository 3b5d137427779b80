package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baton/agentclient"
	"baton/model/engine"
	"baton/model/session"
	"baton/ui/termtest"
)

// nobody is an agent that is never asked.
type nobody struct{}

func (nobody) Info() agentclient.Info { return agentclient.Info{Agent: "nobody"} }
func (nobody) Send(context.Context, agentclient.Request, agentclient.Sink) (agentclient.Finish, error) {
	return agentclient.Finish{}, fmt.Errorf("nobody was to be asked")
}

// goOn runs run --continue in a home whose session was left as the inputs say.
func goOn(t *testing.T, p *termtest.Provider, inputs []session.Input, args ...string) invocation {
	t.Helper()
	return goOnAfter(t, p, inputs, func([]byte) {}, args...)
}

// goOnAfter does so after something happened to the log, whose size stays.
func goOnAfter(t *testing.T, p *termtest.Provider, inputs []session.Input, happened func(log []byte), args ...string) invocation {
	t.Helper()
	home := t.TempDir()
	state := filepath.Join(home, "state", "baton", "sessions")
	e, err := engine.New(engine.Options{Dir: state, Agent: nobody{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range inputs {
		if out := e.Step(in); out.Refused != nil {
			t.Fatal(out.Refused)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(state, e.Session()+".jsonl")
	log, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	happened(log)
	if err := os.WriteFile(path, log, 0o600); err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{"XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_CONFIG_HOME": home}
	var out, errOut safeBuffer
	code := Main(t.Context(), World{Args: append([]string{"run", "--continue", "--base-url", p.URL(), "--model", "m"}, args...),
		Env: func(n string) string { return vars[n] }, Home: home, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errOut, Version: "test"})
	return invocation{code, out.String(), errOut.String(), state}
}

func entered(text string) session.Submit { return session.Submit{Draft: session.Draft{Text: text}} }
func slash(text string) session.Submit {
	return session.Submit{Draft: session.Draft{Text: text, Command: true}}
}

// Where run --continue goes on: with the last turn, if it failed or died with the program,
// and then with what waits; never with one that was answered or that the person stopped.
func TestRunGoesOn(t *testing.T) {
	answered := []session.Input{session.AttemptStarted{Turn: 1, N: 1}, session.Delta{Turn: 1, N: 1, Text: "yes"}, session.Ready{Turn: 1, N: 1}}
	failed := []session.Input{session.AttemptStarted{Turn: 1, N: 1}, session.GaveUp{Turn: 1, N: 1, Max: 5}}
	ran := session.ToolActivity{Turn: 1, N: 1, Part: session.ToolPart{ID: "t", Title: "rm"}}
	asked := session.ToolActivity{Turn: 1, N: 1, Part: session.ToolPart{ID: "t", Name: "rm", Status: "asked"}}
	join := func(ins ...any) (all []session.Input) {
		for _, in := range ins {
			switch in := in.(type) {
			case session.Input:
				all = append(all, in)
			case []session.Input:
				all = append(all, in...)
			}
		}
		return all
	}
	for name, c := range map[string]struct {
		inputs []session.Input
		args   []string
		code   int
		sent   string
		says   string
	}{
		"a turn that died":            {join(entered("a"), entered("b")), nil, 0, "a|b", "talked to nobody"},
		"a turn that died, and more":  {join(entered("a"), entered("b")), []string{"-p", "c", "-p", "d"}, 0, "a|b|c|d", ""},
		"a turn that failed":          {join(entered("a"), entered("b"), failed), nil, 0, "a|b", ""},
		"one answered, rows wait":     {join(entered("a"), entered("b"), entered("c"), answered), []string{"-p", "d"}, 0, "b|c|d", ""},
		"one answered":                {join(entered("a"), answered), []string{"-p", "d"}, 0, "d", ""},
		"one stopped, rows wait":      {join(entered("a"), entered("b"), session.Stop{Turn: 1}, session.StoppedByClient{Turn: 1}), nil, 0, "b", ""},
		"one stopped, nothing waits":  {join(entered("a"), session.Stop{Turn: 1}, session.StoppedByClient{Turn: 1}), nil, 0, "", "nothing to go on with"},
		"a queue on hold":             {join(entered("a"), entered("b"), session.SetPaused{On: true}, answered), []string{"-p", "c"}, 1, "", "the queue of session "},
		"a tool ran":                  {join(entered("a"), entered("b"), session.AttemptStarted{Turn: 1, N: 1}, ran, session.GaveUp{Turn: 1, N: 1, Max: 5}), nil, 1, "", "a tool ran in the last turn of session "},
		"a tool was asked for":        {join(entered("a"), entered("b"), session.AttemptStarted{Turn: 1, N: 1}, asked, session.GaveUp{Turn: 1, N: 1, Max: 5}), nil, 0, "a|b", ""},
		"a command among the rows":    {join(entered("a"), slash("/model other"), entered("b")), nil, 0, "a|b", ""},
		"a new session among them":    {join(entered("a"), slash("/new"), entered("b")), nil, 0, "a|b", ""},
		"a command that does not run": {join(entered("a"), slash("/agent none"), entered("b")), nil, 1, "a", "2 prompts stay queued"},
	} {
		t.Run(name, func(t *testing.T) {
			p := termtest.NewProvider(t)
			got := goOn(t, p, c.inputs, c.args...)
			if got.code != c.code || lasts(p) != c.sent || !strings.Contains(got.errOut, c.says) {
				t.Errorf("sent %s, %+v", lasts(p), got)
			}
			if n := strings.Count(got.out, "echo: "); c.code == 0 && n != len(p.Requests()) {
				t.Errorf("%d answers of %d", n, len(p.Requests()))
			}
		})
	}
}

// Where a part of the log cannot be read, it may have said that what waits was sent: nothing is sent then.
func TestRunGoesOnPastNoDamage(t *testing.T) {
	failed := []session.Input{entered("a"), entered("b"), entered("c"), session.AttemptStarted{Turn: 1, N: 1}, session.GaveUp{Turn: 1, N: 1, Max: 5}}
	for name, c := range map[string]struct {
		happened func(log []byte)
		code     int
		sent     string
	}{
		"a bit in the middle": {func(log []byte) { log[bytes.Index(log, []byte(`"text":"b"`))+8] ^= 2 }, ExitFailed, ""},
		"nothing":             {func([]byte) {}, ExitOK, "a|b|c"},
	} {
		t.Run(name, func(t *testing.T) {
			p := termtest.NewProvider(t)
			got := goOnAfter(t, p, failed, c.happened)
			if got.code != c.code || lasts(p) != c.sent || strings.Contains(got.errOut, "nothing was sent: parts of session ") != (c.sent == "") {
				t.Errorf("sent %s, %+v", lasts(p), got)
			}
		})
	}
}

// A /compact that waited is played in its place, and its summary is nobody's answer.
func TestRunGoesOnPastASummary(t *testing.T) {
	p := termtest.NewProvider(t, termtest.OK("A"), termtest.OK("in short"), termtest.OK("B"))
	got := goOn(t, p, []session.Input{entered("a"), slash("/compact"), entered("b")})
	if got.code != ExitOK || got.out != "A\nB\n" || p.Count() != 3 || !strings.Contains(got.errOut, "baton: what came before was summarized") {
		t.Errorf("sent %s, %+v", lasts(p), got)
	}
}

// The failed turn fails again: nothing behind it is sent, and it is offered once more.
func TestRunGoesOnNowhere(t *testing.T) {
	p := termtest.NewProvider(t, termtest.Fail(400))
	got := goOn(t, p, []session.Input{entered("a"), entered("b"), session.AttemptStarted{Turn: 1, N: 1}, session.GaveUp{Turn: 1, N: 1, Max: 5}})
	if got.code != ExitFailed || got.out != "" || lasts(p) != "a" || !strings.Contains(got.errOut, "2 prompts stay in session ") {
		t.Errorf("sent %s, %+v", lasts(p), got)
	}
}

// A failure on the way stops it once more, and nothing behind it is sent.
func TestRunGoesOnUntilAFailure(t *testing.T) {
	p := termtest.NewProvider(t, termtest.OK("A"), termtest.Fail(401))
	got := goOn(t, p, []session.Input{entered("a"), entered("b"), entered("c")}, "-p", "d")
	if got.code != ExitAuth || got.out != "A\n" || lasts(p) != "a|b" || !strings.Contains(got.errOut, "3 prompts stay in session ") {
		t.Errorf("sent %s, %+v", lasts(p), got)
	}
}
