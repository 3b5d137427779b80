package config

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// lingerer is the variable with the file into which a program that lingers writes its process number.
const lingerer = "BATON_TEST_LINGERER"

// TestMain lets the test binary stand in for a key program.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "key-program" {
		switch os.Args[2] {
		case "fail":
			fmt.Fprintln(os.Stderr, canary)
			os.Exit(3)
		case "linger":
			if named := os.Getenv(lingerer); named != "" {
				if err := os.WriteFile(named, fmt.Appendln(nil, os.Getpid()), 0o600); err != nil {
					os.Exit(1)
				}
			}
			time.Sleep(20 * time.Second)
		case "daemon":
			daemon := exec.Command(os.Args[0], "key-program", "linger")
			daemon.Stdout = os.Stdout
			if err := daemon.Start(); err != nil {
				os.Exit(1)
			}
			fmt.Println(canary)
			os.Exit(0)
		case "asker": // as a baton that waits for its key
			_, _ = runProgram(context.Background(), []string{os.Args[0], "key-program", "linger"})
		case "flood":
			for {
				if _, err := fmt.Println(strings.Repeat("x", 4096)); err != nil {
					os.Exit(1)
				}
			}
		}
		fmt.Println(os.Args[2])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const canary = "sk-canary-0123456789abcdef"

func access(env map[string]string) KeyAccess {
	return KeyAccess{
		Env:      setup{env: env}.getenv,
		Run:      func(context.Context, []string) ([]byte, error) { return nil, errors.New("not expected") },
		ReadFile: func(string) ([]byte, fs.FileMode, error) { return nil, 0, errors.New("not expected") },
	}
}

func TestWhereAKeyComesFrom(t *testing.T) {
	env := map[string]string{"WORK_KEY": "  " + canary + "\n", "OPENAI_API_KEY": "sk-openai", "ANTHROPIC_API_KEY": "sk-anthropic", "GEMINI_API_KEY": "sk-gemini", "GROQ_API_KEY": " "}
	for name, c := range map[string]struct {
		agent     AgentConfig
		key, from string
	}{
		"named":                         {AgentConfig{BaseURL: "https://h/v1", APIKeyEnv: "WORK_KEY"}, canary, "$WORK_KEY"},
		"well-known at home":            {AgentConfig{BaseURL: "https://api.openai.com/v1"}, "sk-openai", "$OPENAI_API_KEY"},
		"at home, written otherwise":    {AgentConfig{BaseURL: "https://API.OpenAI.com:443/v2"}, "sk-openai", "$OPENAI_API_KEY"},
		"named beside the well-known":   {AgentConfig{BaseURL: "https://api.openai.com/v1", APIKeyEnv: "WORK_KEY"}, canary, "$WORK_KEY"},
		"well-known named elsewhere":    {AgentConfig{BaseURL: "https://h/v1", APIKeyEnv: "OPENAI_API_KEY"}, "sk-openai", "$OPENAI_API_KEY"},
		"well-known elsewhere, unnamed": {AgentConfig{BaseURL: "https://h/v1"}, "", ""},
		"anthropic's own protocol":      {AgentConfig{Protocol: "anthropic", BaseURL: "https://api.anthropic.com"}, "sk-anthropic", "$ANTHROPIC_API_KEY"},
		"gemini's own protocol":         {AgentConfig{Protocol: "gemini", BaseURL: "https://generativelanguage.googleapis.com/v1beta"}, "sk-gemini", "$GEMINI_API_KEY"},
		"their protocol, another host":  {AgentConfig{Protocol: "anthropic", BaseURL: "https://gateway.example/v1"}, "", ""},
		"another port":                  {AgentConfig{BaseURL: "https://api.openai.com:8443/v1"}, "", ""},
		"plain http":                    {AgentConfig{BaseURL: "http://api.openai.com/v1", AllowPlainHTTP: true}, "", ""},
		"a host that only begins so":    {AgentConfig{BaseURL: "https://api.openai.com.evil/v1"}, "", ""},
		"another service":               {AgentConfig{BaseURL: "https://api.mistral.ai/v1"}, "", ""},
		"blank well-known":              {AgentConfig{BaseURL: "https://api.groq.com/openai/v1"}, "", ""},
		"no address":                    {AgentConfig{Protocol: "sandbox"}, "", ""},
	} {
		key, from, err := c.agent.Key(t.Context(), access(env))
		if err != nil || key.Reveal() != c.key || from != c.from {
			t.Errorf("%s: %q from %q, %v", name, key.Reveal(), from, err)
		}
	}
}

func TestEachWellKnownKeyStaysAtHome(t *testing.T) {
	env := map[string]string{}
	for _, w := range wellKnown {
		env[w.Env] = "key-of-" + w.Env
	}
	for _, w := range wellKnown {
		key, from, err := AgentConfig{BaseURL: w.BaseURL}.Key(t.Context(), access(env))
		if err != nil || key.Reveal() != "key-of-"+w.Env || from != "$"+w.Env {
			t.Errorf("%s: %q from %q, %v", w.BaseURL, key.Reveal(), from, err)
		}
		if _, msg, _ := cleanURL(w.BaseURL, false); msg != "" {
			t.Errorf("%s %s", w.BaseURL, msg)
		}
	}
}

func TestOffers(t *testing.T) {
	got := Offers(setup{env: map[string]string{"XAI_API_KEY": canary, "OPENAI_API_KEY": canary, "MISTRAL_API_KEY": " "}}.getenv)
	if len(got) != 2 || got[1].Env != "XAI_API_KEY" {
		t.Fatalf("%+v", got)
	}
	if want := "OPENAI_API_KEY is set: baton --base-url https://api.openai.com/v1 uses it"; got[0].Offer() != want {
		t.Errorf("got %s", got[0].Offer())
	}
}

func TestMalformedKeysAreRefusedUnshown(t *testing.T) {
	for name, c := range map[string]struct{ value, wrong string }{
		"blank":     {" \t", "is empty"},
		"newline":   {canary + "\n" + canary, "has white space inside"},
		"space":     {canary + " x", "has white space inside"},
		"tab":       {canary + "\tx", "has white space inside"},
		"control":   {canary + "\x1bx", "holds a character that no key has (a control character, or one outside ASCII)"},
		"nul":       {canary + "\x00", "holds a character that no key has (a control character, or one outside ASCII)"},
		"quotes":    {"“" + canary + "”", "holds a character that no key has (a control character, or one outside ASCII)"},
		"nbsp":      {canary + "\u00a0x", "holds a character that no key has (a control character, or one outside ASCII)"},
		"too long":  {canary + strings.Repeat("x", MaxKeyBytes+1-len(canary)), "is longer than 8 KiB"},
		"":          {strings.Repeat("x", MaxKeyBytes), ""},
		"one below": {strings.Repeat("x", MaxKeyBytes-1), ""},
	} {
		_, _, err := AgentConfig{Name: "a", APIKeyEnv: "K"}.Key(t.Context(), access(map[string]string{"K": c.value}))
		if c.wrong == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err == nil || err.Error() != "the key from $K "+c.wrong {
			t.Errorf("%s: %v", name, err)
		}
		var e *Error
		if !errors.As(err, &e) || e.Key != "agents.a.api_key_env" || e.Next == "" || strings.Contains(fmt.Sprintf("%#v", e), "canary") {
			t.Errorf("%s: %#v", name, e)
		}
	}
	_, _, err := AgentConfig{APIKeyEnv: "GONE"}.Key(t.Context(), access(nil))
	if err == nil || err.Error() != "$GONE is not set" {
		t.Errorf("unset: %v", err)
	}
}

func TestKeyProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		argv []string
		key  string
		err  string
	}{
		"prints":    {[]string{self, "key-program", canary}, canary, ""},
		"no shell":  {[]string{self, "key-program", "$HOME;x"}, "$HOME;x", ""},
		"fails":     {[]string{self, "key-program", "fail"}, "", "api_key_command failed: exit status 3"},
		"floods":    {[]string{self, "key-program", "flood"}, "", "api_key_command failed: it printed far more than a key"},
		"daemon":    {[]string{self, "key-program", "daemon"}, canary, ""}, // that holds the pipe
		"no such":   {[]string{"/nowhere/" + canary}, "", "api_key_command failed: there is no such program"},
		"a bad key": {[]string{self, "key-program", "a b"}, "", "the key from api_key_command has white space inside"},
	} {
		key, from, err := AgentConfig{Name: "a", APIKeyCommand: c.argv}.Key(t.Context(), SystemKeys())
		if key.Reveal() != c.key || (c.err == "") != (err == nil) || err != nil && err.Error() != c.err {
			t.Errorf("%s: %q, %v", name, key.Reveal(), err)
		}
		if err == nil && from != "api_key_command" {
			t.Errorf("%s: from %q", name, from)
		}
		if strings.Contains(fmt.Sprintf("%v %#v", err, err), "canary") {
			t.Errorf("%s: shows the key: %v", name, err)
		}
	}
}

func TestKeyProgramIsLeftAfterTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from := access(nil)
		from.Run = func(ctx context.Context, _ []string) ([]byte, error) { <-ctx.Done(); return nil, ctx.Err() }
		a, start := AgentConfig{Name: "a", APIKeyCommand: []string{"sleep"}}, time.Now()
		_, _, err := a.Key(t.Context(), from)
		if took := time.Since(start); took != KeyCommandTimeout || err == nil || err.Error() != "api_key_command took longer than 10s" {
			t.Errorf("after %v: %v", took, err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		stop := errors.New("stopped")
		time.AfterFunc(time.Second, func() { cancel(stop) })
		if _, _, err := a.Key(ctx, from); !errors.Is(err, stop) {
			t.Errorf("a stop reads %v", err)
		}
	})
}

func TestKeyFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode fs.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil { // past the umask
			t.Fatal(err)
		}
		return path
	}
	cases := map[string]struct{ path, key, err, next string }{
		"private": {write("a", canary+"\r\n", 0o600), canary, "", ""},
		"missing": {filepath.Join(dir, canary), "", "the api_key_file does not exist", "check agents.a.api_key_file in the configuration"},
		"folder":  {dir, "", "the api_key_file cannot be read: it is no regular file", "check agents.a.api_key_file in the configuration"},
		"huge":    {write("h", strings.Repeat("x", maxKeySource+1), 0o600), "", "the api_key_file is far larger than a key", "put the key alone into it"},
		"blank":   {write("b", "\n", 0o600), "", "the key from api_key_file is empty", "copy the key again, alone and whole"},
	}
	if runtime.GOOS != "windows" { // which has no such modes
		for _, mode := range []fs.FileMode{0o640, 0o604, 0o620, 0o644} {
			path := write("m"+octal(mode), canary, mode)
			cases["mode "+octal(mode)] = struct{ path, key, err, next string }{path, "", "the api_key_file can be read by others (mode " + octal(mode) + ")", "chmod 600 " + path}
		}
		cases["readable by its owner only"] = struct{ path, key, err, next string }{write("r", canary, 0o400), canary, "", ""}
	}
	for name, c := range cases {
		key, _, err := AgentConfig{Name: "a", APIKeyFile: c.path}.Key(t.Context(), SystemKeys())
		if key.Reveal() != c.key || (c.err == "") != (err == nil) || err != nil && err.Error() != c.err {
			t.Errorf("%s: %q, %v", name, key.Reveal(), err)
		}
		var e *Error
		if errors.As(err, &e) && e.Next != c.next {
			t.Errorf("%s: next %q", name, e.Next)
		}
	}
}

// A key that got into a configuration, where it belongs or by mistake, is in no form
// of printing what came out of it.
func TestCanaryIsNeverPrinted(t *testing.T) {
	server := "agent = \"a\"\n[agents.a]\nprotocol = \"openai-chat\"\nbase_url = \"https://h/v1\"\n"
	c := mustLoad(t, setup{file: server + "headers = { Authorization = \"Bearer " + canary + "\" }\napi_key_env = \"K\"\n"})
	key, _, err := c.Agent.Key(t.Context(), access(map[string]string{"K": canary}))
	if err != nil || key.Reveal() != canary || !strings.Contains(c.Agent.Headers["Authorization"].Reveal(), canary) {
		t.Fatalf("the canary is not there to be found: %v", err)
	}
	printed := printEveryWay(t, c) + printEveryWay(t, c.Agent) + printEveryWay(t, key) + printEveryWay(t, []any{key, &key}) + printEveryWay(t, c.Entries())
	if !strings.Contains(printed, "[redacted]") {
		t.Error("nothing is redacted")
	}
	for _, mistake := range []string{
		server + "api_key = \"" + canary + "\"",
		server + "api_key_env = \"" + canary + "\"",
		server + "headers = { X = \"" + canary + "\\n\" }",
		server + "headers = { X = [\"" + canary + "\"] }",
		server + "api_key_command = \"" + canary + "\"",
		server + "api_key_file = \"" + canary + "\\n\"",
		server + "api_key_file = " + canary,
		server + "api_key_file = \"" + canary,
		strings.Replace(server, "https://h", "https://user:"+canary+"@h", 1),
		strings.Replace(server, "https://h", "https://h:"+canary, 1),
		strings.Replace(server, "https://h/v1", "https://h/v1?key="+canary, 1),
		strings.Replace(server, "https://h/v1", "https:user:"+canary+"@h/v1", 1),
		strings.Replace(server, "https://h/v1", "https://user:"+canary+"%zz@h/v1", 1),
	} {
		_, err := (setup{file: mistake}).load()
		if err == nil {
			t.Errorf("accepted: %s", mistake)
			continue
		}
		printed += printEveryWay(t, err)
		var all Problems
		errors.As(err, &all)
		for _, e := range all {
			printed += printEveryWay(t, *e)
		}
	}
	if i := strings.Index(printed, "canary"); i >= 0 {
		t.Errorf("printed: %s", printed[max(0, i-200):i+60])
	}
}

func printEveryWay(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&b, verb+"\n", v)
	}
	j, err := json.Marshal(v)
	if err != nil {
		t.Error(err)
	}
	b.Write(j)
	slog.New(slog.NewTextHandler(&b, nil)).Info("x", "v", v)
	slog.New(slog.NewJSONHandler(&b, nil)).Info("x", "v", v)
	return b.String()
}

func TestEntriesSayWhoSetWhat(t *testing.T) {
	c := mustLoad(t, setup{
		file:  twoAgents + "headers = { X = \"secret\" }\n[keys]\nretry = [\"ctrl+t\"]\n",
		env:   map[string]string{"BATON_UI_THEME": "mono"},
		flags: Flags{Model: "m"},
	})
	lines := map[string]string{}
	for _, e := range c.Entries() {
		lines[e.Key] = e.Value + " by " + e.Origin.String()
	}
	for key, want := range map[string]string{
		"agent":                   `"work" by config.toml:1:9`,
		"retry.max_wait":          `"1m" by default`,
		"ui.theme":                `"mono" by $BATON_UI_THEME`,
		"agents.work.model":       `"m" by --model`,
		"agents.free.headers":     `{ "X" = "[redacted]" } by config.toml:10:11`,
		"agents.sandbox.protocol": `"sandbox" by default`,
		"keys.retry":              `["ctrl+t"] by config.toml:12:10`,
	} {
		if lines[key] != want {
			t.Errorf("%s: %s, want %s", key, lines[key], want)
		}
	}
	if _, ok := lines["agents.free.model"]; ok {
		t.Error("shows what is not set")
	}
}
