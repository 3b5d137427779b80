// Package ollama speaks Ollama's own chat protocol, which streams one JSON text a line.
// It knows its wire only: it must not retry, queue, keep a conversation, or judge which
// failure is worth repeating.
package ollama

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"baton/agentclient"
	"baton/agentclient/wire"
	"baton/retrypolicy"
)

// Protocol is the name this protocol has in configuration.
const Protocol = "ollama"

// Config describes one agent. BaseURL ends before the path: "http://127.0.0.1:11434". A
// server of one's own wants no key. Usage is not heeded: token counts are always part of
// the last line. LenientEnd is for servers that send no last line.
type Config = wire.Settings

// Client is an agent that speaks to Ollama. It is safe for concurrent use.
type Client struct {
	wire.NoPDF
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
	w, err := c.Connect("/api/chat", "/api")
	if err != nil {
		return nil, err
	}
	return &Client{config: c, wire: w}, nil
}

// Info names the agent.
func (c *Client) Info() agentclient.Info { return c.config.Info(Protocol, c.wire) }

// Send performs one request and streams the answer. Equal requests make byte-identical
// bodies. It returns nil only when a line said that the answer is done and something
// visible arrived.
func (c *Client) Send(ctx context.Context, r agentclient.Request, sink agentclient.Sink) (agentclient.Finish, error) {
	body, err := c.body(r)
	if err != nil {
		return agentclient.Finish{}, wire.Unbuilt(err)
	}
	answer, err := c.wire.Do(ctx, wire.Call{
		Method: http.MethodPost, Path: "api/chat", Accept: "application/x-ndjson, application/json",
		Header: wire.Bearer(c.config.Key), Body: body,
	}, sink)
	if err != nil {
		return agentclient.Finish{}, c.explained(err)
	}
	defer answer.Close()
	t := &turn{answer: answer, relay: answer.Relay(sink), lenient: c.config.LenientEnd}
	finish, err := t.lines()
	return finish, c.explained(err)
}

// Models lists the names of the models that are there, newest first.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	return c.wire.Models(ctx, "api/tags", wire.Bearer(c.config.Key))
}

// busy are the words for a server that is not ready yet. Its errors have no code, and
// not all of them a telling status.
var busy = []string{"loading model", "model is loading", "server busy"}

// explained adds to a failure what Ollama's words mean.
func (c *Client) explained(err error) error {
	var f *retrypolicy.Failure
	if !errors.As(err, &f) {
		return err
	}
	words := strings.ToLower(f.Message)
	for _, phrase := range busy {
		if f.Type == "" && strings.Contains(words, phrase) {
			f.Type = "overloaded_error"
		}
	}
	if f.Status == http.StatusNotFound && strings.Contains(words, "model") && strings.Contains(words, "not found") {
		f.Message += "; `ollama pull " + c.config.Model + "` fetches it"
	}
	return err
}

// Window is the size of a model's context window in tokens, if a list that was read told it.
func (c *Client) Window(model string) int { return c.wire.Windows()[model] }
