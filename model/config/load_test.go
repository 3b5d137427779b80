package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestEachLayerOverridesTheOneBefore(t *testing.T) {
	file := "[retry]\nattempts = 7\nbase = \"1s\"\n[agents.work]\nprotocol = \"openai-chat\"\nbase_url = \"https://h/v1\"\nmodel = \"m-file\"\n"
	s := setup{}
	if c := mustLoad(t, s); c.Retry.Attempts != 5 || c.Sources["retry.attempts"].String() != "default" {
		t.Errorf("default: %d from %v", c.Retry.Attempts, c.Sources["retry.attempts"])
	}
	s.file = file
	if c := mustLoad(t, s); c.Retry.Attempts != 7 || c.Sources["retry.attempts"].String() != "config.toml:2:12" {
		t.Errorf("file: %d from %v", c.Retry.Attempts, c.Sources["retry.attempts"])
	}
	s.env = map[string]string{"BATON_RETRY_ATTEMPTS": "9", "BATON_AGENT": "work", "BATON_MODEL": "m-env"}
	c := mustLoad(t, s)
	if c.Retry.Attempts != 9 || c.Sources["retry.attempts"].String() != "$BATON_RETRY_ATTEMPTS" || c.Retry.Base != time.Second {
		t.Errorf("environment: %+v from %v", c.Retry, c.Sources["retry.attempts"])
	}
	if c.Agent.Model != "m-env" || c.Sources["agents.work.model"].String() != "$BATON_MODEL" {
		t.Errorf("model %q from %v", c.Agent.Model, c.Sources["agents.work.model"])
	}
	s.flags = Flags{Model: "m-flag", Fault: "500,429:7"}
	c = mustLoad(t, s)
	if c.Agent.Model != "m-flag" || c.Sources["agents.work.model"].String() != "--model" || c.Fault != "500,429:7" {
		t.Errorf("flag: %q from %v, fault %q", c.Agent.Model, c.Sources["agents.work.model"], c.Fault)
	}
	if c.Agents["work"].Model != "m-flag" {
		t.Error("switching back to the agent would lose the flag")
	}
}

func TestEveryKeyCanBeSetInEveryPlace(t *testing.T) {
	values := map[string]string{
		"agent": "work", "debug": "true", "state_dir": "/tmp/s", "retry.attempts": "12", "retry.base": "10ms", "retry.cap": "20s",
		"retry.max_wait": "2m", "timeouts.connect": "1s", "timeouts.first_byte": "2s", "timeouts.idle": "3s",
		"timeouts.turn": "1h", "queue.after_stop": "drain", "sessions.keep": "30d", "ui.theme": "mono", "ui.background": "light",
		"ui.notify": "osc9", "ui.ascii": "on", "ui.motion": "reduced", "ui.plain": "true",
	}
	const agents = "\n[agents.work]\nprotocol = \"sandbox\"\n"
	for _, k := range keys {
		value, ok := values[k.name]
		if !ok {
			t.Fatalf("no value for %s: add one", k.name)
		}
		d := defaults()
		before := k.get(&d)
		toml := value
		if k.kind != "integer" && k.kind != "boolean" {
			toml = `"` + value + `"`
		}
		for place, s := range map[string]setup{
			"file":     {file: k.name + " = " + toml + agents},
			"variable": {file: agents, env: map[string]string{variableOf(k.name): value}},
		} {
			c := mustLoad(t, s)
			want := toml
			if k.name == "state_dir" {
				abs, _ := filepath.Abs(value)
				want = quoteAll([]string{abs})[1:]
				want = want[:len(want)-1]
			}
			if got := k.get(&c); got == before || got != want {
				t.Errorf("%s by %s: %s, want %s", k.name, place, got, want)
			}
		}
	}
}

func TestKeepAtItsLimits(t *testing.T) {
	if c := mustLoad(t, setup{}); c.Sessions.Keep != 0 {
		t.Errorf("sessions go after %s, unasked", c.Sessions.Keep)
	}
	for n := maxKeepDays - 1; n <= maxKeepDays+1; n++ {
		c, err := setup{file: fmt.Sprintf("sessions.keep = \"%dd\"", n)}.load()
		if (err == nil) != (n <= maxKeepDays) || err == nil && c.Sessions.Keep != time.Duration(n)*24*time.Hour {
			t.Errorf("%d days: %s, %v", n, c.Sessions.Keep, err)
		}
	}
	if c := mustLoad(t, setup{file: "sessions.keep = \"30d\"", env: map[string]string{"BATON_SESSIONS_KEEP": "off"}}); c.Sessions.Keep != 0 {
		t.Errorf("the variable does not switch it off: %s", c.Sessions.Keep)
	}
}

func TestAgentKeysReachTheAgent(t *testing.T) {
	c := mustLoad(t, setup{file: `agent = "work"
[agents.work]
protocol = "openai-chat"
base_url = "HTTPS://API.example.com:443/v1//"
model = "m"
system = "two\nlines"
max_tokens = 10
temperature = 0
api_key_file = "keys/work"
ca_file = "~/ca.pem"
usage = true
lenient_end = true
headers = { "X-Team" = "blue" }
[agents.gem]
protocol = "acp"
command = ["gemini", "--acp"]
[agents.sandbox]
model = "scripted-2"
[keys]
retry = "ctrl+t"
stop = []
`})
	a, config := c.Agent, filepath.Join(home, ".config", "baton")
	absolute := func(p string) string { p, _ = filepath.Abs(p); return p }
	switch {
	case a.Name != "work" || a.Protocol != "openai-chat" || a.Model != "m" || a.System != "two\nlines" || a.MaxTokens != 10:
		t.Errorf("%+v", a)
	case a.Temperature == nil || *a.Temperature != 0:
		t.Error("temperature 0 is a temperature")
	case a.BaseURL != "https://API.example.com:443/v1" || a.Origin() != "https://api.example.com":
		t.Errorf("base URL %q, origin %q", a.BaseURL, a.Origin())
	case a.APIKeyFile != absolute(filepath.Join(config, "keys", "work")) || a.CAFile != absolute(filepath.Join(home, "ca.pem")):
		t.Errorf("paths %q %q", a.APIKeyFile, a.CAFile)
	case !a.Usage || !a.LenientEnd || a.Headers["X-Team"].Reveal() != "blue":
		t.Errorf("%+v", a)
	case len(c.Agents["gem"].Command) != 2 || c.Agents["gem"].Origin() != "in process":
		t.Errorf("%+v", c.Agents["gem"])
	case c.Agents["sandbox"].Protocol != "sandbox" || c.Agents["sandbox"].Model != "scripted-2":
		t.Errorf("%+v", c.Agents["sandbox"])
	case len(c.Keys) != 2 || c.Keys["retry"][0] != "ctrl+t" || c.Keys["stop"] == nil || len(c.Keys["stop"]) != 0:
		t.Errorf("%#v", c.Keys)
	}
}

func TestPathAndStateDir(t *testing.T) {
	abs := func(parts ...string) string { p, _ := filepath.Abs(filepath.Join(parts...)); return p }
	absEnv := abs("/xdg")
	for name, c := range map[string]struct {
		s           setup
		path, state string
	}{
		"home":         {setup{}, filepath.Join(home, ".config", "baton", "config.toml"), filepath.Join(home, ".local", "state", "baton")},
		"xdg":          {setup{env: map[string]string{"XDG_CONFIG_HOME": absEnv, "XDG_STATE_HOME": absEnv}}, filepath.Join(absEnv, "baton", "config.toml"), filepath.Join(absEnv, "baton")},
		"relative xdg": {setup{env: map[string]string{"XDG_CONFIG_HOME": "x", "XDG_STATE_HOME": "x"}}, filepath.Join(home, ".config", "baton", "config.toml"), filepath.Join(home, ".local", "state", "baton")},
		"tilde":        {setup{env: map[string]string{"BATON_STATE_DIR": "~/s"}}, filepath.Join(home, ".config", "baton", "config.toml"), abs(home, "s")},
		"file":         {setup{file: "state_dir = \"s\"", flags: Flags{ConfigFile: "/etc/b.toml"}}, "/etc/b.toml", abs("/etc/s")},
		"flag first":   {setup{file: "agent = \"sandbox\"", flags: Flags{ConfigFile: "/f.toml"}, env: map[string]string{"BATON_CONFIG": "/e.toml"}}, "/f.toml", filepath.Join(home, ".local", "state", "baton")},
		"variable":     {setup{file: "agent = \"sandbox\"", env: map[string]string{"BATON_CONFIG": "/e.toml", "XDG_CONFIG_HOME": absEnv}}, "/e.toml", filepath.Join(home, ".local", "state", "baton")},
	} {
		got := mustLoad(t, c.s)
		if got.File != c.path || got.StateDir != c.state {
			t.Errorf("%s: file %q, state %q; want %q, %q", name, got.File, got.StateDir, c.path, c.state)
		}
	}
}

func TestWithoutHome(t *testing.T) {
	none := func(string) string { return "" }
	read := func(string) ([]byte, error) { t.Error("read a file"); return nil, fs.ErrNotExist }
	_, err := Load(none, "", Flags{}, read, known)
	if err == nil || !strings.Contains(err.Error(), "no home directory") {
		t.Errorf("got %v", err)
	}
	env := setup{env: map[string]string{"BATON_STATE_DIR": "/s"}}.getenv
	if _, err := Load(env, "", Flags{}, read, known); err != nil {
		t.Error(err)
	}
}

func TestFileThatCannotBeRead(t *testing.T) {
	missing := setup{flags: Flags{ConfigFile: "/x/my.toml"}}
	if _, err := missing.load(); err == nil || err.Error() != "my.toml: cannot be read: file does not exist" {
		t.Errorf("a named file that is missing: %v", err)
	}
	denied := func(p string) ([]byte, error) { return nil, &fs.PathError{Op: "open", Path: p, Err: fs.ErrPermission} }
	_, err := Load(setup{}.getenv, home, Flags{}, denied, known)
	var e *Error
	if !errors.As(err, &e) || e.File == "" || e.Msg != "cannot be read: permission denied" {
		t.Errorf("denied: %v", err)
	}
	for size, ok := range map[int]bool{MaxFileBytes - 1: true, MaxFileBytes: true, MaxFileBytes + 1: false} {
		_, err := setup{file: "#" + strings.Repeat("x", size-1)}.load()
		if (err == nil) != ok {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

func TestByteOrderMarkAndCRLF(t *testing.T) {
	c := mustLoad(t, setup{file: "\uFEFF[retry]\r\nattempts = 2\r\n"})
	if c.Retry.Attempts != 2 || c.Sources["retry.attempts"].String() != "config.toml:2:12" {
		t.Errorf("%d from %v", c.Retry.Attempts, c.Sources["retry.attempts"])
	}
}
