package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
)

const canary = "canary-0123456789-canary"

func TestSecretNeverPrints(t *testing.T) {
	s := NewSecret(canary)
	holder := struct{ Key Secret }{s}
	inner := struct{ key Secret }{s}
	asJSON, _ := json.Marshal(holder)
	var logged strings.Builder
	slog.New(slog.NewTextHandler(&logged, nil)).Info("x", "key", s, "holder", holder)
	for name, got := range map[string]string{
		"verbs":  fmt.Sprintf("%v %+v %#v %s %q %x %d", s, s, s, s, s, s, s),
		"holder": fmt.Sprintf("%v %+v %#v", holder, holder, &holder),
		"inner":  fmt.Sprintf("%v %+v %#v", inner, &inner, inner),
		"json":   string(asJSON),
		"slog":   logged.String(),
		"error":  fmt.Errorf("x: %v", s).Error(),
	} {
		if strings.Contains(got, "canary") || strings.Contains(got, fmt.Sprintf("%x", canary)) {
			t.Errorf("%s shows the secret: %s", name, got)
		}
	}
	if s.Reveal() != canary {
		t.Error("the secret itself is lost")
	}
	if got := fmt.Sprint(NewSecret("")); got != "" {
		t.Errorf("an empty secret prints %q", got)
	}
}

func TestRedact(t *testing.T) {
	r := NewRedactor(canary, canary+"-longer", "", "short")
	for _, c := range []struct{ name, in, want string }{
		{"C15_literal", "key " + canary + ".", "key [redacted]."},
		{"C15_longest_first", canary + "-longer", "[redacted]"},
		{"C15_twice", canary + canary, "[redacted][redacted]"},
		{"C15_userinfo", "dial https://bob:hunter2@host/v1", "dial https://[redacted]@host/v1"},
		{"C15_bearer", "got Bearer abcdefgh12345678 here", "got Bearer [redacted] here"},
		{"C15_authorization", "Authorization: Bearer abcd", "Authorization: [redacted]"},
		{"C15_header_as_json", `"x-api-key": "0123456789abcdef"`, `"x-api-key": "[redacted]"`},
		{"C15_sk", "Incorrect API key provided: sk-proj-ab12****wxyz. See", "Incorrect API key provided: [redacted] See"},
		{"C15_google", "AIzaSyA0123456789012345678901", "[redacted]"},
		{"C15_query", "GET /v1?key=zzz&x=1", "GET /v1?key=[redacted]&x=1"},
		{"C15_jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_def", "[redacted]"},
		{"words_stay", "the risk-averse task-force has no short key", "the risk-averse task-force has no short key"},
		{"bearer_word_stays", "Bearer authentication is required", "Bearer authentication is required"},
		{"authorization_word_stays", "authorization: missing or bad", "authorization: missing or bad"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := r.Redact(c.in); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestLine(t *testing.T) {
	r := NewRedactor(canary)
	for _, c := range []struct {
		name, in string
		limit    int
		want     string
	}{
		{"white_space", " a\r\n\t b\u00a0 c ", 99, "a b c"},
		{"invalid_utf8", "a\xff", 99, "a\uFFFD"},
		{"limit", "abcdef", 6, "abcdef"},
		{"limit+1", "abcdefg", 6, "abc…"},
		{"no_half_rune", "世世世世", 10, "世世…"},
		{"C15_redacts_before_it_cuts", "xxxx" + canary, 12, "xxxx[reda…"},
		{"C15_no_half_secret_at_the_end_of_a_long_text", strings.Repeat(" ", MaxErrorBody-5) + "sk-abcdefghijkl", 99, ""},
		{"C15_own_secret_across_that_end", strings.Repeat(" ", MaxErrorBody-5) + canary, 99, ""},
		{"103_controls_are_left_to_the_screen", "a\x1b]52;c;x\x07", 99, "a\x1b]52;c;x\x07"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := r.Line(c.in, c.limit); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestRedactedCauseIsStillFound(t *testing.T) {
	err := NewRedactor(canary).cause(fmt.Errorf("%s: %w", canary, io.ErrUnexpectedEOF))
	if strings.Contains(err.Error(), canary) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("cause %v", err)
	}
}
