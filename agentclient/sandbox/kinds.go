package sandbox

import (
	"strings"
	"time"
)

// Known describes the faults for people: how one is written and what it does.
type Known struct{ Form, Does string }

// Faults lists every fault there is, in the order docs/sandbox.md shows.
func Faults() []Known {
	var all []Known
	for _, k := range known {
		all = append(all, Known{k.form, k.does})
	}
	return all
}

// kind is one way to write a fault. Forms that begin with a digit are examples of a
// status; what may stand behind one is in details.
type kind struct {
	form, does string
	takes      takes
	after      int           // tokens sent first, unless @N says how many
	wait       time.Duration // unless :seconds says how long
}

// takes says what may stand behind a name.
type takes struct{ tokens, seconds, code bool }

var (
	place   = takes{tokens: true}
	seconds = takes{seconds: true}
	nothing = takes{}
)

// usual is how many tokens come first where nobody says.
const usual = 20

var known = []kind{
	{form: "ok", does: "nothing; the request is answered as usual", after: endOfAnswer},

	{form: "500", does: "any status from 201 to 599, with an error body where one belongs; 3xx point to another host"},
	{form: "429:7", does: "a status with `Retry-After: 7`; any number, `-5` and `0.5` too"},
	{form: "429:date=7", does: "a status whose `Retry-After` is the date in 7 seconds"},
	{form: "429:junk", does: "a status whose `Retry-After` is no time at all"},
	{form: "429:ms=700", does: "a status with `retry-after-ms: 700`"},
	{form: "429:reset=7", does: "a status with `x-ratelimit-reset-requests: 7s` and nothing remaining"},
	{form: "429:at=7", does: "a status whose body has a `resets_at` in 7 seconds"},
	{form: "429:in=7", does: "a status whose body has `resets_in_seconds: 7`"},
	{form: "429:delay=7", does: "a status whose body has a `retryDelay` of `7s`"},
	{form: "429:quota", does: "a status whose body says `insufficient_quota`"},
	{form: "429:day", does: "a status whose body names a quota per day"},
	{form: "429:minute", does: "a status whose body names a quota per minute"},
	{form: "400:context", does: "a status whose body says `context_length_exceeded`"},
	{form: "500:overloaded", does: "a status whose body says `overloaded_error`"},
	{form: "503:noretry", does: "a status with `x-should-retry: false`"},
	{form: "400:retry", does: "a status with `x-should-retry: true`"},
	{form: "521:html", does: "a status whose body is a web page"},
	{form: "500:bare", does: "a status without a body"},
	{form: "500:big", does: "a status whose body is 1 MB long"},
	{form: "500:hostile", does: "a status whose message and request id hold control sequences"},

	{form: "close", does: "the connection is closed without an answer"},
	{form: "banner", does: "an answer that is not HTTP"},
	{form: "mute", does: "silence, not even headers"},
	{form: "trickle", does: "headers that come a byte at a time and never end"},
	{form: "hang", does: "headers, then silence"},
	{form: "late:2", does: "headers and answer come 2 seconds late", takes: seconds, after: endOfAnswer, wait: 2 * time.Second},
	{form: "alive:3", does: "comments as signs of life for 3 seconds, then the answer", takes: seconds, after: endOfAnswer, wait: 3 * time.Second},

	{form: "cut@20", does: "the stream ends after 20 tokens, without its end marker", takes: place, after: usual},
	{form: "drop@20", does: "the connection ends after 20 tokens, in the middle of the body's framing", takes: place, after: usual},
	{form: "short@20", does: "the body ends after 20 tokens though its `Content-Length` promised more", takes: place, after: usual},
	{form: "reset@20", does: "the connection is reset after 20 tokens", takes: place},
	{form: "stall@20", does: "silence after 20 tokens, the connection stays open", takes: place, after: usual},
	{form: "error@20", does: "an error event inside the stream after 20 tokens", takes: takes{tokens: true, code: true}, after: usual},
	{form: "error:503@20", does: "an error event with a code of its own, 400 to 599", takes: takes{tokens: true, code: true}, after: usual},
	{form: "naked@20", does: "an error as JSON without a `data:` inside the stream after 20 tokens", takes: place, after: usual},
	{form: "huge@20", does: "an event of 5 MB after 20 tokens", takes: place, after: usual},
	{form: "length@20", does: "the output limit is reached after 20 tokens", takes: place, after: endOfAnswer},
	{form: "filter@20", does: "the content filter ends the answer after 20 tokens", takes: place},

	{form: "empty", does: "an end marker and no text"},
	{form: "blank", does: "a 200 without a single byte"},
	{form: "space", does: "an answer of white space only"},
	{form: "thought", does: "an answer of reasoning only"},
	{form: "done", does: "`[DONE]` and nothing before it"},
	{form: "refusal", does: "the model refuses, in the field meant for it"},
	{form: "tool", does: "the model asks for a tool"},
	{form: "toolcut", does: "the model asks for a tool, then the stream ends without its end marker"},
	{form: "garbage", does: "an event that cannot be decoded", after: 3},
	{form: "html", does: "a web page with status 200"},
	{form: "plain", does: "a text with status 200"},
	{form: "gzip", does: "a compressed stream that nobody asked for"},
	{form: "json", does: "the whole answer as one JSON text", takes: takes{code: true}, after: endOfAnswer},
	{form: "json:503", does: "an error with that code as one JSON text with status 200", takes: takes{code: true}},

	{form: "nodone", does: "the usual answer with its finish reason, without `[DONE]`", after: endOfAnswer},
	{form: "nofinish", does: "the usual answer with `[DONE]`, without a finish reason", after: endOfAnswer},
	{form: "linger", does: "the usual answer, and the connection stays open behind it", after: endOfAnswer},
	{form: "bytes", does: "the usual answer, each byte in a write of its own", after: endOfAnswer},
	{form: "crlf", does: "the usual answer, lines ended by CR LF", after: endOfAnswer},
	{form: "cr", does: "the usual answer, lines ended by CR", after: endOfAnswer},
	{form: "loose", does: "the usual answer, its events written every way that is allowed: BOM, comments, ids, no space, data in two lines", after: endOfAnswer},
	{form: "hostile", does: "the usual answer behind control sequences, bidi controls and bytes that are no text", after: endOfAnswer},
}

// nameOf is what a form begins with.
func nameOf(form string) string {
	if end := strings.IndexAny(form, ":@"); end >= 0 {
		return form[:end]
	}
	return form
}

// kindOf finds the first form of a name.
func kindOf(name string) (kind, bool) {
	for _, k := range known {
		if k.form[0] > '9' && nameOf(k.form) == name {
			return k, true
		}
	}
	return kind{}, false
}

func forms() string {
	var all []string
	for _, k := range known {
		all = append(all, k.form)
	}
	return strings.Join(all, ", ")
}
