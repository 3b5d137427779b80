package agentclient

import (
	"context"
	"time"
)

// Role says who speaks in a message.
type Role string

// The roles of a conversation.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Attachment is a file that travels with a message, read once per turn.
type Attachment struct {
	Name   string // base name, shown to the model
	Media  string // MIME type
	Data   []byte
	SHA256 string // hex, of Data
}

// Message is one entry of the context.
type Message struct {
	Role        Role
	Text        string
	Attachments []Attachment
}

// Request is what every attempt of a step sends, unchanged between attempts.
type Request struct {
	Messages []Message
}

// Info names an agent for people: the header always shows all three.
type Info struct {
	Agent    string // the configured name ("sandbox", "work")
	Protocol string // "openai-chat"
	Model    string
	Origin   string // scheme://host[:port], or "in process"
}

// Usage counts tokens as the server reports them; zero means not reported.
type Usage struct {
	Input, Output int64
}

// Finish is how a successful attempt ended.
type Finish struct {
	Reason    string // the protocol's own finish reason
	Cut       bool   // the answer reached the output limit: success with a notice
	Usage     Usage
	RequestID string
}

// Phase is where an attempt stands.
type Phase string

// The phases an agent reports while an attempt runs.
const (
	Connecting Phase = "connecting"
	Waiting    Phase = "waiting" // request sent, no byte of the answer yet
	Streaming  Phase = "streaming"
	Tool       Phase = "tool"
	Approval   Phase = "approval"
)

// Piece is something that arrived during an attempt.
type Piece struct {
	Phase     Phase  // set when the phase changed
	Text      string // visible text
	Reasoning string // thinking; never counts as an answer
	Tool      *ToolPart
	Alive     bool // bytes arrived that carry nothing else (a keep-alive)
}

// ToolPart is a tool call that the agent created or updated.
type ToolPart struct {
	ID, Name, Title, Status string
}

// Sink receives the pieces of one attempt, in order, on the goroutine that called
// Send. It never blocks for long.
type Sink func(Piece)

// Agent runs one attempt of a turn against one model. It knows its wire and
// nothing of retries, queues or screens.
type Agent interface {
	Info() Info
	// Send performs exactly one request. It returns nil only when the protocol's
	// end marker or finish reason was seen and visible text arrived. Its errors are
	// *retrypolicy.Failure, or context errors when ctx ended.
	Send(ctx context.Context, r Request, sink Sink) (Finish, error)
}

// Taker is an agent whose requests have a place for some files only.
type Taker interface {
	// Takes says why a file has no place in a request, nil if it has one. It sends nothing, and may be called on any goroutine.
	Takes(a Attachment) error
}

// Takes asks an agent whether its requests have a place for a file. One that does not tell takes any.
func Takes(agent Agent, a Attachment) error {
	if t, ok := agent.(Taker); ok {
		return t.Takes(a)
	}
	return nil
}

// Lister is an agent that can name the models its server offers.
type Lister interface {
	Models(ctx context.Context) ([]string, error)
}

// Sizer is a Lister whose list may tell how much a model takes.
type Sizer interface {
	// Window is the size of a model's context window in tokens, as the last list that was read named it; 0 if none did.
	// It sends nothing, and may be called on any goroutine.
	Window(model string) int
}

// Timeouts bound the silences of one attempt. Zero switches a limit off.
type Timeouts struct {
	Connect   time.Duration // default 15 s
	FirstByte time.Duration // default 300 s
	Idle      time.Duration // default 180 s between bytes; keep-alive comments count
}
