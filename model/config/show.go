package config

import (
	"maps"
	"slices"
	"strconv"
)

// Entry is one setting as it is in force.
type Entry struct {
	Key    string // dotted, as in the file
	Value  string // TOML; secrets hidden
	Origin Origin
}

// Entries lists every setting in force: the keys outside agents in the order of the
// documentation, then agents by name, then changed keys by action. Unset keys of
// agents are left out.
func (c Config) Entries() []Entry {
	var out []Entry
	add := func(name, value string) {
		if value != "" {
			out = append(out, Entry{name, value, c.Sources[name]})
		}
	}
	for _, k := range keys {
		add(k.name, k.get(&c))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Agents)) {
		a, prefix := c.Agents[name], "agents."+name+"."
		for _, k := range agentKeys {
			add(prefix+k.name, k.get(&a))
		}
		add(prefix+"headers", showHeaders(a.Headers))
	}
	for _, action := range slices.Sorted(maps.Keys(c.Keys)) {
		add("keys."+action, quoteAll(c.Keys[action]))
	}
	return out
}

func showHeaders(headers map[string]Secret) string {
	if len(headers) == 0 {
		return ""
	}
	fields := make([]string, 0, len(headers))
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		fields = append(fields, strconv.Quote(name)+" = "+strconv.Quote(headers[name].String()))
	}
	return "{ " + list(fields) + " }"
}
