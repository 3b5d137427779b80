package protocoltest

import (
	"testing"

	"baton/agentclient"
	"baton/agentclient/wire"
	"baton/retrypolicy"
)

// Protocol is one protocol under test: how to open an agent, and its wire.
type Protocol struct {
	Name string // as in the configuration
	Base string // the path of the base URL: "/v1", or ""
	Open func(Settings) (agentclient.Agent, error)

	Stream   Stream
	Errors   Errors
	Requests Requests
}

// Settings are what a test asks of the agent it opens. Zero values are the protocol's
// defaults; a limit of zero is off.
type Settings struct {
	BaseURL, Model, System string
	Key                    wire.Secret
	KeyName                string
	Timeouts               agentclient.Timeouts
}

// Ending is how an answer ends.
type Ending string

// The endings of an answer that is whole.
const (
	Done    Ending = "done"
	Length  Ending = "length"  // the output limit was reached
	Refused Ending = "refused" // a refusal, or a content filter
	Asked   Ending = "asked"   // the model waits for the result of a tool
)

// Stream renders the body of a 200. Each function returns whole events, line ends
// included; a body is the concatenation of what it needs.
type Stream struct {
	// Lines says that each line is a JSON text, instead of an event stream.
	Lines bool
	Media string // the body's type; "" is text/event-stream

	Begin     func(agentclient.Usage) string // what comes before the first part; may return ""
	Text      func(text string) string
	Reasoning func(text string) string // nil: the protocol has none
	Tool      func(id, name string) string
	Alive     string // carries nothing
	// End is all that ends an answer, with the token counts unless Begin told them.
	End func(Ending, agentclient.Usage) string
	// Reasons are the finish reasons that End gives for Done and Length.
	Reasons map[Ending]string
	// Error is an error inside the stream that says, in the protocol's own code or type,
	// Overloaded, RateLimited or Server.
	Error func(kind retrypolicy.Kind, message string) string
	// Malformed is an event that cannot be decoded.
	Malformed string
}

// Errors render the bodies of refusals.
type Errors struct {
	// Body is the body of a status with a message, and the code and type a Failure has
	// of it. The codes and types are those a server would give.
	Body func(status int, message string) (body, code, typ string)
	// Wait is the body of a 429 that asks for a wait in seconds; nil: the protocol has none.
	Wait func(seconds int) string
}

// Requests say what a server must see. The bodies are compared as JSON.
type Requests struct {
	Path, Query          string // of a request for an answer of model "m"
	KeyHeader, KeyPrefix string // where the key stands

	// Talk is the body for model "m", system prompt "be brief" and three messages: user
	// "one", assistant "two", user "three".
	Talk string
	// Files is the body for model "m" and one message "see" with "a b.png" (image/png,
	// bytes 1 and 2) and "n.md" (text/markdown, "hi"), in this order.
	Files string

	ModelsPath string
	Models     func(ids ...string) string // the list of these models
}

// Run checks the whole contract. It needs loopback and takes a few seconds.
func Run(t *testing.T, p Protocol) {
	t.Helper()
	for _, part := range []struct {
		name string
		run  func(*testing.T, Protocol)
	}{
		{"success", success}, {"splits", splits}, {"cuts", cuts}, {"error_events", errorEvents}, {"bare_errors", bareErrors},
		{"empty", empty}, {"endings", endings}, {"tools", tools}, {"not_decodable", notDecodable},
		{"statuses", statuses}, {"hints", hints}, {"redirect", redirect}, {"secrets", secrets},
		{"silences", silences}, {"cancel", cancels}, {"one_connection", oneConnection},
		{"request", request}, {"attachments", attachments}, {"models", models},
		{"repeats", repeats}, {"finals", finals}, {"waits", waits},
	} {
		t.Run(part.name, func(t *testing.T) { part.run(t, p) })
	}
}
