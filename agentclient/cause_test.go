package agentclient

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"baton/retrypolicy"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.FixedZone("CET", 3600))

func in(d time.Duration) retrypolicy.Hint {
	return retrypolicy.Hint{Wait: d, Until: noon.Add(d).UTC(), Source: "Retry-After"}
}

func TestCauseWords(t *testing.T) {
	const perDay = 24 * time.Hour
	tests := []struct {
		name          string
		failure       error
		message, next string // parts that must be there
	}{
		{"key", &retrypolicy.Failure{Status: 401, Message: "bad key", KeyName: "$WORK_KEY"}, "bad key", "check the key in $WORK_KEY"},
		{"key of unknown origin", &retrypolicy.Failure{Status: 403}, "forbidden", "check the key of this agent"},
		{"missing key", &retrypolicy.Failure{Condition: retrypolicy.CondRefusedLocal, KeyName: "$X", Message: "no key"}, "no key", "$X"},
		{"rate limit", &retrypolicy.Failure{Status: 429, Hint: in(2*time.Hour + 5*time.Minute)}, "too many requests", "the server asks to wait until 14:05 (2h5m)"},
		{"rounded up to the minute", &retrypolicy.Failure{Status: 503, Hint: in(7 * time.Second)}, "service unavailable", "until 12:01 (7s)"},
		{"after midnight", &retrypolicy.Failure{Status: 429, Hint: in(12 * time.Hour)}, "", "until 2026-03-05 00:00 (12h0m)"},
		{"14 days", &retrypolicy.Failure{Status: 429, Hint: in(14 * perDay)}, "", "until 2026-03-18 12:00 (14 days)"},
		{"no hint", &retrypolicy.Failure{Status: 429}, "", "wait a little"},
		{"quota", &retrypolicy.Failure{Status: 429, Code: "insufficient_quota"}, "too many requests", "billing"},
		{"usage limit", &retrypolicy.Failure{Status: 429, Type: "usage_limit_reached", Hint: in(3 * time.Hour)}, "", "billing and the plan of this account; the server asks to wait until 15:00 (3h0m)"},
		{"payment", &retrypolicy.Failure{Status: 402}, "payment required", "billing"},
		{"context", &retrypolicy.Failure{Status: 400, Code: "context_length_exceeded", Message: "too long"}, "too long", "/new starts anew"},
		{"400 without a reason", &retrypolicy.Failure{Status: 400, Message: "bad request"}, "bad request", "/new starts anew"},
		{"413", &retrypolicy.Failure{Status: 413}, "request entity too large", "/new"},
		{"400 with a reason", &retrypolicy.Failure{Status: 400, Message: "temperature is too high"}, "temperature", "settings of this agent"},
		{"404", &retrypolicy.Failure{Status: 404}, "not found", "check base_url and model; base_url usually ends in /v1"},
		{"server down", &retrypolicy.Failure{Condition: retrypolicy.CondConnect, Target: "127.0.0.1:4711", Err: errors.New("connection refused")},
			"cannot reach 127.0.0.1:4711: connection refused", "a server listens at 127.0.0.1:4711"},
		{"silent server", &retrypolicy.Failure{Condition: retrypolicy.CondConnectTime, Target: "h:1"}, "cannot reach h:1: timed out", "more time"},
		{"certificate", &retrypolicy.Failure{Condition: retrypolicy.CondTLS}, "not trusted", "ca_file"},
		{"redirect", &retrypolicy.Failure{Condition: retrypolicy.CondRedirect, Target: "https://h/x"}, "redirects to https://h/x", "base_url"},
		{"499", &retrypolicy.Failure{Status: 499, Message: "client closed"}, "cancelled by the server (499)", "retry"},
		{"tool", &retrypolicy.Failure{Condition: retrypolicy.CondToolAsked}, "", "brings its tools"},
		{"empty", &retrypolicy.Failure{Condition: retrypolicy.CondEmpty}, "empty response", "retry"},
		{"made-up status", &retrypolicy.Failure{Status: 599}, "the server failed", "retry later"},
		{"bare", errors.New("boom"), "boom", "report"},
	}
	for _, tt := range tests {
		c := CauseOf(tt.failure, retrypolicy.Classify(tt.failure, time.Minute), noon)
		if !strings.Contains(c.Message, tt.message) || !strings.Contains(c.NextStep, tt.next) || c.Message == "" {
			t.Errorf("%s: %q · %q, want %q and %q", tt.name, c.Message, c.NextStep, tt.message, tt.next)
		}
	}
}

func TestCauseCarriesTheIds(t *testing.T) {
	f := fmt.Errorf("send: %w", &retrypolicy.Failure{Status: 529, Type: "overloaded_error", RequestID: "r1"})
	c := CauseOf(f, retrypolicy.Classify(f, 0), noon)
	if c.Kind != retrypolicy.Overloaded || c.Status != 529 || c.Code != "overloaded_error" || c.RequestID != "r1" {
		t.Errorf("%+v", c)
	}
}

func TestEveryKindHasWords(t *testing.T) {
	for _, class := range retrypolicy.Classes() {
		c := CauseOf(nil, retrypolicy.Verdict{Kind: class.Kind}, noon)
		if c.Message == "" || c.NextStep == "" && class.Kind != retrypolicy.Stopped {
			t.Errorf("%s: %+v", class.Kind, c)
		}
		for _, bad := range []string{"insecure", "skip", "disable", "verify"} {
			if strings.Contains(c.NextStep, bad) {
				t.Errorf("%s: %q hints at switching checks off", class.Kind, c.NextStep)
			}
		}
	}
	if c := CauseOf(context.Canceled, retrypolicy.Verdict{Kind: retrypolicy.Cancelled}, noon); c.Message != "the agent cancelled the request" {
		t.Errorf("%q", c.Message)
	}
}

func FuzzCauseIsOneShortLine(f *testing.F) {
	for _, s := range []string{
		"", "a\r\nb\tc  d", strings.Repeat("word ", 200), strings.Repeat("世", 200), strings.Repeat("\x1b[31m", 300),
		"\x1b]52;c;aGk=\a", "\xff\x9b\u009b", strings.Repeat("a", 299) + "世", "👨‍👩‍👧‍👦" + strings.Repeat("e\u0301", 400),
	} {
		f.Add(s, "$KEY", "host:1")
	}
	f.Fuzz(func(t *testing.T, said, key, target string) {
		for _, failure := range []*retrypolicy.Failure{
			{Status: 401, Message: said, Code: said, RequestID: said, KeyName: key},
			{Condition: retrypolicy.CondConnect, Target: target, Err: errors.New(said)},
			{Condition: retrypolicy.CondRedirect, Target: target, Hint: in(time.Hour)},
		} {
			c := CauseOf(failure, retrypolicy.Classify(failure, 0), noon)
			if cells := ansi.StringWidth(c.Message) + ansi.StringWidth(c.NextStep); cells > CauseCells {
				t.Errorf("%d cells", cells)
			}
			for _, s := range []string{c.Message, c.NextStep, c.Code, c.RequestID} {
				if strings.ContainsFunc(s, unicode.IsControl) || strings.Join(strings.Fields(s), " ") != s {
					t.Errorf("%q is not one plain line", s)
				}
			}
		}
	})
}
