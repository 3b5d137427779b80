//go:build unix

package cli_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"baton/ui/termtest"
)

// How full the context is stands beside the tokens where the list of models, which is read for its first name, tells how
// much the model takes, or the configuration does; where neither does, the tokens stand alone. No request is made for it.
func TestContextFill(t *testing.T) {
	t.Parallel()
	var lists atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/models") {
			lists.Add(1)
			fmt.Fprint(w, `{"object":"list","data":[{"id":"first","max_model_len":32768},{"id":"second"}]}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{"content":"an answer"},"finish_reason":"stop"}]}`+"\n\n"+
			`data: {"choices":[],"usage":{"prompt_tokens":12000,"completion_tokens":453}}`+"\n\ndata: [DONE]\n\n")
	}))
	defer server.Close()
	home := t.TempDir()
	dir := filepath.Join(home, "config", "baton")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	config := fmt.Sprintf("agent = \"work\"\n[agents.work]\nprotocol = \"openai-chat\"\nbase_url = %q\n[agents.sized]\nprotocol = \"openai-chat\"\nbase_url = %q\nmodel = \"second\"\ncontext_window = 20000\n", server.URL+"/v1", server.URL+"/v1")
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	c := chat{termtest.Start(t, termtest.Options{Home: home, Width: 120, Height: 60}), t, nil}
	c.idle()
	c.say("hello")
	c.WaitFor("12k tok · 38% of 32k")
	c.ready()
	c.say("/model second")
	c.WaitGone("% of")
	c.WaitFor("12k tok")
	c.say("/agent sized")
	c.WaitFor("12k tok · 62% of 20k")
	c.Until("two lists", func() bool { return lists.Load() >= 2 })
	if n := lists.Load(); n != 2 { // for the first name, and for the completion of /model
		t.Errorf("the list was asked for %d times", n)
	}
}
