package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// config init writes a file that changes nothing, once; show says what is in force and
// who set it, without secrets; check names every mistake with its place.
func TestConfigCommands(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "deep", "config.toml")
	if o := invoke(t, "", nil, "config", "path", "--config", file); o.code != 0 || o.out != file+"\n" {
		t.Errorf("path: %+v", o)
	}
	before := invoke(t, "", nil, "config", "show")
	if o := invoke(t, "", nil, "config", "init", "--config", file); o.code != 0 || o.out != file+"\n" {
		t.Fatalf("init: %+v", o)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	strip := func(s string) string { // the place of the state differs by invocation
		var ls []string
		for _, l := range strings.Split(s, "\n") {
			if !strings.HasPrefix(l, "state_dir") {
				ls = append(ls, l)
			}
		}
		return strings.Join(ls, "\n")
	}
	if o := invoke(t, "", nil, "config", "show", "--config", file); o.code != 0 || strip(o.out) != strip(before.out) {
		t.Errorf("a fresh file changes what is in force:\n%s\nbefore\n%s", o.out, before.out)
	}
	if o := invoke(t, "", nil, "config", "init", "--config", file); o.code != ExitFailed || !strings.Contains(o.errors, "is there already") {
		t.Errorf("init again: %+v", o)
	}
	text := "[retry]\nattempts = 0\n[agents.work]\nprotocol = \"openai-chat\"\nbase_url = \"http://127.0.0.1/v1\"\nheaders = { \"X-Team\" = \"" + canary + "\" }\n[retyr]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	o := invoke(t, "", nil, "config", "check", "--config", file)
	if o.code != ExitConfig || !strings.Contains(o.errors, "config.toml:2:") || !strings.Contains(o.errors, "config.toml:7:2: unknown key") {
		t.Errorf("check: %+v", o)
	}
	if o := invoke(t, "", nil, "config", "show", "--config", file); o.code != ExitConfig {
		t.Errorf("show of a wrong file: %+v", o)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(strings.Replace(text, "= 0", "= 2", 1), "[retyr]", "", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	o = invoke(t, "", nil, "config", "show", "--config", file)
	if o.code != 0 || strings.Contains(o.out, canary) || !strings.Contains(o.out, "retry.attempts = 2 # ") || !strings.Contains(o.out, "config.toml:2:") {
		t.Errorf("show: %+v", o)
	}
	if o := invoke(t, "", nil, "config", "check"); o.code != 0 {
		t.Errorf("check without a file: %+v", o)
	}
	if o := invoke(t, "", nil, "config"); o.code != ExitUsage || !strings.Contains(o.errors, "path, show, check, init, keys, trust and schema") {
		t.Errorf("config alone: %+v", o)
	}
}
