package cli

import (
	"testing"

	"baton/agentclient/all"
	"baton/model/config"
)

// Every protocol there is can be configured: one on a server by its address, with the
// key that belongs there.
func TestProtocolsAreKnown(t *testing.T) {
	addresses := map[string]config.Address{}
	for _, p := range known().Protocols {
		addresses[p.Name] = p.Address
	}
	for _, p := range all.Protocols() {
		want := config.ByURL
		if p == config.SandboxAgent {
			want = config.InProcess
		}
		if got, ok := addresses[p]; !ok || got != want {
			t.Errorf("%s: address %v, known %v; want %v", p, got, ok, want)
		}
	}
	for protocol, url := range map[string]string{
		"anthropic": "https://api.anthropic.com", "gemini": "https://generativelanguage.googleapis.com/v1beta",
	} {
		file := "agent = \"a\"\n[agents.a]\nprotocol = \"" + protocol + "\"\nbase_url = \"" + url + "\"\nmodel = \"m\"\n"
		none := func(string) string { return "" }
		conf, err := config.Load(none, "/home/ada", config.Flags{}, func(string) ([]byte, error) { return []byte(file), nil }, known())
		if err != nil || conf.Agent.Protocol != protocol || conf.Agent.BaseURL != url {
			t.Errorf("%s: %+v, %v", protocol, conf.Agent, err)
			continue
		}
		if _, closer, err := all.Open(all.Config{Name: "a", Protocol: protocol, BaseURL: conf.Agent.BaseURL, Model: conf.Agent.Model}); err != nil {
			t.Error(err)
		} else if err := closer.Close(); err != nil {
			t.Error(err)
		}
	}
}
