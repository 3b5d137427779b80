package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baton/ui/cli"
)

// ran is what one invocation without a terminal did.
type ran struct {
	code      int
	out, errs string
}

// run calls the program within this process, with a home of its own and short retries.
func run(t *testing.T, home string, args ...string) ran {
	t.Helper()
	env := map[string]string{"BATON_RETRY_BASE": "1ms", "BATON_RETRY_CAP": "2ms"}
	var out, errs bytes.Buffer
	code := cli.Main(t.Context(), cli.World{Args: args, Env: func(name string) string { return env[name] }, Home: home,
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Version: "test"})
	return ran{code, out.String(), errs.String()}
}

// refused wants one line on standard error, nothing else, and the exit code.
func (r ran) refused(t *testing.T, code int, says ...string) {
	t.Helper()
	if r.code != code || r.out != "" || strings.Count(r.errs, "\n") != 1 || !strings.HasPrefix(r.errs, "baton: ") {
		t.Errorf("exit code %d, %q, %q; want %d and one line", r.code, r.out, r.errs, code)
	}
	for _, want := range says {
		if !strings.Contains(r.errs, want) {
			t.Errorf("%q does not say %q", r.errs, want)
		}
	}
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFaultFile(t *testing.T) {
	t.Parallel()
	t.Run("behind_the_flag", func(t *testing.T) {
		file := write(t, "faults", "# two failures\n503, 500\n\ncut@3, json # and a third\n")
		r := run(t, t.TempDir(), "run", "-p", "hello", "--fault", "empty", "--fault-file", file)
		var retries []string
		for l := range strings.Lines(r.errs) {
			if _, why, ok := strings.Cut(l, ": retrying "); ok {
				_, why, _ = strings.Cut(why, ": ")
				retries = append(retries, strings.Fields(why)[0])
			}
		}
		if got := strings.Join(retries, " "); r.code != 0 || got != "empty: 503 500 truncated:" || !strings.Contains(r.out, "> hello") {
			t.Errorf("exit code %d, retried for %q\n%s%s", r.code, got, r.errs, r.out)
		}
	})
	bad := write(t, "bad", "500\n\nok,boom\n")
	for name, c := range map[string]struct {
		args []string
		says []string
	}{
		"unknown":       {[]string{"run", "-p", "x", "--fault-file", bad}, []string{bad + `:3: unknown fault "boom"`}},
		"of_the_server": {[]string{"sandbox", "--fault-file", bad}, []string{bad + `:3: unknown fault "boom"`}},
		"of_the_demo":   {[]string{"demo", "--fault-file", bad}, []string{bad + `:3: unknown fault "boom"`}},
		"missing":       {[]string{"run", "-p", "x", "--fault-file", bad + "~"}, []string{"no such file"}},
		"too_long":      {[]string{"run", "-p", "x", "--fault-file", write(t, "long", strings.Repeat("#\n", 40<<10))}, []string{"at most 64 KiB"}},
		"too_many": {[]string{"run", "-p", "x", "--fault", "500*999", "--fault-file", write(t, "many", "500*2")},
			[]string{"too many faults"}},
		"flag": {[]string{"run", "-p", "x", "--fault", "boom"}, []string{`--fault: unknown fault "boom"`}},
		"other_agent": {[]string{"run", "-p", "x", "--base-url", "http://127.0.0.1:1/v1", "--model", "m", "--fault-file", write(t, "one", "500")},
			[]string{"sandbox only"}},
	} {
		t.Run(name, func(t *testing.T) { run(t, t.TempDir(), c.args...).refused(t, 2, c.says...) })
	}
}

// A prompt with faults of its own goes through them; the one behind it does not.
func TestFaultsInAPrompt(t *testing.T) {
	t.Parallel()
	r := run(t, t.TempDir(), "run", "-p", "fault: 500,empty,json\nfirst", "-p", "second", "--fault", "json")
	if n := strings.Count(r.errs, "retrying"); r.code != 0 || n != 2 || !strings.Contains(r.out, "> first\n") || !strings.Contains(r.out, "> second\n") {
		t.Errorf("exit code %d, %d retries\n%s%s", r.code, n, r.errs, r.out)
	}
}

func TestSandboxRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		code int
		says string
	}{
		"every_address": {[]string{"--addr", "0.0.0.0:0"}, 2, "--allow-remote"},
		"no_host":       {[]string{"--addr", ":0"}, 2, "--allow-remote"},
		"name":          {[]string{"--addr", "example.com:80"}, 2, "--allow-remote"},
		"no_port":       {[]string{"--addr", "127.0.0.1"}, 2, "HOST:PORT"},
		"odd_port":      {[]string{"--addr", "127.0.0.1:99999"}, 2, "HOST:PORT"},
		"agent":         {[]string{"--agent", "work"}, 2, "leave out --agent"},
		"base_url":      {[]string{"--base-url", "http://localhost:1/v1"}, 2, "leave out --base-url"},
		"argument":      {[]string{"x"}, 2, "no argument such as"},
		"foreign":       {[]string{"--addr", "192.0.2.1:0", "--allow-remote"}, 1, "--addr 127.0.0.1:0"},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, t.TempDir(), append([]string{"sandbox"}, c.args...)...).refused(t, c.code, c.says)
		})
	}
}

func TestDemoRefuses(t *testing.T) {
	t.Parallel()
	run(t, t.TempDir(), "demo").refused(t, 2, "terminal", "baton run")
	run(t, t.TempDir(), "demo", "--agent", "work").refused(t, 2, "leave out --agent")
}

// The check finds what would keep the program from starting, in the keys too.
func TestConfigCheckLooksAtKeys(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "config.toml")
	for text, want := range map[string]string{
		"[keys]\nretry = [\"ctrl+yy\"]\n": "ctrl+yy",
		"[keys]\ninterrupt = []\n":        "interrupt",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"config", "check"}, {"run", "-p", "x"}} {
			r := run(t, home, append(args, "--config", file)...)
			if r.code != cli.ExitConfig || !strings.Contains(r.errs, want) || strings.Contains(r.out, "in order") {
				t.Errorf("%q with %q: %+v", args, text, r)
			}
		}
	}
}
