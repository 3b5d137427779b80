package cli

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const canary = "canary4c1f0e9d8b7a6f5e4d3c2b1a" // of no known shape

// invoked is one invocation in process, with everything it wrote.
type invoked struct {
	code        int
	out, errors string
	files       map[string]string // what it left on disk
}

// invoke runs the command line with its own state and the given environment.
func invoke(t *testing.T, stdin string, env map[string]string, args ...string) invoked {
	t.Helper()
	dir := t.TempDir()
	vars := map[string]string{"XDG_STATE_HOME": filepath.Join(dir, "state"), "XDG_CONFIG_HOME": filepath.Join(dir, "config"),
		"BATON_RETRY_BASE": "1ms", "TERM": "xterm-256color"}
	for k, v := range env {
		vars[k] = v
	}
	var out, errs bytes.Buffer
	code := Main(context.Background(), World{Args: args, Env: func(k string) string { return vars[k] }, Home: dir,
		Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Version: "test"})
	o := invoked{code, out.String(), errs.String(), map[string]string{}}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		o.files[path] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestNoSecretGetsOut is C15: a server that sends the key back in every place it can
// think of does not bring it to any output, the log or an error.
func TestNoSecretGetsOut(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"in the error body": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(401)
			fmt.Fprintf(w, `{"error":{"message":"wrong key %s","type":"t-%s","code":"c-%[1]s"}}`, canary, canary)
		},
		"in headers": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Request-Id", canary)
			w.Header().Set("Retry-After", canary)
			w.WriteHeader(429)
		},
		"in a redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://"+r.Host+"/"+canary+"?key="+canary, http.StatusTemporaryRedirect)
		},
		"in a page": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<html><title>%s</title><body>%s</body></html>", canary, r.Header.Get("Authorization"))
		},
		"in the stream": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {\"error\":{\"message\":\"bad %s\",\"code\":\"%[1]s\"}}\n\n", canary)
		},
		"in an undecodable event": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {%s\n\n", canary)
		},
		"in another header of ours": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(400)
			fmt.Fprintf(w, `{"error":{"message":"no such thing: %s"}}`, r.Header.Get("X-Team"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got string
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got = r.Header.Get("Authorization")
				answer(w, r)
			}))
			defer srv.Close()
			dir := t.TempDir()
			conf := filepath.Join(dir, "config.toml")
			text := "agent = \"work\"\n[agents.work]\nprotocol = \"openai-chat\"\nbase_url = \"" + srv.URL + "/v1\"\nmodel = \"m\"\napi_key_env = \"WORK_KEY\"\nheaders = { \"X-Team\" = \"" + canary + "\" }\n"
			if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			t.Setenv("WORK_KEY", canary) // keys come from the real environment
			for _, output := range []string{"text", "jsonl"} {
				o := invoke(t, "", nil, "run", "--config", conf, "--output", output, "-p", "hello")
				if got != "Bearer "+canary {
					t.Fatalf("the key must reach the server: %q", got)
				}
				if o.code == 0 {
					t.Error("the turn was to fail")
				}
				where := map[string]string{"stdout": o.out, "stderr": o.errors}
				for path, text := range o.files {
					where[filepath.Base(path)] = text
				}
				if len(where) < 3 {
					t.Fatal("there is no session log to look into")
				}
				for place, text := range where {
					if strings.Contains(text, canary) {
						t.Errorf("%s holds the key:\n%s", place, text)
					}
				}
			}
		})
	}
}

// TestCrashTextsAreRedacted: every secret of an agent that was opened is taken out of the
// line and the stack that a crash leaves, values of headers included.
func TestCrashTextsAreRedacted(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "config.toml")
	text := "agent = \"work\"\n[agents.work]\nprotocol = \"openai-chat\"\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\napi_key_env = \"WORK_KEY\"\nheaders = { \"X-Team\" = \"header" + canary + "\" }\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("WORK_KEY", "key"+canary)
	a := &app{World: World{Env: func(string) string { return "" }, Home: dir}}
	a.flags.ConfigFile = file
	s, err := a.load()
	if err != nil {
		t.Fatal(err)
	}
	g := newAgents(s.conf, nil)
	defer g.close()
	if _, err := g.first(t.Context()); err != nil {
		t.Fatal(err)
	}
	stack := "panic: Bearer key" + canary + "\n\tmain.go:1 header" + canary
	if got := g.redact(stack); strings.Contains(got, canary) || !strings.Contains(got, "main.go:1") {
		t.Errorf("%q", got)
	}
}
