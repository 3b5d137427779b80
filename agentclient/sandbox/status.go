package sandbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// refusal is an answer with a status other than 200 that is being put together.
type refusal struct {
	header http.Header
	fields map[string]any // of the error, in its body
	page   string         // a body that is no JSON
	bare   bool           // no body at all
}

// bigBody is the length of a big error body, in bytes: more than anybody should read.
const bigBody = 1 << 20

// hostileText would set the clipboard and the title, clear the screen, ask the terminal
// a question and turn the line round, if it reached a terminal.
const hostileText = "\x1b]52;c;aGk=\a\x1b]0;owned\a\x1b[2J\x1b[6n\u009b31m\u202e\x1b]8;;http://evil.invalid\x1b\\ \x00\x7f\r evil"

// details are the words that may stand behind a status.
var details = map[string]func(*refusal){
	"quota": func(r *refusal) {
		r.say("You exceeded your current quota, please check your plan and billing details.", "insufficient_quota")
	},
	"day":        func(r *refusal) { r.quota("GenerateRequestsPerDayPerProjectPerModel") },
	"minute":     func(r *refusal) { r.quota("GenerateRequestsPerMinutePerProjectPerModel") },
	"context":    func(r *refusal) { r.say("This model's maximum context length is exceeded.", "context_length_exceeded") },
	"overloaded": func(r *refusal) { r.fields["type"] = "overloaded_error" },
	"noretry":    func(r *refusal) { r.header.Set("X-Should-Retry", "false") },
	"retry":      func(r *refusal) { r.header.Set("X-Should-Retry", "true") },
	"junk":       func(r *refusal) { r.header.Set("Retry-After", "soon") },
	"html": func(r *refusal) {
		r.page = "<!doctype html><title>Web server is down</title><h1>Down</h1>" + strings.Repeat("<p>Please come back later.</p>", 1500)
	},
	"bare":    func(r *refusal) { r.bare = true },
	"big":     func(r *refusal) { r.fields["padding"] = strings.Repeat("x", bigBody) },
	"hostile": func(r *refusal) { r.fields["message"] = hostileText; r.header["X-Request-Id"] = []string{"\u009b2Jid"} },
}

// measures are the words that may stand behind a status with a number: word=number.
var measures = map[string]func(r *refusal, number string){
	"date": func(r *refusal, n string) { r.header.Set("Retry-After", in(n).UTC().Format(http.TimeFormat)) },
	"ms":   func(r *refusal, n string) { r.header.Set("Retry-After-Ms", n) },
	"reset": func(r *refusal, n string) {
		r.header.Set("X-Ratelimit-Remaining-Requests", "0")
		r.header.Set("X-Ratelimit-Reset-Requests", n+"s")
	},
	"at":    func(r *refusal, n string) { r.fields["resets_at"] = in(n).Unix() },
	"in":    func(r *refusal, n string) { r.fields["resets_in_seconds"] = json.Number(n) },
	"delay": func(r *refusal, n string) { r.fields["details"] = []any{map[string]any{"retryDelay": n + "s"}} },
}

// isDetail reports whether a part may stand behind a status.
func isDetail(part string) bool {
	name, number, measured := strings.Cut(part, "=")
	if !measured {
		return details[name] != nil || isNumber(name)
	}
	return measures[name] != nil && isNumber(number) && number[0] != '+'
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil && strings.Trim(s, "0123456789.+-") == ""
}

// detailForms lists what may stand behind a status, for people.
func detailForms() []string {
	all := slices.Collect(maps.Keys(details))
	for name := range measures {
		all = append(all, name+"=N")
	}
	slices.Sort(all)
	return all
}

// in returns the time that many seconds from now; what lies too far away for a date is
// as far as one goes.
func in(seconds string) time.Time {
	const most = 250_000_000_000 // about 8,000 years
	n, _ := strconv.ParseFloat(seconds, 64)
	return time.Unix(time.Now().Unix()+int64(min(max(n, -most), most)), 0)
}

func (r *refusal) say(message, code string) { r.fields["message"], r.fields["code"] = message, code }

// quota names the quota that is used up, as Google does.
func (r *refusal) quota(id string) {
	r.fields["details"] = []any{map[string]any{"violations": []any{map[string]any{"quotaId": id}}}}
}

// status answers with a status and everything behind its colon.
func status(w http.ResponseWriter, f Fault) {
	r := &refusal{header: w.Header(), fields: map[string]any{"type": "sandbox"}}
	r.say(fmt.Sprintf("the sandbox was told to answer with %d %s", f.Status, http.StatusText(f.Status)), "")
	for part := range strings.SplitSeq(f.Arg, ":") {
		name, number, measured := strings.Cut(part, "=")
		switch detail := details[name]; {
		case measured:
			measures[name](r, number)
		case detail != nil:
			detail(r)
		case part != "":
			r.header.Set("Retry-After", part)
		}
	}
	if f.Status/100 == 3 {
		r.header.Set("Location", "http://elsewhere.invalid/v1/chat/completions")
	}
	switch {
	case r.bare || f.Status == http.StatusNoContent || f.Status == http.StatusNotModified:
		w.WriteHeader(f.Status)
	case r.page != "":
		r.header.Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(f.Status)
		_, _ = w.Write([]byte(r.page))
	default:
		r.write(w, f.Status)
	}
}

func (r *refusal) write(w http.ResponseWriter, status int) {
	body, err := json.Marshal(map[string]any{"error": r.fields})
	if err != nil {
		body = fmt.Appendf(nil, `{"error":{"message":%q}}`, err.Error())
	}
	r.header.Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func refuse(w http.ResponseWriter, status int, message, code string) {
	r := &refusal{header: w.Header(), fields: map[string]any{"type": "sandbox"}}
	r.say(message, code)
	r.write(w, status)
}
