package config

import (
	"strings"
	"testing"
)

const twoAgents = `agent = "work"
[agents.work]
protocol = "openai-chat"
base_url = "https://work.example/v1"
api_key_env = "WORK_API_KEY"
model = "w"
[agents.free]
protocol = "openai-chat"
base_url = "https://free.example/v1"
`

func TestWhichAgentStarts(t *testing.T) {
	noChoice := strings.TrimPrefix(twoAgents, "agent = \"work\"\n")
	env := func(pairs ...string) map[string]string {
		m := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = pairs[i+1]
		}
		return m
	}
	for name, c := range map[string]struct {
		s                     setup
		agent, url, model, by string
	}{
		"nothing":                     {setup{}, "sandbox", "", "", "default"},
		"agents without a choice":     {setup{file: noChoice}, "sandbox", "", "", "default"},
		"file":                        {setup{file: twoAgents}, "work", "https://work.example/v1", "w", "config.toml:1:9"},
		"variable over file":          {setup{file: twoAgents, env: env("BATON_AGENT", "free")}, "free", "https://free.example/v1", "", "$BATON_AGENT"},
		"flag over variable":          {setup{file: twoAgents, env: env("BATON_AGENT", "free"), flags: Flags{Agent: "sandbox"}}, "sandbox", "", "", "--agent"},
		"lone address":                {setup{file: twoAgents, flags: Flags{BaseURL: "http://localhost:11434/v1/"}}, "localhost:11434", "http://localhost:11434/v1", "", "--base-url"},
		"lone address over variable":  {setup{file: twoAgents, env: env("BATON_AGENT", "work"), flags: Flags{BaseURL: "https://h/v1", Model: "m"}}, "h", "https://h/v1", "m", "--base-url"},
		"address beside agent":        {setup{file: twoAgents, flags: Flags{Agent: "work", BaseURL: "https://h/v1"}}, "work", "https://h/v1", "w", "--agent"},
		"lone variable address":       {setup{file: twoAgents, env: env("BATON_BASE_URL", "https://h/v1", "BATON_MODEL", "m")}, "h", "https://h/v1", "m", "$BATON_BASE_URL"},
		"variables together":          {setup{file: twoAgents, env: env("BATON_AGENT", "free", "BATON_BASE_URL", "https://h/v1")}, "free", "https://h/v1", "", "$BATON_AGENT"},
		"variables, same server":      {setup{file: twoAgents, env: env("BATON_AGENT", "work", "BATON_BASE_URL", "https://WORK.example:443/v2")}, "work", "https://WORK.example:443/v2", "w", "$BATON_AGENT"},
		"address left in environment": {setup{file: twoAgents, env: env("BATON_BASE_URL", "https://h/v1", "BATON_MODEL", "m"), flags: Flags{Agent: "work"}}, "work", "https://work.example/v1", "w", "--agent"},
		"model of the environment":    {setup{file: twoAgents, env: env("BATON_MODEL", "m")}, "work", "https://work.example/v1", "m", "config.toml:1:9"},
		"name taken":                  {setup{file: strings.ReplaceAll(twoAgents, "agents.free", `agents."free.example"`), flags: Flags{BaseURL: "https://free.example/v2"}}, "free.example~", "https://free.example/v2", "", "--base-url"},
		"plain http, allowed":         {setup{flags: Flags{BaseURL: "http://10.0.0.1/v1", AllowPlainHTTP: true}}, "10.0.0.1", "http://10.0.0.1/v1", "", "--base-url"},
	} {
		got, err := c.s.load()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		a := got.Agent
		if a.Name != c.agent || a.BaseURL != c.url || a.Model != c.model || got.Sources["agent"].String() != c.by {
			t.Errorf("%s: %s at %q, model %q, by %s", name, a.Name, a.BaseURL, a.Model, got.Sources["agent"])
		}
		if back := got.Agents[a.Name]; back.BaseURL != a.BaseURL || back.Model != a.Model || back.Protocol == "" {
			t.Errorf("%s: the list of agents has %+v", name, back)
		}
	}
}

func TestChoicesThatAreRefused(t *testing.T) {
	plain := strings.ReplaceAll(twoAgents, `base_url = "https://free.example/v1"`, "base_url = \"http://free.example/v1\"\nallow_plain_http = true")
	for name, c := range map[string]struct {
		s    setup
		want string
	}{
		"unknown flag":     {setup{file: twoAgents, flags: Flags{Agent: "wrok"}}, `--agent names no agent: "wrok" (did you mean "work"?)`},
		"unknown variable": {setup{env: map[string]string{"BATON_AGENT": "x"}}, `$BATON_AGENT names no agent: "x"`},
		"unknown in file":  {setup{file: "\nagent = \"x\""}, `config.toml:2:9: agent names no agent: "x"`},
		"key carried off": {setup{file: twoAgents, env: map[string]string{"BATON_AGENT": "work", "BATON_BASE_URL": "https://evil/v1"}},
			`$BATON_BASE_URL would send the key or headers of agent work to another server (https://evil)`},
		"sandbox address":    {setup{flags: Flags{Agent: "sandbox", BaseURL: "https://h/v1"}}, `--base-url does nothing with agent sandbox, whose protocol is sandbox`},
		"sandbox key":        {setup{flags: Flags{APIKeyEnv: "X"}}, `--api-key-env does nothing with agent sandbox, whose protocol is sandbox`},
		"key instead of env": {setup{file: twoAgents, flags: Flags{APIKeyEnv: "sk-123"}}, `--api-key-env must be the name of an environment variable (A-Z, 0-9, _), not the key itself`},
		"bad address":        {setup{flags: Flags{BaseURL: "localhost:8080"}}, `--base-url must begin with https:// or http://`},
		"plain http":         {setup{flags: Flags{BaseURL: "http://10.0.0.1:1/v1"}}, `--base-url is plain http to another machine (10.0.0.1:1): everything, the key included, would be readable on the way`},
		"plain http allowed for another host only": {setup{file: plain, flags: Flags{Agent: "free", BaseURL: "http://other/v1"}},
			`--base-url is plain http to another machine (other): everything, the key included, would be readable on the way`},
		"model with escape": {setup{flags: Flags{Model: "m\x1b[2J"}}, `--model must be one line without control characters`},
		"variable's value":  {setup{env: map[string]string{"BATON_RETRY_ATTEMPTS": "five"}}, `$BATON_RETRY_ATTEMPTS must be a whole number`},
		"variable's range":  {setup{env: map[string]string{"BATON_RETRY_ATTEMPTS": "0"}}, `$BATON_RETRY_ATTEMPTS must be at least 1, not 0`},
	} {
		if _, err := c.s.load(); err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", name, err, c.want)
		}
	}
}

func TestAPIKeyEnvFlagReplacesTheFilesKey(t *testing.T) {
	file := strings.Replace(twoAgents, `api_key_env = "WORK_API_KEY"`, `api_key_command = ["pass"]`, 1)
	c := mustLoad(t, setup{file: file, flags: Flags{APIKeyEnv: "OTHER_KEY"}})
	if a := c.Agent; a.APIKeyEnv != "OTHER_KEY" || a.APIKeyCommand != nil || a.APIKeyFile != "" {
		t.Errorf("%+v", a)
	}
}
