package sandbox

import (
	"baton/agentclient"
	"baton/agentclient/openaichat"
)

// Protocol is the name this protocol has in configuration.
const Protocol = "sandbox"

// Agent is a sandbox server together with the chat-completions client that reaches it.
type Agent struct {
	*openaichat.Client
	*Server
	name string
}

var _ agentclient.Agent = (*Agent)(nil)

// Open starts a server and returns the agent that talks to it; Close ends both. name is
// shown to people, "" stands for "sandbox".
func Open(name string, o Options, limits agentclient.Timeouts) (*Agent, error) {
	if name == "" {
		name = Protocol
	}
	server, err := Start(o)
	if err != nil {
		return nil, err
	}
	client, err := openaichat.New(openaichat.Config{Name: name, BaseURL: server.URL(), Model: Model, Timeouts: limits, AllowPlainHTTP: o.Remote})
	if err != nil {
		_ = server.Close()
		return nil, err
	}
	return &Agent{client, server, name}, nil
}

// Info names the agent.
func (a *Agent) Info() agentclient.Info {
	return agentclient.Info{Agent: a.name, Protocol: Protocol, Model: Model, Origin: "in process"}
}
