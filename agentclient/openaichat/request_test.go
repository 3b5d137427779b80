package openaichat

import (
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/agentclient"
	"baton/agentclient/wire"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

const canary = "sk-canary-0123456789"

func typedOf(f *retrypolicy.Failure) string { return fmt.Sprintf("%d/%s/%s", f.Status, f.Code, f.Type) }

func TestBody(t *testing.T) {
	warm := 0.0
	user := func(text string, a ...agentclient.Attachment) agentclient.Request {
		return agentclient.Request{Messages: []agentclient.Message{{Role: agentclient.User, Text: text, Attachments: a}}}
	}
	for _, c := range []struct {
		name   string
		config Config
		r      agentclient.Request
		want   string
	}{
		{"plain", Config{}, user("a <b> & \"c\"\n"), `{"model":"m","messages":[{"role":"user","content":"a <b> & \"c\"\n"}],"stream":true}`},
		{"all_settings", Config{System: "be brief", MaxTokens: 7, Temperature: &warm, Usage: true}, user("a"),
			`{"model":"m","messages":[{"role":"system","content":"be brief"},{"role":"user","content":"a"}],"stream":true,"stream_options":{"include_usage":true},"max_tokens":7,"temperature":0}`},
		{"history", Config{}, agentclient.Request{Messages: []agentclient.Message{{Role: agentclient.User, Text: "a"}, {Role: agentclient.Assistant, Text: "b"}, {Role: agentclient.User, Text: "c"}}},
			`{"model":"m","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}],"stream":true}`},
		{"openai_itself", Config{BaseURL: "https://api.openai.com/v1", MaxTokens: 7}, user("a"),
			`{"model":"m","messages":[{"role":"user","content":"a"}],"stream":true,"stream_options":{"include_usage":true},"max_completion_tokens":7}`},
		{"34_attachments", Config{}, user("see", agentclient.Attachment{Name: "a b.png", Media: "image/png", Data: []byte{1, 2}},
			agentclient.Attachment{Name: "n.md", Media: "text/markdown; charset=utf-8", Data: []byte("hi")},
			agentclient.Attachment{Name: "d.pdf", Media: "application/pdf", Data: []byte("%PDF")}),
			`{"model":"m","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AQI="}},{"type":"text","text":"File n.md:\nhi"},{"type":"file","file":{"filename":"d.pdf","file_data":"data:application/pdf;base64,JVBERg=="}},{"type":"text","text":"see"}]}],"stream":true}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.config.BaseURL == "" {
				c.config.BaseURL = "https://host/v1"
			}
			a := agent(t, c.config)
			got, err := a.body(c.r)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Error(diff)
			}
			if !json.Valid(got) {
				t.Error("the body is not JSON")
			}
		})
	}
}

func TestEqualRequestsSendEqualBytes(t *testing.T) {
	server := wiretest.Start(t, func(_ int, c *net.TCPConn) { wiretest.Respond(c, 500, "", "") })
	a := agent(t, Config{BaseURL: server.URL() + "/chat/completions", Key: wire.NewSecret(canary), Headers: map[string]string{"X-Team": "blue", "X-Other": "red"}})
	for range 3 {
		_, _ = a.Send(t.Context(), hello, func(agentclient.Piece) {})
	}
	seen := server.Seen()
	if len(seen) != 3 {
		t.Fatalf("%d requests, want 3", len(seen))
	}
	for _, s := range seen {
		if diff := cmp.Diff(seen[0], s); diff != "" {
			t.Errorf("C9: requests differ: %s", diff)
		}
	}
	if s := seen[0]; s.Path != "/v1/chat/completions" || s.Header.Get("Authorization") != "Bearer "+canary || s.Header.Get("X-Team") != "blue" {
		t.Errorf("request %+v", s)
	}
}

func TestAttachmentThatCannotBeSent(t *testing.T) {
	server := wiretest.Start(t, func(_ int, c *net.TCPConn) { wiretest.Respond(c, 500, "", "") })
	r := agentclient.Request{Messages: []agentclient.Message{{Role: agentclient.User, Attachments: []agentclient.Attachment{{Name: "x.zip", Media: "application/zip", Data: []byte("PK\x00")}}}}}
	_, err := agent(t, Config{BaseURL: server.URL()}).Send(t.Context(), r, func(agentclient.Piece) {})
	f, ok := err.(*retrypolicy.Failure)
	if !ok || f.Condition != retrypolicy.CondRefusedLocal || !strings.Contains(f.Message, "x.zip") {
		t.Errorf("error %v", err)
	}
	if len(server.Seen()) != 0 {
		t.Error("a request was sent")
	}
}

func TestKeys(t *testing.T) {
	echo := func(status int) *wiretest.Server {
		return wiretest.Start(t, func(_ int, c *net.TCPConn) {
			wiretest.Respond(c, status, "X-Request-Id: "+canary+"\r\n", `{"error":{"message":"bad key `+canary+`","code":"`+canary+`","type":"`+canary+`"}}`)
		})
	}
	for _, status := range []int{401, 403, 500} {
		t.Run(fmt.Sprintf("C15_62_%d", status), func(t *testing.T) {
			server := echo(status)
			_, err := agent(t, Config{BaseURL: server.URL(), Key: wire.NewSecret(canary), KeyName: "$K"}).Send(t.Context(), hello, func(agentclient.Piece) {})
			f := err.(*retrypolicy.Failure)
			if f.Status != status || (f.KeyName == "$K") != (status != 500) {
				t.Errorf("failure %+v", f)
			}
			if strings.Contains(fmt.Sprintf("%+v %v", *f, f), "canary") {
				t.Errorf("the failure shows the key: %+v", *f)
			}
		})
	}
	t.Run("no_key_no_header", func(t *testing.T) {
		server := echo(401)
		_, _ = agent(t, Config{BaseURL: server.URL()}).Send(t.Context(), hello, func(agentclient.Piece) {})
		if _, sent := server.Seen()[0].Header["Authorization"]; sent {
			t.Error("an Authorization header was sent without a key")
		}
	})
	t.Run("C15_error_event", func(t *testing.T) {
		_, _, err := send(t, Config{Key: wire.NewSecret(canary)}, func(c *net.TCPConn) {
			wiretest.Write(c, wiretest.Head+data(`{"error":{"message":"for `+canary+`","code":"`+canary+`"}}`))
		})
		if strings.Contains(fmt.Sprintf("%+v", *err.(*retrypolicy.Failure)), "canary") {
			t.Errorf("the failure shows the key: %v", err)
		}
	})
	t.Run("C15_malformed_event", func(t *testing.T) {
		_, _, err := send(t, Config{Key: wire.NewSecret(canary)}, func(c *net.TCPConn) {
			wiretest.Write(c, wiretest.Head+data(`{"choices":[{"finish_reason":"`+canary+`"},`))
		})
		if strings.Contains(fmt.Sprintf("%+v", *err.(*retrypolicy.Failure)), "canary") {
			t.Errorf("the failure shows the key: %v", err)
		}
	})
}

func TestModels(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		body   string
		want   []string
		err    string
	}{
		{"list", 200, `{"object":"list","data":[{"id":"b"},{"id":"a"},{"id":""}]}`, []string{"b", "a"}, ""},
		{"empty", 200, `{"data":[]}`, nil, ""},
		{"other_json", 200, `{"ok":true}`, nil, "no list of models"},
		{"refused", 401, `{"error":{"message":"no key"}}`, nil, "no key"},
		{"page", 200, `<html><title>Hi</title>`, nil, "web page"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := wiretest.Start(t, func(_ int, conn *net.TCPConn) { wiretest.Respond(conn, c.status, "", c.body) })
			got, err := agent(t, Config{BaseURL: server.URL()}).Models(t.Context())
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want %q", err, c.err)
			}
			if s := server.Seen()[0]; s.Method != "GET" || s.Path != "/v1/models" {
				t.Errorf("request %+v", s)
			}
		})
	}
}

func TestConfigIsChecked(t *testing.T) {
	hot := 3.0
	for name, c := range map[string]Config{
		"max_tokens":  {BaseURL: "https://h", MaxTokens: -1},
		"temperature": {BaseURL: "https://h", Temperature: &hot},
		"base_url":    {BaseURL: "h"},
	} {
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestInfo(t *testing.T) {
	got := agent(t, Config{Name: "work", BaseURL: "https://api.example:8443/v1/", Model: "x"}).Info()
	want := agentclient.Info{Agent: "work", Protocol: "openai-chat", Model: "x", Origin: "https://api.example:8443"}
	if got != want {
		t.Errorf("info %+v", got)
	}
}
