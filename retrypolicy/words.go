package retrypolicy

import (
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// words breaks a code, a type or a message into lower-case words with one space before
// and after each, so that "balance" is found in "insufficient_balance" and
// "InsufficientBalance" but not in "load balancer".
func words(s string) string {
	var b strings.Builder
	gap := func() {
		if b.Len() > 0 && !strings.HasSuffix(b.String(), " ") {
			b.WriteByte(' ')
		}
	}
	lower := false
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			gap()
			lower = false
			continue
		case unicode.IsUpper(r) && lower:
			gap()
		}
		lower = unicode.IsLower(r)
		b.WriteRune(unicode.ToLower(r))
	}
	if b.Len() == 0 {
		return ""
	}
	return " " + strings.TrimSpace(b.String()) + " "
}

func holds(text string, phrases []string) bool {
	for _, phrase := range phrases {
		if strings.Contains(text, " "+phrase+" ") {
			return true
		}
	}
	return false
}

// Wording that counts inside an error's own code, type and message.
var (
	quotaPhrases = []string{
		"quota", "quotas", "billing", "balance", "credit", "credits", "usage limit", "usage limits",
	}
	dailyPhrases = []string{"per day", "daily"}

	contextPhrases = []string{
		"prompt is too long", "prompt too long", "input is too long", "input too long",
		"input token count exceeds", "too many input tokens", "maximum prompt length",
		"reduce the length of the messages", "context length exceeded", "context window exceeded",
	}
	contextNouns = []string{"context length", "context window", "context size", "context limit"}
	excessWords  = []string{
		"exceed", "exceeds", "exceeded", "exceeding", "maximum", "over", "longer", "larger",
		"greater", "too long", "too large", "reduce", "limit",
	}
)

// Codes and types that decide by themselves.
var (
	overloadedCodes = nameSet("overloaded_error")
	refusedCodes    = nameSet("content_filter", "content_policy_violation", "refusal")
	keyCodes        = nameSet("api_key_invalid", "invalid_api_key")
	contextCodes    = nameSet("context_length_exceeded", "context_window_exceeded",
		"model_context_window_exceeded", "exceed_context_size_error", "context_overflow")
)

// nameSet is made at its first use: no start should pay for it.
func nameSet(names ...string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := make(map[string]bool, len(names))
		for _, name := range names {
			set[words(name)] = true
		}
		return set
	})
}

// StandIn says that the codes and types of errors without a status of their own count as
// if the answer had that status.
type StandIn struct {
	Status int
	Names  []string
}

// StandIns lists the codes and types known from error events, by the status they stand
// for. A code or type that is itself a number from 400 to 599 stands for that number.
func StandIns() []StandIn { return standIns }

var standIns = []StandIn{
	{400, []string{"invalid_request_error", "invalid_request", "bad_request", "invalid_argument",
		"failed_precondition", "context_length_exceeded", "context_window_exceeded",
		"model_context_window_exceeded", "exceed_context_size_error", "context_overflow",
		"content_filter", "content_policy_violation", "refusal"}},
	{401, []string{"authentication_error", "invalid_api_key", "unauthorized", "unauthenticated",
		"invalid_authentication"}},
	{402, []string{"billing_error", "payment_required"}},
	{403, []string{"permission_error", "permission_denied", "forbidden", "access_denied"}},
	{404, []string{"not_found_error", "not_found", "model_not_found"}},
	{413, []string{"request_too_large"}},
	{429, []string{"rate_limit_error", "rate_limit_exceeded", "rate_limit", "rate_limited",
		"too_many_requests", "resource_exhausted", "throttling_exception", "usage_limit_reached",
		"insufficient_quota", "exceeded_current_quota_error", "quota_exceeded", "insufficient_balance"}},
	{500, []string{"api_error", "server_error", "internal_server_error", "internal_error", "internal"}},
	{501, []string{"unimplemented", "not_implemented"}},
	{503, []string{"overloaded_error", "overloaded", "server_overloaded", "engine_overloaded_error",
		"slow_down", "service_unavailable", "service_unavailable_error", "unavailable"}},
	{504, []string{"timeout_error", "timeout", "request_timeout", "gateway_timeout", "deadline_exceeded"}},
}

var standInOf = sync.OnceValue(func() map[string]int {
	m := map[string]int{}
	for _, s := range standIns {
		for _, name := range s.Names {
			m[words(name)] = s.Status
		}
	}
	return m
})

// statusOf returns the status that code, or else type, stands for, or 0.
func statusOf(code, typ string) int {
	for _, name := range []string{code, typ} {
		if n, err := strconv.Atoi(strings.TrimSpace(name)); err == nil && n >= 400 && n <= 599 {
			return n
		}
		if s := standInOf()[words(name)]; s != 0 {
			return s
		}
	}
	return 0
}
