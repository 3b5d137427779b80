package ollama

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"baton/agentclient"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

const head = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n"

// attempt is what one attempt came to: what was said and, as text, how it ended.
func attempt(t *testing.T, c Config, write func(*net.TCPConn)) (string, *retrypolicy.Failure) {
	t.Helper()
	server := wiretest.Start(t, func(_ int, conn *net.TCPConn) { write(conn) })
	c.BaseURL, c.Model = "http://"+server.Addr(), "m:1b"
	a, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	r := agentclient.Request{Messages: []agentclient.Message{{Role: agentclient.User, Text: "hello"}}}
	finish, err := a.Send(t.Context(), r, func(p agentclient.Piece) {
		said.WriteString(p.Text)
		if p.Reasoning != "" {
			fmt.Fprintf(&said, "(%s)", p.Reasoning)
		}
		if p.Tool != nil {
			fmt.Fprintf(&said, "[%s %s %s]", p.Tool.ID, p.Tool.Name, p.Tool.Status)
		}
	})
	if err == nil {
		return said.String() + " | " + finish.Reason, nil
	}
	var f *retrypolicy.Failure
	if !errors.As(err, &f) {
		t.Fatalf("error %v (%T), want a Failure", err, err)
	}
	return fmt.Sprintf("%s | %s", said.String(), retrypolicy.Classify(err, time.Minute).Kind), f
}

func TestStreams(t *testing.T) {
	done := func(reason string) string { return `{"done":true,"done_reason":"` + reason + `"}` + "\n" }
	for _, c := range []struct {
		name   string
		config Config
		body   string
		want   string
	}{
		{"done_without_a_message", Config{}, says(`"content":"Hello"`) + done("stop"), "Hello | stop"},
		{"done_without_a_reason", Config{}, says(`"content":"Hello"`) + `{"done":true}`, "Hello | done"},
		{"text_with_done", Config{}, `{"message":{"content":"Hello"},"done":true,"done_reason":"stop"}`, "Hello | stop"},
		{"unknown_reason", Config{}, says(`"content":"Hello"`) + done("novelty"), "Hello | novelty"},
		{"null_fields", Config{}, says(`"content":"Hello","images":null,"tool_calls":null,"thinking":""`) + `{"error":null,"done":true,"done_reason":"stop"}`, "Hello | stop"},
		{"unknown_lines", Config{}, says(`"content":"Hello"`) + "{\"novelty\":[1]}\n" + done("stop"), "Hello | stop"},
		{"nothing_behind_the_end", Config{}, says(`"content":"Hello"`) + done("stop") + says(`"content":"NO"`), "Hello | stop"},
		{"76_no_end", Config{}, says(`"content":"Hello"`), "Hello | truncated"},
		{"76_lenient", Config{LenientEnd: true}, says(`"content":"Hello"`), "Hello | done"},
		{"80_lenient_nothing", Config{LenientEnd: true}, says(`"content":""`), " | empty"},
		{"77_cut_in_a_call", Config{}, says(`"tool_calls":[{"function":{"name":"ls"}}]`), "[call 1 ls asked] | truncated"},
		{"80_load", Config{}, done("load"), " | empty"},
		{"80_unload", Config{}, done("unload"), " | empty"},
		{"76_load_behind_text", Config{}, says(`"content":"Hel"`) + done("load"), "Hel | truncated"},
		{"73_error", Config{}, says(`"content":"Hel"`) + failure("llama runner process has terminated"), "Hel | server"},
		{"73_loading", Config{}, failure("unexpected server status: llm server loading model"), " | overloaded"},
		{"73_context", Config{}, `{"error":"the input length exceeds the context length","status":400}`, " | context_overflow"},
		{"73_error_object", Config{}, `{"error":{"message":"x","code":"rate_limit_exceeded"}}`, " | rate_limited"},
		{"undecodable", Config{}, says(`"content":"Hel"`) + "nonsense\n", "Hel | malformed"},
		{"wrong_content", Config{}, `{"message":{"content":{"a":1}}}`, " | malformed"},
		{"W1_other_json", Config{}, `{"status":"ok"}`, " | not_an_agent"},
		{"W1_a_list", Config{}, `[]`, " | malformed"},
		{"W1_event_stream", Config{}, "data: {\"choices\":[]}\n\n", " | not_an_agent"},
		{"W2_nested", Config{}, `{"message":` + strings.Repeat("[", 1_000_000) + "\n", " | malformed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := attempt(t, c.config, func(conn *net.TCPConn) { wiretest.Write(conn, head+c.body) })
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name    string
		status  int
		body    string
		want    string
		message string
	}{
		{"no_model", 404, failure("model 'm:1b' not found"), " | invalid", "model 'm:1b' not found; `ollama pull m:1b` fetches it"},
		{"no_model_of_an_older_server", 404, failure(`model "m:1b" not found, try pulling it first`), " | invalid", "`ollama pull m:1b`"},
		{"no_such_path", 404, "404 page not found", " | invalid", "404 page not found"},
		{"loading", 500, failure("unexpected server status: llm server loading model"), " | overloaded", "loading model"},
		{"loading_503", 503, failure("Loading model"), " | overloaded", "Loading model"},
		{"busy", 503, failure("server busy, please try again.  maximum pending requests exceeded"), " | overloaded", "server busy"},
		{"busy_in_other_words", 429, `{"error":{"type":"rate_limit_error","message":"server busy"}}`, " | rate_limited", "server busy"},
		{"runner_not_found", 500, failure("model runner not found"), " | server", "model runner not found"},
		{"no_memory", 500, failure("model requires more system memory (9.1 GiB) than is available (3.0 GiB)"), " | server", "9.1 GiB"},
		{"cloud", 401, `{"error":"unauthorized","signin_url":"https://ollama.com/connect"}`, " | auth", "unauthorized"},
		{"cloud_unreachable", 502, failure("upstream is gone"), " | server", "upstream is gone"},
		{"limit_of_the_cloud", 429, failure("you have reached your hourly usage limit"), " | quota", "usage limit"},
		{"context", 400, failure("the input length exceeds the context length"), " | context_overflow", "context length"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, f := attempt(t, Config{}, func(conn *net.TCPConn) {
				wiretest.Respond(conn, c.status, "Content-Type: application/json\r\n", c.body)
			})
			if got != c.want || !strings.Contains(f.Message, c.message) || f.Status != c.status {
				t.Errorf("got %q, %d %q; want %q, %q", got, f.Status, f.Message, c.want, c.message)
			}
			if strings.Contains(f.Message, "ollama pull") != strings.HasPrefix(c.name, "no_model") {
				t.Errorf("message %q", f.Message)
			}
		})
	}
}
