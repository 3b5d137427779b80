package gemini

import (
	"baton/agentclient"
	"baton/agentclient/wire"
)

// The request, in the order its fields are sent.
type request struct {
	System   *content    `json:"systemInstruction,omitempty"`
	Contents []content   `json:"contents"`
	Settings *generation `json:"generationConfig,omitempty"`
}

type content struct {
	Role  string `json:"role,omitempty"`
	Parts []part `json:"parts"`
}

type part struct {
	Text   *string `json:"text,omitempty"`
	Inline *blob   `json:"inlineData,omitempty"`
}

type blob struct {
	Media string `json:"mimeType"`
	Data  string `json:"data"`
}

type generation struct {
	Temperature *float64 `json:"temperature,omitempty"`
	MaxTokens   int      `json:"maxOutputTokens,omitempty"`
}

// roles are those of this protocol.
var roles = map[agentclient.Role]string{agentclient.User: "user", agentclient.Assistant: "model"}

// body encodes a request; equal requests give equal bytes.
func (c *Client) body(r agentclient.Request) ([]byte, error) {
	var out request
	if c.config.System != "" {
		out.System = &content{Parts: []part{{Text: &c.config.System}}}
	}
	for _, m := range r.Messages {
		parts, err := wire.Parts(m, rendered)
		if err != nil {
			return nil, err
		}
		out.Contents = append(out.Contents, content{Role: roles[m.Role], Parts: parts})
	}
	if c.config.Temperature != nil || c.config.MaxTokens > 0 {
		out.Settings = &generation{c.config.Temperature, c.config.MaxTokens}
	}
	return wire.Encode(out)
}

func rendered(e wire.Enclosure) part {
	if e.Form == wire.Text {
		return part{Text: &e.Text}
	}
	return part{Inline: &blob{e.Media, e.Base64}}
}
