package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baton/model/engine"
	"baton/model/logbook"
	"baton/ui/termtest"
)

// logged reads the log as it stands.
func (d *desk) logged() (text string, entries []map[string]any) {
	d.t.Helper()
	raw, err := os.ReadFile(filepath.Join(d.home, ".local", "state", "baton", "log", logbook.File))
	if err != nil {
		d.t.Fatal(err)
	}
	for line := range bytes.Lines(raw) {
		var e map[string]any
		if err := json.Unmarshal(line, &e); err != nil {
			d.t.Fatalf("%v: %q", err, line)
		}
		entries = append(entries, e)
	}
	return string(raw), entries
}

// The log says what each attempt did, and holds no text of anybody and no secret (C15);
// nothing of it is on standard output or standard error.
func TestLogOfARun(t *testing.T) {
	const prompt, answer = "my private question", "their private answer"
	n := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch n++; n {
		case 1:
			w.Header().Set("X-Request-Id", "req-4711")
			w.WriteHeader(503)
			fmt.Fprintf(w, `{"error":{"message":"no: %s %s","code":"%s"}}`, prompt, canary, prompt)
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":%q},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", answer)
		}
	}))
	defer srv.Close()
	t.Setenv("WORK_KEY", canary)
	d := newDesk(t)
	d.write(userFile, serverAgent(srv.URL)+"api_key_env = \"WORK_KEY\"\n")
	o := d.invoke("run", "-p", prompt)
	if o.code != 0 || o.out != answer+"\n" || strings.Contains(o.errors, "level") {
		t.Fatalf("%+v", o)
	}
	text, es := d.logged()
	for _, secret := range []string{prompt, answer, canary, "private"} {
		if strings.Contains(text, secret) {
			t.Errorf("the log holds %q:\n%s", secret, text)
		}
	}
	var said []string
	for _, e := range es {
		said = append(said, e["msg"].(string))
		if e["msg"] == "attempt failed, another follows" && (e["status"] != float64(503) || e["request_id"] != "req-4711" || e["kind"] != "overloaded" || e["code"] != "(left out)" || e["max"] != float64(5)) {
			t.Errorf("%v", e)
		}
	}
	if got := strings.Join(said, "|"); got != "begins|agent opened|session begun|attempt failed, another follows|turn succeeded|ends" {
		t.Errorf("said %s", got)
	}
	for name, args := range map[string][]string{"flag": {"--debug"}, "variable": nil} {
		d.vars["BATON_DEBUG"] = map[string]string{"variable": "1"}[name]
		before := len(es)
		o := d.invoke(append([]string{"run", "-p", prompt}, args...)...)
		if o.code != 0 || o.out != answer+"\n" || o.errors != "" {
			t.Errorf("%s: %+v", name, o)
		}
		text, es = d.logged()
		if strings.Contains(text, "private") || !strings.Contains(text, `"level":"DEBUG","msg":"attempt started"`) || len(es) < before+7 {
			t.Errorf("%s: %d records more:\n%s", name, len(es)-before, text)
		}
	}
}

// C13: a log that cannot be written changes nothing, and what only looks leaves none.
func TestRunsWithoutALog(t *testing.T) {
	d := newDesk(t)
	p := termtest.NewProvider(t, termtest.OK("one"))
	d.write("home/.local/state/baton/log", "in the way")
	if o := d.invoke("run", "-p", "x", "--base-url", p.URL(), "--model", "m"); o.code != 0 || o.out != "one\n" || o.errors != "" {
		t.Errorf("%+v", o)
	}
	fresh := newDesk(t)
	for _, args := range [][]string{{"config", "show"}, {"sessions", "list"}, {"doctor", "--offline"}, {"version"}} {
		if o := fresh.invoke(args...); o.code != 0 {
			t.Errorf("%v: %+v", args, o)
		}
	}
	if _, err := os.Stat(filepath.Join(fresh.home, ".local")); err == nil {
		t.Error("a log was begun by what only looks")
	}
}

// failingWriter panics as a defect of the program would, with a key at hand.
type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { panic("broken \x1b[2J with " + canary) }

// A panic without a screen: one line, a private file with version and stack, no key.
func TestCrashWithoutAScreen(t *testing.T) {
	d := newDesk(t)
	p := termtest.NewProvider(t, termtest.OK("one"))
	t.Setenv("WORK_KEY", canary)
	d.write(userFile, "agent = \"work\"\n[agents.work]\nprotocol = \"openai-chat\"\nbase_url = \""+p.URL()+"\"\nmodel = \"m\"\napi_key_env = \"WORK_KEY\"\n")
	var errs bytes.Buffer
	code := Main(context.Background(), World{Args: []string{"run", "-p", "x"}, Env: func(k string) string { return d.vars[k] }, Home: d.home,
		Stdin: strings.NewReader(""), Stdout: failingWriter{}, Stderr: &errs, Version: "1.2.3"})
	line := errs.String()
	if code != ExitFailed || !strings.HasPrefix(line, "baton: internal error: broken ") || strings.Count(line, "\n") != 1 || strings.ContainsAny(line, "\x1b") || strings.Contains(line, canary) {
		t.Errorf("%d, %q", code, line)
	}
	files, err := filepath.Glob(filepath.Join(d.home, ".local", "state", "baton", "crash-*.txt"))
	if err != nil || len(files) != 1 || !strings.Contains(line, files[0]) {
		t.Fatalf("%v, %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil || !strings.HasPrefix(string(text), "baton 1.2.3, ") || !strings.Contains(string(text), "failingWriter") || strings.Contains(string(text), canary) {
		t.Errorf("%v: %s", err, text)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if log, _ := d.logged(); !strings.Contains(log, `"msg":"crashed"`) || strings.Contains(log, canary) {
		t.Error(log)
	}
}

// The panic of a job comes out in the main goroutine, with the stack of where it was.
func TestCrashOfAJob(t *testing.T) {
	d := newDesk(t)
	var errs bytes.Buffer
	a := &app{World: World{Stderr: &errs, Version: "1"}, state: d.dir}
	func() {
		defer func() { a.code = a.crashed(recover(), []byte("the stack of the main goroutine")) }()
		engine.Guarded(func() engine.Result { panic(errors.New("in the job")) })().Apply()
	}()
	files, err := filepath.Glob(filepath.Join(d.dir, "crash-*.txt"))
	if err != nil || len(files) != 1 || a.code != ExitFailed || !strings.HasPrefix(errs.String(), "baton: internal error: in the job (stack in ") {
		t.Fatalf("%v, %v, %q", files, err, errs.String())
	}
	text, err := os.ReadFile(files[0])
	if err != nil || !strings.Contains(string(text), "TestCrashOfAJob") || strings.Contains(string(text), "main goroutine") {
		t.Errorf("%v: %s", err, text)
	}
}
