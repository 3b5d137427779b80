package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// withProject loads a situation with a project's file that is trusted.
func (s setup) withProject(text string) (Config, error) {
	path := Path(s.getenv, home, s.flags)
	read := func(p string) ([]byte, error) {
		if s.file == "" || p != path {
			return nil, &fs.PathError{Op: "open", Path: p, Err: fs.ErrNotExist}
		}
		return []byte(s.file), nil
	}
	return LoadWith(Project{Path: filepath.FromSlash("/src/thing/.baton.toml"), Text: []byte(text)}, s.getenv, home, s.flags, read, known)
}

// projectMay is everything that a project's file may set. A key that is added to the
// tables is not among it by itself.
var projectMay = []string{
	"agent", "retry.attempts", "retry.base", "retry.cap", "retry.max_wait",
	"timeouts.connect", "timeouts.first_byte", "timeouts.idle", "timeouts.turn", "queue.after_stop",
	"ui.theme", "ui.background", "ui.notify", "ui.ascii", "ui.motion", "ui.plain", "keys.retry",
	"agents.work.model", "agents.work.system", "agents.work.max_tokens", "agents.work.temperature",
}

// Every key of the tables: what a project's file may set takes effect, and everything
// else is refused by name and place, whatever its value.
func TestAProjectSetsWhatItMay(t *testing.T) {
	values := map[string]string{"agent": `"free"`, "retry.attempts": "9", "queue.after_stop": `"drain"`, "ui.theme": `"mono"`, "ui.background": `"light"`,
		"ui.notify": `"bell"`, "ui.ascii": `"on"`, "ui.motion": `"reduced"`, "ui.plain": "true", "retry.cap": `"9s"`, "keys.retry": `"ctrl+t"`}
	value := func(name, kind, example string) string {
		switch {
		case values[name] != "":
			return values[name]
		case kind == "duration":
			return `"2s"`
		case example != "":
			return example
		}
		return `"off"`
	}
	lines := map[string]string{"keys.retry": `"ctrl+t"`, "agents.work.headers": `{ X = "` + canary + `" }`, "agents.work.api_key": `"` + canary + `"`, "agents.work.token": `"` + canary + `"`}
	for _, k := range keys {
		lines[k.name] = value(k.name, k.kind, k.example)
	}
	for _, k := range agentKeys {
		lines["agents.work."+k.name] = value(k.name, k.kind, k.example)
	}
	for name, v := range lines {
		c, err := setup{file: twoAgents}.withProject("# one\n" + name + " = " + v + "\n")
		if slices.Contains(projectMay, name) {
			if err != nil || c.Sources[name].Layer != LayerProject || c.Sources[name].Line != 2 {
				t.Errorf("%s is a project's to set: %v, set by %v", name, err, c.Sources[name])
			}
			continue
		}
		var e *Error
		column := strings.LastIndex(name, ".") + 2
		want := name + " cannot be set by a project's file"
		if !errors.As(err, &e) || e.Msg != want || e.Line != 2 || e.Column != column || e.File != filepath.FromSlash("/src/thing/.baton.toml") || strings.Contains(err.Error(), canary) {
			t.Errorf("%s: %#v, want %s at 2:%d", name, err, want, column)
		}
	}
	for name := range lines {
		lines[name] = ""
	}
	for _, name := range projectMay {
		if _, there := lines[name]; !there {
			t.Errorf("%s is no key", name)
		}
	}
}

// A project brings no agent of its own and redirects none, in whatever form it is written.
func TestAProjectBringsNoAgent(t *testing.T) {
	for file, want := range map[string]string{
		"[agents.evil]\nprotocol = \"openai-chat\"\nbase_url = \"https://evil/v1\"\n": ".baton.toml:1:9: agents.evil is no agent of your configuration",
		"agents.work = { base_url = \"https://evil/v1\" }":                            ".baton.toml:1:17: agents.work.base_url cannot be set by a project's file",
		"[agents]\nwork.\"base_url\" = 1":                                             ".baton.toml:2:6: agents.work.base_url cannot be set by a project's file",
		"agents.sandbox.base_url = \"x\"":                                             ".baton.toml:1:16: agents.sandbox.base_url cannot be set by a project's file",
		"agent = \"evil\"":                                                            ".baton.toml:1:9: agent names no agent: \"evil\"",
		"fault = \"500\"":                                                             ".baton.toml:1:1: unknown key \"fault\"",
		"[agents.work]\nmodle = \"x\"":                                                ".baton.toml:2:1: unknown key \"modle\" (did you mean \"model\"?)",
		"sessions.keep = \"1d\"":                                                      ".baton.toml:1:10: sessions.keep cannot be set by a project's file",
		"retry.attempts = 0":                                                          ".baton.toml:1:18: retry.attempts must be at least 1, not 0",
		"retry.cap = \"1ms\"":                                                         ".baton.toml:1:13: retry.cap (1ms) is below retry.base (250ms)",
	} {
		if _, err := (setup{file: twoAgents}).withProject(file); err == nil || err.Error() != want {
			t.Errorf("%q\n got %v\nwant %s", file, err, want)
		}
	}
}

func TestAProjectStandsBetweenFileAndEnvironment(t *testing.T) {
	user := "retry.attempts = 2\nretry.max_wait = \"1s\"\n" + strings.Replace(twoAgents, "agent = \"work\"\n", "", 1)
	project := "agent = \"free\"\nretry.attempts = 3\nui.motion = \"reduced\"\n[agents.work]\nmodel = \"p\"\nsystem = \"Be brief.\"\n"
	c, err := setup{file: user}.withProject(project)
	if err != nil {
		t.Fatal(err)
	}
	if c.Retry.Attempts != 3 || c.Sources["retry.attempts"].String() != ".baton.toml:2:18" || c.Retry.MaxWait != 1e9 || c.Agent.Name != "free" {
		t.Errorf("%+v by %v, agent %s", c.Retry, c.Sources["retry.attempts"], c.Agent.Name)
	}
	if a := c.Agents["work"]; a.Model != "p" || a.System != "Be brief." || a.BaseURL != "https://work.example/v1" || a.APIKeyEnv != "WORK_API_KEY" {
		t.Errorf("%+v", a)
	}
	if got := c.Sources["retry.attempts"].Long(); got != "project "+filepath.FromSlash("/src/thing/.baton.toml")+":2:18" {
		t.Errorf("long: %s", got)
	}
	s := setup{file: user, env: map[string]string{"BATON_RETRY_ATTEMPTS": "4", "BATON_AGENT": "work"}}
	if c, err = s.withProject(project); err != nil || c.Retry.Attempts != 4 || c.Agent.Name != "work" || c.Agent.Model != "p" {
		t.Errorf("%v, %d attempts, agent %s", err, c.Retry.Attempts, c.Agent.Name)
	}
	s.flags = Flags{Agent: "free", Model: "f"}
	if c, err = s.withProject(project); err != nil || c.Agent.Name != "free" || c.Agent.Model != "f" {
		t.Errorf("%v, agent %s, model %s", err, c.Agent.Name, c.Agent.Model)
	}
}

// Mistakes come in the order of the files, however the tables are mixed.
func TestMistakesComeInTheOrderOfTheFiles(t *testing.T) {
	s := setup{file: "[agents.a]\nmodel = 1\n[retry]\nattempts = 0\n[agents.b]\nmodel = 2\n[ui]\ntheme = \"x\"\n[zz]\n", env: map[string]string{"BATON_UI_MOTION": "x"}}
	_, err := s.withProject("ui.theme = 1\nstate_dir = \"x\"\n")
	var all Problems
	errors.As(err, &all)
	var got []string
	for _, e := range all {
		got = append(got, place(e.File, e.Line, e.Column))
	}
	want := "config.toml:2:9 config.toml:4:12 config.toml:6:9 config.toml:8:9 config.toml:9:2 .baton.toml:1:12 .baton.toml:2:1 " + place("", 0, 0)
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
}

func TestWhereAProjectsFileIsLookedFor(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	deep := filepath.Join(root, "repo", "a", "b")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	put := func(parts ...string) string {
		path := filepath.Join(append([]string{root}, parts...)...)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	put(ProjectFile)
	if got := FindProject(deep); got != "" {
		t.Errorf("outside of a repository: %s", got)
	}
	put("repo", ".git") // as in a worktree
	if got := FindProject(deep); got != "" {
		t.Errorf("above the repository: %s", got)
	}
	atRoot := put("repo", ProjectFile)
	if got := FindProject(deep); got != atRoot {
		t.Errorf("at the repository's root: %q", got)
	}
	nearer := put("repo", "a", ProjectFile)
	if got := FindProject(deep); got != nearer {
		t.Errorf("the nearest: %q", got)
	}
	if got := FindProject(root); got != filepath.Join(root, ProjectFile) {
		t.Errorf("in the folder itself: %q", got)
	}
	if FindProject("") != "" || FindProject(filepath.Join(root, "gone")) != "" {
		t.Error("found without a folder")
	}
}

func TestTrustIsForOneText(t *testing.T) {
	dir := t.TempDir()
	state := filepath.Join(dir, "state")
	path := filepath.Join(dir, ProjectFile)
	write := func(text string) Project {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		p, err := ReadProject(path)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	trust := TrustIn(state)
	p := write("retry.attempts = 3\n")
	if trust.Has(p) || trust.Knew(p) {
		t.Error("trusted unasked")
	}
	if err := trust.Add(p); err != nil || !TrustIn(state).Has(p) {
		t.Fatalf("not trusted: %v", err)
	}
	if q := write("retry.attempts = 4\n"); trust.Has(q) || !trust.Knew(q) {
		t.Error("trust survives a change of the text")
	}
	if q := write("retry.attempts = 3\n"); !trust.Has(q) {
		t.Error("the text that was agreed to is there again")
	}
	if trust.Has(Project{Path: path + "x", Text: p.Text}) {
		t.Error("trust travels to another place")
	}
	files, err := os.ReadDir(filepath.Join(state, "trusted"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	private(t, filepath.Join(state, "trusted"), 0o700)
	private(t, filepath.Join(state, "trusted", files[0].Name()), 0o600)
	if had, err := trust.Remove(p.Path); !had || err != nil || trust.Has(p) {
		t.Errorf("revoked: %v, %v", had, err)
	}
	if had, err := trust.Remove(p.Path); had || err != nil {
		t.Errorf("again: %v, %v", had, err)
	}
	if err := (Trust{}).Add(p); err == nil || (Trust{}).Has(p) || TrustIn("").Has(p) {
		t.Error("without a place for it something is trusted")
	}
}
