package openairesponses

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
		want   string
	}{
		{"plain", Config{}, user("a <b> & \"c\"\n"),
			`{"model":"m","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"a <b> & \"c\"\n"}]}],"stream":true,"store":false}`},
		{"all_settings", Config{System: "be brief", MaxTokens: 7, Temperature: &cold}, user("a"),
			`{"model":"m","instructions":"be brief","input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}],"stream":true,"store":false,"max_output_tokens":7,"temperature":0}`},
		{"34_pdf_alone", Config{}, user("", agentclient.Attachment{Name: "d.pdf", Media: "application/pdf", Data: []byte("%PDF")}),
			`{"model":"m","input":[{"type":"message","role":"user","content":[{"type":"input_file","filename":"d.pdf","file_data":"data:application/pdf;base64,JVBERg=="}]}],"stream":true,"store":false}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.config.BaseURL, c.config.Model = "https://host/v1/responses/", "m"
			a, err := New(c.config)
			if err != nil {
				t.Fatal(err)
			}
			got, err := a.body(c.r)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestInfo(t *testing.T) {
	a, err := New(Config{Name: "work", BaseURL: "https://api.example:8443/v1/responses", Model: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Info(); got != (agentclient.Info{Agent: "work", Protocol: "openai-responses", Model: "x", Origin: "https://api.example:8443"}) {
		t.Errorf("info %+v", got)
	}
	if _, err := New(Config{BaseURL: "https://h", MaxTokens: -1}); err == nil {
		t.Error("a negative limit was taken")
	}
}
