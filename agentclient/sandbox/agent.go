package sandbox

import (
	"context"
	"sync"

	"baton/agentclient"
	"baton/agentclient/openaichat"
)

// Protocol is the name this protocol has in configuration.
const Protocol = "sandbox"

// Agent is a sandbox server together with the chat-completions client that reaches it.
// The server listens from the first request on: a program that starts has no use for it.
type Agent struct {
	*Server
	name   string
	limits agentclient.Timeouts

	mu     sync.Mutex
	client *openaichat.Client
}

var (
	_ agentclient.Agent  = (*Agent)(nil)
	_ agentclient.Taker  = (*Agent)(nil)
	_ agentclient.Lister = (*Agent)(nil)
)

// Open returns the agent that talks to a server of its own; Close ends both. name is
// shown to people, "" stands for "sandbox". Errors are those of Start but for an address
// that cannot be listened on, which is the first request's.
func Open(name string, o Options, limits agentclient.Timeouts) (*Agent, error) {
	if name == "" {
		name = Protocol
	}
	server, err := prepare(o)
	if err != nil {
		return nil, err
	}
	return &Agent{Server: server, name: name, limits: limits}, nil
}

// Info names the agent.
func (a *Agent) Info() agentclient.Info {
	return agentclient.Info{Agent: a.name, Protocol: Protocol, Model: Model, Origin: "in process"}
}

// Send implements agentclient.Agent.
func (a *Agent) Send(ctx context.Context, r agentclient.Request, sink agentclient.Sink) (agentclient.Finish, error) {
	client, err := a.reach()
	if err != nil {
		return agentclient.Finish{}, err
	}
	return client.Send(ctx, r, sink)
}

// Takes implements agentclient.Taker.
func (a *Agent) Takes(file agentclient.Attachment) error { return new(openaichat.Client).Takes(file) }

// Models implements agentclient.Lister.
func (a *Agent) Models(ctx context.Context) ([]string, error) {
	client, err := a.reach()
	if err != nil {
		return nil, err
	}
	return client.Models(ctx)
}

// reach is the client, with the server listening.
func (a *Agent) reach() (*openaichat.Client, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.client != nil {
		return a.client, nil
	}
	if err := a.listen(); err != nil {
		return nil, err
	}
	client, err := openaichat.New(openaichat.Config{Name: a.name, BaseURL: a.URL(), Model: Model, Timeouts: a.limits, AllowPlainHTTP: a.options.Remote})
	if err != nil {
		return nil, err
	}
	a.client = client
	return client, nil
}
