package agentclient

import (
	"context"
	"log/slog"
	"strings"
	"time"
)

// Observed is emit with a word to the log about what each attempt did: how it ended, what
// it cost and what was waited for. Nothing that a person or an agent wrote is said, nor
// the server's own message, which may quote them; secrets are the log's to remove. Without
// anybody who reads the log it is emit itself.
func Observed(log *slog.Logger, emit func(News)) func(News) {
	if log == nil || !log.Enabled(context.Background(), slog.LevelError) {
		return emit
	}
	return func(n News) {
		observe(log, n)
		emit(n)
	}
}

func observe(log *slog.Logger, n News) {
	log = log.With("turn", int(n.About()))
	switch n := n.(type) {
	case AttemptStarted:
		log.Debug("attempt started", "attempt", n.N)
	case PhaseChanged:
		log.Debug("phase", "attempt", n.N, "phase", string(n.Phase))
	case ToolActivity:
		log.Debug("tool", "attempt", n.N, "status", word(n.Part.Status))
	case RetryScheduled:
		log.Info("attempt failed, another follows", append(receipt(n.Attempt), "max", n.Max, "delay_ms", millis(n.Delay), "asked_ms", millis(n.Hint.Wait))...)
	case RetryStarted:
		log.Debug("wait over", "attempt", n.N, "waited_ms", millis(n.Waited))
	case Ready:
		log.Info("turn succeeded", append(receipt(lastOf(n.Attempts)), "finish", word(n.Finish.Reason), "cut", n.Finish.Cut,
			"input_tokens", n.Finish.Usage.Input, "output_tokens", n.Finish.Usage.Output, "answer_id", word(n.Finish.RequestID))...)
	case GaveUp:
		log.Warn("turn failed", append(receipt(lastOf(n.Attempts)), "max", n.Max, "exhausted", n.Exhausted, "asked_ms", millis(n.Hint.Wait))...)
	case Stopped:
		log.Info("turn stopped", receipt(lastOf(n.Attempts))...)
	}
}

func lastOf(attempts []Attempt) Attempt {
	if len(attempts) == 0 {
		return Attempt{}
	}
	return attempts[len(attempts)-1]
}

// receipt is what an attempt cost and how it ended.
func receipt(a Attempt) []any {
	out := []any{"attempt", a.N, "took_ms", millis(a.Took), "first_byte_ms", millis(a.FirstByte), "bytes", a.Bytes}
	if c := a.Cause; c.Kind != "" {
		out = append(out, "kind", string(c.Kind), "status", c.Status, "code", word(c.Code), "request_id", word(c.RequestID))
	}
	return out
}

func millis(d time.Duration) int64 { return d.Milliseconds() }

// word is a name of a server's if it is one: a text in its place is not said.
func word(s string) string {
	const most = 80
	if len(s) > most || strings.ContainsFunc(s, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && !strings.ContainsRune("._:/-", r)
	}) {
		return "(left out)"
	}
	return s
}
