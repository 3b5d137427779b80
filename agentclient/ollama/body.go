package ollama

import (
	"strings"

	"baton/agentclient"
	"baton/agentclient/wire"
)

// The request, in the order its fields are sent.
type request struct {
	Model    string    `json:"model,omitempty"`
	Messages []message `json:"messages"`
	Stream   bool      `json:"stream"`
	Options  *options  `json:"options,omitempty"`
}

type message struct {
	Role    string   `json:"role"`
	Content string   `json:"content"`
	Images  []string `json:"images,omitempty"` // base64 without a media type
}

type options struct {
	NumPredict  int      `json:"num_predict,omitempty"`
	Temperature *float64 `json:"temperature,omitempty"`
}

// body encodes a request; equal requests give equal bytes.
func (c *Client) body(r agentclient.Request) ([]byte, error) {
	out := request{Model: c.config.Model, Stream: true}
	if c.config.MaxTokens != 0 || c.config.Temperature != nil {
		out.Options = &options{NumPredict: c.config.MaxTokens, Temperature: c.config.Temperature}
	}
	if c.config.System != "" {
		out.Messages = append(out.Messages, message{Role: "system", Content: c.config.System})
	}
	for _, m := range r.Messages {
		said, err := messageOf(m)
		if err != nil {
			return nil, err
		}
		out.Messages = append(out.Messages, said)
	}
	return wire.Encode(out)
}

// messageOf puts images beside the text and texts into it: a message has one content.
func messageOf(m agentclient.Message) (message, error) {
	out := message{Role: string(m.Role)}
	var texts []string
	for _, a := range m.Attachments {
		e, err := wire.Enclose(a)
		switch {
		case err != nil:
			return message{}, err
		case e.Form == wire.PDF:
			return message{}, e.Unsendable("text nor image")
		case e.Form == wire.Image:
			out.Images = append(out.Images, e.Base64)
		default:
			texts = append(texts, e.Text)
		}
	}
	if m.Text != "" {
		texts = append(texts, m.Text)
	}
	out.Content = strings.Join(texts, "\n\n")
	return out, nil
}
