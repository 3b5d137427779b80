package wire

import (
	"fmt"
	"strings"

	"baton/agentclient"
)

// Settings describe one agent on an HTTP server. They are the same for every protocol;
// each heeds what it knows.
type Settings struct {
	Name    string // the configured name, for people
	BaseURL string // up to where the protocol's own paths begin: "https://api.openai.com/v1"
	Model   string

	Key     Secret // without one no request carries any
	KeyName string // where the key came from, for people: "$OPENAI_API_KEY"

	System      string   // the system prompt, "" for none
	MaxTokens   int      // output limit in tokens; 0 leaves it to the server
	Temperature *float64 // 0 to 2; nil leaves it to the server
	Headers     map[string]string
	// Usage asks for token counts where the server is not known to give them.
	Usage bool

	Timeouts       agentclient.Timeouts // zero switches a limit off
	CAFile         string               // PEM file with roots trusted beside the system's
	AllowPlainHTTP bool                 // plain http beyond loopback
	// LenientEnd takes a clean end of the body for the end of the answer, for servers
	// that do not send the protocol's end. A cut is then not noticed.
	LenientEnd bool
}

// Connect checks the settings and returns a client below BaseURL. Paths in endings are
// not part of a base URL but often pasted with it; the first that fits is dropped.
// Errors name the setting at fault and no secret.
func (s Settings) Connect(endings ...string) (*Client, error) {
	switch {
	case s.MaxTokens < 0:
		return nil, fmt.Errorf("max_tokens must not be negative, not %d", s.MaxTokens)
	case s.Temperature != nil && !(*s.Temperature >= 0 && *s.Temperature <= 2):
		return nil, fmt.Errorf("temperature must be between 0 and 2, not %v", *s.Temperature)
	}
	base := strings.TrimRight(strings.TrimSpace(s.BaseURL), "/")
	for _, ending := range endings {
		if short, cut := strings.CutSuffix(base, ending); cut {
			base = short
			break
		}
	}
	return New(Options{
		BaseURL: base, Key: s.Key, KeyName: s.KeyName, Headers: s.Headers,
		Timeouts: s.Timeouts, CAFile: s.CAFile, AllowPlainHTTP: s.AllowPlainHTTP,
	})
}

// Info names the agent that speaks protocol through c.
func (s Settings) Info(protocol string, c *Client) agentclient.Info {
	return agentclient.Info{Agent: s.Name, Protocol: protocol, Model: s.Model, Origin: c.Origin()}
}
