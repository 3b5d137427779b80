package openairesponses

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"baton/agentclient"
	"baton/agentclient/wire"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

var hello = agentclient.Request{Messages: []agentclient.Message{{Role: agentclient.User, Text: "hello"}}}

// answer is what one attempt came to, as text: what was said, the tools, and the end.
func answer(t *testing.T, c Config, head, body string) string {
	t.Helper()
	server := wiretest.Start(t, func(_ int, conn *net.TCPConn) { wiretest.Write(conn, head+body) })
	c.BaseURL, c.Model = server.URL(), "m"
	a, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	finish, err := a.Send(t.Context(), hello, func(p agentclient.Piece) {
		said.WriteString(p.Text)
		if p.Reasoning != "" {
			fmt.Fprintf(&said, "(%s)", p.Reasoning)
		}
		if p.Tool != nil {
			fmt.Fprintf(&said, "[%s %s %s]", p.Tool.ID, p.Tool.Name, p.Tool.Status)
		}
	})
	if err == nil {
		return fmt.Sprintf("%s | %s", said.String(), finish.Reason)
	}
	var f *retrypolicy.Failure
	if !errors.As(err, &f) {
		t.Fatalf("error %v (%T), want a Failure", err, err)
	}
	return strings.TrimRight(fmt.Sprintf("%s | %s %s/%s", said.String(), retrypolicy.Classify(err, time.Minute).Kind, f.Code, f.Type), " /")
}

func text(delta string) string { return send("response.output_text.delta", `"delta":`+quoted(delta)) }

func TestStreams(t *testing.T) {
	item := func(event string, index int, item string) string {
		return send("response.output_item."+event, fmt.Sprintf(`"output_index":%d,"item":%s`, index, item))
	}
	failed := func(fields string) string { return last("failed", `"error":{`+fields+`}`) }
	message := `{"type":"message","content":[{"type":"output_text","text":"Hello"}]}`
	for _, c := range []struct{ name, body, want string }{
		{"type_in_the_name_only", "event: response.output_text.delta\ndata: {\"delta\":\"Hello\"}\n\n" + last("completed", `"x":1`), "Hello | completed"},
		{"type_in_the_data_only", "data: {\"type\":\"response.output_text.delta\",\"delta\":\"Hello\"}\n\n" + last("completed", `"x":1`), "Hello | completed"},
		{"unknown_events", send("response.novelty", `"delta":{"a":[1]},"item":"x","response":7`) + send("keepalive", `"n":1`) + text("Hello") + last("completed", `"x":1`), "Hello | completed"},
		{"76_done_marker_of_another_protocol", text("Hello") + "data: [DONE]\n\n", "Hello | truncated"},
		{"77_cut_in_a_call", item("added", 0, `{"type":"function_call","id":"f","name":"ls"}`), "[f ls asked] | truncated"},
		{"text_only_at_the_end", last("completed", `"output":[{"type":"reasoning","summary":[]},`+message+`]`), "Hello | completed"},
		{"text_not_told_twice", text("Hello") + last("completed", `"output":[`+message+`]`), "Hello | completed"},
		{"two_messages", send("response.output_text.delta", `"output_index":0,"delta":"a"`) + send("response.output_text.delta", `"output_index":2,"delta":"b"`) + send("response.output_text.delta", `"output_index":2,"delta":"c"`) + last("completed", `"x":1`), "a\n\nbc | completed"},
		{"an_id_for_each_event", send("response.output_text.delta", `"item_id":"x","delta":"a"`) + send("response.output_text.delta", `"item_id":"y","delta":"b"`) + last("completed", `"x":1`), "ab | completed"},
		{"reasoning_text", send("response.reasoning_text.delta", `"delta":"hm"`) + text("a") + last("completed", `"x":1`), "(hm)a | completed"},
		{"completed_without_response", text("Hello") + "data: {\"type\":\"response.completed\"}\n\n", "Hello | completed"},
		{"completed_that_is_incomplete", text("Hello") + send("response.completed", `"response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}`), "Hello | max_output_tokens"},
		{"completed_that_failed", text("Hello") + send("response.completed", `"response":{"status":"failed","error":{"code":"server_error","message":"x"}}`), "Hello | server server_error"},
		{"completed_with_a_stale_status", text("Hello") + send("response.completed", `"response":{"status":"in_progress"}`), "Hello | completed"},
		{"incomplete_for_an_unknown_reason", text("Hello") + last("incomplete", `"incomplete_details":{"reason":"novelty"}`), "Hello | server novelty"},
		{"incomplete_without_a_reason", text("Hello") + last("incomplete", `"incomplete_details":null`), "Hello | server incomplete"},
		{"cancelled", text("Hello") + send("response.completed", `"response":{"status":"cancelled"}`), "Hello | server cancelled"},
		{"failed_without_error", last("failed", `"error":null`), " | server"},
		{"failed_with_an_error_beside_it", send("response.failed", `"error":{"code":"rate_limit_exceeded","message":"x"}`), " | rate_limited rate_limit_exceeded"},
		{"invalid_prompt", failed(`"code":"invalid_prompt","message":"x"`), " | invalid invalid_prompt/invalid_request_error"},
		{"image_too_large", failed(`"code":"image_too_large","message":"x"`), " | invalid image_too_large/invalid_request_error"},
		{"image_refused", failed(`"code":"image_content_policy_violation","message":"x"`), " | refused image_content_policy_violation/content_policy_violation"},
		{"vector_store_timeout", failed(`"code":"vector_store_timeout","message":"x"`), " | timeout vector_store_timeout/timeout_error"},
		{"context_too_long", failed(`"code":"context_length_exceeded","message":"x"`), " | context_overflow context_length_exceeded"},
		{"73_nested_error", text("Hel") + send("error", `"error":{"type":"too_many_requests","code":"too_many_requests","message":"x"}`), "Hel | rate_limited too_many_requests/too_many_requests"},
		{"73_half_nested_error", send("error", `"message":"x","error":{"code":"rate_limit_exceeded"}`), " | rate_limited rate_limit_exceeded"},
		{"73_nested_error_of_nulls", send("error", `"code":"rate_limit_exceeded","message":"x","error":{"code":null,"type":null}`), " | rate_limited rate_limit_exceeded"},
		{"73_error_with_a_status", send("error", `"status":503,"error":{"message":"x","type":"novelty"}`), " | overloaded /novelty"},
		{"73_error_of_a_proxy", "data: {\"error\":{\"message\":\"x\",\"type\":\"overloaded_error\"}}\n\n", " | overloaded /overloaded_error"},
		{"73_error_as_text", "data: {\"error\":\"it broke\"}\n\n", " | server"},
		{"73_error_undecodable", "event: error\ndata: it broke\n\n", " | server"},
		{"a_failed_tool_is_no_error", item("added", 0, `{"type":"mcp_call","id":"c","name":"find"}`) + send("response.mcp_call.failed", `"output_index":0,"item_id":"c","error":"no"`) + text("a") + last("completed", `"x":1`), "[c find in_progress][c find failed]a | completed"},
		{"hosted_call_and_no_text", item("added", 0, `{"type":"image_generation_call","id":"i","status":"generating"}`) + last("completed", `"x":1`), "[i image_generation generating] | empty"},
		{"hosted_call_without_its_beginning", send("response.code_interpreter_call_code.delta", `"item_id":"c","delta":"1"`) + text("a") + last("completed", `"x":1`), "[c code_interpreter in_progress]a | completed"},
		{"arguments_without_their_beginning", send("response.function_call_arguments.delta", `"item_id":"f","delta":"{"`) + last("completed", `"x":1`), "[f function asked] | invalid"},
		{"call_only_at_the_end", last("completed", `"output":[{"type":"function_call","id":"f","name":"ls"}]`), "[f ls asked] | invalid"},
		{"call_not_told_twice", item("added", 0, `{"type":"function_call","id":"f","name":"ls"}`) + item("done", 0, `{"type":"function_call","id":"other","name":"ls"}`) + last("completed", `"output":[{"type":"function_call","id":"f","name":"ls"}]`), "[f ls asked] | invalid"},
		{"approval_asked", item("added", 0, `{"type":"mcp_approval_request","id":"a","name":"rm"}`) + text("?") + last("completed", `"x":1`), "[a rm asked]? | invalid"},
		{"68_refusal", send("response.refusal.delta", `"delta":"no"`) + last("completed", `"x":1`), " | refused"},
		{"68_refusal_only_at_the_end", last("completed", `"output":[{"type":"message","content":[{"type":"refusal","refusal":"no"}]}]`), " | refused"},
		{"wrong_delta", send("response.output_text.delta", `"delta":{"a":1}`), " | malformed"},
		{"wrong_output", last("completed", `"output":[{"type":"message","content":"x"}]`), " | malformed"},
		{"W2_nested", "data: {\"type\":\"x\",\"a\":" + strings.Repeat("[", 1_000_000) + "\n\n", " | malformed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := answer(t, Config{}, wiretest.Head, c.body); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestWholeAnswers(t *testing.T) {
	const output = `"output":[{"type":"message","content":[{"type":"output_text","text":"Hel"},{"type":"output_text","text":"lo"}]}]`
	for _, c := range []struct{ name, body, want string }{
		{"completed", `{"object":"response","status":"completed","error":null,` + output + `}`, "Hello | completed"},
		{"cut", `{"object":"response","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},` + output + `}`, "Hello | max_output_tokens"},
		{"76_in_progress", `{"object":"response","status":"in_progress",` + output + `}`, "Hello | truncated"},
		{"failed", `{"object":"response","status":"failed","error":{"code":"server_error","message":"x"},"output":[]}`, " | server server_error"},
		{"W1_error", `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, " | rate_limited rate_limit_exceeded"},
		{"W1_error_object", `{"object":"error","type":"overloaded_error","message":"x"}`, " | overloaded /overloaded_error"},
		{"W1_error_text", `{"error":"no model"}`, " | server"},
		{"W1_other_json", `{"status":"ok"}`, " | not_an_agent"},
		{"W1_chat_completion", `{"object":"chat.completion","choices":[]}`, " | not_an_agent"},
		{"W1_a_list", `[]`, " | malformed"},
		{"half", `{"object":"response","output":[`, " | malformed"},
		{"80_empty", `{"object":"response","status":"completed","output":[]}`, " | empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := answer(t, Config{}, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n", c.body); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestLenientEnd(t *testing.T) {
	for body, want := range map[string]string{text("Hello"): "Hello | completed", send("response.created", `"x":1`): " | empty"} {
		if got := answer(t, Config{LenientEnd: true}, wiretest.Head, body); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// What the model says while it refuses counts like any other text.
func TestRefusalsAreBounded(t *testing.T) {
	var body strings.Builder
	piece := send("response.refusal.delta", `"delta":"`+strings.Repeat("x", 4_000_000)+`"`)
	for range wire.MaxAnswer/4_000_000 + 1 {
		body.WriteString(piece)
	}
	if got := answer(t, Config{}, wiretest.Head, body.String()+last("completed", `"x":1`)); got != " | malformed" {
		t.Errorf("W2: got %q", got)
	}
}
