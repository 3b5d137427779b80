package openaichat

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
	answer  *wire.Answer
	relay   *wire.Relay
	lenient bool

	reason  string // the finish reason
	refusal strings.Builder
	usage   agentclient.Usage
	calls   map[int]agentclient.ToolPart // tool calls by index: only the first piece of one names it
}

// stream reads events until the answer's end.
func (t *turn) stream() (agentclient.Finish, error) {
	if err := t.relay.Follow(t.lenient, t.event); err != nil {
		return agentclient.Finish{}, err
	}
	return t.finish()
}

func (t *turn) event(name string, data []byte) (ended bool, err error) {
	if string(data) == "[DONE]" {
		return true, nil
	}
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		if name == "error" {
			return false, t.answer.StreamError(data)
		}
		return false, t.answer.Malformed(fmt.Errorf("an event of the stream cannot be decoded: %w", err))
	}
	if name == "error" || c.isError() {
		return false, t.answer.StreamError(data)
	}
	return false, t.chunk(&c)
}

// whole reads an answer that came as one JSON text although a stream was asked for.
func (t *turn) whole() (agentclient.Finish, error) {
	body, err := t.answer.ReadAll(wire.MaxAnswer)
	if err != nil {
		return agentclient.Finish{}, err
	}
	var c chunk
	if err := json.Unmarshal(body, &c); err != nil {
		return agentclient.Finish{}, t.answer.Malformed(fmt.Errorf("the answer cannot be decoded: %w", err))
	}
	if c.isError() {
		return agentclient.Finish{}, t.answer.StreamError(body)
	}
	if len(c.Choices) == 0 {
		return agentclient.Finish{}, t.answer.Fail(retrypolicy.CondNotAnAgent, "the server answered with JSON that is no chat completion")
	}
	if err := t.chunk(&c); err != nil {
		return agentclient.Finish{}, err
	}
	if t.reason == "" && !t.lenient {
		return agentclient.Finish{}, t.answer.Truncated()
	}
	return t.finish()
}

func (t *turn) chunk(c *chunk) error {
	if c.Usage != nil {
		t.usage = wire.Tokens(c.Usage.Input, c.Usage.Output)
	}
	said := false
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue // only one answer was asked for
		}
		for _, d := range []*delta{choice.Delta, choice.Message} {
			if d == nil {
				continue
			}
			spoke, err := t.delta(d)
			if err != nil {
				return err
			}
			said = said || spoke
		}
		if choice.Finish != "" && t.reason == "" {
			t.reason = choice.Finish
			t.relay.Complete()
		}
	}
	if !said {
		t.relay.Alive()
	}
	return nil
}

func (t *turn) delta(d *delta) (said bool, err error) {
	text, reasoning, err := d.words()
	if err != nil {
		return false, t.answer.Malformed(fmt.Errorf("a delta of the stream cannot be decoded: %w", err))
	}
	if err := t.relay.Say(text, reasoning); err != nil {
		return false, err
	}
	if err := t.relay.Count(len(d.Refusal)); err != nil {
		return false, err
	}
	t.refusal.WriteString(d.Refusal)
	return t.tools(d) || text+reasoning != "", nil
}

func (t *turn) tools(d *delta) bool {
	calls := d.ToolCalls
	if d.FunctionCall != nil {
		calls = append(calls, toolCall{ID: "function", Function: *d.FunctionCall})
	}
	for _, call := range calls {
		part, known := t.calls[call.Index]
		if !known || call.ID != "" && call.ID != part.ID {
			part = agentclient.ToolPart{ID: call.ID, Status: "asked"}
			if part.ID == "" {
				part.ID = "call " + strconv.Itoa(call.Index)
			}
		}
		if call.Function.Name != "" {
			part.Name = call.Function.Name
		}
		if t.calls == nil {
			t.calls = map[int]agentclient.ToolPart{}
		}
		t.calls[call.Index] = part
		t.relay.Tool(part)
	}
	return len(calls) > 0
}
