package openaichat

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

var contract = protocoltest.Protocol{
	Name: Protocol, Base: "/v1",
	Open: func(s protocoltest.Settings) (agentclient.Agent, error) {
		return New(Config{BaseURL: s.BaseURL, Model: s.Model, System: s.System, Key: s.Key, KeyName: s.KeyName, Timeouts: s.Timeouts})
	},
	Stream: protocoltest.Stream{
		Begin:     func(agentclient.Usage) string { return data(role) },
		Text:      func(text string) string { return data(`{"choices":[{"delta":{"content":` + quoted(text) + `}}]}`) },
		Reasoning: func(text string) string { return data(`{"choices":[{"delta":{"reasoning":` + quoted(text) + `}}]}`) },
		Tool: func(id, name string) string {
			return data(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":` + quoted(id) + `,"function":{"name":` + quoted(name) + `}}]}}]}`)
		},
		Alive: ": here\n\n",
		End: func(how protocoltest.Ending, u agentclient.Usage) string {
			reason := map[protocoltest.Ending]string{
				protocoltest.Done: "stop", protocoltest.Length: "length", protocoltest.Refused: "content_filter", protocoltest.Asked: "tool_calls",
			}[how]
			return data(finished(reason), fmt.Sprintf(`{"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`, u.Input, u.Output), done)
		},
		Reasons: map[protocoltest.Ending]string{protocoltest.Done: "stop", protocoltest.Length: "length"},
		Error: func(kind retrypolicy.Kind, message string) string {
			typ := map[retrypolicy.Kind]string{
				retrypolicy.Overloaded: "overloaded_error", retrypolicy.RateLimited: "rate_limit_error", retrypolicy.Server: "server_error",
			}[kind]
			return data(`{"error":{"message":` + quoted(message) + `,"type":"` + typ + `"}}`)
		},
		Malformed: data(`{"choices":[`),
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
		Path: "/v1/chat/completions", KeyHeader: "Authorization", KeyPrefix: "Bearer ",
		Talk: `{"model":"m","stream":true,"messages":[{"role":"system","content":"be brief"},
				{"role":"user","content":"one"},{"role":"assistant","content":"two"},{"role":"user","content":"three"}]}`,
		Files: `{"model":"m","stream":true,"messages":[{"role":"user","content":[
				{"type":"image_url","image_url":{"url":"data:image/png;base64,AQI="}},{"type":"text","text":"File n.md:\nhi"},{"type":"text","text":"see"}]}]}`,
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

func TestContract(t *testing.T) { protocoltest.Run(t, contract) }

func TestRecorded(t *testing.T) { protocoltest.Recorded(t, contract) }

// quoted is text as JSON.
func quoted(text string) string {
	b, _ := json.Marshal(text) // a string always has a form
	return string(b)
}
