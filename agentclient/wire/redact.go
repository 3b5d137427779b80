package wire

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Redactor takes secrets out of texts that came back from a server or a library.
// It knows the secrets of one agent and the usual shapes of others.
type Redactor struct{ literals []string }

const minSecret = 6 // shorter values are words, not secrets: hiding them would garble texts

// NewRedactor returns a Redactor for the given secrets; those under 6 bytes are ignored.
func NewRedactor(secrets ...string) *Redactor {
	r := &Redactor{}
	for _, s := range secrets {
		if s = strings.TrimSpace(s); len(s) >= minSecret && !slices.Contains(r.literals, s) {
			r.literals = append(r.literals, s)
		}
	}
	// A secret that contains another must go first, or its rest would stay visible.
	slices.SortFunc(r.literals, func(a, b string) int { return len(b) - len(a) })
	return r
}

// shape is what a secret looks like, and what stands in its place.
type shape struct {
	find *regexp.Regexp
	put  string
}

// The shapes of secrets that may belong to somebody else than this agent. They are compiled at the first use: a start needs none.
var shapes = sync.OnceValue(func() []shape {
	return []shape{
		{regexp.MustCompile(`://[^/\s@"'<>]+@`), "://" + hidden + "@"},
		{regexp.MustCompile(`(?i)\b((?:proxy-)?authorization["']?\s*[:=]\s*["']?)(?:(?:bearer|basic|token|digest)\s+[^\s"',;]{4,}|[^\s"',;]{16,})`), "${1}" + hidden},
		{regexp.MustCompile(`(?i)\b(bearer\s+)[a-z0-9._~+/=-]{16,}`), "${1}" + hidden},
		{regexp.MustCompile(`(?i)\b((?:x-)?(?:goog-)?(?:api[-_]?key|access[-_]token|client[-_]secret)["']?\s*[:=]\s*["']?)[^\s"',;&]{8,}`), "${1}" + hidden},
		{regexp.MustCompile(`(?i)([?&](?:key|token|sig|signature|code|secret)=)[^&\s"']+`), "${1}" + hidden},
		{regexp.MustCompile(`\b(?:sk|pk|rk|gsk|hf|ghp|gho|xai|xox[abp]|glpat|pplx|nvapi)[-_][A-Za-z0-9_*.…-]{8,}`), hidden},
		{regexp.MustCompile(`\bAIza[0-9A-Za-z_-]{20,}`), hidden},
		{regexp.MustCompile(`\bAKIA[0-9A-Z]{12,}`), hidden},
		{regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)?`), hidden},
	}
})

// Redact replaces every secret in s by "[redacted]".
func (r *Redactor) Redact(s string) string {
	return unshaped(r.unnamed(s))
}

func (r *Redactor) unnamed(s string) string {
	for _, secret := range r.literals {
		s = strings.ReplaceAll(s, secret, hidden)
	}
	return s
}

func unshaped(s string) string {
	for _, shape := range shapes() {
		s = shape.find.ReplaceAllString(s, shape.put)
	}
	return s
}

// Line makes a message out of a foreign text: secrets redacted first, then one line
// with white space collapsed, valid UTF-8, at most limit bytes. Of a text beyond
// MaxErrorBody only the beginning is looked at. Control characters other than white
// space are kept: making text safe for a terminal is the screen's part.
func (r *Redactor) Line(s string, limit int) string {
	s = strings.ToValidUTF8(head(r.unnamed(s), MaxErrorBody), "\uFFFD")
	s = strings.Join(strings.Fields(unshaped(s)), " ")
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit-len("…")], "") + "…"
}

// head returns at most the first n bytes of s. It ends between words, so that no half
// secret is left that no shape would recognise.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[:n]
	if end := strings.LastIndexAny(s, " \t\r\n\",;"); end > 0 {
		s = s[:end]
	}
	return s
}

// cause keeps an error for errors.Is and errors.As while its text is redacted.
type cause struct {
	text string
	err  error
}

func (c *cause) Error() string { return c.text }
func (c *cause) Unwrap() error { return c.err }

func (r *Redactor) cause(err error) error {
	if err == nil {
		return nil
	}
	return &cause{r.Line(err.Error(), maxMessage), err}
}
