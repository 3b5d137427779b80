// Package all lists the protocols by name and opens an agent of any of them. It must
// not hold anything of a protocol's own beyond the line that lists it.
package all

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"baton/agentclient"
	"baton/agentclient/anthropic"
	"baton/agentclient/gemini"
	"baton/agentclient/ollama"
	"baton/agentclient/openaichat"
	"baton/agentclient/openairesponses"
	"baton/agentclient/sandbox"
	"baton/agentclient/wire"
)

// Config is what a person can set about an agent, for every protocol; each takes what
// it knows.
type Config struct {
	Name     string // the configured name, for people
	Protocol string // one of Protocols; "" is the sandbox
	BaseURL  string
	Model    string

	System      string
	MaxTokens   int      // 0 leaves the limit to the server
	Temperature *float64 // nil leaves it to the server
	Headers     map[string]string

	Key     wire.Secret
	KeyName string // where the key came from, for people: "$OPENAI_API_KEY"

	Timeouts       agentclient.Timeouts // zero switches a limit off
	CAFile         string
	Usage          bool // ask for token counts even where the server is not known to give them
	LenientEnd     bool
	AllowPlainHTTP bool

	Sandbox sandbox.Options // of protocol sandbox only
}

// open returns an agent and what must be closed after its last use.
type open func(Config) (agentclient.Agent, io.Closer, error)

// protocols is the one place that knows every protocol.
var protocols = map[string]open{
	sandbox.Protocol:         openSandbox,
	anthropic.Protocol:       server(anthropic.New),
	gemini.Protocol:          server(gemini.New),
	ollama.Protocol:          server(ollama.New),
	openaichat.Protocol:      server(openaichat.New),
	openairesponses.Protocol: server(openairesponses.New),
}

// Protocols returns the names of the protocols, sorted.
func Protocols() []string { return slices.Sorted(maps.Keys(protocols)) }

// Open returns the agent that c describes and what to close after its last use. Errors
// name the setting at fault and no secret.
func Open(c Config) (agentclient.Agent, io.Closer, error) {
	if c.Protocol == "" {
		c.Protocol = sandbox.Protocol
	}
	open, ok := protocols[c.Protocol]
	if !ok {
		return nil, nil, fmt.Errorf("unknown protocol %q; there are %s", c.Protocol, strings.Join(Protocols(), ", "))
	}
	agent, closer, err := open(c)
	if err != nil {
		return nil, nil, fmt.Errorf("open agent %q: %w", c.Name, err)
	}
	return agent, closer, nil
}

func openSandbox(c Config) (agentclient.Agent, io.Closer, error) {
	agent, err := sandbox.Open(c.Name, c.Sandbox, c.Timeouts)
	if err != nil {
		return nil, nil, err
	}
	return agent, agent, nil
}

// server opens agents of a protocol that is spoken to an HTTP server: all of these take
// the same settings, and nothing of them needs closing.
func server[A agentclient.Agent](connect func(wire.Settings) (A, error)) open {
	return func(c Config) (agentclient.Agent, io.Closer, error) {
		agent, err := connect(wire.Settings{
			Name: c.Name, BaseURL: c.BaseURL, Model: c.Model, Key: c.Key, KeyName: c.KeyName,
			System: c.System, MaxTokens: c.MaxTokens, Temperature: c.Temperature, Headers: c.Headers,
			Timeouts: c.Timeouts, CAFile: c.CAFile, Usage: c.Usage, LenientEnd: c.LenientEnd, AllowPlainHTTP: c.AllowPlainHTTP,
		})
		if err != nil {
			return nil, nil, err
		}
		return agent, io.NopCloser(nil), nil
	}
}
