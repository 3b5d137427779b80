package gemini

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

	reason  string // the finish reason
	words   string // the server's words about it
	blocked bool   // the prompt was, so reason is that of the block
	asked   int    // tools that the model waits for
	id      string // of the response
	usage   agentclient.Usage
}

// event takes one event of the stream. The protocol has no end marker: the stream ends
// behind the finish reason.
func (t *turn) event(name string, data []byte) (ended bool, err error) {
	return false, t.json(name == "error", data)
}

func (t *turn) json(isError bool, data []byte) error {
	var c chunk
	switch err := json.Unmarshal(data, &c); {
	case isError || err == nil && wire.Present(c.Error):
		return t.answer.StreamError(data)
	case err != nil:
		return t.answer.Malformed(fmt.Errorf("a part of the answer cannot be decoded: %w", err))
	}
	return t.chunk(&c)
}

// whole reads an answer that came as JSON although an event stream was asked for: one
// chunk, or a list of them.
func (t *turn) whole(lenient bool) error {
	body, err := t.answer.ReadAll(wire.MaxAnswer)
	if err != nil {
		return err
	}
	chunks := []json.RawMessage{body}
	if strings.HasPrefix(strings.TrimSpace(string(body[:min(len(body), 64)])), "[") {
		if err := json.Unmarshal(body, &chunks); err != nil {
			return t.answer.Malformed(fmt.Errorf("the answer cannot be decoded: %w", err))
		}
	}
	known := false
	for _, data := range chunks {
		if err := t.json(false, data); err != nil {
			return err
		}
		known = known || t.known(data)
	}
	switch {
	case !known:
		return t.answer.Fail(retrypolicy.CondNotAnAgent, "the server answered with JSON that holds no candidates")
	case t.reason == "" && !lenient:
		return t.answer.Truncated()
	}
	return nil
}

// known reports whether a JSON text is a chunk at all.
func (t *turn) known(data []byte) bool {
	var c chunk
	return json.Unmarshal(data, &c) == nil && (c.Candidates != nil || c.Feedback != nil || c.Usage != nil)
}

func (t *turn) chunk(c *chunk) error {
	if c.Usage != nil {
		t.usage = c.Usage.counts()
	}
	if c.ResponseID != "" {
		t.id = c.ResponseID
	}
	said := false
	for i := range c.Candidates {
		if one := &c.Candidates[i]; one.Index == 0 { // only one answer was asked for
			spoke, err := t.candidate(one)
			if err != nil {
				return err
			}
			said = said || spoke
		}
	}
	if f := c.Feedback; f != nil && f.Reason != "" {
		t.reason, t.words, t.blocked = f.Reason, f.Message, true
	}
	if !said {
		t.relay.Alive()
	}
	if t.reason != "" {
		t.relay.Complete() // again with each chunk: some servers give a reason with all of them
	}
	return nil
}

func (t *turn) candidate(c *candidate) (said bool, err error) {
	for i := range c.Content.Parts {
		p := &c.Content.Parts[i]
		switch {
		case p.Call != nil:
			t.asked++
			t.tool(p.Call)
		case p.Code != nil:
			t.relay.Tool(agentclient.ToolPart{ID: "code", Name: "code_execution", Status: "running"})
		case p.Thought:
			err = t.relay.Say("", p.Text)
		default:
			err = t.relay.Say(p.Text, "")
		}
		if err != nil {
			return false, err
		}
		said = said || p.Text != "" || p.Call != nil || p.Code != nil
	}
	if c.Finish != "" && c.Finish != "FINISH_REASON_UNSPECIFIED" {
		t.reason, t.words = c.Finish, c.Message
	}
	return said, nil
}

func (t *turn) tool(call *functionCall) {
	id := call.ID
	if id == "" {
		id = "call " + strconv.Itoa(t.asked)
	}
	t.relay.Tool(agentclient.ToolPart{ID: id, Name: call.Name, Status: "asked"})
}
