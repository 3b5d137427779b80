package openaichat

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"baton/agentclient"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

// heard gathers the pieces of one attempt.
type heard struct {
	text, reasoning string
	phases          []agentclient.Phase
	tools           []agentclient.ToolPart
	alive           int
}

func (h *heard) sink(p agentclient.Piece) {
	h.text += p.Text
	h.reasoning += p.Reasoning
	if p.Phase != "" {
		h.phases = append(h.phases, p.Phase)
	}
	if p.Tool != nil {
		h.tools = append(h.tools, *p.Tool)
	}
	if p.Alive {
		h.alive++
	}
}

func agent(t *testing.T, c Config) *Client {
	t.Helper()
	if c.Model == "" {
		c.Model = "m"
	}
	a, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

var hello = agentclient.Request{Messages: []agentclient.Message{{Role: agentclient.User, Text: "hello"}}}

// send runs one attempt against a server that answers with raw bytes.
func send(t *testing.T, c Config, answer func(c *net.TCPConn)) (heard, agentclient.Finish, error) {
	t.Helper()
	server := wiretest.Start(t, func(_ int, conn *net.TCPConn) { answer(conn) })
	c.BaseURL = server.URL()
	var h heard
	finish, err := agent(t, c).Send(t.Context(), hello, h.sink)
	if n := len(server.Seen()); n != 1 {
		t.Errorf("C8: the server saw %d requests, want 1", n)
	}
	return h, finish, err
}

// data frames JSON texts as events.
func data(events ...string) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString("data: " + e + "\n\n")
	}
	return b.String()
}

const (
	role = `{"choices":[{"index":0,"delta":{"role":"assistant","content":null},"finish_reason":null}]}`
	hel  = `{"choices":[{"index":0,"delta":{"content":"Hel"}}]}`
	lo   = `{"choices":[{"index":0,"delta":{"content":"lo"}}]}`
	stop = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	used = `{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}`
	done = "[DONE]"
)

func finished(reason string) string {
	return `{"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`
}

func TestAnswersThatSucceed(t *testing.T) {
	for _, c := range []struct {
		name   string
		body   string
		text   string
		reason string
	}{
		{"whole", data(role, hel, lo, stop, used, done), "Hello", "stop"},
		{"76_finish_reason_without_done", data(hel, lo, stop), "Hello", "stop"},
		{"done_without_finish_reason", data(hel, lo, done), "Hello", ""},
		{"content_as_parts", data(`{"choices":[{"delta":{"content":[{"type":"text","text":"Hel"},{"type":"thinking","text":"hm"},{"type":"text","text":"lo"}]}}]}`, stop), "Hello", "stop"},
		{"text_with_the_finish_reason", data(hel, `{"choices":[{"delta":{"content":"lo"},"finish_reason":"stop"}]}`), "Hello", "stop"},
		{"78_length_with_text", data(hel, lo, finished("length"), done), "Hello", "length"},
		{"other_choices_are_ignored", data(hel, `{"choices":[{"index":1,"delta":{"content":"NO"}}]}`, lo, stop), "Hello", "stop"},
		{"null_fields", data(`{"error":null,"usage":null,"choices":[{"delta":{"content":"Hello","reasoning":null,"tool_calls":null,"function_call":null,"refusal":null},"finish_reason":null}]}`, stop), "Hello", "stop"},
		{"W2_million_empty_data_lines", strings.Repeat("data:\n", 1_000_000) + "\n" + data(hel, lo, stop), "Hello", "stop"},
		{"H7_lone_surrogate", data(`{"choices":[{"delta":{"content":"a\ud800b"}}]}`, stop), "a\uFFFDb", "stop"},
		{"H7_invalid_utf8", data("{\"choices\":[{\"delta\":{\"content\":\"a\xffb\xe4\"}}]}", stop), "a\uFFFDb\uFFFD", "stop"},
		{"103_controls_pass_unchanged", data(`{"choices":[{"delta":{"content":"\u001b]52;c;aGk=\u0007"}}]}`, stop), "\x1b]52;c;aGk=\x07", "stop"},
		{"usage_before_the_end", data(hel, used, lo, stop, done), "Hello", "stop"},
		{"keepalives_between", ": a\n\n" + data(hel) + ": b\n\n:\n" + data(lo, stop, done), "Hello", "stop"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, finish, err := send(t, Config{}, func(conn *net.TCPConn) { wiretest.Write(conn, wiretest.Head+c.body) })
			if strings.Contains(h.reasoning, "l") {
				t.Errorf("visible text arrived as reasoning: %q", h.reasoning)
			}
			if err != nil || h.text != c.text || finish.Reason != c.reason {
				t.Fatalf("got %q, reason %q, error %v; want %q, %q", h.text, finish.Reason, err, c.text, c.reason)
			}
			if finish.Cut != (c.reason == "length") || finish.RequestID != "req-1" {
				t.Errorf("finish %+v", finish)
			}
			if strings.Contains(c.body, "completion_tokens") && finish.Usage != (agentclient.Usage{Input: 3, Output: 4}) {
				t.Errorf("usage %+v", finish.Usage)
			}
		})
	}
}

func TestAnswersThatFail(t *testing.T) {
	tool := `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"ls","arguments":"{}"}}]}}]}`
	for _, c := range []struct {
		name      string
		body      string
		condition retrypolicy.Condition
		typed     string // status, code and type
	}{
		{"73_error_event", data(hel, `{"error":{"message":"overloaded","type":"overloaded_error"}}`, done), retrypolicy.CondStreamError, "0//overloaded_error"},
		{"10_idle_upstream", data(`{"error":{"message":"Upstream idle timeout exceeded","type":"server_error"}}`), retrypolicy.CondStreamError, "0//server_error"},
		{"error_event_by_name", "event: error\ndata: it broke\n\n", retrypolicy.CondStreamError, "0//"},
		{"error_as_text", data(hel, `{"error":"it broke"}`), retrypolicy.CondStreamError, "0//"},
		{"error_with_a_status", data(hel, `{"error":{"code":502,"message":"bad gateway"}}`), retrypolicy.CondStreamError, "502/502/"},
		{"error_object", data(`{"object":"error","message":"it broke","type":"x"}`), retrypolicy.CondStreamError, "0//x"},
		{"76_text_then_close", data(role, hel), retrypolicy.CondTruncated, "0//"},
		{"76_nothing_but_a_role", data(role), retrypolicy.CondTruncated, "0//"},
		{"77_cut_in_a_tool_call", data(tool), retrypolicy.CondTruncated, "0//"},
		{"78_length_without_text", data(role, finished("length"), done), retrypolicy.CondLength, "0//"},
		{"68_content_filter", data(hel, finished("content_filter"), done), retrypolicy.CondRefused, "0//"},
		{"refusal", data(`{"choices":[{"delta":{"refusal":"I can not."}}]}`, stop), retrypolicy.CondRefused, "0//"},
		{"tool_asked", data(tool, finished("tool_calls"), done), retrypolicy.CondToolAsked, "0//"},
		{"tool_asked_with_stop", data(hel, tool, stop), retrypolicy.CondToolAsked, "0//"},
		{"function_asked", data(`{"choices":[{"delta":{"function_call":{"name":"ls"}}}]}`, finished("function_call")), retrypolicy.CondToolAsked, "0//"},
		{"80_stop_with_nothing", data(role, stop, done), retrypolicy.CondEmpty, "0//"},
		{"80_immediate_done", data(done), retrypolicy.CondEmpty, "0//"},
		{"80_white_space_only", data(`{"choices":[{"delta":{"content":" \n\t\u00a0\u200b"}}]}`, stop, done), retrypolicy.CondEmpty, "0//"},
		{"80_reasoning_only", data(`{"choices":[{"delta":{"reasoning_content":"hm"}}]}`, stop, done), retrypolicy.CondEmpty, "0//"},
		{"undecodable", data(hel, `{"choices":[`), retrypolicy.CondMalformed, "0//"},
		{"undecodable_delta", data(`{"choices":[{"delta":{"content":{"a":1}}}]}`), retrypolicy.CondMalformed, "0//"},
		{"W2_nested", data(`{"choices":` + strings.Repeat("[", 1_000_000)), retrypolicy.CondMalformed, "0//"},
		{"W2_nested_error", data(`{"error":` + strings.Repeat(`{"error":`, 400_000)), retrypolicy.CondMalformed, "0//"},
		{"W2_line_without_end", "data: " + strings.Repeat("x", 5<<20), retrypolicy.CondMalformed, "0//"},
		{"finish_reason_error", data(hel, finished("error"), done), retrypolicy.CondStreamError, "0/error/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := send(t, Config{}, func(conn *net.TCPConn) { wiretest.Write(conn, wiretest.Head+c.body) })
			check(t, err, c.condition, c.typed)
		})
	}
}

func check(t *testing.T, err error, condition retrypolicy.Condition, typed string) *retrypolicy.Failure {
	t.Helper()
	var f *retrypolicy.Failure
	if !errors.As(err, &f) {
		t.Fatalf("error %v (%T), want a Failure", err, err)
	}
	if f.Condition != condition {
		t.Errorf("condition %q (%s), want %q", f.Condition, f.Message, condition)
	}
	if got := typedOf(f); got != typed {
		t.Errorf("typed %q, want %q", got, typed)
	}
	if f.Message == "" || strings.Contains(f.Message, "\n") || f.RequestID != "req-1" {
		t.Errorf("message %q, request id %q", f.Message, f.RequestID)
	}
	return f
}

func TestBodiesThatAreNoStream(t *testing.T) {
	const head = "Content-Type: application/json\r\nX-Request-Id: req-1\r\n"
	for _, c := range []struct {
		name, body string
		condition  retrypolicy.Condition // none: it succeeds with "Hello"
		typed      string
	}{
		{"whole_answer", `{"object":"chat.completion","choices":[{"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3}}`, "", ""},
		{"W1_error", `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, retrypolicy.CondStreamError, "0/rate_limit_exceeded/"},
		{"W1_error_text", `{"error":"no model"}`, retrypolicy.CondStreamError, "0//"},
		{"W1_other_json", `{"status":"ok"}`, retrypolicy.CondNotAnAgent, "0//"},
		{"W1_a_list", `[]`, retrypolicy.CondMalformed, "0//"},
		{"half_an_answer", `{"choices":[{"message":{"content":"Hello"`, retrypolicy.CondMalformed, "0//"},
		{"80_empty_answer", `{"choices":[{"message":{"content":""},"finish_reason":"stop"}]}`, retrypolicy.CondEmpty, "0//"},
		{"76_no_finish_reason", `{"choices":[{"message":{"content":"Hello"}}]}`, retrypolicy.CondTruncated, "0//"},
		{"80_blank", ``, retrypolicy.CondEmpty, "0//"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, finish, err := send(t, Config{}, func(conn *net.TCPConn) { wiretest.Respond(conn, 200, head, c.body) })
			if c.condition != "" {
				check(t, err, c.condition, c.typed)
				return
			}
			if err != nil || h.text != "Hello" || finish.Usage.Input != 3 {
				t.Errorf("got %q, %+v, %v", h.text, finish, err)
			}
		})
	}
}

func TestTransports(t *testing.T) {
	whole := data(role, hel, lo, stop, done)
	for _, c := range []struct {
		name      string
		answer    func(c *net.TCPConn)
		condition retrypolicy.Condition // none: it succeeds
	}{
		{"83_a_byte_at_a_time", func(c *net.TCPConn) {
			for _, b := range []byte(wiretest.Head + "\xEF\xBB\xBF" + strings.ReplaceAll(whole, "\n", "\r\n")) {
				_, _ = c.Write([]byte{b})
			}
		}, ""},
		{"91_http_1.0_close", func(c *net.TCPConn) {
			wiretest.Write(c, "HTTP/1.0 200 OK\r\nX-Request-Id: req-1\r\nContent-Type: text/event-stream\r\n\r\n"+whole)
		}, ""},
		{"91_http_1.0_close_early", func(c *net.TCPConn) {
			wiretest.Write(c, "HTTP/1.0 200 OK\r\nX-Request-Id: req-1\r\nContent-Type: text/event-stream\r\n\r\n"+data(hel))
		}, retrypolicy.CondTruncated},
		{"91_length_too_short", func(c *net.TCPConn) {
			wiretest.Write(c, "HTTP/1.1 200 OK\r\nX-Request-Id: req-1\r\nContent-Type: text/event-stream\r\nContent-Length: 60\r\n\r\n"+whole)
		}, retrypolicy.CondTruncated},
		{"91_length_too_long", func(c *net.TCPConn) {
			wiretest.Write(c, "HTTP/1.1 200 OK\r\nX-Request-Id: req-1\r\nContent-Type: text/event-stream\r\nContent-Length: 6000\r\n\r\n"+data(hel))
		}, retrypolicy.CondConnect},
		{"91_chunk_cut", func(c *net.TCPConn) {
			wiretest.Write(c, "HTTP/1.1 200 OK\r\nX-Request-Id: req-1\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n"+data(hel))
		}, retrypolicy.CondConnect},
		{"91_reset_in_the_stream", func(c *net.TCPConn) {
			wiretest.Write(c, wiretest.Head+data(hel))
			time.Sleep(20 * time.Millisecond)
			wiretest.Reset(c)
		}, retrypolicy.CondConnect},
		{"wrong_content_type", func(c *net.TCPConn) {
			wiretest.Respond(c, 200, "X-Request-Id: req-1\r\nContent-Type: text/plain\r\n", whole)
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, _, err := send(t, Config{}, c.answer)
			if c.condition == "" {
				if err != nil || h.text != "Hello" {
					t.Errorf("got %q, %v", h.text, err)
				}
				return
			}
			var f *retrypolicy.Failure
			if !errors.As(err, &f) || f.Condition != c.condition {
				t.Errorf("error %v, want condition %q", err, c.condition)
			}
		})
	}
}

func TestDoneEndsAHeldConnection(t *testing.T) {
	gone := make(chan time.Duration, 1)
	h, _, err := send(t, Config{}, func(c *net.TCPConn) {
		wiretest.Write(c, wiretest.Head+data(hel, lo, done))
		gone <- wiretest.UntilGone(c)
	})
	if err != nil || h.text != "Hello" {
		t.Errorf("W3: got %q, %v", h.text, err)
	}
	if after := <-gone; after > time.Second {
		t.Errorf("W3: the connection stayed open for %v", after)
	}
}

func TestFinishReasonEndsAHeldConnection(t *testing.T) {
	gone := make(chan time.Duration, 1)
	h, finish, err := send(t, Config{}, func(c *net.TCPConn) {
		wiretest.Write(c, wiretest.Head+data(hel, lo, stop))
		wiretest.Write(c, data(used))
		gone <- wiretest.UntilGone(c)
	})
	if err != nil || h.text != "Hello" || finish.Usage.Output != 4 {
		t.Errorf("got %q, %+v, %v", h.text, finish, err)
	}
	if after := <-gone; after > 4*time.Second {
		t.Errorf("the connection stayed open for %v", after)
	}
}

func TestLenientEnd(t *testing.T) {
	for _, c := range []struct {
		name, body string
		condition  retrypolicy.Condition
	}{
		{"text", data(hel, lo), ""},
		{"nothing", data(role), retrypolicy.CondEmpty},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := send(t, Config{LenientEnd: true}, func(conn *net.TCPConn) { wiretest.Write(conn, wiretest.Head+c.body) })
			if c.condition == "" && err != nil {
				t.Error(err)
			} else if c.condition != "" {
				check(t, err, c.condition, "0//")
			}
		})
	}
}

func TestPieces(t *testing.T) {
	h, _, err := send(t, Config{}, func(c *net.TCPConn) {
		wiretest.Write(c, wiretest.Head+": hi\n\n"+data(role,
			`{"choices":[{"delta":{"reasoning_content":"h"}}]}`, `{"choices":[{"delta":{"reasoning":"m"}}]}`, hel, lo, used, stop))
	})
	if err != nil || h.text != "Hello" || h.reasoning != "hm" {
		t.Fatalf("got %q, %q, %v", h.text, h.reasoning, err)
	}
	if len(h.phases) != 2 || h.phases[0] != agentclient.Waiting || h.phases[1] != agentclient.Streaming {
		t.Errorf("phases %q", h.phases)
	}
	if h.alive < 3 { // the comment, the role and the usage carry nothing else
		t.Errorf("%d signs of life, want at least 3", h.alive)
	}
}

func TestToolPieces(t *testing.T) {
	h, _, _ := send(t, Config{}, func(c *net.TCPConn) {
		wiretest.Write(c, wiretest.Head+data(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"ls"}}]}}]}`, finished("tool_calls")))
	})
	if len(h.tools) != 1 || h.tools[0].ID != "c1" || h.tools[0].Name != "ls" {
		t.Errorf("C11: tools %+v", h.tools)
	}
	if got := h.phases[len(h.phases)-1]; got != agentclient.Tool {
		t.Errorf("C11: phase %q", got)
	}
}

func TestCancelInTheStream(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan time.Duration, 1)
	server := wiretest.Start(t, func(_ int, c *net.TCPConn) {
		wiretest.Write(c, wiretest.Head+data(hel))
		gone <- wiretest.UntilGone(c)
	})
	_, err := agent(t, Config{BaseURL: server.URL()}).Send(ctx, hello, func(p agentclient.Piece) {
		if p.Text != "" {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("56: error %v, want context.Canceled", err)
	}
	if after := <-gone; after > time.Second {
		t.Errorf("56: the connection stayed open for %v", after)
	}
}
