package wire

import (
	"fmt"
	"log/slog"
)

const hidden = "[redacted]"

// Secret is a text that never prints: every fmt verb, JSON, text encoding and slog
// show "[redacted]" instead, or nothing when it is empty.
//
// fmt cannot call methods on unexported fields of a struct that holds a Secret; there the
// pointer keeps the text out.
type Secret struct{ text *string }

// NewSecret wraps a text.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{&text}
}

// Reveal returns the text itself. Only what puts it on the wire may call it.
func (s Secret) Reveal() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

// Empty reports whether there is no secret.
func (s Secret) Empty() bool { return s.text == nil }

// String returns "[redacted]", or "" when the secret is empty.
func (s Secret) String() string {
	if s.Empty() {
		return ""
	}
	return hidden
}

// Format hides the text from every verb, %#v and %x included.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(s.String())) }

// MarshalText hides the text from encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue hides the text from slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }
