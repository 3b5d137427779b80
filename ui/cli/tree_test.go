package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// tree is every command, those that only hold others included.
func tree(t *testing.T) []*cobra.Command {
	t.Helper()
	var all []*cobra.Command
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		all = append(all, c)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	root := (&app{}).tree()
	root.InitDefaultHelpCmd()
	walk(root)
	if len(all) < 18 {
		t.Fatalf("%d commands", len(all))
	}
	return all
}

// TestEveryCommandHasHelp: what it is for in one line, and an example that is a call of it.
func TestEveryCommandHasHelp(t *testing.T) {
	for _, c := range tree(t) {
		if c.Short == "" || strings.HasSuffix(c.Short, ".") || c.Short[:1] != strings.ToUpper(c.Short[:1]) {
			t.Errorf("%s is said to do %q", c.CommandPath(), c.Short)
		}
		if !strings.Contains(c.Example, c.CommandPath()) {
			t.Errorf("%s has no example with it", c.CommandPath())
		}
		for line := range strings.Lines(c.Example) {
			if !strings.HasPrefix(line, "  ") || !strings.Contains(line, "baton") {
				t.Errorf("%s: the example %q is no call", c.CommandPath(), line)
			}
		}
	}
}

var call = regexp.MustCompile(`^(?:\[[^]]*\] )?(?:(exec)|exits (\d+)|(refused) \d+ '[^']*'|(start) \S+) baton( .*)?$`)

// TestEveryCommandHasAScript: testdata/script shows each command at work, or refusing, and
// at least one way in which each ends with an error. How to write one stands above
// TestScripts in script_test.go.
func TestEveryCommandHasAScript(t *testing.T) {
	names, err := filepath.Glob("../../testdata/script/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no scripts", err)
	}
	called, failed := map[string]bool{}, map[string]bool{}
	root := (&app{}).tree()
	root.InitDefaultHelpCmd()
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		script, _, _ := strings.Cut(string(raw), "\n-- ")
		for line := range strings.Lines(script) {
			m := call.FindStringSubmatch(strings.TrimSpace(line))
			if m == nil {
				continue
			}
			c, _, err := root.Find(words(m[5]))
			if err != nil {
				c = root
			}
			called[c.CommandPath()] = true
			if m[3] != "" || m[2] != "" && m[2] != "0" {
				failed[c.CommandPath()] = true
			}
		}
	}
	for _, c := range tree(t) {
		switch path := c.CommandPath(); {
		case !called[path]:
			t.Errorf("no script in testdata/script calls %s", path)
		case !failed[path]:
			t.Errorf("no script in testdata/script has %s fail", path)
		}
	}
}

// words are those of a call that can name a command: flags and quoted texts name none.
func words(call string) []string {
	ws := strings.Fields(call)
	return slices.DeleteFunc(ws, func(w string) bool { return strings.HasPrefix(w, "'") })
}

func TestNearest(t *testing.T) {
	names := []string{"base-url", "model", "plain", "agent", "rm", "list", "allow-plain-http"}
	for word, want := range map[string]string{
		"modle": "model", "modell": "model", "mdoel": "model", "base": "base-url", "all": "", "base_url": "base-url", "MODEL": "", "rn": "rm", "lst": "list",
		"x": "", "": "", "models-of-all": "", "plane": "plain", "--": "", "agnet": "agent", "é": "",
	} {
		if got := nearest(word, names); got != want {
			t.Errorf("%q is taken for %q, want %q", word, got, want)
		}
	}
}

// TestRoffEscapes: no text becomes a request or an escape of its own.
func TestRoffEscapes(t *testing.T) {
	for text, want := range map[string]string{
		`a-b "c" \d`: `a\-b \(dqc\(dq \ed`, ".SH x": `\&.SH x`, "'x": `\(aqx`, "é–…": `\[u00E9]\(en...`, "a\nb": "a b", "\x1b[2J": `\[u241B][2J`,
	} {
		if got := lineRoff(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

var inline = regexp.MustCompile("`(baton [^`\n]+)`")

// TestPagesAndHelpNameWhatThereIs: every call of the program that a page or a help text
// shows has a command and flags that exist.
func TestPagesAndHelpNameWhatThereIs(t *testing.T) {
	calls := map[string]string{} // call → where it stands
	names, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, "../../README.md", "../../CHANGELOG.md", "../../AGENTS.md") {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range inline.FindAllStringSubmatch(string(raw), -1) {
			calls[m[1]] = name
		}
	}
	for _, c := range tree(t) {
		for line := range strings.Lines(c.Example) {
			_, call, _ := strings.Cut(line, "baton")
			call, _, _ = strings.Cut(call, "   ")
			calls["baton"+call] = "the help of " + c.CommandPath()
		}
	}
	if len(calls) < 40 {
		t.Fatalf("%d calls", len(calls))
	}
	root := (&app{}).tree()
	root.InitDefaultHelpCmd()
	for call, where := range calls {
		call, _, _ = strings.Cut(call, "|")
		c, rest, err := root.Find(words(call)[1:])
		if err != nil {
			t.Errorf("%s: %s: %v", where, call, err)
			continue
		}
		c.InitDefaultHelpFlag()
		c.InitDefaultVersionFlag()
		for _, w := range rest {
			name, _, _ := strings.Cut(strings.Trim(w, "[](),"), "=")
			long, isLong := strings.CutPrefix(name, "--")
			if isLong && c.Flag(long) == nil || !isLong && strings.HasPrefix(name, "-") && len(name) == 2 && c.Flags().ShorthandLookup(name[1:]) == nil {
				t.Errorf("%s: %s: there is no flag %s", where, call, name)
			}
		}
	}
}

// TestFlagsThatMeanNothing: the table names commands and flags that there are, and what it
// leaves out is out of their help.
func TestFlagsThatMeanNothing(t *testing.T) {
	all := tree(t)
	for path, flags := range meaningful {
		i := slices.IndexFunc(all, func(c *cobra.Command) bool { return c.CommandPath() == path })
		if i < 0 {
			t.Errorf("there is no command %s", path)
			continue
		}
		for _, name := range strings.Fields(flags) {
			if all[0].PersistentFlags().Lookup(name) == nil {
				t.Errorf("%s: there is no flag --%s", path, name)
			}
		}
	}
	const chat = "agent allow-plain-http api-key-env base-url config debug fault fault-file model plain"
	want := map[string]string{
		"baton": chat, "baton resume": chat, "baton run": strings.TrimSuffix(chat, " plain"), "baton demo": "config fault fault-file plain",
		"baton doctor": "agent allow-plain-http api-key-env base-url config model", "baton sandbox": "fault fault-file",
		"baton config show": chat, "baton config check": chat, "baton config schema": "",
		"baton completion": "", "baton help": "", "baton man": "", "baton version": "",
	}
	for _, c := range all {
		hideMeaningless(c)
		var shown []string
		all[0].PersistentFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				shown = append(shown, f.Name)
			}
		})
		flags, named := want[c.CommandPath()]
		if !named { // what looks at files alone
			flags = "config"
		}
		if got := strings.Join(shown, " "); got != flags {
			t.Errorf("%s shows %q, want %q", c.CommandPath(), got, flags)
		}
	}
}
