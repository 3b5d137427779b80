package agentclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"baton/retrypolicy"
)

// CauseCells bounds the message and the next step of a Cause together, in cells.
const CauseCells = 300

// codeCells bounds an error's own code and a request id, which are outside text too.
const codeCells = 80

// afterTool is the next step when only a tool's activity forbids another attempt.
const afterTool = "a tool was active, so this is not repeated by itself: look at what it did, then retry"

// CauseOf puts a judged failure into a person's words: what happened, and what to do
// next. now gives the clock and the time zone of "until 14:05". This is the one place
// that words them.
func CauseOf(err error, verdict retrypolicy.Verdict, now time.Time) Cause {
	f := &retrypolicy.Failure{Err: err}
	if errors.As(err, &f) {
		known := *f
		known.Hint = believable(known.Hint, verdict)
		f = &known
	}
	code := f.Code
	if code == "" {
		code = f.Type
	}
	c := Cause{Kind: verdict.Kind, Status: f.Status, Code: line(code, codeCells), RequestID: line(f.RequestID, codeCells)}
	c.NextStep = line(nextStep(f, verdict.Kind, now), CauseCells/2)
	room := CauseCells - ansi.StringWidth(c.NextStep)
	c.Message = line(message(f, verdict.Kind), room)
	return c
}

// line collapses white space, shows control characters as pictures of one cell, and cuts
// what is wider than cells.
func line(s string, cells int) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	s = strings.Map(func(r rune) rune {
		switch {
		case r < 0x20:
			return 0x2400 + r
		case r == 0x7f:
			return 0x2421
		case r >= 0x80 && r < 0xa0:
			return 0xfffd
		}
		return r
	}, s)
	return ansi.Truncate(s, cells, "…")
}

// believable drops a hint that contradicts what the failure says of itself: a quota for
// a day is not there again in two seconds.
func believable(h retrypolicy.Hint, v retrypolicy.Verdict) retrypolicy.Hint {
	if v.Class == "day-quota" && h.Wait < time.Hour {
		return retrypolicy.Hint{}
	}
	return h
}

// message says what happened: in the error's own words, if it has any.
func message(f *retrypolicy.Failure, kind retrypolicy.Kind) string {
	switch {
	case f.Status == 499:
		return "cancelled by the server (499)"
	case strings.TrimSpace(f.Message) != "":
		return f.Message
	case f.Condition == retrypolicy.CondConnect && f.Target != "":
		return "cannot reach " + f.Target + because(f.Err)
	case f.Condition == retrypolicy.CondConnectTime && f.Target != "":
		return "cannot reach " + f.Target + ": timed out"
	case f.Condition == retrypolicy.CondRedirect && f.Target != "":
		return "the server redirects to " + f.Target
	case f.Status >= 300 && http.StatusText(f.Status) != "":
		return strings.ToLower(http.StatusText(f.Status))
	case f.Err != nil && !errors.Is(f.Err, context.Canceled):
		return f.Err.Error()
	}
	return wordings[kind].happened
}

func because(err error) string {
	if err == nil {
		return ""
	}
	return ": " + err.Error()
}

// nextStep says what the person can do, and until when the server asks to wait.
func nextStep(f *retrypolicy.Failure, kind retrypolicy.Kind, now time.Time) string {
	step := remedy(f, kind)
	if f.Hint.Wait <= 0 || f.Hint.Until.IsZero() {
		return step
	}
	asked := "the server asks to wait until " + clock(f.Hint, now)
	if kind == retrypolicy.RateLimited || kind == retrypolicy.Overloaded {
		return asked // there is nothing else to do
	}
	return step + "; " + asked
}

func remedy(f *retrypolicy.Failure, kind retrypolicy.Kind) string {
	switch {
	case kind == retrypolicy.Auth && f.KeyName != "":
		return "check the key in " + f.KeyName
	case kind == retrypolicy.Auth && f.Status == http.StatusUnauthorized:
		return "check the key: none is set; --api-key-env NAME or api_key_env names one"
	case f.Status == http.StatusNotFound && kind == retrypolicy.Invalid:
		return "check base_url and model; base_url usually ends in /v1"
	case kind == retrypolicy.Network && f.Target != "":
		return "check that a server listens at " + f.Target
	case f.Condition == retrypolicy.CondTurnTime:
		return "allow the turn more time in the configuration, or ask for less at once"
	case f.Condition == retrypolicy.CondToolAsked:
		return "use an agent that brings its tools, or rephrase the prompt"
	case kind == retrypolicy.Invalid && f.Status == http.StatusNotFound:
		return "check base_url and model"
	case kind == retrypolicy.Invalid && silentlyTooLarge(f):
		return "if the conversation is long, shorten it: /compact summarizes it, /new starts anew"
	}
	return wordings[kind].next
}

// silentlyTooLarge says whether a refusal gives no reason of its own; several servers
// answer so when the conversation is too long for the model.
func silentlyTooLarge(f *retrypolicy.Failure) bool {
	own := strings.TrimSpace(f.Message)
	bare := f.Code == "" && f.Type == "" && (own == "" || strings.EqualFold(own, http.StatusText(f.Status)))
	return f.Status == http.StatusRequestEntityTooLarge || f.Status == http.StatusBadRequest && bare
}

// clock words the end of a wait: the time, the date too when it is not today, and the
// length. It rounds up to the minute, so that who comes then is not early.
func clock(h retrypolicy.Hint, now time.Time) string {
	until := h.Until.In(now.Location())
	if whole := until.Truncate(time.Minute); whole.Before(until) {
		until = whole.Add(time.Minute)
	}
	layout := "15:04"
	if until.Format(time.DateOnly) != now.Format(time.DateOnly) {
		layout = "2006-01-02 15:04"
	}
	return until.Format(layout) + " (" + length(h.Wait) + ")"
}

func length(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%d days", d/(24*time.Hour))
	case d >= time.Hour:
		return strings.TrimSuffix(d.Round(time.Minute).String(), "0s")
	case d >= 10*time.Second:
		return d.Round(time.Second).String()
	}
	return d.Round(100 * time.Millisecond).String()
}

// wordings are what is said when a failure brings no words of its own, by kind.
var wordings = map[retrypolicy.Kind]struct{ happened, next string }{
	retrypolicy.Network:         {"the connection failed", "check the connection, then retry"},
	retrypolicy.Timeout:         {"the server took too long", "retry, or allow more time in the configuration"},
	retrypolicy.RateLimited:     {"too many requests", "wait a little, then retry"},
	retrypolicy.Overloaded:      {"the server is overloaded", "wait a little, then retry"},
	retrypolicy.Server:          {"the server failed", "retry later"},
	retrypolicy.Empty:           {"empty response: the answer holds no visible text", "retry, or rephrase the prompt"},
	retrypolicy.Length:          {"the output limit was reached before any visible text", "raise max_tokens, or start anew with /new"},
	retrypolicy.Truncated:       {"the answer broke off before its end", "retry; if it stays so, check base_url and protocol"},
	retrypolicy.Malformed:       {"the answer cannot be decoded", "retry; if it stays so, check base_url and protocol"},
	retrypolicy.Auth:            {"the key was refused", "check the key of this agent"},
	retrypolicy.Quota:           {"the quota is used up", "check the billing and the plan of this account"},
	retrypolicy.ContextOverflow: {"the conversation is too long for the model", "shorten it: /compact summarizes what came before, /new starts anew and takes the waiting rows along"},
	retrypolicy.Invalid:         {"the request was refused", "check the model and the settings of this agent"},
	retrypolicy.Refused:         {"the model refused to answer", "rephrase the prompt"},
	retrypolicy.TLS:             {"the server's certificate is not trusted", "check base_url; a private root certificate can be added with ca_file"},
	retrypolicy.Redirect:        {"the server redirects", "check base_url; set the final address there if you trust it"},
	retrypolicy.NotAnAgent:      {"what answers there is not an agent", "check base_url and protocol"},
	retrypolicy.Cancelled:       {"the agent cancelled the request", "retry"},
	retrypolicy.Stopped:         {"stopped", ""},
	retrypolicy.Internal:        {"something unforeseen went wrong", "retry; if it happens again, please report it"},
}
