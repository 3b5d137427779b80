package retrypolicy

import "slices"

// Class is one row of the classification table.
type Class struct {
	ID    string
	Input string // what fits, for people
	Kind  Kind
	Retry bool

	fits func(*caseOf) bool
}

// Classes returns the classification table in the order in which it is asked: the first
// class that fits decides. docs/agent-stream.md shows it.
func Classes() []Class { return slices.Clone(classes) }

// The order is the rule: what the person or the program itself decided, then the status
// and the error's own code, then what an attempt met without either, then the bare error.
var classes = slices.Concat(ownClasses, statusClasses, conditionClasses, bareClasses)

var ownClasses = []Class{
	{"stopped", "cancelled by the person", Stopped, false,
		func(c *caseOf) bool { return c.cond == CondStopped || c.bare() && cancelled(c.err) }},
	{"turn-limit", "absolute limit per turn (off by default)", Timeout, false, met(CondTurnTime)},
	{"no-tools", "the agent asks for a tool and none is configured", Invalid, false, met(CondToolAsked)},
	{"no-key", "the key is missing or cannot be read", Auth, false,
		func(c *caseOf) bool { return c.cond == CondRefusedLocal && c.f.KeyName != "" }},
	{"not-built", "the request could not be built", Invalid, false, met(CondRefusedLocal)},
	{"refused", "content filter, refusal (by finish reason, or by code with a 4xx)", Refused, false,
		func(c *caseOf) bool {
			return c.cond == CondRefused || c.status/100 == 4 && c.named(refusedCodes)
		}},
}

var statusClasses = []Class{
	{"payment", "402", Quota, false, status(402)},
	{"day-quota", "403 or 429 with a per-day quota id", Quota, false,
		func(c *caseOf) bool { return c.limited() && c.idSays(dailyPhrases...) }},
	{"soon", "429 with a server wait of at most max_wait, or with a per-minute quota id", RateLimited, true,
		func(c *caseOf) bool { return c.status == 429 && (c.quick() || c.perMinute()) }},
	{"quota", "403 or 429 whose code, type or message says quota, billing, balance, credits or usage limit (429: or a limit per day)",
		Quota, false, func(c *caseOf) bool { return c.limited() && c.money() }},
	{"rate-limit", "every other 429", RateLimited, true, status(429)},
	{"auth", "401, every other 403, a 400 whose code says that the key is not valid", Auth, false,
		func(c *caseOf) bool {
			return c.status == 401 || c.status == 403 || c.status == 400 && c.named(keyCodes)
		}},
	{"overloaded", "503, 529, `overloaded_error`", Overloaded, true,
		func(c *caseOf) bool { return c.status == 503 || c.status == 529 || c.named(overloadedCodes) }},
	{"status-timeout", "408, 504", Timeout, true, status(408, 504)},
	{"too-early", "425", Server, true, status(425)},
	{"server-cancelled", "499 from the server", Cancelled, false, status(499)},
	{"context", "context too long (400 or 413, by code or wording)", ContextOverflow, false,
		func(c *caseOf) bool { return (c.status == 400 || c.status == 413) && c.tooLong() }},
	{"client-error", "every other 4xx, 501", Invalid, false,
		func(c *caseOf) bool { return c.status/100 == 4 || c.status == 501 }},
	{"server-error", "every other 5xx", Server, true, func(c *caseOf) bool { return c.status/100 == 5 }},
	{"redirect", "any redirect (the target is named)", Redirect, false,
		func(c *caseOf) bool { return c.status/100 == 3 || c.cond == CondRedirect }},
}

var conditionClasses = []Class{
	{"tls", "certificate not trusted", TLS, false,
		func(c *caseOf) bool { return c.cond == CondTLS || untrusted(c.err) }},
	{"connect", "refused, reset, DNS, TLS handshake dropped, unexpected EOF, HTTP/2 GOAWAY or RST", Network, true,
		met(CondConnect)},
	{"silence", "connect, first-byte or idle timeout", Timeout, true,
		met(CondConnectTime, CondFirstByteTime, CondIdleTime)},
	{"empty", "success end marker but no visible text and no tool part (reasoning alone does not count); 204; 200 with zero bytes",
		Empty, true, func(c *caseOf) bool { return c.cond == CondEmpty || c.answer == 204 }},
	{"length", "output limit reached with no visible text", Length, false, met(CondLength)},
	{"truncated", "stream ended without its end marker or finish reason", Truncated, true, met(CondTruncated)},
	{"malformed", "undecodable event in a stream", Malformed, true, met(CondMalformed)},
	{"stream-error", "error event inside a 200 stream whose code and type say nothing", Server, true, met(CondStreamError)},
	{"not-an-agent", "200 with HTML, another 2xx, a banner that is not HTTP", NotAnAgent, false,
		func(c *caseOf) bool { return c.cond == CondNotAnAgent || c.answer != 0 && !ofNetwork(c.err) }},
}

var bareClasses = []Class{
	{"bare-timeout", "no status, no match: a timeout of net or syscall", Timeout, true,
		func(c *caseOf) bool { return timedOut(c.err) }},
	{"bare-network", "no status, no match: net, io and syscall errors", Network, true,
		func(c *caseOf) bool { return ofNetwork(c.err) }},
	{"anything-else", "no status, no match: anything else", Internal, false,
		func(*caseOf) bool { return true }},
}

// met fits a failure that met one of the conditions.
func met(conditions ...Condition) func(*caseOf) bool {
	return func(c *caseOf) bool { return slices.Contains(conditions, c.cond) }
}

// status fits an answer with one of the statuses, or an error that stands for one.
func status(codes ...int) func(*caseOf) bool {
	return func(c *caseOf) bool { return slices.Contains(codes, c.status) }
}

// bare says whether nothing but the error beneath is known.
func (c *caseOf) bare() bool { return c.cond == CondNone && c.status == 0 }

func (c *caseOf) limited() bool { return c.status == 403 || c.status == 429 }
