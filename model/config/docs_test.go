package config

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the generated parts of docs/config.md")

func TestDocsAreFresh(t *testing.T) {
	const path = "../../docs/config.md"
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	doc := string(old)
	for name, table := range map[string]string{"keys": KeysTable(), "agents": AgentKeysTable(), "wellknown": WellKnownTable()} {
		_, rest, ok := strings.Cut(doc, "<!-- "+name+": generated, go test ./model/config -update -->\n")
		was, _, closed := strings.Cut(rest, "<!-- /"+name+" -->")
		if !ok || !closed {
			t.Fatalf("%s has lost its markers for %q", path, name)
		}
		doc = strings.Replace(doc, rest, table+rest[len(was):], 1)
	}
	if doc == string(old) {
		return
	}
	if !*update {
		t.Fatalf("%s is stale: run go test ./model/config -update and read the diff", path)
	}
	if err := os.WriteFile(path, []byte(doc), 0o644); err != nil {
		t.Fatal(err)
	}
}

// uncommented takes one # away from each line that has one.
func uncommented(text string) string {
	return regexp.MustCompile(`(?m)^# `).ReplaceAllString(text, "")
}

// The template loads as it stands, and so does every line of it uncommented, one key
// at a time: what it shows is valid.
func TestTemplateIsValid(t *testing.T) {
	if _, err := (setup{file: Template()}).load(); err != nil {
		t.Fatal(err)
	}
	if c, err := (setup{file: uncommented(Template())}).load(); err != nil || c.Agent.Name != "work" || len(c.Keys) != 1 {
		t.Errorf("with every # taken away: %v, agent %q", err, c.Agent.Name)
	}
	keySources := map[string]bool{"api_key_env": true, "api_key_command": true, "api_key_file": true}
	table, tried := "", 0
	for _, line := range strings.Split(Template(), "\n") {
		body, isComment := strings.CutPrefix(strings.TrimPrefix(line, "#"), "# ")
		if !isComment {
			body, isComment = strings.CutPrefix(line, "# ")
		}
		switch name, _, isKey := strings.Cut(body, " = "); {
		case !isComment:
		case strings.HasPrefix(body, "["):
			table = body
		case isKey:
			tried++
			file := table + "\n" + body + "\n"
			if table == "[agents.work]" && name != "command" {
				for _, base := range []string{`protocol = "openai-chat"`, `base_url = "https://h/v1"`} {
					if !strings.HasPrefix(base, name) {
						file += base + "\n"
					}
				}
			}
			if name == "command" {
				file += "protocol = \"acp\"\n"
			}
			if name == "agent" {
				file += "[agents.work]\nprotocol = \"sandbox\"\n"
			}
			if _, err := (setup{file: file}).load(); err != nil {
				t.Errorf("%q: %v", body, err)
			}
			delete(keySources, name)
		}
	}
	if want := len(keys) + len(agentKeys) + 2; tried != want || len(keySources) > 0 {
		t.Errorf("the template shows %d keys, there are %d (missing %v)", tried, want, keySources)
	}
}
