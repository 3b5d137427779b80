package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"baton/model/catalog"
	"baton/model/session"
	"baton/retrypolicy"
	"baton/ui/sanitize"
)

// The format of --output jsonl. The version grows when a reader of the old one would go wrong.
const (
	runFormat  = "baton.run"
	runVersion = 1
)

// report tells what an event means, and records it for programs.
func (r *runner) report(ev session.Event) {
	if r.jsonl {
		r.line(ev)
	}
	switch ev := ev.(type) {
	case session.TurnSucceeded:
		r.succeeded(ev)
	case session.TurnFailed:
		r.code = codeOf(ev)
		r.tell(failedLine(ev))
	case session.RetryPlanned:
		r.tell(retryLine(ev))
	case session.RetryBegan:
		r.tell(fmt.Sprintf("sending again, request %d", ev.N))
	case session.PrepareEnded:
		if r.holds(ev.Why) { // else a retry was refused, which is told
			r.tell("not sent: " + ev.Why)
		}
	case session.CommandEnded:
		if !ev.Done {
			r.tell("the command was not done: " + ev.Why)
		}
	case session.Refused:
		r.tell(ev.Text)
	}
}

// succeeded writes an answer. A summary answers nobody's prompt.
func (r *runner) succeeded(ev session.TurnSucceeded) {
	switch {
	case ev.Compact:
		r.tell("what came before was summarized, as a waiting /compact asked")
	case !r.jsonl:
		r.answer(ev.Answer)
	}
	if ev.Cut {
		r.tell("the answer reached the output limit and was cut off")
	}
}

// holds reports whether a row is held for this reason.
func (r *runner) holds(why string) bool {
	return slices.ContainsFunc(r.eng.State().Gate.Blocked, func(b session.Block) bool { return b.Why == why })
}

func failedLine(ev session.TurnFailed) string {
	text := "turn failed: " + ev.Cause.Line()
	if ev.N > 1 {
		text += fmt.Sprintf(" (%d of %d requests)", ev.N, ev.Max)
	}
	if ev.Cause.NextStep != "" {
		text += " · " + ev.Cause.NextStep
	}
	return text
}

func retryLine(ev session.RetryPlanned) string {
	text := fmt.Sprintf("retrying %d/%d in %s: %s", ev.N+1, ev.Max, rounded(ev.Delay), ev.Attempt.Cause.Line())
	if ev.Hint.Wait > 0 {
		text += fmt.Sprintf(" · the server asks to wait %s", rounded(ev.Hint.Wait))
	}
	return text
}

// rounded is a wait as people read it.
func rounded(d time.Duration) time.Duration {
	if d < 100*time.Millisecond {
		return d.Round(time.Millisecond)
	}
	return d.Round(100 * time.Millisecond)
}

// answer writes what the agent said: printable where a person reads it, as it is where
// a program does.
func (r *runner) answer(text string) {
	if isTerminal(r.Stdout) {
		text = sanitize.Text(text)
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	r.write(text)
}

func (r *runner) tell(text string) {
	fmt.Fprintln(r.Stderr, wrapped("baton: "+sanitize.Line(text), columns(r.Stderr)))
}

// header says what the lines are, before anything is sent.
func (r *runner) header() {
	r.object(struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
		Session string `json:"session"`
		App     string `json:"app,omitempty"`
	}{runFormat, runVersion, r.eng.Session(), r.Version})
}

// line writes an event that is recorded as one line of JSON.
func (r *runner) line(ev session.Event) {
	kind, data, durable, err := session.Encode(ev)
	if err != nil || !durable {
		return
	}
	r.object(struct {
		Time time.Time       `json:"time"`
		Kind string          `json:"kind"`
		Data json.RawMessage `json:"data"`
	}{time.Now().UTC(), kind, data})
}

// object writes one line. What JSON would let through and a terminal might obey is
// escaped, since the line may end up on one.
func (r *runner) object(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		r.tell(err.Error())
		return
	}
	var line bytes.Buffer
	w := bufio.NewWriter(&line)
	catalog.PlainJSON(w, append(b, '\n'))
	_ = w.Flush() // a buffer takes everything
	r.write(line.String())
}

func codeOf(ev session.TurnFailed) int {
	switch {
	case ev.Cause.Kind == retrypolicy.Auth:
		return ExitAuth
	case ev.Exhausted:
		return ExitExhausted
	}
	return ExitFailed
}
