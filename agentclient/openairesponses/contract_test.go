package openairesponses

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"baton/agentclient"
	"baton/agentclient/protocoltest"
	"baton/retrypolicy"
)

var protocol = protocoltest.Protocol{
	Name: Protocol, Base: "/v1",
	Open: func(s protocoltest.Settings) (agentclient.Agent, error) {
		return New(Config{BaseURL: s.BaseURL, Model: s.Model, System: s.System, Key: s.Key, KeyName: s.KeyName, Timeouts: s.Timeouts})
	},
	Stream: protocoltest.Stream{
		Begin: func(agentclient.Usage) string {
			return send("response.created", `"response":{"object":"response","status":"in_progress","error":null,"usage":null}`)
		},
		Text: func(text string) string {
			return send("response.output_text.delta", `"output_index":0,"content_index":0,"delta":`+quoted(text))
		},
		Reasoning: func(text string) string {
			return send("response.reasoning_summary_text.delta", `"output_index":0,"summary_index":0,"delta":`+quoted(text))
		},
		Tool: func(id, name string) string {
			return send("response.output_item.added", `"output_index":1,"item":{"type":"function_call","id":`+quoted(id)+`,"call_id":"call_1","name":`+quoted(name)+`,"arguments":""}`)
		},
		Alive: ": here\n\n",
		End: func(how protocoltest.Ending, u agentclient.Usage) string {
			usage := fmt.Sprintf(`"usage":{"input_tokens":%d,"output_tokens":%d}`, u.Input, u.Output)
			switch how {
			case protocoltest.Length:
				return last("incomplete", usage+`,"incomplete_details":{"reason":"max_output_tokens"}`)
			case protocoltest.Refused:
				return last("incomplete", usage+`,"incomplete_details":{"reason":"content_filter"}`)
			}
			return last("completed", usage+`,"incomplete_details":null`)
		},
		Reasons: map[protocoltest.Ending]string{protocoltest.Done: "completed", protocoltest.Length: "max_output_tokens"},
		Error: func(kind retrypolicy.Kind, message string) string {
			switch kind {
			case retrypolicy.Overloaded: // as it is sent
				return send("error", `"error":{"type":"service_unavailable_error","code":"server_is_overloaded","message":`+quoted(message)+`,"param":null}`)
			case retrypolicy.RateLimited: // as it is documented
				return send("error", `"code":"rate_limit_exceeded","param":null,"message":`+quoted(message))
			}
			return last("failed", `"error":{"code":"server_error","message":`+quoted(message)+`}`)
		},
		Malformed: "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\n\n",
	},
	Errors: protocoltest.Errors{
		Body: func(status int, message string) (body, code, typ string) {
			code, typ = "code_"+strconv.Itoa(status), "invalid_request_error"
			if status == 503 {
				code, typ = "overloaded", "server_error"
			}
			return `{"error":{"message":` + quoted(message) + `,"type":"` + typ + `","param":null,"code":"` + code + `"}}`, code, typ
		},
		Wait: func(seconds int) string {
			return fmt.Sprintf(`{"error":{"message":"slow down","type":"rate_limit_error","resets_in_seconds":%d}}`, seconds)
		},
	},
	Requests: protocoltest.Requests{
		Path: "/v1/responses", KeyHeader: "Authorization", KeyPrefix: "Bearer ",
		Talk: `{"model":"m","instructions":"be brief","stream":true,"store":false,"input":[
			{"type":"message","role":"user","content":[{"type":"input_text","text":"one"}]},
			{"type":"message","role":"assistant","content":[{"type":"output_text","text":"two"}]},
			{"type":"message","role":"user","content":[{"type":"input_text","text":"three"}]}]}`,
		Files: `{"model":"m","stream":true,"store":false,"input":[{"type":"message","role":"user","content":[
			{"type":"input_image","image_url":"data:image/png;base64,AQI=","detail":"auto"},
			{"type":"input_text","text":"File n.md:\nhi"},{"type":"input_text","text":"see"}]}]}`,
		ModelsPath: "/v1/models",
		Models: func(ids ...string) string {
			list := make([]string, len(ids))
			for i, id := range ids {
				list[i] = `{"id":` + quoted(id) + `,"object":"model"}`
			}
			return `{"object":"list","data":[` + strings.Join(list, ",") + `]}`
		},
	},
}

func TestContract(t *testing.T) { protocoltest.Run(t, protocol) }

func TestRecorded(t *testing.T) { protocoltest.Recorded(t, protocol) }

// send renders one event with the given fields beside its type.
func send(typ, fields string) string {
	return "event: " + typ + "\ndata: {\"type\":\"" + typ + "\"," + fields + "}\n\n"
}

// last renders the event that ends an answer; given fields count over the empty output.
func last(status, fields string) string {
	return send("response."+status, `"response":{"object":"response","status":"`+status+`","output":[],`+fields+`}`)
}

// quoted is text as JSON.
func quoted(text string) string {
	b, _ := json.Marshal(text) // a string always has a form
	return string(b)
}
