package cli

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"baton/model/config"
	"baton/ui/termtest"
)

// desk is a person's place over several invocations: home, state and a working directory.
type desk struct {
	t    *testing.T
	dir  string // of all of it
	vars map[string]string
	home string
}

func newDesk(t *testing.T) *desk {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, dir: dir, home: filepath.Join(dir, "home"), vars: map[string]string{"TERM": "xterm-256color", "BATON_RETRY_BASE": "1ms"}}
	for _, folder := range []string{"home", "work"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(dir, "work"))
	return d
}

func (d *desk) write(name, text string) string {
	d.t.Helper()
	path := filepath.Join(d.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
	return path
}

func (d *desk) invoke(args ...string) invoked {
	var out, errs bytes.Buffer
	code := Main(context.Background(), World{Args: args, Env: func(k string) string { return d.vars[k] }, Home: d.home,
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Version: "test"})
	return invoked{code: code, out: out.String(), errors: errs.String()}
}

const userFile = "home/.config/baton/config.toml"

// A project's file is read once it was agreed to, and again after each change; nothing is
// applied before, and nothing is asked at the start of a run.
func TestProjectFileNeedsTrust(t *testing.T) {
	d := newDesk(t)
	p := termtest.NewProvider(t, termtest.OK("one"), termtest.OK("two"), termtest.OK("three"))
	d.write(userFile, "agent = \"work\"\n[agents.work]\nprotocol = \"openai-chat\"\nbase_url = \""+p.URL()+"\"\nmodel = \"mine\"\n")
	d.write("work/.baton.toml", "[agents.work]\nmodel = \"theirs\"\n")
	model := func() string { rs := p.Requests(); return rs[len(rs)-1].Model }

	o := d.invoke("run", "-p", "x")
	if o.code != 0 || model() != "mine" || o.errors != "baton: the .baton.toml of this project is not read; baton config trust shows it, and reads it once you agree\n" {
		t.Errorf("untrusted: %+v, model %s", o, model())
	}
	if o = d.invoke("config", "trust"); o.code != ExitFailed || !strings.Contains(o.out, `agents.work.model = "theirs" # now "mine", line 2`) || !strings.Contains(o.errors, "--yes agrees to it") {
		t.Errorf("nobody can be asked: %+v", o)
	}
	if o = d.invoke("config", "check"); o.code != 0 || !strings.Contains(o.errors, "is not read") {
		t.Errorf("check: %+v", o)
	}
	if o = d.invoke("config", "trust", "--yes"); o.code != 0 || !strings.Contains(o.out, "it is read from now on") {
		t.Fatalf("trust: %+v", o)
	}
	if o = d.invoke("run", "-p", "x"); o.code != 0 || model() != "theirs" || o.errors != "" {
		t.Errorf("trusted: %+v, model %s", o, model())
	}
	o = d.invoke("config", "show", "--origin")
	if want := `agents.work.model = "theirs" # project ` + filepath.Join(d.dir, "work", ".baton.toml") + ":2:9"; !strings.Contains(o.out, want) {
		t.Errorf("show: %s", o.out)
	}
	for _, want := range []string{"# user " + filepath.Join(d.dir, userFile) + ":1:9\n", "retry.attempts = 5 # default\n", "retry.base = \"1ms\" # environment $BATON_RETRY_BASE\n"} {
		if !strings.Contains(o.out, want) {
			t.Errorf("show lacks %q:\n%s", want, o.out)
		}
	}
	d.write("work/.baton.toml", "[agents.work]\nmodel = \"other\"\n")
	if o = d.invoke("run", "-p", "x"); o.code != 0 || model() != "mine" || !strings.Contains(o.errors, "has changed since you trusted it") {
		t.Errorf("changed: %+v, model %s", o, model())
	}
	d.write("work/.baton.toml", "[agents.work]\nmodel = \"theirs\"\n")
	if o = d.invoke("config", "trust"); o.code != 0 || !strings.Contains(o.out, "trusted already") {
		t.Errorf("again: %+v", o)
	}
	if o = d.invoke("config", "trust", "--revoke"); o.code != 0 || o.out != "it is not read any more\n" {
		t.Errorf("revoke: %+v", o)
	}
	if o = d.invoke("config", "show"); !strings.Contains(o.out, `agents.work.model = "mine"`) {
		t.Errorf("revoked: %s", o.out)
	}
}

// What cannot be trusted, and what the command is not for.
func TestTrustRefuses(t *testing.T) {
	d := newDesk(t)
	for name, c := range map[string]struct {
		text string
		args []string
		code int
		says string
	}{
		"address":      {"[agents.sandbox]\nbase_url = \"https://evil\"\n", nil, ExitConfig, ".baton.toml:2:1: agents.sandbox.base_url cannot be set by a project's file"},
		"two mistakes": {"state_dir = \"x\"\nzz = 1\n", nil, ExitConfig, ".baton.toml:2:1: unknown key"},
		"syntax":       {"a = \n", nil, ExitConfig, "not valid TOML"},
		"keys":         {"[keys]\nstop = \"nokey+q\"\n", nil, ExitConfig, ".baton.toml:2:8: "},
		"no UTF-8":     {"agent = \"\xff\"\n", nil, ExitConfig, "not valid TOML"},
		"other name":   {"", []string{"other.toml"}, ExitUsage, "a project's file is called .baton.toml"},
		"missing":      {"", []string{filepath.Join(d.dir, "home")}, ExitConfig, "no such file"},
		"a flag":       {"", []string{"--all"}, ExitUsage, "unknown flag"},
	} {
		d.write("work/.baton.toml", c.text)
		o := d.invoke(append([]string{"config", "trust", "--yes"}, c.args...)...)
		if o.code != c.code || !strings.Contains(o.errors, c.says) {
			t.Errorf("%s: %+v", name, o)
		}
		if _, err := os.Stat(filepath.Join(d.home, ".local")); err == nil {
			t.Errorf("%s: something was remembered", name)
		}
	}
	if err := os.Remove(filepath.Join(d.dir, "work", ".baton.toml")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {"--revoke"}} {
		if o := d.invoke(append([]string{"config", "trust"}, args...)...); o.code != ExitFailed || !strings.Contains(o.errors, "there is no .baton.toml") {
			t.Errorf("none: %+v", o)
		}
	}
}

// The file that init writes is in order, also with every # taken away.
func TestInitUncommentedPassesCheck(t *testing.T) {
	d := newDesk(t)
	if o := d.invoke("config", "init"); o.code != 0 {
		t.Fatalf("%+v", o)
	}
	path := filepath.Join(d.dir, userFile)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, regexp.MustCompile(`(?m)^# `).ReplaceAll(text, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := d.invoke("config", "check"); o.code != 0 || o.out != "the configuration is in order\n" || o.errors != "" {
		t.Errorf("%+v", o)
	}
	if o := d.invoke("config", "show"); !strings.Contains(o.out, "agent = \"work\" # config.toml:") {
		t.Errorf("nothing of it is in force: %s", o.out)
	}
}

// Whatever stands where the configuration is looked for: one clear line, exit code 78,
// and nothing written.
func TestConfigurationThatCannotBeRead(t *testing.T) {
	d := newDesk(t)
	path := filepath.Join(d.dir, userFile)
	for name, c := range map[string]struct{ text, says string }{
		"not TOML":     {"[retry\n", "config.toml:1:"},
		"not UTF-8":    {"agent = \"a\xff\"\n", "not valid TOML"},
		"binary":       {"\x00\x01\x02\x7fELF", "not valid TOML"},
		"huge":         {"#" + strings.Repeat("x", config.MaxFileBytes), "config.toml: is larger than 256 KiB"},
		"unknown keys": {"retyr = 1\n", `unknown key "retyr" (did you mean "retry"?)`},
		"UTF-16":       {"\xff\xfea\x00=\x001\x00", "not valid TOML"},
	} {
		d.write(userFile, c.text)
		for _, args := range [][]string{{"run", "-p", "x"}, {"config", "show"}, {"config", "check"}, {"sessions", "list"}} {
			o := d.invoke(args...)
			if o.code != ExitConfig || !strings.Contains(o.errors, c.says) || strings.Count(o.errors, "\n") != 1 || o.out != "" {
				t.Errorf("%s, %s: %+v", name, args[0], o)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != c.text {
			t.Errorf("%s: the file was changed: %v", name, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if o := d.invoke("config", "check"); o.code != ExitConfig || o.errors != "baton: config.toml: cannot be read: it is a folder\n" {
		t.Errorf("a folder: %+v", o)
	}
	if o := d.invoke("config", "show", "--config", "gone.toml"); o.code != ExitConfig || strings.Count(o.errors, "\n") != 1 {
		t.Errorf("a named file that is missing: %+v", o)
	}
	left := 0
	if err := filepath.WalkDir(d.dir, func(string, fs.DirEntry, error) error { left++; return nil }); err != nil || left != 6 {
		t.Errorf("%d entries are left, %v", left, err)
	}
}

// Without a home directory it is said what to set, and it works once that is set.
func TestWithoutAHome(t *testing.T) {
	d := newDesk(t)
	d.home = ""
	if o := d.invoke("run", "-p", "x"); o.code != ExitConfig || o.errors != "baton: there is no place for sessions: no home directory is known · set $HOME, $XDG_STATE_HOME or $BATON_STATE_DIR\n" {
		t.Errorf("%+v", o)
	}
	for _, args := range [][]string{{"config", "path"}, {"config", "init"}} {
		if o := d.invoke(args...); o.code != ExitConfig || !strings.Contains(o.errors, "set $HOME") {
			t.Errorf("%v: %+v", args, o)
		}
	}
	d.vars["XDG_STATE_HOME"] = filepath.Join(d.dir, "state")
	if o := d.invoke("run", "-p", "x"); o.code != 0 || o.out == "" {
		t.Errorf("with a place: %+v", o)
	}
	if o := d.invoke("config", "check"); o.code != 0 {
		t.Errorf("check: %+v", o)
	}
	d.vars["XDG_CONFIG_HOME"] = filepath.Join(d.dir, "conf")
	if o := d.invoke("config", "init"); o.code != 0 || o.out != filepath.Join(d.dir, "conf", "baton", "config.toml")+"\n" {
		t.Errorf("init: %+v", o)
	}
}
