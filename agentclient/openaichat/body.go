package openaichat

import (
	"slices"

	"baton/agentclient"
	"baton/agentclient/wire"
)

// The request, in the order its fields are sent.
type request struct {
	Model               string         `json:"model,omitempty"`
	Messages            []message      `json:"messages"`
	Stream              bool           `json:"stream"`
	StreamOptions       *streamOptions `json:"stream_options,omitempty"`
	MaxTokens           int            `json:"max_tokens,omitempty"`
	MaxCompletionTokens int            `json:"max_completion_tokens,omitempty"`
	Temperature         *float64       `json:"temperature,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type message struct {
	Role    string `json:"role"`
	Content any    `json:"content"` // a text, or parts
}

type part struct {
	Type     string    `json:"type"`
	Text     *string   `json:"text,omitempty"`
	ImageURL *imageURL `json:"image_url,omitempty"`
	File     *file     `json:"file,omitempty"`
}

type imageURL struct {
	URL string `json:"url"`
}

type file struct {
	Name string `json:"filename"`
	Data string `json:"file_data"`
}

// usageHosts are servers known to take stream_options.
var usageHosts = []string{"api.openai.com", "api.deepseek.com", "api.groq.com", "openrouter.ai"}

// newLimitHost refuses max_tokens for its newer models and wants the newer name.
const newLimitHost = "api.openai.com"

// body encodes a request; equal requests give equal bytes.
func (c *Client) body(r agentclient.Request) ([]byte, error) {
	out := request{Model: c.config.Model, Stream: true, Temperature: c.config.Temperature}
	if c.config.Usage || slices.Contains(usageHosts, c.wire.Host()) {
		out.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	if c.wire.Host() == newLimitHost {
		out.MaxCompletionTokens = c.config.MaxTokens
	} else {
		out.MaxTokens = c.config.MaxTokens
	}
	if c.config.System != "" {
		out.Messages = append(out.Messages, message{Role: "system", Content: c.config.System})
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

func rendered(e wire.Enclosure) part {
	switch e.Form {
	case wire.Image:
		return part{Type: "image_url", ImageURL: &imageURL{e.DataURL()}}
	case wire.PDF:
		return part{Type: "file", File: &file{e.Name, e.DataURL()}}
	}
	return part{Type: "text", Text: &e.Text}
}
