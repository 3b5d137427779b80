package openaichat

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"baton/agentclient/wire"
)

// chunk is one event of a stream, or a whole answer.
type chunk struct {
	Object  string          `json:"object"`
	Type    string          `json:"type"`
	Choices []choice        `json:"choices"`
	Usage   *usage          `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Message json.RawMessage `json:"message"`
}

type choice struct {
	Index   int    `json:"index"`
	Delta   *delta `json:"delta"`
	Message *delta `json:"message"` // of a whole answer
	Finish  string `json:"finish_reason"`
}

type delta struct {
	Content          json.RawMessage `json:"content"`
	Refusal          string          `json:"refusal"`
	Reasoning        json.RawMessage `json:"reasoning"`
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	ToolCalls        []toolCall      `json:"tool_calls"`
	FunctionCall     *function       `json:"function_call"`
}

type toolCall struct {
	Index    int      `json:"index"`
	ID       string   `json:"id"`
	Function function `json:"function"`
}

type function struct {
	Name string `json:"name"`
}

type usage struct {
	Input  float64 `json:"prompt_tokens"`
	Output float64 `json:"completion_tokens"`
}

// isError reports whether the chunk describes an error instead of an answer.
func (c *chunk) isError() bool {
	return wire.Present(c.Error) || c.Object == "error" || c.Type == "error" || len(c.Choices) == 0 && wire.Present(c.Message)
}

// isParts reports whether a content field is a list of parts.
func isParts(raw json.RawMessage) bool { return bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) }

// words returns the text of a content field: a text, null, or parts of which only those
// of the wanted kind count.
func words(raw json.RawMessage, kinds ...string) (string, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	if !isParts(raw) {
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err
	}
	var parts []struct {
		Type string          `json:"type"`
		Text json.RawMessage `json:"text"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		return "", err
	}
	var b strings.Builder
	for _, p := range parts {
		for _, kind := range kinds {
			if p.Type != kind {
				continue
			}
			s, err := words(p.Text)
			if err != nil {
				return "", err
			}
			b.WriteString(s)
		}
	}
	return b.String(), nil
}

// words returns the visible text and the reasoning of a delta.
func (d *delta) words() (text, reasoning string, err error) {
	text, err1 := words(d.Content, "text", "output_text")
	reasoning, err2 := words(d.ReasoningContent, "text")
	if reasoning == "" && err2 == nil { // some servers send the same in both fields
		reasoning, err2 = words(d.Reasoning, "text")
	}
	var thought string
	var err3 error
	if isParts(d.Content) {
		thought, err3 = words(d.Content, "thinking", "reasoning")
	}
	return text, reasoning + thought, errors.Join(err1, err2, err3)
}
