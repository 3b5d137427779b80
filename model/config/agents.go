package config

import (
	"slices"
	"strings"
)

// readAgents reads [agents].
func (l *loader) readAgents(table map[string]any) {
	for _, name := range l.inOrder(table, []string{"agents"}) {
		here := []string{"agents", name}
		sub, ok := table[name].(map[string]any)
		switch {
		case !isAgentName(name):
			l.problemAt(l.keyAt(here), "agents."+quote(name), "is no name for an agent", "use 1 to 64 of A-Z, a-z, 0-9, '.', '_', '-', a letter or digit first")
			continue
		case !ok:
			l.problemAt(l.at(here), "agents."+name, "must be a table", "write [agents."+name+"] on a line of its own")
			continue
		case l.layer == LayerProject:
			l.tune(name, sub, here)
			continue
		}
		a := l.cfg.Agents[name] // the sandbox is there already
		a.Name = name
		before := len(l.problems)
		for _, k := range l.inOrder(sub, here) {
			l.readAgentKey(&a, append(here, k), sub[k])
		}
		if len(l.problems) == before { // what follows would only repeat it
			l.checkAgent(&a, here)
		}
		l.cfg.Agents[name] = a
	}
}

func (l *loader) readAgentKey(a *AgentConfig, path []string, value any) {
	name := path[len(path)-1]
	if name == "headers" {
		l.readHeaders(a, path, value)
		return
	}
	for _, k := range agentKeys {
		if k.name == name {
			store(l, k, a, path, value)
			return
		}
	}
	if slices.Contains(pastedKeys, name) {
		line, column := l.marks.key(path)
		l.problem(Error{File: l.file, Line: line, Column: column, Key: strings.Join(path, "."),
			Msg:  "keys are not written into this file",
			Next: "use api_key_env, api_key_command or api_key_file; and remove the key from here"})
		return
	}
	l.unknown(path, agentKeyNames())
}

func agentKeyNames() []string {
	names := make([]string, 0, len(agentKeys)+1)
	for _, k := range agentKeys {
		names = append(names, k.name)
	}
	return append(names, "headers")
}

// pastedKeys are where people would put a key itself.
var pastedKeys = []string{"api_key", "key", "token"}

// fixedHeaders belong to the transport: setting one would break its framing.
var fixedHeaders = []string{"host", "content-length", "content-type", "transfer-encoding", "connection", "upgrade", "accept-encoding", "te", "trailer", "expect"}

func (l *loader) readHeaders(a *AgentConfig, path []string, value any) {
	table, ok := value.(map[string]any)
	if !ok {
		l.problemAt(l.at(path), strings.Join(path, "."), `must be a table, like { "X-Team" = "blue" }`, "")
		return
	}
	a.Headers = map[string]Secret{}
	for _, name := range l.inOrder(table, path) {
		here := append(path[:len(path):len(path)], name)
		text, isString := table[name].(string)
		msg := ""
		switch {
		case !isToken(name):
			msg = "is no header name"
		case slices.Contains(fixedHeaders, strings.ToLower(name)):
			msg = "cannot be set: it belongs to the transport"
		case !isString || hasControl(text):
			msg = "must be a string without control characters"
		}
		if msg != "" {
			l.problemAt(l.at(here), "header "+quote(name), msg, "")
			continue
		}
		a.Headers[name] = NewSecret(text)
	}
	l.cfg.Sources[strings.Join(path, ".")] = l.at(path)
}

// isToken reports whether s is a field name (RFC 9110 §5.1).
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

func isAgentName(s string) bool {
	if len(s) == 0 || len(s) > 64 || strings.ContainsRune("._-", rune(s[0])) {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && !strings.ContainsRune("._-", r)
	})
}

// checkAgent checks an agent of the file as a whole, and completes its paths.
func (l *loader) checkAgent(a *AgentConfig, table []string) {
	fail := func(key, msg, next string) {
		full := strings.Join(table, ".")
		if o, set := l.cfg.Sources[full+"."+key]; set {
			l.problemAt(o, full+"."+key, msg, next)
		} else {
			l.problemAt(l.keyAt(table), full, msg, next)
		}
	}
	p, known := l.known.protocol(a.Protocol)
	switch {
	case a.Protocol == "":
		fail("protocol", "needs a protocol", "one of "+list(l.known.protocolNames()))
		return
	case !known:
		fail("protocol", "must be one of "+list(l.known.protocolNames())+", not "+quote(a.Protocol)+meant(a.Protocol, l.known.protocolNames()), "")
		return
	case a.Name == SandboxAgent && a.Protocol != SandboxAgent:
		fail("protocol", "must stay "+SandboxAgent+": the name is that of the built-in agent", "give this agent another name")
		return
	}
	checkAddress(a, p, fail)
	l.checkKeySource(a, fail)
	if a.CAFile != "" {
		a.CAFile = l.absolute(a.CAFile)
	}
}

type failure func(key, msg, next string)

// checkAddress checks that the agent can be reached in the way of its protocol, and
// in no other: a setting that does nothing is a mistake someone should hear of.
func checkAddress(a *AgentConfig, p Protocol, fail failure) {
	if a.BaseURL != "" && p.Address != ByURL {
		fail("base_url", "does nothing with protocol "+p.Name, "remove it")
	}
	if len(a.Command) > 0 && p.Address != ByCommand {
		fail("command", "does nothing with protocol "+p.Name, "remove it")
	}
	if a.hasKeySource() && p.Address != ByURL {
		for _, k := range []string{"api_key_env", "api_key_command", "api_key_file"} {
			if isSet(*a, k) {
				fail(k, "does nothing with protocol "+p.Name, "remove it")
			}
		}
	}
	switch {
	case p.Address == ByCommand && len(a.Command) == 0:
		fail("command", "needs a command with protocol "+p.Name, `like command = ["gemini", "--acp"]`)
	case p.Address == ByURL && a.BaseURL == "":
		fail("base_url", "needs a base_url with protocol "+p.Name, `like base_url = "https://api.example.com/v1"`)
	case p.Address == ByURL:
		clean, msg, next := cleanURL(a.BaseURL, a.AllowPlainHTTP)
		if msg != "" {
			fail("base_url", msg, next)
			return
		}
		a.BaseURL = clean
	}
}

func (l *loader) checkKeySource(a *AgentConfig, fail failure) {
	var named []string
	for _, k := range []string{"api_key_env", "api_key_command", "api_key_file"} {
		if isSet(*a, k) {
			named = append(named, k)
		}
	}
	if len(named) > 1 {
		fail(named[1], "and "+named[0]+" both name a key", "keep one of them")
	}
	if a.APIKeyFile != "" {
		a.APIKeyFile = l.absolute(a.APIKeyFile)
	}
}

func isSet(a AgentConfig, name string) bool {
	i := slices.IndexFunc(agentKeys, func(k key[AgentConfig]) bool { return k.name == name })
	return i >= 0 && agentKeys[i].get(&a) != ""
}

// keyAt is the place of a key in the file.
func (l *loader) keyAt(path []string) Origin {
	line, column := l.marks.key(path)
	return Origin{l.layer, l.file, line, column}
}
