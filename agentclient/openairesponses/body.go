package openairesponses

import (
	"baton/agentclient"
	"baton/agentclient/wire"
)

// The request, in the order its fields are sent.
type request struct {
	Model           string    `json:"model,omitempty"`
	Instructions    string    `json:"instructions,omitempty"`
	Input           []message `json:"input"`
	Stream          bool      `json:"stream"`
	Store           bool      `json:"store"` // false must be said: the default keeps answers for a month
	MaxOutputTokens int       `json:"max_output_tokens,omitempty"`
	Temperature     *float64  `json:"temperature,omitempty"`
}

type message struct {
	Type    string `json:"type"`
	Role    string `json:"role"`
	Content []part `json:"content"`
}

type part struct {
	Type     string  `json:"type"`
	Text     *string `json:"text,omitempty"`
	ImageURL string  `json:"image_url,omitempty"`
	Detail   string  `json:"detail,omitempty"`
	Filename string  `json:"filename,omitempty"`
	FileData string  `json:"file_data,omitempty"`
}

// body encodes a request; equal requests give equal bytes.
func (c *Client) body(r agentclient.Request) ([]byte, error) {
	out := request{
		Model: c.config.Model, Instructions: c.config.System, Stream: true,
		MaxOutputTokens: c.config.MaxTokens, Temperature: c.config.Temperature,
	}
	for _, m := range r.Messages {
		content, err := content(m)
		if err != nil {
			return nil, err
		}
		out.Input = append(out.Input, message{Type: "message", Role: string(m.Role), Content: content})
	}
	return wire.Encode(out)
}

func content(m agentclient.Message) ([]part, error) {
	return wire.Parts(m, func(e wire.Enclosure) part {
		switch e.Form {
		case wire.Image: // some servers insist on a detail, though it has a default
			return part{Type: "input_image", ImageURL: e.DataURL(), Detail: "auto"}
		case wire.PDF:
			return part{Type: "input_file", Filename: e.Name, FileData: e.DataURL()}
		}
		return textOf(m.Role, e.Text)
	})
}

// textOf is a text as its side of the conversation says it: what the model said is
// output, even when it is sent back.
func textOf(role agentclient.Role, text string) part {
	if role == agentclient.Assistant {
		return part{Type: "output_text", Text: &text}
	}
	return part{Type: "input_text", Text: &text}
}
