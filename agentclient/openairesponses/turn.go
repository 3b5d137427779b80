package openairesponses

import (
	"encoding/json"
	"fmt"
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

	last    *response // as the last event told it
	spoke   *int      // the index of the message that spoke last
	thought bool      // reasoning arrived
	refusal strings.Builder
	calls   map[string]agentclient.ToolPart // by place, as they were told
	asked   bool                            // one of them waits for its result
}

// stream reads events until the answer's end.
func (t *turn) stream() (agentclient.Finish, error) {
	if err := t.relay.Follow(t.lenient, t.event); err != nil {
		return agentclient.Finish{}, err
	}
	return t.finish()
}

// event takes one event. Its type stands in the data and in its name; some servers send
// one of them only.
func (t *turn) event(name string, data []byte) (ended bool, err error) {
	if string(data) == "[DONE]" { // of another protocol, and no end in this one
		t.relay.Alive()
		return false, nil
	}
	var head struct {
		Type  string          `json:"type"`
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		if name == "error" {
			return false, t.answer.StreamError(data)
		}
		return false, t.malformed(err)
	}
	if head.Type == "" {
		head.Type = name
	}
	if head.Type == "error" || wire.Present(head.Error) && !strings.HasPrefix(head.Type, "response.") {
		return false, t.failed(data)
	}
	take, known := t.taker(head.Type)
	if !known {
		t.relay.Alive()
		return false, nil
	}
	e := event{Type: head.Type}
	if err := json.Unmarshal(data, &e); err != nil {
		return false, t.malformed(err)
	}
	return take(&e)
}

func (t *turn) malformed(err error) error {
	return t.answer.Malformed(fmt.Errorf("an event of the stream cannot be decoded: %w", err))
}

// taker returns what takes events of a type, and whether that type is known.
func (t *turn) taker(typ string) (take func(*event) (ended bool, err error), known bool) {
	switch typ {
	case "response.output_text.delta":
		return t.text, true
	case "response.refusal.delta":
		return t.refuse, true
	case "response.reasoning_text.delta", "response.reasoning_summary_text.delta":
		return t.reasoning, true
	case "response.reasoning_summary_part.added":
		return t.paragraph, true
	case "response.output_item.added", "response.output_item.done":
		return t.item, true
	case "response.completed", "response.incomplete", "response.failed":
		return t.end, true
	}
	if _, _, ok := callOf(typ); ok {
		return t.progress, true
	}
	return nil, false
}

func (t *turn) text(e *event) (bool, error) {
	said := e.Delta
	if said != "" && e.Index != nil {
		if t.spoke != nil && *t.spoke != *e.Index && t.relay.Visible() {
			said = "\n\n" + said // another message of the same answer
		}
		t.spoke = e.Index
	}
	return false, t.say(said, "")
}

func (t *turn) reasoning(e *event) (bool, error) {
	t.thought = t.thought || e.Delta != ""
	return false, t.say("", e.Delta)
}

// paragraph begins a part of the reasoning's summary; parts come without white space
// between them.
func (t *turn) paragraph(*event) (bool, error) {
	if t.thought {
		return false, t.say("", "\n\n")
	}
	return false, t.say("", "")
}

func (t *turn) say(text, reasoning string) error {
	if text == "" && reasoning == "" {
		t.relay.Alive()
		return nil
	}
	return t.relay.Say(text, reasoning)
}

func (t *turn) refuse(e *event) (bool, error) {
	t.relay.Alive()
	t.refusal.WriteString(e.Delta)
	return false, t.relay.Count(len(e.Delta))
}

// end takes the last event. That it may say what its type does not is known of some
// servers, so its status counts as well.
func (t *turn) end(e *event) (bool, error) {
	r := e.Response
	if r == nil {
		r = &response{Error: e.Error}
	}
	switch status := strings.TrimPrefix(e.Type, "response."); {
	case status != "completed":
		r.Status = status
	case r.Status != "incomplete" && r.Status != "failed" && r.Status != "cancelled":
		r.Status = status
	}
	t.last = r
	return true, nil
}

// whole reads an answer that came as one JSON text although a stream was asked for.
func (t *turn) whole() (agentclient.Finish, error) {
	body, err := t.answer.ReadAll(wire.MaxAnswer)
	if err != nil {
		return agentclient.Finish{}, err
	}
	var r response
	if err := json.Unmarshal(body, &r); err != nil {
		return agentclient.Finish{}, t.answer.Malformed(fmt.Errorf("the answer cannot be decoded: %w", err))
	}
	switch {
	case r.Object == "error" || r.Object != "response" && wire.Present(r.Error):
		return agentclient.Finish{}, t.failed(body)
	case r.Object != "response" && r.Output == nil:
		return agentclient.Finish{}, t.answer.Fail(retrypolicy.CondNotAnAgent, "the server answered with JSON that is no response")
	}
	t.last = &r
	return t.finish()
}
