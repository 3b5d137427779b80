package cli

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"baton/model/config"
)

var update = flag.Bool("update", false, "write docs/config.schema.json")

// docs/config.schema.json is what the tables say, and what the command prints.
func TestSchemaIsFresh(t *testing.T) {
	const path = "../../docs/config.schema.json"
	want := config.Schema(known())
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s is stale (%v): run go test ./ui/cli -run Schema -update and read the diff", path, err)
	}
	if o := invoke(t, "", nil, "config", "schema"); o.code != 0 || o.out != want {
		t.Errorf("config schema: %d, %s", o.code, o.errors)
	}
}

// The schema and the reader agree on what is right and wrong, and every key is described.
func TestSchemaAgreesWithTheReader(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal([]byte(config.Schema(known())), &schema); err != nil {
		t.Fatal(err)
	}
	described(t, "", schema)
	uncommented := regexp.MustCompile(`(?m)^# `).ReplaceAllString(config.Template(), "")
	agent := "[agents.a]\nprotocol = \"openai-chat\"\nbase_url = \"https://h/v1\"\n"
	for _, file := range []string{
		config.Template(), uncommented, "", "retry.attempts = 100", "retry.attempts = 101", "retry.attempts = 0", "retry.attempts = \"5\"", "retry.attempts = 1.5",
		"retry.max_wait = \"1m30s\"", "retry.base = \"250\"", "retry.base = 250", "retry.base = \"1.5s\"", "timeouts.turn = \"0\"", "timeouts.turn = \"\"",
		"sessions.keep = \"90d\"", "sessions.keep = \"off\"", "sessions.keep = \"0d\"", "sessions.keep = 90", "ui.theme = \"mono\"", "ui.theme = \"neon\"", "ui.plain = true", "ui.plain = 1",
		"zz = 1", "retry.zz = 1", "retry = 5", "keys.stop = \"ctrl+t\"", "keys.stop = []", "keys.stop = [\"a b\"]", "keys.zz = \"x\"",
		agent, agent + "model = \"\"", agent + "model = \"m\"", agent + "temperature = 2", agent + "temperature = 2.1", agent + "max_tokens = 0", agent + "modle = \"x\"",
		agent + "api_key_env = \"sk-abc\"", agent + "api_key_env = \"WORK\"", agent + "api_key = \"x\"", agent + "headers = { X = \"y\" }", agent + "headers = { X = 1 }",
		agent + "api_key_command = []", agent + "api_key_command = \"pass\"", "[agents.\"a b\"]\nprotocol = \"sandbox\"", "[agents.a]\nprotocol = \"openai\"",
	} {
		var doc map[string]any
		if err := toml.Unmarshal([]byte(file), &doc); err != nil {
			t.Fatal(err)
		}
		_, err := config.Load(func(string) string { return "" }, "/home/ada", config.Flags{}, func(string) ([]byte, error) { return []byte(file), nil }, known())
		if wrong := against(schema, plainJSON(t, doc), "file"); (err == nil) != (wrong == "") {
			t.Errorf("%q: the reader says %v, the schema %q", file, err, wrong)
		}
	}
}

func plainJSON(t *testing.T, v any) any {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func described(t *testing.T, at string, s map[string]any) {
	members, _ := s["properties"].(map[string]any)
	for name, m := range members {
		m := m.(map[string]any)
		if strings.HasPrefix(at, ".keys") {
			continue // what an action does stands in the table of keys
		}
		if d, _ := m["description"].(string); d == "" || strings.Contains(d, "`") {
			t.Errorf("%s.%s is described by %q", at, name, d)
		}
		described(t, at+"."+name, m)
	}
}

// against judges a value by the words that our schema uses (JSON schema, draft 7), and
// says what is wrong.
func against(s map[string]any, v any, at string) string {
	for word, arg := range s {
		wrong := false
		switch word {
		case "type":
			wrong = !isA(v, arg.(string))
		case "enum":
			wrong = !slices.Contains(arg.([]any), v)
		case "pattern":
			text, ok := v.(string)
			wrong = ok && !regexp.MustCompile(arg.(string)).MatchString(text)
		case "minimum":
			n, ok := v.(float64)
			wrong = ok && n < arg.(float64)
		case "maximum":
			n, ok := v.(float64)
			wrong = ok && n > arg.(float64)
		case "minItems":
			items, ok := v.([]any)
			wrong = ok && float64(len(items)) < arg.(float64)
		case "items":
			for _, item := range items(v) {
				if w := against(arg.(map[string]any), item, at+"[]"); w != "" {
					return w
				}
			}
		case "anyOf":
			wrong = true
			for _, one := range arg.([]any) {
				wrong = wrong && against(one.(map[string]any), v, at) != ""
			}
		case "properties", "patternProperties", "additionalProperties": // below
		case "description", "default", "title", "$schema":
		default:
			return "the schema has the word " + word + ", which this test does not know"
		}
		if wrong {
			return fmt.Sprintf("%s: %s", at, word)
		}
	}
	return members(s, v, at)
}

func members(s map[string]any, v any, at string) string {
	object, _ := v.(map[string]any)
	for name, value := range object {
		sub, ok := s["additionalProperties"], false
		if ps, there := s["properties"].(map[string]any); there {
			if m, known := ps[name]; known {
				sub, ok = m, true
			}
		}
		ps, _ := s["patternProperties"].(map[string]any)
		for pattern, m := range ps {
			if !ok && regexp.MustCompile(pattern).MatchString(name) {
				sub, ok = m, true
			}
		}
		switch sub := sub.(type) {
		case bool:
			if !sub {
				return at + "." + name + " is unknown"
			}
		case map[string]any:
			if w := against(sub, value, at+"."+name); w != "" {
				return w
			}
		}
	}
	return ""
}

func items(v any) []any { all, _ := v.([]any); return all }

func isA(v any, kind string) bool {
	switch v := v.(type) {
	case map[string]any:
		return kind == "object"
	case []any:
		return kind == "array"
	case string:
		return kind == "string"
	case bool:
		return kind == "boolean"
	case float64:
		return kind == "number" || kind == "integer" && v == float64(int64(v))
	}
	return false
}
