// Package wire holds the HTTP rules that every protocol shares: one request over one
// connection, limits on silence and size, event streams, error bodies and redaction.
// It must not know any protocol's messages, judge what is worth repeating, or draw.
package wire

import "time"

// Limits of one exchange. All are per request.
const (
	// MaxErrorBody is how much of an error's body is read, in bytes.
	MaxErrorBody = 64 << 10
	// MaxEvent bounds one line and one event of a stream, in bytes.
	MaxEvent = 4 << 20
	// MaxAnswer bounds the text of one answer, reasoning included, in bytes.
	MaxAnswer = 64 << 20

	maxHeaderBytes = 1 << 20         // all header fields of an answer
	maxMessage     = 2000            // bytes of an error's message kept
	maxRequestID   = 128             // bytes of a request id kept
	errorBodyTime  = 5 * time.Second // how long an error's body may take; its status is known already
)
