// Package openaichat speaks the streaming chat-completions protocol that OpenAI began
// and most servers offer. It knows its wire only: it must not retry, queue, keep a
// conversation, or judge which failure is worth repeating.
package openaichat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"baton/agentclient"
	"baton/agentclient/wire"
	"baton/retrypolicy"
)

// Protocol is the name this protocol has in configuration.
const Protocol = "openai-chat"

// Config describes one agent.
type Config struct {
	Name    string // the configured name, for people
	BaseURL string // up to the version: "https://api.openai.com/v1"
	Model   string

	Key     wire.Secret // sent as a bearer token; without one no Authorization is sent
	KeyName string      // where the key came from, for people: "$OPENAI_API_KEY"

	System      string   // the system message, "" for none
	MaxTokens   int      // 0 leaves the limit to the server
	Temperature *float64 // nil leaves it to the server
	Headers     map[string]string
	// Usage asks for token counts at the end of a stream (stream_options). Some servers
	// refuse the field, so it is otherwise asked of servers known to take it only.
	Usage bool

	Timeouts       agentclient.Timeouts // zero switches a limit off
	CAFile         string               // PEM file with roots trusted beside the system's
	AllowPlainHTTP bool                 // plain http beyond loopback
	// LenientEnd takes a clean end of the body for the end of the answer, for servers
	// that send neither a finish reason nor [DONE]. A cut is then not noticed.
	LenientEnd bool
}

// Client is an agent that speaks chat completions. It is safe for concurrent use.
type Client struct {
	config Config
	wire   *wire.Client
}

var (
	_ agentclient.Agent  = (*Client)(nil)
	_ agentclient.Lister = (*Client)(nil)
)

// New checks the configuration; its errors name the setting and no secret.
func New(c Config) (*Client, error) {
	switch {
	case c.MaxTokens < 0:
		return nil, fmt.Errorf("max_tokens must not be negative, not %d", c.MaxTokens)
	case c.Temperature != nil && !(*c.Temperature >= 0 && *c.Temperature <= 2):
		return nil, fmt.Errorf("temperature must be between 0 and 2, not %v", *c.Temperature)
	}
	base := strings.TrimRight(strings.TrimSpace(c.BaseURL), "/")
	base = strings.TrimSuffix(base, "/chat/completions") // often pasted whole
	w, err := wire.New(wire.Options{
		BaseURL: base, Key: c.Key, KeyName: c.KeyName, Headers: c.Headers,
		Timeouts: c.Timeouts, CAFile: c.CAFile, AllowPlainHTTP: c.AllowPlainHTTP,
	})
	if err != nil {
		return nil, err
	}
	return &Client{config: c, wire: w}, nil
}

// Info names the agent.
func (c *Client) Info() agentclient.Info {
	return agentclient.Info{Agent: c.config.Name, Protocol: Protocol, Model: c.config.Model, Origin: c.wire.Origin()}
}

// Send performs one request and streams the answer. Equal requests make byte-identical
// bodies. It returns nil only when [DONE] or a finish reason was seen and something
// visible arrived.
func (c *Client) Send(ctx context.Context, r agentclient.Request, sink agentclient.Sink) (agentclient.Finish, error) {
	body, err := c.body(r)
	if err != nil {
		return agentclient.Finish{}, &retrypolicy.Failure{Condition: retrypolicy.CondRefusedLocal, Message: err.Error(), Err: err}
	}
	answer, err := c.wire.Do(ctx, wire.Call{
		Method: http.MethodPost, Path: "chat/completions", Accept: "text/event-stream, application/json",
		Header: c.authorization(), Body: body,
	}, sink)
	if err != nil {
		return agentclient.Finish{}, err
	}
	defer answer.Close()
	t := &turn{answer: answer, sink: sink, lenient: c.config.LenientEnd}
	if answer.JSON {
		return t.whole()
	}
	return t.stream()
}

// maxModels bounds the body of a list of models, in bytes.
const maxModels = 4 << 20

// Models lists the ids of the server's models, in its own order.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	answer, err := c.wire.Do(ctx, wire.Call{
		Method: http.MethodGet, Path: "models", Accept: "application/json", Header: c.authorization(),
	}, func(agentclient.Piece) {})
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	defer answer.Close()
	body, err := answer.ReadAll(maxModels)
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, fmt.Errorf("list models: %w", answer.Malformed(err))
	}
	if list.Data == nil {
		return nil, fmt.Errorf("list models: %w", answer.Malformed(errors.New("the answer holds no list of models")))
	}
	var ids []string
	for _, m := range list.Data {
		if m.ID != "" {
			ids = append(ids, m.ID)
		}
	}
	return ids, nil
}

func (c *Client) authorization() http.Header {
	if c.config.Key.Empty() {
		return nil
	}
	return http.Header{"Authorization": {"Bearer " + c.config.Key.Reveal()}}
}
