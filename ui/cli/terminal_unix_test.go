//go:build unix

package cli

import (
	"bytes"
	"strings"
	"syscall"
	"testing"

	"baton/ui/termtest"
)

// TestNoCommandAsksTheTerminal: in a terminal, too, everything but the chat writes plain
// lines. No query is sent, no mode changed, no colour used.
func TestNoCommandAsksTheTerminal(t *testing.T) {
	t.Parallel()
	chats := map[string]bool{"baton": true, "baton demo": true, "baton resume": true}
	more := map[string][][]string{
		"baton run":        {{"-p", "hello"}, {"-p", "x", "--agent", "sandbox", "--fault", "401"}, {}},
		"baton completion": {{"bash"}, {}},
		"baton config":     {{}},
		"baton sessions rm": {
			{}, {"20200101-000000-abcd"}, {"20200101-000000-abcd", "--yes"},
		},
		"baton version": {{}, {"--json"}, {"x"}},
	}
	var calls [][]string
	for _, c := range tree(t) {
		if path := c.CommandPath(); !chats[path] && path != "baton sandbox" {
			for _, rest := range append(more[path], []string{}) {
				calls = append(calls, append(strings.Fields(path)[1:], rest...))
			}
		}
	}
	calls = append(calls, []string{"--help"}, []string{"--version"}, []string{"--nothing"}, []string{"nothing"}, []string{"__complete", "sessions", "show", ""})
	home, env := t.TempDir(), map[string]string{"BATON_RETRY_BASE": "1ms", "BATON_BASE_URL": termtest.NewProvider(t).URL(), "BATON_MODEL": "m"}
	for _, args := range calls {
		s := termtest.Start(t, termtest.Options{Args: args, Home: home, Lax: true, Env: env})
		s.Wait()
		plainly(t, s, args)
	}
	s := termtest.Start(t, termtest.Options{Args: []string{"sandbox"}, Home: home})
	s.WaitFor("http://127.0.0.1:")
	s.Signal(syscall.SIGINT)
	s.Wait()
	plainly(t, s, []string{"sandbox"})
}

func plainly(t *testing.T, s *termtest.Session, args []string) {
	t.Helper()
	out := s.Output()
	if i := bytes.IndexByte(out, 0x1b); i >= 0 {
		t.Errorf("baton %q sends %q", args, out[i:min(len(out), i+20)])
	}
	if len(out) == 0 {
		t.Errorf("baton %q says nothing", args)
	}
	if r := s.Restored(); len(r) > 0 {
		t.Errorf("baton %q leaves %q", args, r)
	}
}
