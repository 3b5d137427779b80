package ollama

import (
	"encoding/json"
	"fmt"
	"strconv"

	"baton/agentclient"
	"baton/agentclient/wire"
	"baton/retrypolicy"
)

// line is one line of an answer.
type line struct {
	Message *struct {
		Content  string `json:"content"`
		Thinking string `json:"thinking"`
		Calls    []call `json:"tool_calls"`
	} `json:"message"`
	Done   bool            `json:"done"`
	Reason string          `json:"done_reason"`
	Input  float64         `json:"prompt_eval_count"`
	Output float64         `json:"eval_count"`
	Error  json.RawMessage `json:"error"`
}

type call struct {
	ID       string `json:"id"` // of newer servers only
	Function struct {
		Name string `json:"name"`
	} `json:"function"`
}

// turn gathers one answer.
type turn struct {
	answer  *wire.Answer
	relay   *wire.Relay
	lenient bool

	begun bool // a line of an answer was seen
	calls int  // tools asked for so far
	last  line // the one that said done
}

// lines reads lines until the answer's end.
func (t *turn) lines() (agentclient.Finish, error) {
	if !t.answer.JSON {
		return agentclient.Finish{}, t.answer.Fail(retrypolicy.CondNotAnAgent, "the server answered with an event stream, and Ollama sends lines of JSON")
	}
	if err := t.relay.FollowLines(t.lenient, t.line); err != nil {
		return agentclient.Finish{}, err
	}
	return t.finish()
}

func (t *turn) line(data []byte) (ended bool, err error) {
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		return false, t.answer.Malformed(fmt.Errorf("a line of the answer cannot be decoded: %w", err))
	}
	switch {
	case wire.Present(l.Error):
		return false, t.answer.StreamError(data)
	case l.Message == nil && !l.Done && !t.begun:
		return false, t.answer.Fail(retrypolicy.CondNotAnAgent, "the server answered with JSON that is no chat")
	}
	t.begun = true
	said, err := t.said(&l)
	if err != nil {
		return false, err
	}
	if l.Done {
		t.last = l
		return true, nil
	}
	if !said {
		t.relay.Alive()
	}
	return false, nil
}

// said hands on what a line says, and reports whether it said anything.
func (t *turn) said(l *line) (bool, error) {
	m := l.Message
	if m == nil {
		return false, nil
	}
	if err := t.relay.Say(m.Content, m.Thinking); err != nil {
		return false, err
	}
	for _, c := range m.Calls {
		t.calls++
		id := c.ID
		if id == "" {
			id = "call " + strconv.Itoa(t.calls)
		}
		t.relay.Tool(agentclient.ToolPart{ID: id, Name: c.Function.Name, Status: "asked"})
	}
	return m.Content != "" || m.Thinking != "" || len(m.Calls) > 0, nil
}

// finish judges an answer whose end was seen. Older servers give no reason.
func (t *turn) finish() (agentclient.Finish, error) {
	end := wire.End{Reason: t.last.Reason, Usage: wire.Tokens(t.last.Input, t.last.Output), Asked: t.relay.Tooled()}
	switch end.Reason {
	case "":
		end.Reason = "done"
	case "length":
		end.Cut = true
	case "content_filter":
		end.Filtered = true
	case "load", "unload":
		if t.relay.Visible() {
			return agentclient.Finish{}, t.answer.Truncated()
		}
		return agentclient.Finish{}, t.answer.Fail(retrypolicy.CondEmpty, "the server did not answer, its model was only put in place ("+end.Reason+")")
	}
	return t.relay.Finish(end)
}
