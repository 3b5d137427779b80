package config

import (
	"errors"
	"testing"
)

// Whatever a file, the environment and the flags hold: a configuration that keeps its
// own promises, or problems that have a text of one printable line.
func FuzzLoad(f *testing.F) {
	f.Add(Template(), "", "", "", "")
	f.Add(twoAgents, "free", "https://h/v1", "m", "9")
	f.Add("[agents.a]\nheaders = { X = \"y\" }\na.b.c = [[1], {}]\n[[keys]]", "", "http://[::1", "", "-1")
	f.Add("\"\\u0000\" = 1\nretry.\"attempts\" = 0x5\n", "sandbox", "", "\x1b", "")
	f.Add("keys = { retry = [] }\ntimeouts = { idle = '1s', turn = \"\"\"2h\"\"\" }", "", "https://u:p@h", "", "")
	f.Fuzz(func(t *testing.T, file, agent, base, model, attempts string) {
		for _, s := range []setup{
			{file: file, flags: Flags{Agent: agent, BaseURL: base, Model: model, APIKeyEnv: attempts}},
			{file: file, env: map[string]string{"BATON_AGENT": agent, "BATON_BASE_URL": base, "BATON_MODEL": model, "BATON_RETRY_ATTEMPTS": attempts}},
		} {
			c, err := s.load()
			if err != nil {
				checkProblems(t, err)
				continue
			}
			r := c.Retry
			if r.Attempts < 1 || r.Attempts > MaxAttempts || r.Base < 0 || r.Cap < r.Base || r.MaxWait < 0 {
				t.Errorf("%+v", r)
			}
			if _, ok := known.protocol(c.Agent.Protocol); !ok || c.Agent.Name == "" || hasControl(c.Agent.Name+c.Agent.Model+c.Agent.BaseURL) {
				t.Errorf("agent %+v", c.Agent)
			}
			if back := c.Agents[c.Agent.Name]; back.Protocol != c.Agent.Protocol {
				t.Errorf("the chosen agent is not in the list: %+v", c.Agents)
			}
			c.Entries()
		}
	})
}

func checkProblems(t *testing.T, err error) {
	var all Problems
	if !errors.As(err, &all) || len(all) == 0 || len(all) > MaxProblems {
		t.Fatalf("%T %v", err, err)
	}
	for _, e := range all {
		if text := e.Error() + e.Next; e.Msg == "" || hasControl(text) || len(text) > 4000 {
			t.Errorf("%q", text)
		}
	}
}
