package ollama

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/agentclient"
)

func TestBody(t *testing.T) {
	cold := 0.0
	user := func(text string, a ...agentclient.Attachment) agentclient.Request {
		return agentclient.Request{Messages: []agentclient.Message{{Role: agentclient.User, Text: text, Attachments: a}}}
	}
	for _, c := range []struct {
		name   string
		config Config
		r      agentclient.Request
		want   string // a body, or "!" and an error
	}{
		{"plain", Config{}, user("a <b> & \"c\"\n"), `{"model":"m","messages":[{"role":"user","content":"a <b> & \"c\"\n"}],"stream":true}`},
		{"all_settings", Config{System: "be brief", MaxTokens: 7, Temperature: &cold}, user("a"),
			`{"model":"m","messages":[{"role":"system","content":"be brief"},{"role":"user","content":"a"}],"stream":true,"options":{"num_predict":7,"temperature":0}}`},
		{"temperature_alone", Config{Temperature: &cold}, user("a"), `{"model":"m","messages":[{"role":"user","content":"a"}],"stream":true,"options":{"temperature":0}}`},
		{"34_image_alone", Config{}, user("", agentclient.Attachment{Name: "a.png", Media: "image/png", Data: []byte{1, 2}}),
			`{"model":"m","messages":[{"role":"user","content":"","images":["AQI="]}],"stream":true}`},
		{"34_pdf", Config{}, user("a", agentclient.Attachment{Name: "d.pdf", Media: "application/pdf", Data: []byte("%PDF")}),
			"!d.pdf cannot be sent: application/pdf is neither text nor image"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.config.BaseURL, c.config.Model = "http://127.0.0.1:11434", "m"
			a, err := New(c.config)
			if err != nil {
				t.Fatal(err)
			}
			body, err := a.body(c.r)
			got := string(body)
			if err != nil {
				got = "!" + err.Error()
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNew(t *testing.T) {
	for _, url := range []string{"http://127.0.0.1:11434", "http://127.0.0.1:11434/", "http://127.0.0.1:11434/api", "http://127.0.0.1:11434/api/chat"} {
		a, err := New(Config{Name: "home", BaseURL: url, Model: "x"})
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Info(); got != (agentclient.Info{Agent: "home", Protocol: "ollama", Model: "x", Origin: "http://127.0.0.1:11434"}) {
			t.Errorf("info %+v", got)
		}
	}
	if _, err := New(Config{BaseURL: "http://127.0.0.1", MaxTokens: -1}); err == nil {
		t.Error("a negative limit was taken")
	}
}
