package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"baton/model/config"
	"baton/model/journal"
)

// examined is what doctor --json says.
type examined struct {
	Version  string
	Exit     int
	Findings []finding
}

// doctor runs the command both ways and wants them to agree.
func (d *desk) doctor(args ...string) (examined, string) {
	d.t.Helper()
	text := d.invoke(append([]string{"doctor"}, args...)...)
	o := d.invoke(append([]string{"doctor", "--json"}, args...)...)
	var e examined
	if err := json.Unmarshal([]byte(o.out), &e); err != nil {
		d.t.Fatalf("%v: %+v", err, o)
	}
	if e.Exit != o.code || text.code != o.code || text.errors+o.errors != "" {
		d.t.Errorf("exit codes %d, %d and %d; %s%s", e.Exit, o.code, text.code, text.errors, o.errors)
	}
	for _, f := range e.Findings {
		if f.State != fine && f.Next == "" {
			d.t.Errorf("no next step: %+v", f)
		}
		if f.Says == "" || !slices.Contains([]string{fine, warning, problem}, f.State) {
			d.t.Errorf("%+v", f)
		}
	}
	for what, s := range map[string]string{"text": text.out, "JSON": o.out} {
		if i := strings.IndexFunc(s, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }); i >= 0 {
			d.t.Errorf("the %s holds a control character (C14): %q", what, s[max(0, i-20):i+20])
		}
		if strings.Contains(s, canary) {
			d.t.Errorf("the %s holds a secret (C15):\n%s", what, s)
		}
	}
	return e, text.out
}

// has reports whether a finding of this state says (or advises) something with these words.
func (e examined) has(state, words string) bool {
	return slices.ContainsFunc(e.Findings, func(f finding) bool {
		return f.State == state && strings.Contains(f.Says+" → "+f.Next, words)
	})
}

func (e examined) want(t *testing.T, state, words string) {
	t.Helper()
	if !e.has(state, words) {
		t.Errorf("no %s says %q:\n%+v", state, words, e.Findings)
	}
}

func serverAgent(url string) string {
	return "agent = \"work\"\n[agents.work]\nprotocol = \"openai-chat\"\nbase_url = \"" + url + "/v1\"\nmodel = \"m\"\n"
}

func TestDoctorWithNothing(t *testing.T) {
	d := newDesk(t)
	e, text := d.doctor()
	if e.Exit != 0 || e.Version != "test" || !strings.HasSuffix(text, "no problem, no warning\n") {
		t.Errorf("%d\n%s", e.Exit, text)
	}
	for _, area := range []string{"program", "configuration", "files", "sessions", "terminal", "agent", "programs"} {
		if !strings.Contains(text, "\n"+area+"\n") && !strings.HasPrefix(text, area+"\n") {
			t.Errorf("nothing about %s:\n%s", area, text)
		}
	}
	for _, words := range []string{"the defaults are in force", "sandbox: it is part of this program", "standard input is none", "baton test, go"} {
		e.want(t, fine, words)
	}
	if entries, err := os.ReadDir(d.home); err != nil || len(entries) > 0 {
		t.Errorf("it left something: %v, %v", entries, err)
	}
}

// The server is asked once, with the key, and sent nothing. What it answers decides.
func TestDoctorReachesTheServer(t *testing.T) {
	t.Setenv("WORK_KEY", "must not be looked up there")
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		code   int
		state  string
		says   string
	}{
		"lists": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"data":[{"id":"m"},{"id":"n"}]}`) }, 0, fine, "the server answers and lists 2 models (connection "},
		"other": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"data":[{"id":"n"}]}`) }, 0, fine, "the model m is not among them"},
		"refuses": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":{"message":"bad \u001b[2J key `+canary+`"}}`, 401)
		}, ExitFailed, problem, "refuses the key"},
		"nothing": {func(w http.ResponseWriter, _ *http.Request) { http.NotFound(w, nil) }, 0, warning, "no list of models there (404"},
		"busy": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", canary)
			w.WriteHeader(503)
		}, 0, warning, "the server answers: "},
		"redirects": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/"+canary+"?key="+canary, 307) }, ExitFailed, problem, "but not as an agent"},
		"page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<title>"+canary+"\x1b]0;x\a</title>")
		}, ExitFailed, problem, "but not as an agent"},
		"late": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Date", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat))
			fmt.Fprint(w, `{"data":[]}`)
		}, 0, warning, "this machine's clock is 1h0m"},
		"early": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Date", time.Now().Add(2*time.Minute).UTC().Format(http.TimeFormat))
			fmt.Fprint(w, `{"data":[]}`)
		}, 0, warning, "behind the server's"},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			var seen []string
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				seen = append(seen, fmt.Sprint(r.Method, " ", r.URL.Path, " ", r.Header.Get("Authorization"), " ", r.ContentLength))
				mu.Unlock()
				c.answer(w, r)
			}))
			defer srv.Close()
			d := newDesk(t)
			d.vars["WORK_KEY"] = canary
			d.write(userFile, serverAgent(srv.URL)+"api_key_env = \"WORK_KEY\"\nheaders = { X-Token = \"h"+canary+"\" }\n")
			e, _ := d.doctor()
			if e.Exit != c.code {
				t.Errorf("exit code %d", e.Exit)
			}
			e.want(t, c.state, c.says)
			e.want(t, fine, fmt.Sprintf("there is a key of %d characters, from $WORK_KEY", len(canary)))
			want := "GET /v1/models Bearer " + canary + " 0"
			if len(seen) != 2 || seen[0] != want || seen[1] != want { // --json is a run of its own
				t.Errorf("the server saw %q", seen)
			}
			if e, _ = d.doctor("--offline"); len(seen) != 2 {
				t.Errorf("--offline asks the server: %q", seen)
			}
			e.want(t, fine, "left alone")
		})
	}
}

// A server that is not there, or never answers, is said to be so after a bounded wait.
func TestDoctorWaitsOnlySoLong(t *testing.T) {
	d := newDesk(t)
	gone := httptest.NewServer(nil)
	gone.Close()
	d.write(userFile, serverAgent(gone.URL))
	e, _ := d.doctor()
	e.want(t, problem, "the server cannot be reached: ")
	done := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-done }))
	defer srv.Close()
	defer close(done)
	doc := &doctor{app: &app{}, wait: 50 * time.Millisecond, agents: newAgents(config.Config{}, nil)}
	doc.reach(t.Context(), config.AgentConfig{Name: "a", Protocol: "openai-chat", BaseURL: srv.URL, Model: "m"}, config.Secret{}, "")
	if got := (examined{Findings: doc.found}); !got.has(problem, "did not answer within 50ms (connection ") && !got.has(problem, "the server cannot be reached: ") {
		t.Errorf("%+v", doc.found)
	}
}

// Whatever is wrong with a key is said without it.
func TestDoctorLooksAtTheKey(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	url := "http://127.0.0.1:1"
	for name, c := range map[string]struct {
		setting, value string
		state, says    string
	}{
		"not set":   {"api_key_env = \"NO_KEY\"", "", problem, "$NO_KEY is not set → export NO_KEY before you start baton"},
		"malformed": {"api_key_env = \"WORK_KEY\"", canary + " " + canary, problem, "the key from $WORK_KEY has white space inside"},
		"no file":   {"api_key_file = \"gone\"", "", problem, "the api_key_file does not exist"},
		"program":   {"api_key_command = [" + fmt.Sprintf("%q", self) + ", \"-test.run=^$\"]", "", problem, ""},
		"none":      {"", "", fine, "no key is named"},
	} {
		d := newDesk(t)
		d.vars["WORK_KEY"] = c.value
		d.write(userFile, serverAgent(url)+c.setting+"\n")
		e, _ := d.doctor()
		e.want(t, c.state, c.says)
		if name == "program" {
			e, _ = d.doctor("--offline")
			e.want(t, fine, "api_key_command, which was not run")
		}
	}
	d := newDesk(t)
	d.vars["OPENAI_API_KEY"] = canary
	e, _ := d.doctor()
	e.want(t, fine, fmt.Sprintf("OPENAI_API_KEY is set (%d characters); it goes by itself to https://api.openai.com alone", len(canary)))
}

func TestDoctorLooksAtTheConfiguration(t *testing.T) {
	d := newDesk(t)
	d.write(userFile, "[retry]\nattempts = 0\n[retyr]\n")
	e, _ := d.doctor()
	if e.Exit != ExitConfig {
		t.Errorf("exit code %d", e.Exit)
	}
	e.want(t, problem, "config.toml:2:12: retry.attempts must be at least 1")
	e.want(t, problem, "config.toml:3:2: unknown key")
	d.write(userFile, "")
	d.write("work/.baton.toml", "retry.attempts = 2\n")
	e, _ = d.doctor()
	e.want(t, warning, "the .baton.toml of this project is not read")
	if o := d.invoke("config", "trust", "--yes"); o.code != 0 {
		t.Fatal(o)
	}
	e, _ = d.doctor()
	e.want(t, fine, ".baton.toml is trusted and read")
	e.want(t, fine, "the environment sets $BATON_RETRY_BASE")
	d.home = ""
	e, _ = d.doctor()
	e.want(t, problem, "no home directory is known → set $HOME")
	if e.Exit != ExitConfig {
		t.Errorf("without a home: %d", e.Exit)
	}
	d.vars["XDG_STATE_HOME"], d.vars["XDG_CONFIG_HOME"] = filepath.Join(d.dir, "s"), filepath.Join(d.dir, "c")
	if e, _ = d.doctor(); e.Exit != 0 {
		t.Errorf("with both folders: %+v", e)
	}
}

func TestDoctorLooksAtFilesAndSessions(t *testing.T) {
	d := newDesk(t)
	state := filepath.Join(d.home, ".local", "state", "baton")
	if o := d.invoke("run", "-p", "hello"); o.code != 0 {
		t.Fatal(o)
	}
	all, err := journal.List(filepath.Join(state, "sessions"))
	if err != nil || len(all) != 1 {
		t.Fatal(err)
	}
	held, _, err := journal.Open(filepath.Join(state, "sessions"), all[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	e, _ := d.doctor()
	e.want(t, fine, "1 session kept")
	e.want(t, fine, fmt.Sprintf("%s is in use by process %d", all[0].ID, os.Getpid()))
	e.want(t, fine, "sessions: "+filepath.Join(state, "sessions"))
	if e.Exit != 0 {
		t.Errorf("%+v", e)
	}
	if runtime.GOOS != "windows" { // which has no such modes
		if err := os.Chmod(filepath.Join(state, "sessions"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(d.write(userFile, ""), 0o666); err != nil {
			t.Fatal(err)
		}
		e, _ = d.doctor()
		e.want(t, warning, "can be looked into by others (mode 0755) → chmod 700 "+filepath.Join(state, "sessions"))
		e.want(t, warning, "others can change ")
	}
	d.vars["XDG_STATE_HOME"] = filepath.Join(d.dir, "s")
	d.write("s/baton", "a file")
	e, _ = d.doctor()
	e.want(t, problem, "is no folder → move it away")
	if e.Exit != ExitFailed {
		t.Errorf("exit code %d", e.Exit)
	}
}

// Names on the PATH are found and nothing there is run.
func TestDoctorRunsNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("programs there are told by their extension")
	}
	d := newDesk(t)
	ran := filepath.Join(d.dir, "ran")
	bin := filepath.Join(d.dir, "bin")
	for _, name := range []string{"gemini", "goose", "ed", "xclip"} {
		if err := os.Chmod(d.write("bin/"+name, "#!/bin/sh\ntouch "+ran+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	d.vars["EDITOR"] = "ed -p x"
	e, _ := d.doctor()
	e.want(t, fine, "ctrl+g opens ed")
	e.want(t, fine, "for the clipboard: xclip")
	e.want(t, fine, "agents on the PATH: gemini, goose")
	d.vars["EDITOR"] = "no\x1b[2Jsuch"
	e, _ = d.doctor()
	e.want(t, warning, "the editor ")
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program was run")
	}
}

func TestDoctorLooksAtTheTerminal(t *testing.T) {
	for name, c := range map[string]struct {
		vars  map[string]string
		state string
		says  string
	}{
		"no TERM":       {map[string]string{"TERM": ""}, warning, "$TERM is not set"},
		"dumb":          {map[string]string{"TERM": "dumb"}, warning, "baton --plain writes lines"},
		"256":           {map[string]string{}, fine, "256 colours"},
		"NO_COLOR":      {map[string]string{"NO_COLOR": "1"}, fine, "no colours, $NO_COLOR is set"},
		"latin 1":       {map[string]string{"LC_ALL": "de_DE.ISO-8859-1", "LANG": "C.UTF-8"}, warning, "$LC_ALL is de_DE.ISO-8859-1, which is not UTF-8"},
		"UTF-8":         {map[string]string{"LANG": "C.UTF-8"}, fine, "$LANG is C.UTF-8"},
		"console":       {map[string]string{"TERM": "linux"}, fine, "drawn with ASCII"},
		"tmux":          {map[string]string{"TMUX": "/tmp/x", "TERM": "tmux-256color"}, fine, "set -g allow-passthrough on"},
		"tmux as xterm": {map[string]string{"TMUX": "/tmp/x"}, warning, "inside tmux $TERM is xterm-256color"},
		"screen":        {map[string]string{"STY": "1.pts", "TERM": "screen"}, fine, "GNU screen"},
		"ssh":           {map[string]string{"SSH_TTY": "/dev/pts/1"}, fine, "over ssh"},
		"hostile":       {map[string]string{"TERM": "x\x1b]0;evil\a", "LANG": "\x9b6n.UTF-8", "NO_COLOR": "\u202e"}, fine, "$TERM is x"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			for k, v := range c.vars {
				d.vars[k] = v
			}
			e, _ := d.doctor("--offline")
			e.want(t, c.state, c.says)
			if e.Exit != 0 {
				t.Errorf("exit code %d", e.Exit)
			}
		})
	}
}
