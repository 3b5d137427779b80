package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"baton/agentclient"
)

// maxModels bounds the body of a list of models, in bytes.
const maxModels = 4 << 20

// Models gets a list of models from path and returns their names in the server's order.
// It reads {"data":[…]}, {"models":[…]} and […]; a model's name is its id, or else its name.
func (c *Client) Models(ctx context.Context, path string, header http.Header) ([]string, error) {
	return c.List(ctx, Call{Path: path, Header: header}, ModelNames)
}

// List gets what call names and returns the names that read finds in the body, at most
// 4 MB of it. An error of read says that the body is malformed.
func (c *Client) List(ctx context.Context, call Call, read func(body []byte) ([]string, error)) ([]string, error) {
	names, err := c.list(ctx, call, read)
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	return names, nil
}

func (c *Client) list(ctx context.Context, call Call, read func([]byte) ([]string, error)) ([]string, error) {
	call.Method, call.Accept = http.MethodGet, "application/json"
	answer, err := c.Do(ctx, call, func(agentclient.Piece) {})
	if err != nil {
		return nil, err
	}
	defer answer.Close()
	body, err := answer.ReadAll(maxModels)
	if err != nil {
		return nil, err
	}
	names, err := read(body)
	if err != nil {
		return nil, answer.Malformed(err)
	}
	windows := windowsOf(body)
	c.windows.Store(&windows)
	return names, nil
}

// ErrNoModels says that a body holds no list of models, which is not an empty list.
var ErrNoModels = errors.New("the answer holds no list of models")

// listed is a list of models in any of its forms.
type listed[M any] struct {
	Data   []M `json:"data"`   // OpenAI's form, and most others'
	Models []M `json:"models"` // Gemini, Ollama; llama.cpp has both
}

// read takes in a body. Together's is the array alone.
func (l *listed[M]) read(body []byte) error {
	if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
		return json.Unmarshal(body, &l.Data)
	}
	return json.Unmarshal(body, l)
}

// ModelNames reads a list of models as Models does.
func ModelNames(body []byte) ([]string, error) {
	type model struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	var list listed[model]
	if err := list.read(body); err != nil {
		return nil, err
	}
	if list.Data == nil && list.Models == nil {
		return nil, ErrNoModels
	}
	var names []string
	for _, m := range append(list.Data, list.Models...) {
		if name := orElse(m.ID, m.Name); name != "" {
			names = append(names, name)
		}
	}
	return names, nil
}

// Bearer returns the header that carries a key as a bearer token (RFC 6750 §2.1), or
// none without a key.
func Bearer(key Secret) http.Header {
	if key.Empty() {
		return nil
	}
	return http.Header{"Authorization": {"Bearer " + key.Reveal()}}
}
