package retrypolicy

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"syscall"
	"testing"
	"time"
)

const wait = time.Minute // max_wait of the tests

// refusedDial is what a dial to a closed port returns.
var refusedDial = &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}

func hinted(d time.Duration) Hint { return Hint{Wait: d} }

var classified = []struct {
	class string
	kind  Kind
	retry bool
	name  string
	err   error
}{
	{"stopped", Stopped, false, "condition", &Failure{Condition: CondStopped, Status: 200}},
	{"stopped", Stopped, false, "bare context", fmt.Errorf("send: %w", context.Canceled)},
	{"turn-limit", Timeout, false, "condition", &Failure{Condition: CondTurnTime}},
	{"no-tools", Invalid, false, "condition", &Failure{Condition: CondToolAsked, Status: 200}},
	{"no-key", Auth, false, "named key", &Failure{Condition: CondRefusedLocal, KeyName: "$X"}},
	{"not-built", Invalid, false, "unreadable file", &Failure{Condition: CondRefusedLocal}},
	{"refused", Refused, false, "finish reason", &Failure{Condition: CondRefused, Status: 200}},
	{"refused", Refused, false, "400 by code", &Failure{Status: 400, Code: "content_filter"}},
	{"refused", Refused, false, "event by code", &Failure{Condition: CondStreamError, Status: 200, Code: "content_policy_violation"}},

	{"payment", Quota, false, "402", &Failure{Status: 402}},
	{"payment", Quota, false, "402 with a short wait", &Failure{Status: 402, Hint: hinted(time.Second)}},
	{"payment", Quota, false, "event by type", &Failure{Condition: CondStreamError, Type: "billing_error"}},
	{"day-quota", Quota, false, "id", &Failure{Status: 429, QuotaID: "GenerateRequestsPerDayPerProject-FreeTier"}},
	{"day-quota", Quota, false, "id with a short wait", &Failure{Status: 429, QuotaID: "RequestsPerDay", Hint: hinted(37 * time.Second)}},
	{"day-quota", Quota, false, "code", &Failure{Status: 403, Code: "daily_limit"}},
	{"soon", RateLimited, true, "quota word, short wait", &Failure{Status: 429, Code: "insufficient_quota", Hint: hinted(7 * time.Second)}},
	{"soon", RateLimited, true, "quota word, wait = max_wait", &Failure{Status: 429, Code: "insufficient_quota", Hint: hinted(wait)}},
	{"soon", RateLimited, true, "per-minute id", &Failure{Status: 429, Message: "quota exceeded", QuotaID: "GenerateRequestsPerMinutePerProject"}},
	{"soon", RateLimited, true, "per-minute quota in words", &Failure{Status: 429, Message: "Quota exceeded for limit 'requests per minute'"}},
	{"quota", Quota, false, "insufficient_quota", &Failure{Status: 429, Code: "insufficient_quota"}},
	{"quota", Quota, false, "exceeded_current_quota_error", &Failure{Status: 429, Type: "exceeded_current_quota_error"}},
	{"quota", Quota, false, "usage_limit_reached", &Failure{Status: 429, Type: "usage_limit_reached"}},
	{"quota", Quota, false, "wait over max_wait", &Failure{Status: 429, Type: "usage_limit_reached", Hint: hinted(wait + 1)}},
	{"quota", Quota, false, "balance", &Failure{Status: 429, Code: "InsufficientBalance"}},
	{"quota", Quota, false, "credits", &Failure{Status: 403, Message: "You have no credits left."}},
	{"quota", Quota, false, "billing", &Failure{Status: 429, Message: "check your plan and billing details"}},
	{"quota", Quota, false, "daily in words", &Failure{Status: 429, Message: "free-models-per-day exceeded"}},
	{"quota", Quota, false, "event by code", &Failure{Condition: CondStreamError, Status: 200, Code: "insufficient_quota"}},
	{"rate-limit", RateLimited, true, "429", &Failure{Status: 429}},
	{"rate-limit", RateLimited, true, "429 and overloaded", &Failure{Status: 429, Type: "overloaded_error"}},
	{"rate-limit", RateLimited, true, "a balancer is no balance", &Failure{Status: 429, Message: "load balancer says no"}},
	{"rate-limit", RateLimited, true, "event by type", &Failure{Condition: CondStreamError, Type: "rate_limit_error"}},
	{"rate-limit", RateLimited, true, "event by number", &Failure{Condition: CondStreamError, Code: "429"}},
	{"auth", Auth, false, "401", &Failure{Status: 401, Message: "quota"}},
	{"auth", Auth, false, "403", &Failure{Status: 403}},
	{"auth", Auth, false, "400 by code", &Failure{Status: 400, Code: "API_KEY_INVALID", Type: "INVALID_ARGUMENT"}},
	{"auth", Auth, false, "event by type", &Failure{Condition: CondStreamError, Type: "permission_error"}},
	{"overloaded", Overloaded, true, "503", &Failure{Status: 503}},
	{"overloaded", Overloaded, true, "529", &Failure{Status: 529}},
	{"overloaded", Overloaded, true, "type on 500", &Failure{Status: 500, Type: "overloaded_error"}},
	{"overloaded", Overloaded, true, "event by type", &Failure{Condition: CondStreamError, Status: 200, Type: "overloaded_error"}},
	{"status-timeout", Timeout, true, "408", &Failure{Status: 408}},
	{"status-timeout", Timeout, true, "504", &Failure{Status: 504}},
	{"too-early", Server, true, "425", &Failure{Status: 425}},
	{"server-cancelled", Cancelled, false, "499", &Failure{Status: 499}},
	{"context", ContextOverflow, false, "code", &Failure{Status: 400, Code: "context_length_exceeded"}},
	{"context", ContextOverflow, false, "wording", &Failure{Status: 413, Message: "prompt is too long: 210000 tokens > 200000 maximum"}},
	{"context", ContextOverflow, false, "noun and excess", &Failure{Status: 400, Message: "This model's maximum context length is 4097 tokens."}},
	{"context", ContextOverflow, false, "event by code", &Failure{Condition: CondStreamError, Code: "context_length_exceeded"}},
	{"client-error", Invalid, false, "400 empty", &Failure{Status: 400}},
	{"client-error", Invalid, false, "400 that mentions a key", &Failure{Status: 400, Type: "INVALID_ARGUMENT", Message: "API key not valid"}},
	{"client-error", Invalid, false, "400 that mentions 500", &Failure{Status: 400, Message: "upstream said 500 overloaded, rate limit"}},
	{"client-error", Invalid, false, "404", &Failure{Condition: CondNotAnAgent, Status: 404}},
	{"client-error", Invalid, false, "409", &Failure{Status: 409}},
	{"client-error", Invalid, false, "413 without wording", &Failure{Status: 413}},
	{"client-error", Invalid, false, "422 with context wording", &Failure{Status: 422, Code: "context_length_exceeded"}},
	{"client-error", Invalid, false, "501", &Failure{Status: 501}},
	{"server-error", Server, true, "500", &Failure{Status: 500}},
	{"server-error", Server, true, "502", &Failure{Status: 502}},
	{"server-error", Server, true, "520", &Failure{Status: 520}},
	{"server-error", Server, true, "521 with HTML", &Failure{Condition: CondNotAnAgent, Status: 521}},
	{"server-error", Server, true, "522", &Failure{Status: 522}},
	{"server-error", Server, true, "599", &Failure{Status: 599}},
	{"server-error", Server, true, "content filter as 500", &Failure{Status: 500, Code: "content_filter"}},
	{"server-error", Server, true, "event by type", &Failure{Condition: CondStreamError, Type: "server_error", Message: "Upstream idle timeout exceeded"}},
	{"redirect", Redirect, false, "302", &Failure{Status: 302}},
	{"redirect", Redirect, false, "condition", &Failure{Condition: CondRedirect}},

	{"tls", TLS, false, "condition", &Failure{Condition: CondTLS}},
	{"tls", TLS, false, "beneath a connect", &Failure{Condition: CondConnect, Err: fmt.Errorf("dial: %w", x509.UnknownAuthorityError{})}},
	{"tls", TLS, false, "bare", x509.HostnameError{Certificate: &x509.Certificate{}, Host: "h"}},
	{"connect", Network, true, "condition", &Failure{Condition: CondConnect, Err: refusedDial}},
	{"connect", Network, true, "dropped after 200", &Failure{Condition: CondConnect, Status: 200}},
	{"silence", Timeout, true, "connect", &Failure{Condition: CondConnectTime}},
	{"silence", Timeout, true, "first byte", &Failure{Condition: CondFirstByteTime}},
	{"silence", Timeout, true, "idle", &Failure{Condition: CondIdleTime, Status: 200}},
	{"empty", Empty, true, "condition", &Failure{Condition: CondEmpty, Status: 200}},
	{"empty", Empty, true, "204", &Failure{Status: 204}},
	{"length", Length, false, "condition", &Failure{Condition: CondLength, Status: 200}},
	{"truncated", Truncated, true, "condition", &Failure{Condition: CondTruncated, Status: 200}},
	{"malformed", Malformed, true, "condition", &Failure{Condition: CondMalformed, Status: 200}},
	{"stream-error", Server, true, "unknown type", &Failure{Condition: CondStreamError, Status: 200, Type: "weird", Message: "401 quota"}},
	{"not-an-agent", NotAnAgent, false, "HTML", &Failure{Condition: CondNotAnAgent, Status: 200}},
	{"not-an-agent", NotAnAgent, false, "banner", &Failure{Condition: CondNotAnAgent}},
	{"not-an-agent", NotAnAgent, false, "206", &Failure{Status: 206}},

	{"bare-timeout", Timeout, true, "deadline", os.ErrDeadlineExceeded},
	{"bare-network", Network, true, "refused", refusedDial},
	{"bare-network", Network, true, "DNS", &net.DNSError{Err: "no such host", Name: "x"}},
	{"bare-network", Network, true, "errno", syscall.ECONNRESET},
	{"bare-network", Network, true, "EOF", fmt.Errorf("read: %w", io.ErrUnexpectedEOF)},
	{"bare-network", Network, true, "closed", net.ErrClosed},
	{"bare-network", Network, true, "failure without facts", &Failure{Err: io.EOF}},
	{"bare-network", Network, true, "200 cut off", &Failure{Status: 200, Err: io.ErrUnexpectedEOF}},
	{"anything-else", Internal, false, "other", errors.New("boom")},
	{"anything-else", Internal, false, "a file is no network", &fs.PathError{Op: "open", Path: "x", Err: syscall.EIO}},
	{"anything-else", Internal, false, "failure without facts", &Failure{}},
	{"anything-else", Internal, false, "nil", nil},
}

func TestClassify(t *testing.T) {
	tried := map[string]bool{}
	for _, tt := range classified {
		tried[tt.class] = true
		t.Run(tt.class+"/"+tt.name, func(t *testing.T) {
			want := Verdict{tt.kind, tt.retry, tt.class}
			if got := Classify(tt.err, wait); got != want {
				t.Errorf("Classify(%#v) = %v, want %v", tt.err, got, want)
			}
		})
	}
	for _, class := range Classes() {
		if !tried[class.ID] {
			t.Errorf("class %s has no example", class.ID)
		}
	}
}

func TestNoRetryKeepsTheKind(t *testing.T) {
	for _, tt := range classified {
		var f *Failure
		if !errors.As(tt.err, &f) {
			continue
		}
		told := *f
		told.NoRetry = true
		want := Verdict{tt.kind, false, tt.class}
		if got := Classify(&told, wait); got != want {
			t.Errorf("%s/%s with x-should-retry: false = %v, want %v", tt.class, tt.name, got, want)
		}
	}
}

func TestEveryStatusIsDocumentedOnce(t *testing.T) {
	retried := map[int]bool{408: true, 425: true, 429: true}
	for status := 300; status < 600; status++ {
		want := status >= 500 && status != 501 || retried[status]
		if got := Classify(&Failure{Status: status}, wait); got.Retry != want {
			t.Errorf("status %d: retried %v (%s), want %v", status, got.Retry, got.Class, want)
		}
	}
}

func TestStandInsHaveOneMeaning(t *testing.T) {
	seen := map[string]int{}
	for _, s := range StandIns() {
		for _, name := range s.Names {
			if before, ok := seen[name]; ok {
				t.Errorf("%s stands for %d and for %d", name, before, s.Status)
			}
			seen[name] = s.Status
			event := &Failure{Condition: CondStreamError, Status: 200, Type: name}
			answer := &Failure{Status: s.Status, Type: name}
			if got, want := Classify(event, wait), Classify(answer, wait); got != want {
				t.Errorf("event %s = %v, as an answer %v", name, got, want)
			}
		}
	}
}

func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"":                     "",
		"--":                   "",
		"insufficient_quota":   " insufficient quota ",
		"InsufficientBalance":  " insufficient balance ",
		"RESOURCE_EXHAUSTED":   " resource exhausted ",
		"RequestsPerDay-Free":  " requests per day free ",
		"  a 429, or\nso ":     " a 429 or so ",
		"Größe überschritten!": " größe überschritten ",
	} {
		if got := words(in); got != want {
			t.Errorf("words(%q) = %q, want %q", in, got, want)
		}
	}
}
