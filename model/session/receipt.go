package session

import (
	"fmt"
	"strings"

	"baton/retrypolicy"
)

// Receipt lists what the attempts of a turn met, a line each: when, how it went, what the
// server asked, how long was waited, what came. number is the turn's, see Numbered.
func (t Turn) Receipt(number int) []string {
	name := fmt.Sprintf("turn %d", number)
	if t.Retry() {
		name += " again"
	}
	ls := []string{strings.Join(append([]string{name, t.outcomeWord()}, nonEmpty(t.attempts())...), " · ")}
	for _, a := range t.Attempts {
		ls = append(ls, fmt.Sprintf("  %s · %s", a.Started.Local().Format("15:04:05.000"), a.line()))
	}
	return ls
}

// attempts counts them: "1 attempt", "3 attempts of 5".
func (t Turn) attempts() string {
	switch {
	case t.N < 1:
		return ""
	case t.N == 1:
		return "1 attempt"
	}
	return fmt.Sprintf("%d attempts of %d", t.N, max(t.Max, t.N))
}

// line says how one attempt went.
func (a Attempt) line() string {
	parts := []string{fmt.Sprintf("attempt %d", a.N), a.result()}
	if a.FirstByte > 0 {
		parts = append(parts, "first byte "+short(a.FirstByte))
	}
	if a.Took > 0 {
		parts = append(parts, "took "+short(a.Took))
	}
	parts = append(parts, a.waits()...)
	switch {
	case a.Bytes > 0 && a.stopped():
		parts = append(parts, fmt.Sprintf("%d bytes kept", a.Bytes))
	case a.Bytes > 0 && a.Cause.Kind != "":
		parts = append(parts, fmt.Sprintf("%d bytes discarded", a.Bytes))
	case a.Bytes > 0:
		parts = append(parts, fmt.Sprintf("%d bytes", a.Bytes))
	}
	if a.Cause.RequestID != "" {
		parts = append(parts, "request "+a.Cause.RequestID)
	}
	return strings.Join(parts, " · ")
}

func (t Turn) outcomeWord() string {
	if t.Outcome == Unsettled {
		return "running"
	}
	return string(t.Outcome)
}

// stopped reports whether the person ended it, or the program: what had come stays in the turn.
func (a Attempt) stopped() bool { return a.Cause.Kind == retrypolicy.Stopped }

func (a Attempt) result() string {
	switch {
	case a.Cause.Kind == "":
		return "answered"
	case a.stopped():
		return "stopped"
	}
	return a.Cause.Line()
}

// waits says what was asked for and what was waited behind the attempt.
func (a Attempt) waits() []string {
	var parts []string
	if a.Hint.Wait > 0 {
		asked := "server asked " + short(a.Hint.Wait)
		if a.Hint.Source != "" {
			asked += " by " + a.Hint.Source
		}
		parts = append(parts, asked)
	}
	if a.Delay > 0 {
		parts = append(parts, fmt.Sprintf("wait %s, waited %s", short(a.Delay), short(a.Waited)))
	}
	return parts
}
