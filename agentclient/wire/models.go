package wire

import (
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
// It reads {"data":[…]} and {"models":[…]}; a model's name is its id, or else its name.
func (c *Client) Models(ctx context.Context, path string, header http.Header) ([]string, error) {
	names, err := c.models(ctx, path, header)
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	return names, nil
}

func (c *Client) models(ctx context.Context, path string, header http.Header) ([]string, error) {
	answer, err := c.Do(ctx, Call{
		Method: http.MethodGet, Path: path, Accept: "application/json", Header: header,
	}, func(agentclient.Piece) {})
	if err != nil {
		return nil, err
	}
	defer answer.Close()
	body, err := answer.ReadAll(maxModels)
	if err != nil {
		return nil, err
	}
	type model struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	var list struct {
		Data   []model `json:"data"`
		Models []model `json:"models"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, answer.Malformed(err)
	}
	if list.Data == nil && list.Models == nil {
		return nil, answer.Malformed(errors.New("the answer holds no list of models"))
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
