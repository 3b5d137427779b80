package openairesponses

import (
	"strings"

	"baton/agentclient"
)

// item takes the beginning or the end of an output item; only calls of tools are told.
func (t *turn) item(e *event) (bool, error) {
	if e.Item == nil {
		t.relay.Alive()
		return false, nil
	}
	t.call(e.place(), e.Item)
	return false, nil
}

func (t *turn) call(place string, i *item) {
	name, ok := i.tool()
	if !ok {
		t.relay.Alive()
		return
	}
	status := i.Status
	if waits[i.Type] {
		t.asked, status = true, "asked"
	}
	t.tell(place, agentclient.ToolPart{ID: i.ID, Name: name, Status: status})
}

// progress takes the events between the beginning and the end of a call.
func (t *turn) progress(e *event) (bool, error) {
	name, status, _ := callOf(e.Type)
	if _, told := t.calls[e.place()]; told && status == "" {
		t.relay.Alive()
		return false, nil
	}
	if waits[name+"_call"] {
		t.asked, status = true, "asked"
	}
	t.tell(e.place(), agentclient.ToolPart{ID: e.ItemID, Name: name, Status: status})
	return false, nil
}

// tell hands a call on if it is new or its status is. What was told first about its id
// and name stays.
func (t *turn) tell(place string, part agentclient.ToolPart) {
	if part.Status == "" {
		part.Status = "in_progress"
	}
	before, told := t.calls[place]
	if told {
		part.ID, part.Name = before.ID, before.Name
	}
	if part.ID == "" {
		part.ID = place
	}
	if part == before {
		t.relay.Alive()
		return
	}
	if t.calls == nil {
		t.calls = map[string]agentclient.ToolPart{}
	}
	t.calls[place] = part
	t.relay.Tool(part)
}

// callOf reads a type like response.web_search_call.searching: the tool and its status.
// A piece of what a tool is given (response.function_call_arguments.delta) says nothing
// of the status.
func callOf(typ string) (name, status string, ok bool) {
	rest, _ := strings.CutPrefix(typ, "response.")
	kind, state, _ := strings.Cut(rest, ".")
	if name, ok := strings.CutSuffix(kind, "_call"); ok {
		return name, state, true
	}
	name, _, ok = strings.Cut(kind, "_call_")
	return name, "", ok
}
