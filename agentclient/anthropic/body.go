package anthropic

import (
	"baton/agentclient"
	"baton/agentclient/wire"
)

// The request, in the order its fields are sent.
type request struct {
	Model       string    `json:"model,omitempty"`
	MaxTokens   int       `json:"max_tokens"`
	System      string    `json:"system,omitempty"`
	Messages    []message `json:"messages"`
	Temperature *float64  `json:"temperature,omitempty"`
	Stream      bool      `json:"stream"`
}

type message struct {
	Role    string `json:"role"`
	Content any    `json:"content"` // a text, or blocks
}

type block struct {
	Type   string  `json:"type"`
	Text   *string `json:"text,omitempty"`
	Source *source `json:"source,omitempty"`
	Title  string  `json:"title,omitempty"`
}

type source struct {
	Type  string `json:"type"`
	Media string `json:"media_type"`
	Data  string `json:"data"`
}

// body encodes a request; equal requests give equal bytes.
func (c *Client) body(r agentclient.Request) ([]byte, error) {
	out := request{
		Model: c.config.Model, MaxTokens: c.config.MaxTokens, System: c.config.System,
		Temperature: c.config.Temperature, Stream: true,
	}
	for _, m := range r.Messages {
		content, err := content(m)
		if err != nil {
			return nil, err
		}
		out.Messages = append(out.Messages, message{Role: string(m.Role), Content: content})
	}
	return wire.Encode(out)
}

func content(m agentclient.Message) (any, error) {
	if len(m.Attachments) == 0 {
		return m.Text, nil
	}
	return wire.Parts(m, rendered)
}

func rendered(e wire.Enclosure) block {
	switch e.Form {
	case wire.Image:
		return block{Type: "image", Source: &source{"base64", e.Media, e.Base64}}
	case wire.PDF:
		return block{Type: "document", Source: &source{"base64", e.Media, e.Base64}, Title: e.Name}
	}
	return block{Type: "text", Text: &e.Text}
}
