package openaichat

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"baton/agentclient"
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
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(out); err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func content(m agentclient.Message) (any, error) {
	if len(m.Attachments) == 0 {
		return m.Text, nil
	}
	var parts []part
	for _, a := range m.Attachments {
		p, err := attached(a)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	if m.Text != "" {
		parts = append(parts, part{Type: "text", Text: &m.Text})
	}
	return parts, nil
}

func attached(a agentclient.Attachment) (part, error) {
	media, _, _ := strings.Cut(a.Media, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	dataURL := func() string {
		return "data:" + media + ";base64," + base64.StdEncoding.EncodeToString(a.Data)
	}
	switch {
	case strings.HasPrefix(media, "image/") && media != "image/svg+xml":
		return part{Type: "image_url", ImageURL: &imageURL{dataURL()}}, nil
	case media == "application/pdf":
		return part{Type: "file", File: &file{a.Name, dataURL()}}, nil
	case utf8.Valid(a.Data) && !bytes.ContainsRune(a.Data, 0):
		text := "File " + a.Name + ":\n" + string(a.Data)
		return part{Type: "text", Text: &text}, nil
	}
	return part{}, fmt.Errorf("%s cannot be sent: %s is neither text, image nor PDF", a.Name, orElse(media, "its type"))
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
