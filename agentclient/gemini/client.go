// Package gemini speaks the streaming generateContent protocol of Google's Gemini API.
// It knows its wire only: it must not retry, queue, keep a conversation, or judge which
// failure is worth repeating.
package gemini

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"baton/agentclient"
	"baton/agentclient/wire"
)

// Protocol is the name this protocol has in configuration.
const Protocol = "gemini"

const (
	version     = "v1beta"        // of the protocol, where the base URL names none
	modelsQuery = "pageSize=1000" // the most that one page holds; the server's own choice is 50
)

// Config describes one agent. BaseURL ends before the version or behind it:
// "https://generativelanguage.googleapis.com" and the same with "/v1beta" mean the same.
// Model may begin with "models/". Usage does nothing, as counts always come.
type Config = wire.Settings

// Client is an agent that speaks generateContent. It is safe for concurrent use.
type Client struct {
	wire.AllForms
	config Config
	wire   *wire.Client
	root   string // of paths below the base URL: "", or the version and a slash
	model  string // the path of the model: "models/gemini-2.5-flash"
}

var (
	_ agentclient.Agent  = (*Client)(nil)
	_ agentclient.Taker  = (*Client)(nil)
	_ agentclient.Lister = (*Client)(nil)
)

// versioned finds a version in the path of a base URL.
var versioned = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`//[^/]+(?:/.*)?/v[0-9]+[a-z0-9]*(?:/|$)`)
})

// New checks the configuration; its errors name the setting and no secret.
func New(c Config) (*Client, error) {
	w, err := c.Connect("/models", "/openai") // the latter is where the other protocol is served
	if err != nil {
		return nil, err
	}
	model, err := resource(c.Model)
	if err != nil {
		return nil, err
	}
	client := &Client{config: c, wire: w, model: model, root: version + "/"}
	if versioned().MatchString(strings.TrimSpace(c.BaseURL)) {
		client.root = ""
	}
	return client, nil
}

// resource returns the path of a model, escaped: a name alone is one of models/.
func resource(model string) (string, error) {
	if model == "" {
		return "", nil // until one is chosen from the list
	}
	if !strings.Contains(model, "/") {
		model = "models/" + model
	}
	parts := strings.Split(model, "/")
	for i, p := range parts {
		if p == "" || p == "." || p == ".." {
			return "", fmt.Errorf("model %q is not the name of one", model)
		}
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/"), nil
}

// Info names the agent.
func (c *Client) Info() agentclient.Info {
	return c.config.Info(Protocol, c.wire)
}

// Send performs one request and streams the answer. Equal requests make byte-identical
// bodies. It returns nil only when a finish reason was seen and something visible
// arrived: this protocol has no other end marker.
func (c *Client) Send(ctx context.Context, r agentclient.Request, sink agentclient.Sink) (agentclient.Finish, error) {
	if c.model == "" {
		return agentclient.Finish{}, wire.Unbuilt(errors.New("no model is set"))
	}
	body, err := c.body(r)
	if err != nil {
		return agentclient.Finish{}, wire.Unbuilt(err)
	}
	answer, err := c.wire.Do(ctx, wire.Call{
		Method: http.MethodPost, Path: c.root + c.model + ":streamGenerateContent", Query: "alt=sse",
		Accept: "text/event-stream, application/json", Header: c.header(), Body: body,
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

// Models lists the models that generate content, in the server's order, without the
// "models/" that all their names begin with.
func (c *Client) Models(ctx context.Context) ([]string, error) {
	return c.wire.List(ctx, wire.Call{Path: c.root + "models", Query: modelsQuery, Header: c.header()}, modelNames)
}

func modelNames(body []byte) ([]string, error) {
	var list struct {
		Models []struct {
			Name    string   `json:"name"`
			Methods []string `json:"supportedGenerationMethods"`
		} `json:"models"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, err
	}
	if list.Models == nil {
		return nil, wire.ErrNoModels
	}
	var names []string
	for _, m := range list.Models {
		name := strings.TrimPrefix(m.Name, "models/")
		if name != "" && (m.Methods == nil || slices.Contains(m.Methods, "generateContent")) {
			names = append(names, name)
		}
	}
	return names, nil
}

// header is made for each call, so that the client itself holds the key as a Secret only.
// The key never stands in a URL, where logs would keep it.
func (c *Client) header() http.Header {
	if c.config.Key.Empty() {
		return nil
	}
	return http.Header{"X-Goog-Api-Key": {c.config.Key.Reveal()}}
}

// Window is the size of a model's context window in tokens, if a list that was read told it.
func (c *Client) Window(model string) int {
	return c.wire.Windows()["models/"+strings.TrimPrefix(model, "models/")]
}
