package ollama

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"baton/agentclient"
	"baton/agentclient/protocoltest"
	"baton/retrypolicy"
)

var protocol = protocoltest.Protocol{
	Name: Protocol,
	Open: func(s protocoltest.Settings) (agentclient.Agent, error) {
		return New(Config{BaseURL: s.BaseURL, Model: s.Model, System: s.System, Key: s.Key, KeyName: s.KeyName, Timeouts: s.Timeouts})
	},
	Stream: protocoltest.Stream{
		Lines: true, Media: "application/x-ndjson",
		Begin:     func(agentclient.Usage) string { return "" },
		Text:      func(text string) string { return says(`"content":` + quoted(text)) },
		Reasoning: func(text string) string { return says(`"content":"","thinking":` + quoted(text)) },
		Tool: func(_, name string) string {
			return says(`"content":"","tool_calls":[{"function":{"name":` + quoted(name) + `,"arguments":{"path":"."}}}]`)
		},
		Alive: says(`"content":""`),
		End: func(how protocoltest.Ending, u agentclient.Usage) string {
			reason := map[protocoltest.Ending]string{
				protocoltest.Done: "stop", protocoltest.Asked: "stop", protocoltest.Length: "length", protocoltest.Refused: "content_filter",
			}[how]
			return fmt.Sprintf(`{"message":{"role":"assistant","content":""},"done":true,"done_reason":%q,"prompt_eval_count":%d,"eval_count":%d}`+"\n", reason, u.Input, u.Output)
		},
		Reasons: map[protocoltest.Ending]string{protocoltest.Done: "stop", protocoltest.Length: "length"},
		Error: func(kind retrypolicy.Kind, message string) string {
			switch kind {
			case retrypolicy.Overloaded:
				return failure("server busy, please try again.  " + message)
			case retrypolicy.RateLimited: // of a gateway; Ollama's own lines hold no status
				return `{"error":` + quoted(message) + `,"status":429}` + "\n"
			}
			return failure(message)
		},
		Malformed: `{"message":` + "\n",
	},
	Errors: protocoltest.Errors{
		Body: func(status int, message string) (body, code, typ string) {
			if status == 503 { // must say so itself where the answer's status does not
				return `{"error":` + quoted(message) + `,"status":503}`, "503", ""
			}
			return failure(message), "", ""
		},
	},
	Requests: protocoltest.Requests{
		Path: "/api/chat", KeyHeader: "Authorization", KeyPrefix: "Bearer ",
		Talk: `{"model":"m","stream":true,"messages":[{"role":"system","content":"be brief"},
			{"role":"user","content":"one"},{"role":"assistant","content":"two"},{"role":"user","content":"three"}]}`,
		Files:      `{"model":"m","stream":true,"messages":[{"role":"user","content":"File n.md:\nhi\n\nsee","images":["AQI="]}]}`,
		ModelsPath: "/api/tags",
		Models: func(ids ...string) string {
			list := make([]string, len(ids))
			for i, id := range ids {
				list[i] = `{"name":` + quoted(id) + `,"model":` + quoted(id) + `,"size":7}`
			}
			return `{"models":[` + strings.Join(list, ",") + `]}`
		},
	},
}

func TestContract(t *testing.T) { protocoltest.Run(t, protocol) }

func TestRecorded(t *testing.T) { protocoltest.Recorded(t, protocol) }

// says renders a line whose message has the given fields.
func says(fields string) string {
	return `{"model":"m","created_at":"2026-01-02T03:04:05Z","message":{"role":"assistant",` + fields + `},"done":false}` + "\n"
}

// failure renders a line that is an error.
func failure(message string) string { return `{"error":` + quoted(message) + "}\n" }

// quoted is text as JSON.
func quoted(text string) string {
	b, _ := json.Marshal(text) // a string always has a form
	return string(b)
}
