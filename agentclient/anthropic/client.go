// Package anthropic speaks the streaming Messages protocol of Anthropic's API and of the
// servers that offer the same. It knows its wire only: it must not retry, queue, keep a
// conversation, or judge which failure is worth repeating.
package anthropic

import (
	"context"
	"net/http"
	"strings"

	"baton/agentclient"
	"baton/agentclient/wire"
)

// Protocol is the name this protocol has in configuration.
const Protocol = "anthropic"

const (
	// DefaultMaxTokens is the output limit in tokens when none is set: the protocol does
	// not leave it to the server. Every current model allows as much.
	DefaultMaxTokens = 8192

	version     = "2023-06-01" // of the protocol
	modelsQuery = "limit=1000" // the most that one page holds; the server's own choice is 20
)

// Config describes one agent. BaseURL ends before the version or with it:
// "https://api.anthropic.com" and "https://api.anthropic.com/v1" mean the same. Usage
// does nothing, as counts always come. A header "anthropic-version" replaces ours.
type Config = wire.Settings

// Client is an agent that speaks the Messages protocol. It is safe for concurrent use.
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
	if c.MaxTokens == 0 {
		c.MaxTokens = DefaultMaxTokens
	}
	w, err := c.Connect("/v1/messages", "/v1")
	if err != nil {
		return nil, err
	}
	return &Client{config: c, wire: w}, nil
}

// Info names the agent.
func (c *Client) Info() agentclient.Info {
	return c.config.Info(Protocol, c.wire)
}

// Send performs one request and streams the answer. Equal requests make byte-identical
// bodies. It returns nil only when message_stop or a stop reason was seen and something
// visible arrived.
func (c *Client) Send(ctx context.Context, r agentclient.Request, sink agentclient.Sink) (agentclient.Finish, error) {
	body, err := c.body(r)
	if err != nil {
		return agentclient.Finish{}, wire.Unbuilt(err)
	}
	answer, err := c.wire.Do(ctx, wire.Call{
		Method: http.MethodPost, Path: "v1/messages", Accept: "text/event-stream, application/json",
		Header: c.header(), Body: body,
	}, sink)
	if err != nil {
		return agentclient.Finish{}, err
	}
	defer answer.Close()
	t := &turn{answer: answer, relay: answer.Relay(sink)}
	if answer.JSON {
		err = t.whole(c.config.LenientEnd)
	} else {
		err = t.relay.Follow(c.config.LenientEnd, t.event)
	}
	if err != nil {
		return agentclient.Finish{}, err
	}
	return t.finish()
}

// Models lists the ids of the server's models, in its own order.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	return c.wire.List(ctx, wire.Call{Path: "v1/models", Query: modelsQuery, Header: c.header()}, wire.ModelNames)
}

// header is made for each call, so that the client itself holds the key as a Secret only.
func (c *Client) header() http.Header {
	header := http.Header{"Anthropic-Version": {version}}
	for name, value := range c.config.Headers {
		if strings.EqualFold(name, "Anthropic-Version") {
			header.Set(name, value)
		}
	}
	if !c.config.Key.Empty() {
		header.Set("X-Api-Key", c.config.Key.Reveal())
	}
	return header
}

// Window is the size of a model's context window in tokens, if a list that was read told it.
func (c *Client) Window(model string) int { return c.wire.Windows()[model] }
