//go:build unix

package cli_test

import (
	"strings"
	"testing"

	"baton/ui/sanitize"
	"baton/ui/termtest"
)

// TestOutputFitsTheTerminal: on a terminal lines are wrapped between words; where there is none they stay whole.
func TestOutputFitsTheTerminal(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"resume", "--help"}, {"queue", "--help"}, {"config", "keys"}, {"doctor", "--offline"}, {"sessions", "shw"}} {
		home := t.TempDir()
		s := termtest.Start(t, termtest.Options{Args: args, Home: home, Width: 70, Lax: true})
		s.Wait()
		text := strings.ReplaceAll(string(s.Output()), "\r\n", "\n")
		for line := range strings.SplitSeq(text, "\n") {
			if sanitize.Width(line) > 70 && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("baton %q: %q is too long", args, line)
			}
		}
		if args[0] == "doctor" { // which says that it has a terminal
			continue
		}
		whole := run(t, home, args...)
		if plain := whole.out + whole.errs; strings.Join(strings.Fields(plain), " ") != strings.Join(strings.Fields(text), " ") || strings.Count(plain, "\n") >= strings.Count(text, "\n") {
			t.Errorf("baton %q says on a terminal\n%s\nelse\n%s", args, text, plain)
		}
	}
}
