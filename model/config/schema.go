package config

import (
	"bytes"
	"encoding/json"
	"strings"
)

// schema is a piece of a JSON schema.
type schema map[string]any

func matching(pattern string) schema { return schema{"type": "string", "pattern": pattern} }

func oneOf(names []string) schema { return schema{"type": "string", "enum": names} }

// with adds what the documentation says of a key.
func (s schema) with(doc, preset string) schema {
	all := schema{"description": plain(doc)}
	for k, v := range s {
		all[k] = v
	}
	if preset != "" && json.Valid([]byte(preset)) {
		all["default"] = json.RawMessage(preset)
	}
	return all
}

// table is an object that has these members and no others.
func table(members schema, doc string) schema {
	return schema{"type": "object", "additionalProperties": false, "properties": members, "description": doc}
}

// agentName is a name for an agent, as isAgentName has it.
const agentName = `^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`

// Schema is the JSON schema (draft 7) of a configuration file, made of the tables that
// files are read by. Editors take it for TOML too. What depends on several keys at once
// it does not say: `baton config check` does.
func Schema(known Known) string {
	d := defaults()
	root := schema{}
	for _, k := range keys {
		members, name := root, k.name
		if section, rest, nested := strings.Cut(k.name, "."); nested {
			if root[section] == nil {
				root[section] = table(schema{}, "the settings "+section+".…")
			}
			members, name = root[section].(schema)["properties"].(schema), rest
		}
		s := k.schema
		if k.name == "ui.theme" && len(known.Themes) > 0 {
			s = oneOf(known.Themes)
		}
		members[name] = s.with(k.doc, k.get(&d))
	}
	root["agents"] = schema{"type": "object", "additionalProperties": false,
		"description": "the agents, each under its name", "patternProperties": schema{agentName: agentSchema(known)}}
	aKey := schema{"type": "string", "pattern": `^\S+$`}
	bound := schema{"anyOf": []any{aKey, schema{"type": "array", "items": aKey}}}
	actions := schema{}
	for _, action := range known.Actions {
		actions[action] = bound
	}
	root["keys"] = table(actions, "the keys of actions; an empty array takes all away")
	all := table(root, "the settings of baton")
	all["$schema"], all["title"] = "http://json-schema.org/draft-07/schema#", "baton config.toml"
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(all); err != nil {
		panic(err) // the tables hold what JSON cannot say
	}
	return b.String()
}

func agentSchema(known Known) schema {
	members := schema{}
	for _, k := range agentKeys {
		s := k.schema
		if k.name == "protocol" && len(known.Protocols) > 0 {
			s = oneOf(known.protocolNames())
		}
		members[k.name] = s.with(k.doc, "")
	}
	members["headers"] = schema{"type": "object", "description": plain(headersDoc), "additionalProperties": schema{"type": "string"}}
	return table(members, "one agent")
}
