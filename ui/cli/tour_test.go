//go:build unix

package cli_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"baton/ui/keymap"
	"baton/ui/tour"
)

const tours = "../../testdata/e2e"

// scripts reads the scripts of a folder below testdata/e2e, by their names without .tour.
func scripts(t testing.TB, folder string) map[string]*tour.Script {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(tours, folder, "*.tour"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", folder, err)
	}
	all := map[string]*tour.Script{}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := tour.Parse(filepath.ToSlash(file), string(source))
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		all[name[:len(name)-len(".tour")]] = s
	}
	return all
}

// labels names the keys in force as the screen does.
func labels(m keymap.Map) func(string) string {
	return func(action string) string { return m.Hint(keymap.Action(action)) }
}

// The tour: scripts that press every key of the table in the program itself and read from the screen what each does.
func TestTour(t *testing.T) {
	t.Parallel()
	all := scripts(t, ".")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tour.Play(t, all[name], tour.Options{Label: labels(keymap.Default())})
		})
	}
}

// With a key of one's own the same script is played with that key: the hints name it, and the old one does nothing.
func TestTourWithAnotherKey(t *testing.T) {
	t.Parallel()
	m, _, err := keymap.Default().Override(map[string][]string{"retry": {"f5"}})
	if err != nil {
		t.Fatal(err)
	}
	for folder, names := range map[string][]string{".": {"retry"}, "rebound": {"rebound"}} {
		for _, name := range names {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				tour.Play(t, scripts(t, folder)[name], tour.Options{
					Label: labels(m),
					Swap:  map[string]string{"ctrl+y": "f5"},
					Files: map[string]string{"config/baton/config.toml": "[keys]\nretry = [\"f5\"]\n"},
				})
			})
		}
	}
}

// places are where else a key has to be tried than once anywhere: what it does differs with what is open.
var places = map[keymap.Action][]string{
	keymap.Stop:      {"completions", "help", "a list", "a search", "a chosen message", "the row editor", "queue", "transcript", "a turn", "a wait", "the queue, a turn runs", "the transcript, a turn runs"},
	keymap.Interrupt: {"draft", "completions", "help", "a list", "a search", "the row editor", "attached files", "a turn", "an empty line", "an empty line, once more"},
	keymap.Retry:     {"a wait", "a stopped turn", "a failed turn"},
	keymap.FocusNext: {"composer", "queue", "transcript"},
	keymap.FocusPrev: {"composer", "queue", "transcript"},
	keymap.Newline:   {"shift+enter", "shift+enter as xterm has it", "the row editor"},
	keymap.Send:      {"behind a backslash", "an empty line", "a list"},
	keymap.Suspend:   {"a turn"},
}

// Every key of every row of the table is in some script, and no script has one that the table lacks.
func TestTourIsWhole(t *testing.T) {
	tried, where := map[string]bool{}, map[string]bool{}
	row := func(scope, action, key any) string { return fmt.Sprintf("%s %s %s", scope, action, key) }
	have := map[string]bool{}
	for _, r := range keymap.Default().Table() {
		for _, k := range r.Keys {
			have[row(r.Scope, r.Action, keymap.Label(k))] = true
		}
	}
	for _, s := range scripts(t, ".") {
		for _, c := range s.Claims() {
			id := row(c.Scope, c.Action, c.Key)
			if !have[id] {
				t.Errorf("%s:%d: the table has no %s", s.File, c.Line, id)
			}
			tried[id], where[c.Action+" in "+c.Place] = true, true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(have)) {
		if !tried[id] {
			t.Errorf("no script tries %s", id)
		}
	}
	for action, all := range places {
		for _, place := range all {
			if !where[string(action)+" in "+place] {
				t.Errorf("no script tries %s in %s", action, place)
			}
		}
	}
}
