package wire

import (
	"errors"
	"strings"
	"unicode"

	"baton/agentclient"
)

// Relay hands what an answer says to a sink. It announces each change of phase once,
// remembers whether anything one can see arrived, and bounds the answer by MaxAnswer.
// It belongs to one goroutine.
type Relay struct {
	answer   *Answer
	sink     agentclient.Sink
	phase    agentclient.Phase
	visible  bool
	tool     bool
	bytes    int
	complete bool // only an epilogue may follow
}

// Relay returns a relay of this answer to sink.
func (a *Answer) Relay(sink agentclient.Sink) *Relay { return &Relay{answer: a, sink: sink} }

// Say hands on visible text and reasoning; empty ones are no piece. It fails as
// malformed, not to be repeated, when the answer becomes longer than MaxAnswer.
func (r *Relay) Say(text, reasoning string) error {
	if text == "" && reasoning == "" {
		return nil
	}
	if err := r.Count(len(text) + len(reasoning)); err != nil {
		return err
	}
	r.enter(agentclient.Streaming)
	r.visible = r.visible || isVisible(text)
	r.sink(agentclient.Piece{Text: text, Reasoning: reasoning})
	return nil
}

// Count adds n bytes that are kept and not handed on, a refusal's words for example,
// to the length of the answer. It fails like Say.
func (r *Relay) Count(n int) error {
	if r.bytes += n; r.bytes <= MaxAnswer {
		return nil
	}
	f := r.answer.Malformed(errors.New("the answer is longer than 64 MB"))
	f.NoRetry = true // the same again would not be shorter
	return f
}

// Tool hands on that a tool part was created or updated.
func (r *Relay) Tool(part agentclient.ToolPart) {
	r.tool = true
	r.enter(agentclient.Tool)
	r.sink(agentclient.Piece{Tool: &part})
}

// Alive hands on a sign of life.
func (r *Relay) Alive() { r.sink(agentclient.Piece{Alive: true}) }

// Visible reports whether anything one can see was said.
func (r *Relay) Visible() bool { return r.visible }

// Tooled reports whether there was a tool part.
func (r *Relay) Tooled() bool { return r.tool }

func (r *Relay) enter(p agentclient.Phase) {
	if r.phase != p {
		r.phase = p
		r.sink(agentclient.Piece{Phase: p})
	}
}

// isVisible reports whether s holds anything that shows: not white space, control or
// format characters only.
func isVisible(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && !unicode.In(r, unicode.Cc, unicode.Cf)
	})
}
