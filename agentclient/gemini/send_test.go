package gemini

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/agentclient"
	"baton/agentclient/protocoltest"
	"baton/agentclient/wire"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

var (
	hello = agentclient.Request{Messages: []agentclient.Message{{Role: agentclient.User, Text: "hello"}}}
	used  = agentclient.Usage{Input: 3, Output: 4}
)

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

// send runs one attempt against a server that answers with raw bytes.
func send(t *testing.T, c Config, answer func(c *net.TCPConn)) protocoltest.Said {
	t.Helper()
	return protocoltest.Once(t, func(origin string) (agentclient.Agent, error) {
		c.BaseURL, c.Model = origin, "m"
		return New(c)
	}, answer)
}

func TestFinishReasons(t *testing.T) {
	for reason, c := range map[string]struct {
		condition retrypolicy.Condition // none: it succeeds with "Hello"
		kind      retrypolicy.Kind
	}{
		"STOP": {}, "MAX_TOKENS": {}, "ONE_WE_DO_NOT_KNOW": {},
		"SAFETY":                    {retrypolicy.CondRefused, retrypolicy.Refused},
		"RECITATION":                {retrypolicy.CondRefused, retrypolicy.Refused},
		"LANGUAGE":                  {retrypolicy.CondRefused, retrypolicy.Refused},
		"BLOCKLIST":                 {retrypolicy.CondRefused, retrypolicy.Refused},
		"PROHIBITED_CONTENT":        {retrypolicy.CondRefused, retrypolicy.Refused},
		"SPII":                      {retrypolicy.CondRefused, retrypolicy.Refused},
		"IMAGE_SAFETY":              {retrypolicy.CondRefused, retrypolicy.Refused},
		"MALFORMED_FUNCTION_CALL":   {retrypolicy.CondMalformed, retrypolicy.Malformed},
		"UNEXPECTED_TOOL_CALL":      {retrypolicy.CondToolAsked, retrypolicy.Invalid},
		"OTHER":                     {retrypolicy.CondStreamError, retrypolicy.Server},
		"FINISH_REASON_UNSPECIFIED": {retrypolicy.CondTruncated, retrypolicy.Truncated},
		"":                          {retrypolicy.CondTruncated, retrypolicy.Truncated},
	} {
		t.Run(reason, func(t *testing.T) {
			s := send(t, Config{}, protocoltest.Streamed(text("Hello")+finished(reason, used)))
			if c.condition != "" {
				f := protocoltest.Failed(t, s.Err, c.condition, c.kind)
				if c.kind == retrypolicy.Refused && !strings.Contains(f.Message, reason) {
					t.Errorf("message %q does not name the reason", f.Message)
				}
			} else if s.Err != nil || s.Text != "Hello" || s.Finish.Cut != (reason == "MAX_TOKENS") || s.Finish.Usage != used {
				t.Errorf("got %q, %+v, %v", s.Text, s.Finish, s.Err)
			}
		})
	}
}

func TestBlockedPrompt(t *testing.T) {
	for body, want := range map[string]string{
		`{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":9}}`: "the prompt was blocked by the server (PROHIBITED_CONTENT)",
		`{"promptFeedback":{"blockReason":"OTHER","blockReasonMessage":"Not here."}}`:                    "the prompt was blocked by the server (OTHER): Not here.",
	} {
		s := send(t, Config{}, protocoltest.Streamed(data(body)))
		if f := protocoltest.Failed(t, s.Err, retrypolicy.CondRefused, retrypolicy.Refused); f.Message != want {
			t.Errorf("message %q, want %q", f.Message, want)
		}
	}
	harmless := data(`{"promptFeedback":{"safetyRatings":[{"category":"X","probability":"LOW"}]}}`)
	if s := send(t, Config{}, protocoltest.Streamed(harmless+text("Hello")+finished("STOP", used))); s.Err != nil {
		t.Error(s.Err)
	}
}

func TestRefusalInTheServersWords(t *testing.T) {
	s := send(t, Config{}, protocoltest.Streamed(data(`{"candidates":[{"finishReason":"RECITATION","finishMessage":"It is a song."}]}`)))
	if f := protocoltest.Failed(t, s.Err, retrypolicy.CondRefused, retrypolicy.Refused); f.Message != "the answer was stopped by the server's filter (RECITATION): It is a song." {
		t.Errorf("message %q", f.Message)
	}
}

func TestUsageAddsTheThoughts(t *testing.T) {
	body := text("Hello") + data(`{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":20,"cachedContentTokenCount":15,"toolUsePromptTokenCount":2,"candidatesTokenCount":151,"thoughtsTokenCount":382}}`)
	if s := send(t, Config{}, protocoltest.Streamed(body)); s.Err != nil || s.Finish.Usage != (agentclient.Usage{Input: 22, Output: 533}) {
		t.Errorf("usage %+v, %v", s.Finish.Usage, s.Err)
	}
}

func TestTools(t *testing.T) {
	body := parted(`{"executableCode":{"language":"PYTHON","code":"1"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK"}},{"text":"Hello"}`) + finished("STOP", used)
	s := send(t, Config{}, protocoltest.Streamed(body))
	want := []agentclient.ToolPart{{ID: "code", Name: "code_execution", Status: "running"}}
	if diff := cmp.Diff(want, s.Tools); diff != "" || s.Err != nil || s.Text != "Hello" {
		t.Errorf("C11: the server's own tool: got %q, %v\n%s", s.Text, s.Err, diff)
	}
	nameless := parted(`{"functionCall":{"name":"ls"}},{"functionCall":{"name":"cd"}}`) + finished("STOP", used)
	s = send(t, Config{}, protocoltest.Streamed(nameless))
	want = []agentclient.ToolPart{{ID: "call 1", Name: "ls", Status: "asked"}, {ID: "call 2", Name: "cd", Status: "asked"}}
	if diff := cmp.Diff(want, s.Tools); diff != "" {
		t.Errorf("C11: calls without an id: %s", diff)
	}
	protocoltest.Failed(t, s.Err, retrypolicy.CondToolAsked, retrypolicy.Invalid)
}

// Some servers give a finish reason with each chunk, as old models did.
func TestAReasonWithEachChunk(t *testing.T) {
	body := strings.ReplaceAll(text("Hel")+text("lo"), `"index":0`, `"finishReason":"STOP","index":0`)
	if s := send(t, Config{}, protocoltest.Streamed(body)); s.Err != nil || s.Text != "Hello" {
		t.Errorf("got %q, %v", s.Text, s.Err)
	}
}

func TestAnswersThatAreOdd(t *testing.T) {
	for name, body := range map[string]string{
		"other_candidates": text("Hel") + strings.Replace(text("NO"), `"index":0`, `"index":1`, 1) + text("lo"),
		"inline_data":      text("Hel") + parted(`{"inlineData":{"mimeType":"image/png","data":"AQI="}}`) + text("lo"),
		"no_content":       text("Hel") + data(`{"candidates":[{"index":0}]}`, `{"usageMetadata":{}}`, `{"candidates":[]}`, `{}`, `{"error":null}`) + text("lo"),
		"signature_alone":  text("Hello") + parted(`{"text":"","thoughtSignature":"eA=="}`),
	} {
		t.Run(name, func(t *testing.T) {
			if s := send(t, Config{}, protocoltest.Streamed(body+finished("STOP", used))); s.Err != nil || s.Text != "Hello" {
				t.Errorf("got %q, %v", s.Text, s.Err)
			}
		})
	}
}

func TestResponseIDStandsInForAHeader(t *testing.T) {
	s := send(t, Config{}, func(c *net.TCPConn) {
		wiretest.Write(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"+text("Hello")+finished("STOP", used))
	})
	if s.Finish.RequestID != "r1" {
		t.Errorf("id %q", s.Finish.RequestID)
	}
}

func TestAnErrorBehindTheFinish(t *testing.T) {
	bare := "{\n  \"error\": {\n    \"code\": 503,\n    \"message\": \"The model is overloaded.\",\n    \"status\": \"UNAVAILABLE\"\n  }\n}\n"
	for name, body := range map[string]string{"bare": bare, "event": data(errorBody(503, "The model is overloaded.", "")), "named": "event: error\n" + data(errorBody(503, "The model is overloaded.", ""))} {
		t.Run("73_"+name, func(t *testing.T) {
			s := send(t, Config{}, protocoltest.Streamed(text("Okay")+finished("STOP", used)+body))
			if f := protocoltest.Failed(t, s.Err, retrypolicy.CondStreamError, retrypolicy.Overloaded); f.Message != "The model is overloaded." {
				t.Errorf("message %q", f.Message)
			}
		})
	}
}

func TestABadKeyIsNoBadRequest(t *testing.T) {
	body := errorBody(400, "API key not valid.", `,"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}]`)
	for name, body := range map[string]string{"object": body, "list": "[" + body + "]"} {
		s := send(t, Config{Key: wire.NewSecret("canary-0123456789"), KeyName: "$GEMINI_API_KEY"}, func(c *net.TCPConn) { wiretest.Respond(c, 400, "", body) })
		if f := protocoltest.Failed(t, s.Err, "", retrypolicy.Auth); f.KeyName != "$GEMINI_API_KEY" || f.Code != "API_KEY_INVALID" || f.Status != 400 {
			t.Errorf("62: %s: failure %+v", name, *f)
		}
	}
}

func TestBodiesThatAreNoStream(t *testing.T) {
	chunk := func(text, finish string) string {
		return `{"candidates":[{"content":{"parts":[{"text":"` + text + `"}]},"finishReason":"` + finish + `"}],"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":4}}`
	}
	for _, c := range []struct {
		name, body string
		condition  retrypolicy.Condition // none: it succeeds with "Hello"
		kind       retrypolicy.Kind
	}{
		{"one", chunk("Hello", "STOP"), "", ""},
		{"list", "[" + chunk("Hel", "") + "\n,\r\n" + chunk("lo", "STOP") + "\n]\n", "", ""},
		{"73_list_with_an_error", "[" + chunk("Hel", "") + "," + errorBody(503, "no", "") + "]", retrypolicy.CondStreamError, retrypolicy.Overloaded},
		{"76_list_without_a_reason", "[" + chunk("Hel", "") + "]", retrypolicy.CondTruncated, retrypolicy.Truncated},
		{"half_a_list", "[" + chunk("Hel", "STOP") + ",", retrypolicy.CondMalformed, retrypolicy.Malformed},
		{"odd_list", "[1]", retrypolicy.CondMalformed, retrypolicy.Malformed},
		{"W1_empty_list", "[]", retrypolicy.CondNotAnAgent, retrypolicy.NotAnAgent},
		{"W1_other_json", `{"status":"ok"}`, retrypolicy.CondNotAnAgent, retrypolicy.NotAnAgent},
		{"80_empty", chunk("", "STOP"), retrypolicy.CondEmpty, retrypolicy.Empty},
		{"blocked", `{"promptFeedback":{"blockReason":"SAFETY"}}`, retrypolicy.CondRefused, retrypolicy.Refused},
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
	if s := send(t, Config{LenientEnd: true}, protocoltest.Streamed(text("Hello"))); s.Err != nil || s.Text != "Hello" {
		t.Errorf("got %q, %v", s.Text, s.Err)
	}
	protocoltest.Failed(t, send(t, Config{LenientEnd: true}, protocoltest.Streamed(thought("hm"))).Err, retrypolicy.CondEmpty, retrypolicy.Empty)
}

func TestPaths(t *testing.T) {
	for _, c := range []struct{ base, model, path string }{
		{"", "m", "/v1beta/models/m"},
		{"/", "models/m", "/v1beta/models/m"},
		{"/v1beta", "m", "/v1beta/models/m"},
		{"/v1beta/models/", "m", "/v1beta/models/m"},
		{"/v1beta/openai", "m", "/v1beta/models/m"},
		{"/v1alpha/", "m", "/v1alpha/models/m"},
		{"/gateway", "m", "/gateway/v1beta/models/m"},
		{"/v1/publishers/google", "m", "/v1/publishers/google/models/m"},
		{"", "tunedModels/a b?c", "/v1beta/tunedModels/a%20b%3Fc"},
	} {
		server := wiretest.Start(t, func(_ int, conn *net.TCPConn) { wiretest.Respond(conn, 500, "", "") })
		key := wire.NewSecret("canary-0123456789")
		a := agent(t, Config{BaseURL: "http://" + server.Addr() + c.base, Model: c.model, Key: key})
		_, _ = a.Send(t.Context(), hello, func(agentclient.Piece) {})
		if s := server.Seen()[0]; s.Path != c.path+":streamGenerateContent" || s.Query != "alt=sse" {
			t.Errorf("base %q, model %q: %s?%s", c.base, c.model, s.Path, s.Query)
		}
		if strings.Contains(fmt.Sprintf("%v %+v %#v", a, a, a), "canary") {
			t.Error("C15: the client prints its key")
		}
	}
}

func TestSettingsAsSent(t *testing.T) {
	cool := 0.0
	got, err := agent(t, Config{BaseURL: "https://h", MaxTokens: 7, Temperature: &cool}).body(agentclient.Request{
		Messages: []agentclient.Message{{Role: agentclient.User, Attachments: []agentclient.Attachment{{Name: "d.pdf", Media: "application/pdf", Data: []byte("%PDF")}}}, {Role: agentclient.Assistant}}})
	want := `{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"application/pdf","data":"JVBERg=="}}]},{"role":"model","parts":[{"text":""}]}],"generationConfig":{"temperature":0,"maxOutputTokens":7}}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
}

func TestModelsThatGenerate(t *testing.T) {
	body := `{"models":[{"name":"models/embed","supportedGenerationMethods":["embedContent"]},{"name":"models/a","supportedGenerationMethods":["generateContent"]},{"name":"models/b","inputTokenLimit":1048576},{"name":""}],"nextPageToken":"x"}`
	server := wiretest.Start(t, func(_ int, c *net.TCPConn) { wiretest.Respond(c, 200, "", body) })
	client := agent(t, Config{BaseURL: "http://" + server.Addr()})
	got, err := client.Models(t.Context())
	if client.Window("b") != 1<<20 || client.Window("models/b") != 1<<20 || client.Window("a") != 0 {
		t.Errorf("windows: %d %d %d", client.Window("b"), client.Window("models/b"), client.Window("a"))
	}
	if diff := cmp.Diff([]string{"a", "b"}, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if s := server.Seen()[0]; s.Query != "pageSize=1000" {
		t.Errorf("query %q", s.Query)
	}
}

func TestConfigIsChecked(t *testing.T) {
	for name, c := range map[string]Config{
		"max_tokens": {BaseURL: "https://h", MaxTokens: -1}, "base_url": {BaseURL: "h"},
		`"../files"`: {BaseURL: "https://h", Model: "../files"}, `"models/"`: {BaseURL: "https://h", Model: "models/"}, `"models/.."`: {BaseURL: "https://h", Model: ".."}, `"models/."`: {BaseURL: "https://h", Model: "."},
	} {
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestNoModel(t *testing.T) {
	a, err := New(Config{BaseURL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err) // the list of models must be had without one
	}
	_, err = a.Send(t.Context(), hello, func(agentclient.Piece) {})
	protocoltest.Failed(t, err, retrypolicy.CondRefusedLocal, retrypolicy.Invalid)
}

func TestInfo(t *testing.T) {
	got := agent(t, Config{Name: "gem", BaseURL: "https://api.example:8443/v1beta/"}).Info()
	if want := (agentclient.Info{Agent: "gem", Protocol: "gemini", Model: "m", Origin: "https://api.example:8443"}); got != want {
		t.Errorf("info %+v", got)
	}
}
