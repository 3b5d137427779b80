package openairesponses

import (
	"encoding/json"
	"strconv"
	"strings"

	"baton/agentclient"
	"baton/agentclient/wire"
)

// finish judges an answer whose end was seen. Without a last event (of a server that is
// known to send none) what arrived is the answer.
func (t *turn) finish() (agentclient.Finish, error) {
	if t.last == nil {
		t.last = &response{Status: "completed"}
	}
	r := t.last
	if err := t.rest(r.Output); err != nil {
		return agentclient.Finish{}, err
	}
	end := wire.End{Reason: r.Status, Usage: wire.Tokens(r.Usage.Input, r.Usage.Output), Asked: t.asked, Refusal: t.refusal.String()}
	switch r.Status {
	case "completed":
	case "incomplete":
		end.Reason = r.Incomplete.Reason
		switch end.Reason {
		case "max_output_tokens", "max_tokens", "length":
			end.Cut = true
		case "content_filter":
			end.Filtered = true
		default:
			return agentclient.Finish{}, t.answer.Ended(orElse(end.Reason, r.Status))
		}
	case "failed":
		body, err := wire.Encode(map[string]any{"error": r.Error})
		if err != nil {
			return agentclient.Finish{}, t.malformed(err)
		}
		return agentclient.Finish{}, t.failed(body)
	case "cancelled":
		return agentclient.Finish{}, t.answer.Ended(r.Status)
	default: // in_progress, queued: there is more to come, but not in this answer
		return agentclient.Finish{}, t.answer.Truncated()
	}
	return t.relay.Finish(end)
}

// rest takes from the finished output what no event told: servers that do not stream
// send it there, whole.
func (t *turn) rest(output []item) error {
	streamed, called := t.relay.Visible(), len(t.calls) > 0
	for n := range output {
		i := &output[n]
		t.asked = t.asked || waits[i.Type]
		if _, ok := i.tool(); ok && !called {
			t.call((&event{Index: &n}).place(), i)
		}
		text, refusal, err := i.message()
		if err != nil {
			return t.malformed(err)
		}
		if !streamed && text != "" {
			if _, err := t.text(&event{Delta: text, Index: &n}); err != nil {
				return err
			}
		}
		if t.refusal.Len() == 0 {
			t.refusal.WriteString(refusal)
		}
	}
	return nil
}

// failed is the failure that an error describes: an event of type error, the error of a
// response, or a body that holds either. The fields are documented to stand beside the
// type and mostly stand under error; what one place lacks is taken from the other.
func (t *turn) failed(data []byte) error {
	var outer, inner map[string]json.RawMessage
	_ = json.Unmarshal(data, &outer) // of something else nothing is known, and that is said
	if raw := outer["error"]; wire.Present(raw) && json.Unmarshal(raw, &inner) != nil {
		return t.answer.StreamError(data) // {"error":"text"}
	}
	fields := map[string]json.RawMessage{}
	for name, value := range outer {
		if name != "error" && !(name == "type" && string(value) == `"error"`) {
			fields[name] = value
		}
	}
	for name, value := range inner {
		if wire.Present(value) {
			fields[name] = value
		}
	}
	body, err := wire.Encode(map[string]any{"error": fields})
	if err != nil {
		return t.malformed(err)
	}
	f := t.answer.StreamError(body)
	if n, err := strconv.Atoi(string(fields["status"])); err == nil && n >= 400 && n <= 599 {
		f.Status = n
	}
	if f.Type == "" {
		f.Type = meaning(f.Code)
	}
	return f
}

// meaning is the type of the errors that this protocol knows by code alone and that a
// repetition would not mend, or "".
func meaning(code string) string {
	switch {
	case code == "image_content_policy_violation":
		return "content_policy_violation"
	case code == "invalid_prompt" || strings.Contains(code, "image"):
		return "invalid_request_error"
	case code == "vector_store_timeout":
		return "timeout_error"
	}
	return ""
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
