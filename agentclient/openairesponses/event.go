package openairesponses

import (
	"encoding/json"
	"strconv"
	"strings"
)

// event is what one event of a stream may hold. Fields of kinds that are not known are
// not looked at.
type event struct {
	Type     string          `json:"-"`
	Delta    string          `json:"delta"`
	ItemID   string          `json:"item_id"`
	Index    *int            `json:"output_index"` // nil where a server leaves it out
	Item     *item           `json:"item"`
	Response *response       `json:"response"`
	Error    json.RawMessage `json:"error"`
}

// place tells the output items of an answer apart. The index is asked first: some
// gateways give one item another id in each event.
func (e *event) place() string {
	switch {
	case e.Index != nil:
		return "item " + strconv.Itoa(*e.Index)
	case e.Item != nil:
		return e.Item.ID
	}
	return e.ItemID
}

// response is the answer as a whole, in the events that open and end it.
type response struct {
	Object     string          `json:"object"`
	Status     string          `json:"status"`
	Error      json.RawMessage `json:"error"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Output []item `json:"output"`
	Usage  struct {
		Input  float64 `json:"input_tokens"`
		Output float64 `json:"output_tokens"`
	} `json:"usage"`
}

// item is one piece of output: a message, reasoning, or the call of a tool.
type item struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Name    string          `json:"name"`
	Status  string          `json:"status"`
	Content json.RawMessage `json:"content"`
}

// message returns the words of a message: what it says, and what it refuses.
func (i *item) message() (text, refusal string, err error) {
	if i.Type != "message" || len(i.Content) == 0 {
		return "", "", nil
	}
	var parts []struct {
		Type    string `json:"type"`
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	}
	if err := json.Unmarshal(i.Content, &parts); err != nil {
		return "", "", err
	}
	for _, p := range parts {
		if p.Type == "output_text" {
			text += p.Text
		}
		refusal += p.Refusal
	}
	return text, refusal, nil
}

// waits are the calls whose result the server waits for; the others it runs itself.
var waits = map[string]bool{
	"function_call": true, "custom_tool_call": true, "computer_call": true, "local_shell_call": true,
	"shell_call": true, "apply_patch_call": true, "mcp_approval_request": true,
}

// tool returns the name of the tool that an item calls, and whether it is one.
func (i *item) tool() (name string, ok bool) {
	name, ok = strings.CutSuffix(i.Type, "_call")
	if i.Name != "" {
		name = i.Name
	}
	return name, ok || waits[i.Type]
}
