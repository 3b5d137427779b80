package config

import (
	"net/url"
	"slices"
	"sort"
)

// choose settles which agent a run starts with: --agent, a lone --base-url,
// $BATON_AGENT, a lone $BATON_BASE_URL, the file's agent, the sandbox, in this order.
// A base URL changes the agent named beside it, in the same layer; alone it makes an
// agent of its own. So an address left in the environment never redirects an agent
// that was chosen elsewhere, and its key with it.
func (l *loader) choose() {
	f, picked := l.flags, l.cfg.Sources["agent"]
	if f.Agent != "" {
		l.cfg.choice, picked = f.Agent, Origin{Layer: LayerFlag, Name: "--agent"}
		l.cfg.Sources["agent"] = picked
	}
	base, by := "", Origin{}
	switch env := l.env("BATON_BASE_URL"); {
	case f.BaseURL != "":
		base, by = f.BaseURL, Origin{Layer: LayerFlag, Name: "--base-url"}
	case env != "" && picked.Layer <= LayerEnv:
		base, by = env, Origin{Layer: LayerEnv, Name: "$BATON_BASE_URL"}
	}
	var a AgentConfig
	var ok bool
	if base != "" && by.Layer > picked.Layer {
		a, ok = l.adHoc(base, by)
		picked = by
	} else {
		a, ok = l.lookUp(picked)
		if ok && base != "" {
			ok = l.redirect(&a, base, by)
		}
	}
	if !ok {
		return
	}
	l.override(&a, picked)
	l.cfg.choice, l.cfg.Agent = a.Name, a
	l.cfg.Agents[a.Name] = a
}

func (l *loader) lookUp(picked Origin) (AgentConfig, bool) {
	a, ok := l.cfg.Agents[l.cfg.choice]
	if !ok {
		names := make([]string, 0, len(l.cfg.Agents))
		for n := range l.cfg.Agents {
			names = append(names, n)
		}
		sort.Strings(names)
		l.problemAt(picked, "agent", "names no agent: "+quote(l.cfg.choice)+meant(l.cfg.choice, names), "configured: "+list(names))
	}
	return a, ok
}

// adHoc makes an agent out of an address alone, named after its host.
func (l *loader) adHoc(raw string, by Origin) (AgentConfig, bool) {
	clean, msg, next := cleanURL(raw, l.flags.AllowPlainHTTP)
	if msg != "" {
		l.problemAt(by, "base_url", msg, next)
		return AgentConfig{}, false
	}
	a := AgentConfig{Protocol: AdHocProtocol, BaseURL: clean, AllowPlainHTTP: l.flags.AllowPlainHTTP}
	if u, err := url.Parse(clean); err == nil {
		a.Name = u.Host
	}
	if _, taken := l.cfg.Agents[a.Name]; taken {
		a.Name += "~" // no name of the file can end so
	}
	l.cfg.Sources["agent"] = by
	l.cfg.Sources["agents."+a.Name+".base_url"] = by
	return a, true
}

// redirect gives a configured agent another address.
func (l *loader) redirect(a *AgentConfig, raw string, by Origin) bool {
	if a.BaseURL == "" {
		l.problemAt(by, "base_url", "does nothing with agent "+a.Name+", whose protocol is "+a.Protocol, "leave the agent out to reach that address")
		return false
	}
	allowPlain := l.flags.AllowPlainHTTP
	clean, msg, next := cleanURL(raw, allowPlain || a.AllowPlainHTTP && originOf(raw) == a.Origin())
	if msg != "" {
		l.problemAt(by, "base_url", msg, next)
		return false
	}
	sameOrigin := originOf(clean) == a.Origin()
	if by.Layer != LayerFlag && !sameOrigin && l.flags.APIKeyEnv == "" && (a.hasKeySource() || len(a.Headers) > 0) {
		l.problemAt(by, "base_url", "would send the key or headers of agent "+a.Name+" to another server ("+originOf(clean)+")",
			"if you want that, say it with --agent "+a.Name+" --base-url")
		return false
	}
	a.BaseURL, a.AllowPlainHTTP = clean, allowPlain || a.AllowPlainHTTP && sameOrigin
	l.cfg.Sources["agents."+a.Name+".base_url"] = by
	return true
}

// override applies what else the environment and the flags say of the chosen agent.
// The environment's model is for agents chosen there or below.
func (l *loader) override(a *AgentConfig, picked Origin) {
	set := func(name, value string, by Origin) {
		i := slices.IndexFunc(agentKeys, func(k key[AgentConfig]) bool { return k.name == name })
		if msg := agentKeys[i].set(a, value); msg != "" {
			l.problemAt(by, name, msg, "")
			return
		}
		l.cfg.Sources["agents."+a.Name+"."+name] = by
	}
	switch env := l.env("BATON_MODEL"); {
	case l.flags.Model != "":
		set("model", l.flags.Model, Origin{Layer: LayerFlag, Name: "--model"})
	case env != "" && picked.Layer <= LayerEnv:
		set("model", env, Origin{Layer: LayerEnv, Name: "$BATON_MODEL"})
	}
	if l.flags.APIKeyEnv == "" {
		return
	}
	by := Origin{Layer: LayerFlag, Name: "--api-key-env"}
	if a.BaseURL == "" {
		l.problemAt(by, "api_key_env", "does nothing with agent "+a.Name+", whose protocol is "+a.Protocol, "")
		return
	}
	a.APIKeyCommand, a.APIKeyFile = nil, ""
	set("api_key_env", l.flags.APIKeyEnv, by)
}
