package config

import (
	"fmt"
	"slices"
	"strings"
)

// KeysTable is the table of keys of docs/config.md, in Markdown.
func KeysTable() string {
	var b strings.Builder
	d := defaults()
	b.WriteString("| key | value | default | variable | project | what it does |\n|---|---|---|---|---|---|\n")
	for _, k := range keys {
		preset := cell(k.get(&d))
		if k.name == "state_dir" {
			preset = "see right"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | `$%s` | %s | %s |\n", k.name, kindCell(k.kind, k.allowed), preset, variableOf(k.name), mayCell(k.project), k.doc)
	}
	b.WriteString("| `keys.ACTION` | string or array of strings | the table of keys | | yes | the keys of an action; `[]` takes all away |\n")
	return b.String()
}

// AgentKeysTable is the table of the keys of one agent, in Markdown.
func AgentKeysTable() string {
	var b strings.Builder
	b.WriteString("| key | value | example | project | what it does |\n|---|---|---|---|---|\n")
	for _, k := range agentKeys {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", k.name, kindCell(k.kind, k.allowed), cell(k.example), mayCell(k.project), k.doc)
	}
	fmt.Fprintf(&b, "| `headers` | table of strings | `{ \"X-Team\" = \"blue\" }` | | %s |\n", headersDoc)
	return b.String()
}

// WellKnownTable is the table of well-known variables and their origins, in Markdown.
func WellKnownTable() string {
	var b strings.Builder
	b.WriteString("| variable | goes by itself only to | base URL for openai-chat |\n|---|---|---|\n")
	for _, w := range wellKnown {
		fmt.Fprintf(&b, "| `%s` | %s | `%s` |\n", w.Env, w.Origin(), w.BaseURL)
	}
	return b.String()
}

func kindCell(kind, allowed string) string {
	if allowed == "" {
		return kind
	}
	return kind + ", " + strings.ReplaceAll(allowed, "|", `\|`)
}

// mayCell says whether a project's file may set a key.
func mayCell(project bool) string {
	if project {
		return "yes"
	}
	return ""
}

func cell(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

// alternatives are keys that cannot stand beside the others of the template's agent.
var alternatives = []string{"api_key_command", "api_key_file", "command"}

// Template is a user file to begin with: every key with its default or an example,
// commented out with one #. Words, and what cannot stand beside the rest, have two: so
// the file is still in order once every # is taken away.
func Template() string {
	var b strings.Builder
	d := defaults()
	b.WriteString("## baton reads this file; docs/config.md explains it. Everything below is commented out.\n\n")
	section := ""
	for _, k := range keys {
		table, name, nested := strings.Cut(k.name, ".")
		if !nested {
			table, name = "", k.name
		}
		if table != section {
			section = table
			fmt.Fprintf(&b, "\n# [%s]\n", table)
		}
		value := k.get(&d)
		if k.example != "" {
			value = k.example
		}
		fmt.Fprintf(&b, "# %s = %s # %s\n", name, value, plain(k.doc))
	}
	b.WriteString("\n# [agents.work]\n")
	for _, k := range agentKeys {
		mark := "#"
		if slices.Contains(alternatives, k.name) {
			mark = "##"
		}
		fmt.Fprintf(&b, "%s %s = %s # %s\n", mark, k.name, k.example, plain(k.doc))
	}
	fmt.Fprintf(&b, "# headers = { \"X-Team\" = \"blue\" } # %s\n", headersDoc)
	b.WriteString("\n# [keys]\n# retry = [\"ctrl+y\"] # the keys of an action; baton config keys lists the actions\n")
	return b.String()
}

func plain(doc string) string { return strings.ReplaceAll(doc, "`", "") }
