package anthropic

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/agentclient"
	"baton/agentclient/protocoltest"
	"baton/agentclient/wire"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

var hello = agentclient.Request{Messages: []agentclient.Message{{Role: agentclient.User, Text: "hello"}}}

func agent(t *testing.T, c Config) *Client {
	t.Helper()
	c.Model = "m"
	a, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// send runs one attempt against a server that answers with raw bytes.
func send(t *testing.T, c Config, answer func(c *net.TCPConn)) protocoltest.Said {
	t.Helper()
	return protocoltest.Once(t, func(origin string) (agentclient.Agent, error) {
		c.BaseURL, c.Model = origin, "m"
		return New(c)
	}, answer)
}

var used = agentclient.Usage{Input: 3, Output: 4}

func TestStopReasons(t *testing.T) {
	for _, c := range []struct {
		name, body string
		condition  retrypolicy.Condition // none: it succeeds with "Hello"
		kind       retrypolicy.Kind
		cut        bool
	}{
		{"end_turn", text("Hello") + stopped("end_turn", used), "", "", false},
		{"stop_sequence", text("Hello") + stopped("stop_sequence", used), "", "", false},
		{"one_we_do_not_know", text("Hello") + stopped("compaction", used), "", "", false},
		{"76_no_message_stop", text("Hello") + strings.SplitAfter(stopped("end_turn", used), "\n\n")[0], "", "", false},
		{"message_stop_alone", text("Hello") + ev(`{"type":"message_stop"}`), "", "", false},
		{"window_with_text", text("Hello") + stopped("model_context_window_exceeded", used), "", "", true},
		{"67_window_without_text", thinking("hm") + stopped("model_context_window_exceeded", used), retrypolicy.CondStreamError, retrypolicy.ContextOverflow, false},
		{"pause_turn", text("Hello") + stopped("pause_turn", used), retrypolicy.CondToolAsked, retrypolicy.Invalid, false},
		{"tool_use_without_a_tool", text("Hello") + stopped("tool_use", used), retrypolicy.CondToolAsked, retrypolicy.Invalid, false},
		{"a_tool_with_end_turn", text("Hello") + toolUse("c1", "ls") + stopped("end_turn", used), retrypolicy.CondToolAsked, retrypolicy.Invalid, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := send(t, Config{}, protocoltest.Streamed(start(used)+c.body))
			if c.condition == "" {
				if s.Err != nil || s.Text != "Hello" || s.Finish.Cut != c.cut || s.Finish.RequestID != "req-1" {
					t.Errorf("got %q, %+v, %v", s.Text, s.Finish, s.Err)
				}
				return
			}
			protocoltest.Failed(t, s.Err, c.condition, c.kind)
		})
	}
}

func TestRefusalInTheServersWords(t *testing.T) {
	s := send(t, Config{}, protocoltest.Streamed(start(used)+ev(`{"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":{"type":"refusal","category":"x","explanation":"It could do harm."}}}`)))
	if f := protocoltest.Failed(t, s.Err, retrypolicy.CondRefused, retrypolicy.Refused); f.Message != "the model refused: It could do harm." {
		t.Errorf("message %q", f.Message)
	}
}

func TestUsageAddsTheCache(t *testing.T) {
	body := ev(`{"type":"message_start","message":{"usage":{"input_tokens":3,"cache_creation_input_tokens":20,"cache_read_input_tokens":100,"output_tokens":1}}}`) +
		text("Hello") +
		ev(`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":4,"output_tokens":7}}`)
	if s := send(t, Config{}, protocoltest.Streamed(body)); s.Err != nil || s.Finish.Usage != (agentclient.Usage{Input: 124, Output: 7}) {
		t.Errorf("usage %+v, %v", s.Finish.Usage, s.Err)
	}
	odd := ev(`{"type":"message_start","message":{"usage":{"input_tokens":-3,"output_tokens":1e300}}}`) + text("Hello") + ev(`{"type":"message_stop"}`)
	if s := send(t, Config{}, protocoltest.Streamed(odd)); s.Err != nil || s.Finish.Usage != (agentclient.Usage{Output: 1 << 53}) {
		t.Errorf("usage %+v, %v", s.Finish.Usage, s.Err)
	}
}

// A tool of the server runs without us: it is a tool part, and no question.
func TestToolsOfTheServer(t *testing.T) {
	body := ev(`{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}}`) +
		ev(`{"type":"content_block_start","index":1,"content_block":{"type":"web_search_tool_result","tool_use_id":"s1","content":[{"type":"web_search_result","title":"no"}]}}`) +
		text("Hello") + stopped("end_turn", used)
	s := send(t, Config{}, protocoltest.Streamed(body))
	want := []agentclient.ToolPart{{ID: "s1", Name: "web_search", Status: "running"}}
	if diff := cmp.Diff(want, s.Tools); diff != "" || s.Err != nil || s.Text != "Hello" {
		t.Errorf("C11: got %q, %v\n%s", s.Text, s.Err, diff)
	}
}

func TestEventsThatAreNew(t *testing.T) {
	body := start(used) + ev(`{"type":"weather","degrees":20}`) +
		ev(`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"He"}}`) + text("llo") +
		ev(`{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"cited_text":"NO"}}}`) +
		ev(`{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"NO"}}`) +
		ev(`{"type":"content_block_delta"}`) + stopped("end_turn", used)
	if s := send(t, Config{}, protocoltest.Streamed(body)); s.Err != nil || s.Text != "Hello" {
		t.Errorf("got %q, %v", s.Text, s.Err)
	}
	nameless := strings.ReplaceAll(start(used)+text("Hello")+stopped("end_turn", used), "event: ", ": ")
	if s := send(t, Config{}, protocoltest.Streamed(nameless)); s.Err != nil || s.Text != "Hello" {
		t.Errorf("without names: got %q, %v", s.Text, s.Err)
	}
}

func TestErrorsInTheStream(t *testing.T) {
	for name, body := range map[string]string{
		"by_name_alone":  "event: error\ndata: it broke\n\n",
		"by_field_alone": "data: {\"error\":\"it broke\"}\n\n",
		"by_type_alone":  "data: {\"type\":\"error\",\"message\":\"it broke\"}\n\n",
		"of_no_type":     "event: error\ndata: {\"message\":\"it broke\"}\n\n",
	} {
		t.Run("73_"+name, func(t *testing.T) {
			s := send(t, Config{}, protocoltest.Streamed(start(used)+text("Hel")+body))
			if f := protocoltest.Failed(t, s.Err, retrypolicy.CondStreamError, retrypolicy.Server); f.Message != "it broke" {
				t.Errorf("message %q", f.Message)
			}
		})
	}
}

func TestBodiesThatAreNoStream(t *testing.T) {
	for _, c := range []struct {
		name, body string
		condition  retrypolicy.Condition // none: it succeeds with "Hello"
		kind       retrypolicy.Kind
	}{
		{"whole_answer", `{"type":"message","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hello"}],"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":4}}`, "", ""},
		{"W1_other_json", `{"status":"ok"}`, retrypolicy.CondNotAnAgent, retrypolicy.NotAnAgent},
		{"W1_a_list", `[]`, retrypolicy.CondMalformed, retrypolicy.Malformed},
		{"half_an_answer", `{"type":"message","content":[{"type":"text","text":"Hel`, retrypolicy.CondMalformed, retrypolicy.Malformed},
		{"odd_content", `{"type":"message","content":"Hello"}`, retrypolicy.CondMalformed, retrypolicy.Malformed},
		{"80_empty_answer", `{"type":"message","content":[],"stop_reason":"end_turn"}`, retrypolicy.CondEmpty, retrypolicy.Empty},
		{"76_no_stop_reason", `{"type":"message","content":[{"type":"text","text":"Hello"}]}`, retrypolicy.CondTruncated, retrypolicy.Truncated},
		{"tool", `{"type":"message","content":[{"type":"tool_use","name":"ls"}],"stop_reason":"tool_use"}`, retrypolicy.CondToolAsked, retrypolicy.Invalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := send(t, Config{}, func(conn *net.TCPConn) {
				wiretest.Respond(conn, 200, "Content-Type: application/json\r\n", c.body)
			})
			if c.condition != "" {
				protocoltest.Failed(t, s.Err, c.condition, c.kind)
			} else if s.Err != nil || s.Text != "Hello" || s.Finish.Usage != used {
				t.Errorf("got %q, %+v, %v", s.Text, s.Finish, s.Err)
			}
		})
	}
}

func TestLenientEnd(t *testing.T) {
	if s := send(t, Config{LenientEnd: true}, protocoltest.Streamed(start(used)+text("Hello"))); s.Err != nil || s.Text != "Hello" {
		t.Errorf("got %q, %v", s.Text, s.Err)
	}
	protocoltest.Failed(t, send(t, Config{LenientEnd: true}, protocoltest.Streamed(start(used))).Err, retrypolicy.CondEmpty, retrypolicy.Empty)
	whole := `{"type":"message","content":[{"type":"text","text":"Hello"}]}`
	if s := send(t, Config{LenientEnd: true}, func(c *net.TCPConn) { wiretest.Respond(c, 200, "", whole) }); s.Err != nil {
		t.Error(s.Err)
	}
}

func TestRequestAsSent(t *testing.T) {
	cool := 0.5
	key := wire.NewSecret("sk-canary-0123456789")
	for _, base := range []string{"", "/", "/v1", "/v1/", "/v1/messages"} {
		server := wiretest.Start(t, func(_ int, c *net.TCPConn) { wiretest.Respond(c, 529, "", errorBody("overloaded_error", "x")) })
		c := agent(t, Config{BaseURL: "http://" + server.Addr() + base, MaxTokens: 7, Temperature: &cool, Key: key, Headers: map[string]string{"anthropic-beta": "b1"}})
		_, err := c.Send(t.Context(), hello, func(agentclient.Piece) {})
		if kind := retrypolicy.Classify(err, time.Minute).Kind; kind != retrypolicy.Overloaded {
			t.Errorf("529: kind %s", kind)
		}
		_, _ = c.Models(t.Context()) // refused too
		sent, list := server.Seen()[0], server.Seen()[1]
		if sent.Path != "/v1/messages" || list.Path != "/v1/models" || list.Query != "limit=1000" {
			t.Errorf("base %q: paths %s and %s?%s", base, sent.Path, list.Path, list.Query)
		}
		if want := `{"model":"m","max_tokens":7,"messages":[{"role":"user","content":"hello"}],"temperature":0.5,"stream":true}`; sent.Body != want {
			t.Errorf("body %s\nwant %s", sent.Body, want)
		}
		for name, want := range map[string]string{"Anthropic-Version": "2023-06-01", "Anthropic-Beta": "b1", "X-Api-Key": key.Reveal(), "Authorization": ""} {
			if got := sent.Header.Get(name); got != want {
				t.Errorf("header %s: %q, want %q", name, got, want)
			}
		}
		if strings.Contains(fmt.Sprintf("%v %+v %#v", c, c, c), "canary") {
			t.Error("C15: the client prints its key")
		}
	}
}

func TestAnotherVersion(t *testing.T) {
	server := wiretest.Start(t, func(_ int, c *net.TCPConn) { wiretest.Respond(c, 500, "", "") })
	_, _ = agent(t, Config{BaseURL: server.URL(), Headers: map[string]string{"anthropic-version": "2099-01-01"}}).Send(t.Context(), hello, func(agentclient.Piece) {})
	if got := server.Seen()[0].Header.Values("Anthropic-Version"); len(got) != 1 || got[0] != "2099-01-01" {
		t.Errorf("version %q", got)
	}
}

func TestPDF(t *testing.T) {
	a := agent(t, Config{BaseURL: "https://h"})
	got, err := a.body(agentclient.Request{Messages: []agentclient.Message{{Role: agentclient.User, Attachments: []agentclient.Attachment{{Name: "d.pdf", Media: "application/pdf", Data: []byte("%PDF")}}}}})
	want := `{"model":"m","max_tokens":8192,"messages":[{"role":"user","content":[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERg=="},"title":"d.pdf"}]}],"stream":true}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestConfigIsChecked(t *testing.T) {
	for name, c := range map[string]Config{"max_tokens": {BaseURL: "https://h", MaxTokens: -1}, "base_url": {BaseURL: "h"}} {
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestInfo(t *testing.T) {
	got := agent(t, Config{Name: "work", BaseURL: "https://api.example:8443/v1/"}).Info()
	if want := (agentclient.Info{Agent: "work", Protocol: "anthropic", Model: "m", Origin: "https://api.example:8443"}); got != want {
		t.Errorf("info %+v", got)
	}
}
