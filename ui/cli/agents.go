package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"baton/agentclient"
	"baton/agentclient/all"
	"baton/agentclient/sandbox"
	"baton/agentclient/wire"
	"baton/model/command"
	"baton/model/config"
	"baton/model/engine"
	"baton/retrypolicy"
	"baton/ui/sanitize"
)

// listWait is how long the start waits for a server to name its models.
const listWait = 3 * time.Second

// agents opens agents by name and closes them at the end.
type agents struct {
	conf   config.Config
	tables func(topic string) string
	log    *slog.Logger
	said   string // which model the first agent took from the server's list

	mu      sync.Mutex // commands open agents on goroutines of their own
	opened  []io.Closer
	secrets []string
	sandbox *sandbox.Agent
	sizers  map[from][]agentclient.Sizer // what was opened, and may have read a list of models
}

// from is an agent and its server.
type from struct{ agent, origin string }

func newAgents(conf config.Config, tables func(string) string) *agents {
	return &agents{conf: conf, tables: tables, log: slog.New(slog.DiscardHandler), sizers: map[from][]agentclient.Sizer{}}
}

// names lists every agent one can switch to.
func (g *agents) names() []string {
	names := slices.Sorted(maps.Keys(g.conf.Agents))
	if !slices.Contains(names, config.SandboxAgent) {
		names = append(names, config.SandboxAgent)
	}
	return names
}

// first opens the agent that the configuration chose.
func (g *agents) first(ctx context.Context) (agentclient.Agent, error) {
	a, err := g.open(ctx, g.conf.Agent)
	if f, ok := a.(*firstModel); ok {
		g.said = f.said()
	}
	return a, err
}

// byName opens another agent, with the named model if one is named.
func (g *agents) byName(ctx context.Context, name, model string) (agentclient.Agent, error) {
	conf, err := g.known(name, model)
	if err != nil {
		return nil, err
	}
	return g.open(ctx, conf)
}

// known is how an agent is configured, with the named model if one is named, or why there is no such agent or model.
func (g *agents) known(name, model string) (config.AgentConfig, error) {
	conf, ok := g.conf.Agents[name]
	if name == g.conf.Agent.Name {
		conf, ok = g.conf.Agent, true
	}
	if !ok && name == config.SandboxAgent {
		conf, ok = config.AgentConfig{Name: name, Protocol: config.SandboxAgent}, true
	}
	switch {
	case !ok:
		return conf, fmt.Errorf("there is no agent %q: %s", sanitize.Line(name), command.Agents(g.names()))
	case sanitize.Line(model) != model:
		return conf, fmt.Errorf("%s cannot be the name of a model", sanitize.Line(model))
	case model != "" && conf.Protocol == config.SandboxAgent && model != sandbox.Model:
		return conf, fmt.Errorf("the sandbox has one model, %s", sandbox.Model)
	case model != "":
		conf.Model = model
	}
	return conf, nil
}

func (g *agents) open(ctx context.Context, conf config.AgentConfig) (agentclient.Agent, error) {
	if s := g.theSandbox(); conf.Protocol == config.SandboxAgent && s != nil {
		return s, nil
	}
	key, keyName, err := conf.Key(ctx, config.SystemKeys())
	if err != nil {
		return nil, err
	}
	c := g.connection(conf, key, keyName)
	g.log.Info("agent opened", "agent", conf.Name, "protocol", conf.Protocol, "model", conf.Model, "origin", conf.Origin(), "key", keyName)
	if c.Model == "" && conf.Protocol != config.SandboxAgent {
		a, closer, err := openFirstModel(ctx, c)
		if err != nil {
			return nil, err
		}
		return g.add(a, closer), nil
	}
	a, closer, err := all.Open(c)
	if err != nil {
		return nil, err
	}
	return g.add(a, closer), nil
}

// connection is an agent's settings as the protocols take them. Its secrets are redacted
// from then on.
func (g *agents) connection(conf config.AgentConfig, key config.Secret, keyName string) all.Config {
	t := g.conf.Timeouts
	c := all.Config{
		Name: conf.Name, Protocol: conf.Protocol, BaseURL: conf.BaseURL, Model: conf.Model, System: conf.System,
		MaxTokens: conf.MaxTokens, Temperature: conf.Temperature, Headers: map[string]string{}, Key: key, KeyName: keyName,
		Timeouts: agentclient.Timeouts{Connect: t.Connect, FirstByte: t.FirstByte, Idle: t.Idle},
		CAFile:   conf.CAFile, Usage: conf.Usage, LenientEnd: conf.LenientEnd, AllowPlainHTTP: conf.AllowPlainHTTP,
		Sandbox: sandbox.Options{Tables: g.tables, Faults: g.conf.Fault},
	}
	for name, value := range conf.Headers {
		c.Headers[name] = value.Reveal()
		g.keep(value.Reveal())
	}
	g.keep(key.Reveal())
	return c
}

func (g *agents) keep(secret string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if secret != "" {
		g.secrets = append(g.secrets, secret)
	}
}

func (g *agents) add(a agentclient.Agent, closer io.Closer) agentclient.Agent {
	g.mu.Lock()
	defer g.mu.Unlock()
	if closer != nil {
		g.opened = append(g.opened, closer)
	}
	if s, ok := a.(agentclient.Sizer); ok {
		at := from{a.Info().Agent, a.Info().Origin}
		g.sizers[at] = append(g.sizers[at], s)
	}
	if s, ok := a.(*sandbox.Agent); ok {
		g.sandbox = s
	}
	return a
}

// theSandbox is the one sandbox of the process, nil until it was opened.
func (g *agents) theSandbox() *sandbox.Agent {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.sandbox
}

// redact removes every key that was used from a text.
func (g *agents) redact(s string) string {
	g.mu.Lock()
	secrets := slices.Clone(g.secrets)
	g.mu.Unlock() // a long text takes its time, and each frame asks for the window
	return wire.NewRedactor(secrets...).Redact(s)
}

// window is the size of the context window, in tokens, that an agent's model has: as configured, else as a list of models
// told that was read for another reason. Nothing is sent for it. 0 is not known.
func (g *agents) window(i agentclient.Info) int {
	conf, ok := g.conf.Agents[i.Agent]
	if i.Agent == g.conf.Agent.Name {
		conf, ok = g.conf.Agent, true
	}
	if ok && conf.ContextWindow > 0 && (conf.Model == "" || conf.Model == i.Model) {
		return conf.ContextWindow
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, s := range slices.Backward(g.sizers[from{i.Agent, i.Origin}]) {
		if n := s.Window(i.Model); n > 0 {
			return n
		}
	}
	return 0
}

// models lists the models of an agent's server, or says in a few words why not. An agent
// without such a list has no models to name.
func (g *agents) models(ctx context.Context, a agentclient.Agent) ([]string, error) {
	lister, ok := a.(agentclient.Lister)
	if !ok {
		return nil, nil
	}
	names, err := lister.Models(ctx)
	if err != nil {
		cause := agentclient.CauseOf(err, retrypolicy.Classify(err, retrypolicy.DefaultMaxWait), time.Now())
		return nil, errors.New(cause.Message)
	}
	return names, nil
}

// arm makes the sandbox fail.
func (g *agents) arm(list string) error { return g.theSandbox().Arm(list) }

// world is what the commands reach that wait their turn.
func (g *agents) world(here engine.Here) command.World {
	return command.World{Open: g.byName, Agents: g.names(), Current: here.Agent, Turns: here.Turns, Known: func(name, model string) error {
		_, err := g.known(name, model)
		return err
	}}
}

func (g *agents) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, c := range g.opened {
		_ = c.Close() // the program ends; nobody is left to tell
	}
}
