package anthropic

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"baton/agentclient"
	"baton/agentclient/protocoltest"
	"baton/retrypolicy"
)

// ev is an event as the server writes it: its name, and its type again in the data.
func ev(data string) string {
	var e struct{ Type string }
	_ = json.Unmarshal([]byte(data), &e) // what is malformed on purpose has no name
	return "event: " + e.Type + "\ndata: " + data + "\n\n"
}

func quoted(text string) string {
	b, _ := json.Marshal(text) // a string always has a form
	return string(b)
}

func start(u agentclient.Usage) string {
	return ev(fmt.Sprintf(`{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"model":"m","stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":%d,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":1}}}`, u.Input))
}

func text(s string) string {
	return ev(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":` + quoted(s) + `}}`)
}

func thinking(s string) string {
	return ev(`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":` + quoted(s) + `}}`)
}

func toolUse(id, name string) string {
	return ev(`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":`+quoted(id)+`,"name":`+quoted(name)+`,"input":{}}}`) +
		ev(`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{}"}}`) +
		ev(`{"type":"content_block_stop","index":1}`)
}

func stopped(reason string, u agentclient.Usage) string {
	return ev(fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%s,"stop_sequence":null},"usage":{"output_tokens":%d}}`, quoted(reason), u.Output)) +
		ev(`{"type":"message_stop"}`)
}

var ping = ev(`{"type":"ping"}`)

// errorTypes are those of the API's own pages.
var errorTypes = map[int]string{
	400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error",
	404: "not_found_error", 413: "request_too_large", 422: "invalid_request_error", 429: "rate_limit_error",
	500: "api_error", 503: "overloaded_error", 504: "timeout_error", 529: "overloaded_error",
}

func errorBody(typ, message string) string {
	return `{"type":"error","error":{"type":"` + typ + `","message":` + quoted(message) + `},"request_id":"req_1"}`
}

var contract = protocoltest.Protocol{
	Name: Protocol,
	Open: func(s protocoltest.Settings) (agentclient.Agent, error) {
		return New(Config{BaseURL: s.BaseURL, Model: s.Model, System: s.System, Key: s.Key, KeyName: s.KeyName, Timeouts: s.Timeouts})
	},
	Stream: protocoltest.Stream{
		Begin: start, Text: text, Reasoning: thinking, Tool: toolUse, Alive: ping,
		End: func(how protocoltest.Ending, u agentclient.Usage) string {
			return stopped(map[protocoltest.Ending]string{
				protocoltest.Done: "end_turn", protocoltest.Length: "max_tokens", protocoltest.Refused: "refusal", protocoltest.Asked: "tool_use",
			}[how], u)
		},
		Reasons: map[protocoltest.Ending]string{protocoltest.Done: "end_turn", protocoltest.Length: "max_tokens"},
		Error: func(kind retrypolicy.Kind, message string) string {
			return ev(errorBody(map[retrypolicy.Kind]string{
				retrypolicy.Overloaded: "overloaded_error", retrypolicy.RateLimited: "rate_limit_error", retrypolicy.Server: "api_error",
			}[kind], message))
		},
		Malformed: ev(`{"type":"content_block_delta",`),
	},
	Errors: protocoltest.Errors{
		Body: func(status int, message string) (body, code, typ string) {
			return errorBody(errorTypes[status], message), "", errorTypes[status]
		},
	},
	Requests: protocoltest.Requests{
		Path: "/v1/messages", KeyHeader: "X-Api-Key",
		Talk: `{"model":"m","max_tokens":8192,"stream":true,"system":"be brief","messages":[
			{"role":"user","content":"one"},{"role":"assistant","content":"two"},{"role":"user","content":"three"}]}`,
		Files: `{"model":"m","max_tokens":8192,"stream":true,"messages":[{"role":"user","content":[
			{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AQI="}},
			{"type":"text","text":"File n.md:\nhi"},{"type":"text","text":"see"}]}]}`,
		ModelsPath: "/v1/models",
		Models: func(ids ...string) string {
			list := make([]string, len(ids))
			for i, id := range ids {
				list[i] = `{"type":"model","id":` + quoted(id) + `,"display_name":"X","created_at":"2026-02-19T00:00:00Z"}`
			}
			return `{"data":[` + strings.Join(list, ",") + `],"has_more":false,"first_id":null,"last_id":null}`
		},
	},
}

func TestContract(t *testing.T) { protocoltest.Run(t, contract) }

func TestRecorded(t *testing.T) { protocoltest.Recorded(t, contract) }
