package sandbox

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// MaxArmed bounds how many requests can be armed at once.
const MaxArmed = 1000

// MaxSeconds bounds how long a late or an idling answer takes, in seconds.
const MaxSeconds = 600

// maxTokens bounds the number behind an @.
const maxTokens = 1_000_000

// endOfAnswer places a fault behind the last token.
const endOfAnswer = -1

// Fault is what goes wrong with one request.
type Fault struct {
	Kind   string        // a name of Faults, or "status"
	Status int           // of kind "status"; of "error" and "json", the error's own code, 0 for none
	Arg    string        // of kind "status": what stands behind the colon
	After  int           // tokens that are sent first; endOfAnswer for all
	Wait   time.Duration // of the kinds that take their time
}

// fine is what happens to requests that nothing was armed for.
var fine = Fault{Kind: "ok", After: endOfAnswer}

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
	parse := parseKind
	if body != "" && body[0] >= '0' && body[0] <= '9' {
		parse = parseStatus
	}
	f, err := parse(item, body)
	return f, times, err
}

func parseKind(item, body string) (Fault, error) {
	body, tokens, placed := strings.Cut(body, "@")
	name, arg, given := strings.Cut(body, ":")
	k, ok := kindOf(name)
	if !ok || placed && !k.takes.tokens || given && !k.takes.code && !k.takes.seconds {
		return Fault{}, fmt.Errorf("unknown fault %q; there are %s", item, forms())
	}
	f := Fault{Kind: name, After: k.after, Wait: k.wait}
	if placed {
		n, err := strconv.Atoi(tokens)
		if err != nil || n < 0 || n > maxTokens {
			return Fault{}, fmt.Errorf("fault %q: the number of tokens behind @ must be 0 to %d", item, maxTokens)
		}
		f.After = n
	}
	if given {
		return f.with(k.takes, item, arg)
	}
	return f, nil
}

// with reads what stands behind the colon.
func (f Fault) with(t takes, item, arg string) (Fault, error) {
	if t.seconds {
		n, err := strconv.ParseFloat(arg, 64)
		if err != nil || !(n >= 0 && n <= MaxSeconds) { // not a number is neither
			return Fault{}, fmt.Errorf("fault %q: the seconds behind the colon must be 0 to %d", item, MaxSeconds)
		}
		f.Wait = time.Duration(n * float64(time.Second))
		return f, nil
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n < 400 || n > 599 {
		return Fault{}, fmt.Errorf("fault %q: the code behind the colon must be 400 to 599", item)
	}
	f.Status = n
	return f, nil
}

func parseStatus(item, body string) (Fault, error) {
	code, arg, given := strings.Cut(body, ":")
	status, err := strconv.Atoi(code)
	if err != nil || len(code) != 3 || status <= http.StatusOK || status > 599 {
		return Fault{}, fmt.Errorf("fault %q: a status must be 201 to 599", item)
	}
	if given {
		for part := range strings.SplitSeq(arg, ":") {
			if !isDetail(part) {
				return Fault{}, fmt.Errorf("fault %q: behind the colon stand seconds to wait or %s", item, strings.Join(detailForms(), ", "))
			}
		}
	}
	return Fault{Kind: "status", Status: status, Arg: arg}, nil
}
