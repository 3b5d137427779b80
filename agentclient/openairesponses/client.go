// Package openairesponses speaks OpenAI's Responses protocol, as streams of typed
// events. It knows its wire only: it must not retry, queue, keep a conversation on the
// server, or judge which failure is worth repeating.
package openairesponses

import (
	"context"
	"net/http"

	"baton/agentclient"
	"baton/agentclient/wire"
)

// Protocol is the name this protocol has in configuration.
const Protocol = "openai-responses"

// Config describes one agent. BaseURL ends with the version: "https://api.openai.com/v1".
// Usage is not heeded: token counts are always part of the last event. LenientEnd is for
// servers that send no last event.
type Config = wire.Settings

// Client is an agent that speaks Responses. It is safe for concurrent use.
type Client struct {
	wire.AllForms
	config Config
	wire   *wire.Client
}

var (
	_ agentclient.Agent  = (*Client)(nil)
	_ agentclient.Taker  = (*Client)(nil)
	_ agentclient.Lister = (*Client)(nil)
)

// New checks the configuration; its errors name the setting and no secret.
func New(c Config) (*Client, error) {
	w, err := c.Connect("/responses")
	if err != nil {
		return nil, err
	}
	return &Client{config: c, wire: w}, nil
}

// Info names the agent.
func (c *Client) Info() agentclient.Info { return c.config.Info(Protocol, c.wire) }

// Send performs one request and streams the answer. Equal requests make byte-identical
// bodies, and nothing is kept on the server. It returns nil only when the server said
// that the answer is complete, or cut at the output limit, and something visible arrived.
func (c *Client) Send(ctx context.Context, r agentclient.Request, sink agentclient.Sink) (agentclient.Finish, error) {
	body, err := c.body(r)
	if err != nil {
		return agentclient.Finish{}, wire.Unbuilt(err)
	}
	answer, err := c.wire.Do(ctx, wire.Call{
		Method: http.MethodPost, Path: "responses", Accept: "text/event-stream, application/json",
		Header: wire.Bearer(c.config.Key), Body: body,
	}, sink)
	if err != nil {
		return agentclient.Finish{}, err
	}
	defer answer.Close()
	t := &turn{answer: answer, relay: answer.Relay(sink), lenient: c.config.LenientEnd}
	if answer.JSON {
		return t.whole()
	}
	return t.stream()
}

// Models lists the ids of the server's models, in its own order.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	return c.wire.Models(ctx, "models", wire.Bearer(c.config.Key))
}

// Window is the size of a model's context window in tokens, if a list that was read told it.
func (c *Client) Window(model string) int { return c.wire.Windows()[model] }
