package openaichat

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"baton/agentclient"
	"baton/agentclient/wire"
	"baton/retrypolicy"
)

// afterFinish is how long a stream may go on after its finish reason, for the usage and
// the end marker; the answer is complete by then.
const afterFinish = 2 * time.Second

// turn gathers one answer.
type turn struct {
	answer  *wire.Answer
	relay   *wire.Relay
	lenient bool

	reason  string // the finish reason
	refusal strings.Builder
	usage   agentclient.Usage
}

// stream reads events until the answer's end.
func (t *turn) stream() (agentclient.Finish, error) {
	events := wire.NewEvents(t.answer)
	for {
		event, err := events.Next()
		switch {
		case err != nil && t.reason != "":
			return t.finish() // complete already; only the epilogue is missing
		case err == io.EOF:
			return t.ended()
		case errors.Is(err, wire.ErrEventTooLong):
			return agentclient.Finish{}, t.answer.Malformed(err)
		case err != nil:
			return agentclient.Finish{}, err
		}
		data := strings.TrimSpace(string(event.Data))
		switch {
		case event.Alive || data == "":
			t.relay.Alive()
		case data == "[DONE]":
			return t.finish()
		default:
			if err := t.event(event.Name, data); err != nil {
				return agentclient.Finish{}, err
			}
		}
	}
}

func (t *turn) event(name, data string) error {
	var c chunk
	if err := json.Unmarshal([]byte(data), &c); err != nil {
		if name == "error" {
			return t.answer.StreamError([]byte(data))
		}
		return t.answer.Malformed(fmt.Errorf("an event of the stream cannot be decoded: %w", err))
	}
	if name == "error" || c.isError() {
		return t.answer.StreamError([]byte(data))
	}
	return t.chunk(&c)
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
	if t.reason == "" {
		return t.ended()
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
			t.answer.Within(afterFinish)
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
		id := call.ID
		if id == "" {
			id = "call " + strconv.Itoa(call.Index)
		}
		t.relay.Tool(agentclient.ToolPart{ID: id, Name: call.Function.Name, Status: "asked"})
	}
	return len(calls) > 0
}
