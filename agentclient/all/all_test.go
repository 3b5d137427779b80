package all

import (
	"fmt"
	"strings"
	"testing"

	"baton/agentclient"
	"baton/agentclient/sandbox"
	"baton/agentclient/wire"
)

func TestOpen(t *testing.T) {
	for _, c := range []struct {
		name string
		c    Config
		want agentclient.Info
	}{
		{"default", Config{}, agentclient.Info{Agent: "sandbox", Protocol: "sandbox", Model: "scripted-1", Origin: "in process"}},
		{"sandbox", Config{Name: "try", Protocol: "sandbox"}, agentclient.Info{Agent: "try", Protocol: "sandbox", Model: "scripted-1", Origin: "in process"}},
		{"openai-chat", Config{Name: "work", Protocol: "openai-chat", BaseURL: "https://h/v1", Model: "m"}, agentclient.Info{Agent: "work", Protocol: "openai-chat", Model: "m", Origin: "https://h"}},
		{"anthropic", Config{Name: "work", Protocol: "anthropic", BaseURL: "https://h", Model: "m"}, agentclient.Info{Agent: "work", Protocol: "anthropic", Model: "m", Origin: "https://h"}},
		{"gemini", Config{Name: "work", Protocol: "gemini", BaseURL: "https://h", Model: "m"}, agentclient.Info{Agent: "work", Protocol: "gemini", Model: "m", Origin: "https://h"}},
		{"ollama", Config{Name: "home", Protocol: "ollama", BaseURL: "http://127.0.0.1:11434", Model: "m"}, agentclient.Info{Agent: "home", Protocol: "ollama", Model: "m", Origin: "http://127.0.0.1:11434"}},
		{"openai-responses", Config{Name: "work", Protocol: "openai-responses", BaseURL: "https://h/v1", Model: "m"}, agentclient.Info{Agent: "work", Protocol: "openai-responses", Model: "m", Origin: "https://h"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			agent, closer, err := Open(c.c)
			if err != nil {
				t.Fatal(err)
			}
			if got := agent.Info(); got != c.want {
				t.Errorf("info %+v, want %+v", got, c.want)
			}
			if err := closer.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	const canary = "canary-0123456789"
	for _, c := range []struct {
		name string
		c    Config
		want string
	}{
		{"unknown_protocol", Config{Protocol: "telepathy"}, `unknown protocol "telepathy"; there are `},
		{"base_url", Config{Name: "work", Protocol: "openai-chat", BaseURL: "x"}, `open agent "work": base_url`},
		{"C15_key", Config{Protocol: "openai-chat", BaseURL: "https://h", Key: wire.NewSecret(canary + "\n"), KeyName: "$K"}, "the key from $K"},
		{"fault", Config{Sandbox: sandbox.Options{Faults: "boom"}}, `unknown fault "boom"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := Open(c.c)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), canary) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if strings.Contains(fmt.Sprintf("%+v %#v", c.c, c.c), canary) {
				t.Error("C15: the configuration prints its key")
			}
		})
	}
}

// Faults are armed through the agent, whatever wraps it.
func TestTheSandboxCanBeArmed(t *testing.T) {
	agent, closer, err := Open(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	if _, ok := agent.(interface{ Arm(string) error }); !ok {
		t.Errorf("%T cannot be armed", agent)
	}
}
