package wire

import (
	"strings"
	"testing"

	"baton/agentclient"
)

func TestSettingsAreChecked(t *testing.T) {
	warm, hot, cold := 2.0, 2.1, -0.1
	for _, c := range []struct {
		name string
		s    Settings
		err  string // "" is fine
	}{
		{"plain", Settings{BaseURL: "https://h"}, ""},
		{"limit", Settings{BaseURL: "https://h", MaxTokens: 1, Temperature: &warm}, ""},
		{"max_tokens", Settings{BaseURL: "https://h", MaxTokens: -1}, "max_tokens"},
		{"hot", Settings{BaseURL: "https://h", Temperature: &hot}, "temperature"},
		{"cold", Settings{BaseURL: "https://h", Temperature: &cold}, "temperature"},
		{"base_url", Settings{BaseURL: "h"}, "base_url"},
		{"C15_key", Settings{BaseURL: "https://h", Key: NewSecret("canary\n"), KeyName: "$K"}, "the key from $K"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.s.Connect()
			if (err == nil) != (c.err == "") || err != nil && (!strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "canary")) {
				t.Errorf("error %v, want %q", err, c.err)
			}
		})
	}
}

func TestPastedEndings(t *testing.T) {
	for given, want := range map[string]string{
		"https://h:8443/v1":           "/v1",
		" https://h:8443/v1/ ":        "/v1",
		"https://h:8443/v1/a/b":       "/v1",
		"https://h:8443/v1/a/b//":     "/v1",
		"https://h:8443/v1/a":         "/v1",
		"https://h:8443/v1/a/a/b":     "/v1/a",
		"https://h:8443/a/b":          "/",
		"https://h:8443/v1/a/b/other": "/v1/a/b/other",
	} {
		s := Settings{Name: "work", BaseURL: given, Model: "m"}
		c, err := s.Connect("/a/b", "/a")
		if err != nil {
			t.Fatal(err)
		}
		if c.base.Path != want {
			t.Errorf("%q: path %q, want %q", given, c.base.Path, want)
		}
		if got := s.Info("p", c); got != (agentclient.Info{Agent: "work", Protocol: "p", Model: "m", Origin: "https://h:8443"}) {
			t.Errorf("info %+v", got)
		}
	}
}
