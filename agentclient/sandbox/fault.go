package sandbox

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// MaxArmed bounds how many requests can be armed at once.
const MaxArmed = 1000

// endOfAnswer places a fault behind the last token.
const endOfAnswer = -1

// Fault is what goes wrong with one request.
type Fault struct {
	Kind   string // a name of Faults, or "status"
	Status int    // of kind "status"
	Arg    string // of kind "status": seconds to wait, or a word of words
	After  int    // tokens that are sent first; endOfAnswer for all
}

// Known describes the faults for people: how one is written and what it does.
type Known struct{ Form, Does string }

// Faults lists every fault there is, in the order docs/sandbox.md shows.
func Faults() []Known { return slices.Clone(known) }

var known = []Known{
	{"ok", "nothing; the request is answered as usual"},
	{"500", "any status from 201 to 599, with an error body where one belongs"},
	{"429:7", "a status with `Retry-After: 7`"},
	{"429:quota", "a status whose body says `insufficient_quota`"},
	{"400:context", "a status whose body says `context_length_exceeded`"},
	{"503:noretry", "a status with `x-should-retry: false`"},
	{"cut@20", "the stream ends after 20 tokens, without its end marker"},
	{"stall@20", "silence after 20 tokens, the connection stays open"},
	{"error@20", "an error event inside the stream after 20 tokens"},
	{"length@20", "the output limit is reached after 20 tokens"},
	{"reset@20", "the connection is reset after 20 tokens"},
	{"filter@20", "the content filter ends the answer after 20 tokens"},
	{"empty", "an end marker and no text"},
	{"blank", "a 200 without a single byte"},
	{"hang", "headers, then silence"},
	{"html", "a web page with status 200"},
	{"garbage", "an event that cannot be decoded"},
	{"tool", "the model asks for a tool"},
}

// withTokens are the faults that take @N and how many tokens go first without it.
var withTokens = map[string]int{"cut": 20, "stall": 20, "error": 20, "length": endOfAnswer, "reset": 0, "filter": 0}

var plain = []string{"ok", "empty", "blank", "hang", "html", "garbage", "tool"}

// words are what may stand behind a status instead of seconds.
var words = []string{"quota", "context", "noretry"}

// ParseFaults reads a comma list of faults; item*N stands for N in a row. Its errors are
// one line, name the bad item and the faults there are. An empty list is no fault.
func ParseFaults(list string) ([]Fault, error) {
	var faults []Fault
	for item := range strings.SplitSeq(list, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		fault, times, err := parseItem(item)
		if err != nil {
			return nil, err
		}
		if len(faults)+times > MaxArmed {
			return nil, fmt.Errorf("too many faults: %d at most", MaxArmed)
		}
		faults = append(faults, slices.Repeat([]Fault{fault}, times)...)
	}
	return faults, nil
}

func parseItem(item string) (Fault, int, error) {
	body, repeat, repeated := strings.Cut(item, "*")
	times := 1
	if repeated {
		n, err := strconv.Atoi(repeat)
		if err != nil || n < 1 || n > MaxArmed {
			return Fault{}, 0, fmt.Errorf("fault %q: the number behind * must be 1 to %d", item, MaxArmed)
		}
		times = n
	}
	if body != "" && body[0] >= '0' && body[0] <= '9' {
		f, err := parseStatus(item, body)
		return f, times, err
	}
	kind, tokens, given := strings.Cut(body, "@")
	after, takes := withTokens[kind]
	switch {
	case !takes && (given || !slices.Contains(plain, kind)):
		return Fault{}, 0, fmt.Errorf("unknown fault %q; there are %s", item, forms())
	case given:
		n, err := strconv.Atoi(tokens)
		if err != nil || n < 0 || n > 1_000_000 {
			return Fault{}, 0, fmt.Errorf("fault %q: the number of tokens behind @ must be 0 to 1000000", item)
		}
		after = n
	}
	return Fault{Kind: kind, After: after}, times, nil
}

func parseStatus(item, body string) (Fault, error) {
	code, arg, given := strings.Cut(body, ":")
	status, err := strconv.Atoi(code)
	if err != nil || len(code) != 3 || status <= http.StatusOK || status > 599 {
		return Fault{}, fmt.Errorf("fault %q: a status must be 201 to 599", item)
	}
	if given && !slices.Contains(words, arg) {
		if _, err := strconv.ParseFloat(arg, 64); err != nil {
			return Fault{}, fmt.Errorf("fault %q: behind the colon stand seconds to wait or one of %s", item, strings.Join(words, ", "))
		}
	}
	return Fault{Kind: "status", Status: status, Arg: arg}, nil
}

func forms() string {
	var all []string
	for _, k := range known {
		all = append(all, k.Form)
	}
	return strings.Join(all, ", ")
}
