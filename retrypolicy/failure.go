package retrypolicy

import (
	"fmt"
	"time"
)

// Kind names what sort of failure ended an attempt. The values are stable: they
// stand in journals and in machine-readable output.
type Kind string

// The kinds of the classification table in docs/agent-stream.md.
const (
	Network         Kind = "network"
	Timeout         Kind = "timeout"
	RateLimited     Kind = "rate_limited"
	Overloaded      Kind = "overloaded"
	Server          Kind = "server"
	Empty           Kind = "empty"
	Length          Kind = "length"
	Truncated       Kind = "truncated"
	Malformed       Kind = "malformed"
	Auth            Kind = "auth"
	Quota           Kind = "quota"
	ContextOverflow Kind = "context_overflow"
	Invalid         Kind = "invalid"
	Refused         Kind = "refused"
	TLS             Kind = "tls"
	Redirect        Kind = "redirect"
	NotAnAgent      Kind = "not_an_agent"
	Cancelled       Kind = "cancelled"
	Stopped         Kind = "stopped"
	Internal        Kind = "internal"
)

// Condition says what an attempt met when no HTTP status or error code tells it.
type Condition string

// The conditions a protocol can report. CondNone leaves the decision to Status,
// Code, Type and Message.
const (
	CondNone          Condition = ""
	CondConnect       Condition = "connect"         // refused, reset, DNS, dropped handshake, unexpected EOF, HTTP/2 GOAWAY or RST
	CondConnectTime   Condition = "connect_timeout" // no connection in time
	CondFirstByteTime Condition = "first_byte_timeout"
	CondIdleTime      Condition = "idle_timeout"
	CondTurnTime      Condition = "turn_timeout" // the absolute limit of a turn
	CondEmpty         Condition = "empty"        // end marker but nothing visible
	CondLength        Condition = "length"       // output limit reached with nothing visible
	CondTruncated     Condition = "truncated"    // no end marker and no finish reason
	CondMalformed     Condition = "malformed"    // an event that cannot be decoded
	CondStreamError   Condition = "stream_error" // an error event inside a 200 stream
	CondRefused       Condition = "refused"      // content filter or refusal
	CondTLS           Condition = "tls"          // certificate not trusted
	CondRedirect      Condition = "redirect"
	CondNotAnAgent    Condition = "not_an_agent"  // HTML, another 2xx, a banner that is no HTTP
	CondToolAsked     Condition = "tool_asked"    // a tool was asked for and none is configured
	CondStopped       Condition = "stopped"       // cancelled by the person
	CondRefusedLocal  Condition = "refused_local" // the request could not be built (a missing key, an unreadable file)
)

// Hint is the server's own word on when to come back.
type Hint struct {
	Wait   time.Duration `json:"wait,omitempty"`   // at least this long after the answer; 0 means no hint
	Until  time.Time     `json:"until,omitzero"`   // the same as a clock time, for people
	Source string        `json:"source,omitempty"` // which header or body field said it, for people: "Retry-After"
}

// Failure is one failed attempt, as facts, before any judgement. Protocols return
// it as their error. Text fields are already redacted and free of HTML.
type Failure struct {
	Condition Condition
	Status    int    // HTTP status, 0 when there was no answer
	Code      string // the error's own code
	Type      string // the error's own type
	Message   string // the error's own message, one line
	QuotaID   string // ids of the quotas that were used up, comma separated (QuotaIDs)
	Hint      Hint
	NoRetry   bool   // x-should-retry: false
	RequestID string // the server's id of the request, if it named one
	Target    string // the address that could not be reached, or where a redirect pointed
	KeyName   string // where the refused key came from ("$OPENAI_API_KEY"), for the next step
	Err       error  // the cause, for errors.Is and errors.As
}

// Error describes the failure in one line.
func (f *Failure) Error() string {
	switch {
	case f.Message != "":
		return f.Message
	case f.Status != 0:
		return fmt.Sprintf("status %d", f.Status)
	case f.Err != nil:
		return f.Err.Error()
	}
	return string(f.Condition)
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }
