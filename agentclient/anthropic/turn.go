package anthropic

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"baton/agentclient"
	"baton/agentclient/wire"
	"baton/retrypolicy"
)

// turn gathers one answer.
type turn struct {
	answer *wire.Answer
	relay  *wire.Relay

	reason  string // the stop reason
	refusal string // the server's words about a refusal
	asked   bool   // the model waits for the result of a tool
	usage   usage
}

// event takes one event of the stream. Kinds it does not know are signs of life: the
// protocol may add some.
func (t *turn) event(name string, data []byte) (ended bool, err error) {
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		if name == "error" {
			return false, t.answer.StreamError(data)
		}
		return false, t.answer.Malformed(fmt.Errorf("an event of the stream cannot be decoded: %w", err))
	}
	if name == "error" || e.Type == "error" || wire.Present(e.Error) {
		return false, t.answer.StreamError(data)
	}
	switch {
	case e.Type == "message_stop":
		return true, nil
	case e.Type == "message_start":
		return false, t.message(e.Message)
	case e.Type == "content_block_start" && e.Block != nil:
		return false, t.part(e.Index, e.Block)
	case e.Type == "content_block_delta" && e.Delta != nil:
		return false, t.part(e.Index, e.Delta)
	case e.Type == "message_delta" && e.Delta != nil:
		t.usage.update(e.Usage)
		t.stop(e.Delta.StopReason, e.Delta.StopDetails)
	}
	t.relay.Alive()
	return false, nil
}

// whole reads an answer that came as one JSON text although a stream was asked for.
func (t *turn) whole(lenient bool) error {
	body, err := t.answer.ReadAll(wire.MaxAnswer)
	if err != nil {
		return err
	}
	var e event
	if err := json.Unmarshal(body, &e); err != nil {
		return t.answer.Malformed(fmt.Errorf("the answer cannot be decoded: %w", err))
	}
	if e.Type == "error" || wire.Present(e.Error) {
		return t.answer.StreamError(body)
	}
	if e.Type != "message" {
		return t.answer.Fail(retrypolicy.CondNotAnAgent, "the server answered with JSON that is no message")
	}
	if err := t.message(body); err != nil {
		return err
	}
	if t.reason == "" && !lenient {
		return t.answer.Truncated()
	}
	return nil
}

// message takes a message of the model, which a stream begins without content.
func (t *turn) message(data []byte) error {
	var r reply
	if err := json.Unmarshal(data, &r); err != nil {
		return t.answer.Malformed(fmt.Errorf("a message cannot be decoded: %w", err))
	}
	t.usage.update(r.Usage)
	for i := range r.Content {
		if err := t.part(i, &r.Content[i]); err != nil {
			return err
		}
	}
	t.stop(r.StopReason, r.StopDetails)
	t.relay.Alive()
	return nil
}

// part hands on a block or a delta of one. Arguments of tools and signatures carry
// nothing to show.
func (t *turn) part(index int, p *part) error {
	switch {
	case p.Type == "tool_use":
		t.asked = true
		t.tool(index, p, "asked")
	case strings.HasSuffix(p.Type, "_tool_use"): // the server runs it: server_tool_use, mcp_tool_use
		t.tool(index, p, "running")
	case strings.HasSuffix(p.Type, "_tool_result"):
		t.relay.Alive()
	case p.Text == "" && p.Thinking == "":
		t.relay.Alive()
	default:
		return t.relay.Say(p.Text, p.Thinking)
	}
	return nil
}

func (t *turn) tool(index int, p *part, status string) {
	id := p.ID
	if id == "" {
		id = "block " + strconv.Itoa(index)
	}
	t.relay.Tool(agentclient.ToolPart{ID: id, Name: p.Name, Status: status})
}

// stop notes the stop reason, behind which only message_stop can follow.
func (t *turn) stop(reason string, details *stopDetails) {
	if reason == "" {
		return
	}
	t.reason = reason
	if details != nil {
		t.refusal = details.Explanation
	}
	t.relay.Complete()
}

// finish judges an answer whose end was seen.
func (t *turn) finish() (agentclient.Finish, error) {
	end := wire.End{Reason: t.reason, Usage: t.usage.counts(), Asked: t.asked}
	switch t.reason {
	case "max_tokens":
		end.Cut = true
	case "model_context_window_exceeded":
		if !t.relay.Visible() { // there was no room for an answer at all
			return agentclient.Finish{}, t.answer.Ended(t.reason)
		}
		end.Cut = true
	case "refusal":
		if t.refusal != "" {
			return agentclient.Finish{}, t.answer.Fail(retrypolicy.CondRefused, "the model refused: "+t.refusal)
		}
		return agentclient.Finish{}, t.answer.Fail(retrypolicy.CondRefused, "the model refused to go on")
	case "tool_use", "pause_turn": // a pause waits to be continued with the server's tools
		end.Asked = true
	}
	return t.relay.Finish(end)
}
