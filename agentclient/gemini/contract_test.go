package gemini

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

// data frames JSON texts as events.
func data(events ...string) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString("data: " + e + "\n\n")
	}
	return b.String()
}

func quoted(text string) string {
	b, _ := json.Marshal(text) // a string always has a form
	return string(b)
}

func parted(part string) string {
	return data(`{"candidates":[{"content":{"parts":[` + part + `],"role":"model"},"index":0}],"modelVersion":"m"}`)
}

func text(s string) string { return parted(`{"text":` + quoted(s) + `}`) }

func thought(s string) string { return parted(`{"text":` + quoted(s) + `,"thought":true}`) }

func call(id, name string) string {
	return parted(`{"functionCall":{"id":` + quoted(id) + `,"name":` + quoted(name) + `,"args":{}},"thoughtSignature":"eA=="}`)
}

func finished(reason string, u agentclient.Usage) string {
	return data(fmt.Sprintf(`{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":%s,"index":0}],"usageMetadata":{"promptTokenCount":%d,"candidatesTokenCount":%d,"totalTokenCount":%d},"modelVersion":"m","responseId":"r1"}`,
		quoted(reason), u.Input, u.Output, u.Input+u.Output))
}

// states are the google.rpc codes that belong to statuses.
var states = map[int]string{
	400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 402: "FAILED_PRECONDITION", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
	413: "INVALID_ARGUMENT", 422: "INVALID_ARGUMENT", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE", 529: "UNAVAILABLE",
}

func errorBody(status int, message, details string) string {
	return fmt.Sprintf(`{"error":{"code":%d,"message":%s,"status":"%s"%s}}`, status, quoted(message), states[status], details)
}

var contract = protocoltest.Protocol{
	Name: Protocol,
	Open: func(s protocoltest.Settings) (agentclient.Agent, error) {
		return New(Config{BaseURL: s.BaseURL, Model: s.Model, System: s.System, Key: s.Key, KeyName: s.KeyName, Timeouts: s.Timeouts})
	},
	Stream: protocoltest.Stream{
		Begin: func(agentclient.Usage) string { return "" },
		Text:  text, Reasoning: thought, Tool: call, Alive: ": here\n\n",
		End: func(how protocoltest.Ending, u agentclient.Usage) string {
			return finished(map[protocoltest.Ending]string{
				protocoltest.Done: "STOP", protocoltest.Length: "MAX_TOKENS", protocoltest.Refused: "SAFETY", protocoltest.Asked: "STOP",
			}[how], u)
		},
		Reasons: map[protocoltest.Ending]string{protocoltest.Done: "STOP", protocoltest.Length: "MAX_TOKENS"},
		Error: func(kind retrypolicy.Kind, message string) string {
			return data(errorBody(map[retrypolicy.Kind]int{retrypolicy.Overloaded: 503, retrypolicy.RateLimited: 429, retrypolicy.Server: 500}[kind], message, ""))
		},
		Malformed: data(`{"candidates":[`),
	},
	Errors: protocoltest.Errors{
		Body: func(status int, message string) (body, code, typ string) {
			return errorBody(status, message, ""), strconv.Itoa(status), states[status]
		},
		Wait: func(seconds int) string {
			return errorBody(429, "slow down", fmt.Sprintf(`,"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"%ds"}]`, seconds))
		},
	},
	Requests: protocoltest.Requests{
		Path: "/v1beta/models/m:streamGenerateContent", Query: "alt=sse", KeyHeader: "X-Goog-Api-Key",
		Talk: `{"systemInstruction":{"parts":[{"text":"be brief"}]},"contents":[
			{"role":"user","parts":[{"text":"one"}]},{"role":"model","parts":[{"text":"two"}]},{"role":"user","parts":[{"text":"three"}]}]}`,
		Files: `{"contents":[{"role":"user","parts":[
			{"inlineData":{"mimeType":"image/png","data":"AQI="}},{"text":"File n.md:\nhi"},{"text":"see"}]}]}`,
		ModelsPath: "/v1beta/models",
		Models: func(ids ...string) string {
			list := make([]string, len(ids))
			for i, id := range ids {
				list[i] = `{"name":"models/` + id + `","displayName":"X","supportedGenerationMethods":["generateContent","countTokens"]}`
			}
			return `{"models":[` + strings.Join(list, ",") + `]}`
		},
	},
}

func TestContract(t *testing.T) { protocoltest.Run(t, contract) }

func TestRecorded(t *testing.T) { protocoltest.Recorded(t, contract) }
