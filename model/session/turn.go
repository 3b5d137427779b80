package session

import (
	"slices"
	"strings"
	"time"

	"baton/queue"
	"baton/retrypolicy"
)

// Outcome is how a turn ended.
type Outcome string

// A turn settles exactly once.
const (
	Unsettled Outcome = ""
	Succeeded Outcome = "succeeded"
	Failed    Outcome = "failed"
	Stopped   Outcome = "stopped"
)

// Cause is why an attempt or a turn failed, ready for people: redacted, one line.
type Cause struct {
	Kind      retrypolicy.Kind `json:"kind"`
	Status    int              `json:"status,omitempty"`
	Code      string           `json:"code,omitempty"`
	Message   string           `json:"message,omitempty"`
	NextStep  string           `json:"next,omitempty"`
	RequestID string           `json:"request,omitempty"`
}

// Attempt is the receipt of one finished attempt of a turn.
type Attempt struct {
	N         int              `json:"n"`
	Started   time.Time        `json:"started"`
	FirstByte time.Duration    `json:"first_byte,omitempty"`
	Took      time.Duration    `json:"took"`
	Bytes     int64            `json:"bytes"`
	Cause     Cause            `json:"cause,omitzero"`
	Hint      retrypolicy.Hint `json:"hint,omitzero"`
	Delay     time.Duration    `json:"delay,omitempty"`
	Waited    time.Duration    `json:"waited,omitempty"`
}

// ToolPart is a tool call as the agent last described it.
type ToolPart struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Title  string `json:"title,omitempty"`
	Status string `json:"status,omitempty"`
}

// Turn is one run of a prompt. Turns of one chain share their prompt and its user
// row: the first, and each retry by hand.
type Turn struct {
	ID          TurnID
	Chain       TurnID // the first turn of the chain
	Text        string
	Attachments []queue.Attachment
	Compact     bool // its answer is a summary of the turns before it
	Outcome     Outcome
	Answer      string // visible text; of a stopped turn, what had arrived
	Reasoning   string
	Lost        string // visible text of the last failed attempt; never sent anywhere
	Cut         bool   // the answer reached the output limit
	Interrupted bool   // stopped by the end of the program, not by the person
	Cause       Cause
	N, Max      int // attempts made, attempts allowed
	Attempts    []Attempt
	Tools       []ToolPart
	Tokens      int64 // input and output, as reported; 0 if not
}

// Retry reports whether the turn repeats an earlier one by hand.
func (t Turn) Retry() bool { return t.ID != t.Chain }

// Took is how long the attempts of the turn and the waits between them took together, 0 while none has finished.
func (t Turn) Took() (all time.Duration) {
	for _, a := range t.Attempts {
		all += a.Took + a.Waited
	}
	return all
}

// live is the text of the running attempt. It grows by linking, so that a delta
// costs the same however long the answer is and old states keep theirs.
type live struct {
	attempt   int
	text      *chunk
	reasoning *chunk
	failed    bool // the attempt has failed; its text is shown and never used
	unsaved   bool
	savedAt   time.Time
	savedText int // bytes already recorded
	savedWhy  int
}

type chunk struct {
	before *chunk
	s      string
	end    int // bytes up to and with s
}

func (c *chunk) add(s string) *chunk {
	if s == "" {
		return c
	}
	return &chunk{before: c, s: s, end: c.len() + len(s)}
}

func (c *chunk) len() int {
	if c == nil {
		return 0
	}
	return c.end
}

// from returns the text behind the first n bytes.
func (c *chunk) from(n int) string {
	if c.len() <= n {
		return ""
	}
	var parts []string
	for ; c != nil && c.end > n; c = c.before {
		start := c.end - len(c.s)
		parts = append(parts, c.s[max(n-start, 0):])
	}
	slices.Reverse(parts)
	return strings.Join(parts, "")
}

func (c *chunk) String() string { return c.from(0) }
