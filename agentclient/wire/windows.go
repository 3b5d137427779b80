package wire

import "encoding/json"

// Windows are the sizes of context windows, in tokens, that the last list of models named, by the model's name; nil before
// there was a list. It must not be changed.
func (c *Client) Windows() map[string]int {
	if w := c.windows.Load(); w != nil {
		return *w
	}
	return nil
}

// sized is an entry of a list of models with every field in which a server says how much its model takes.
type sized struct {
	ID   string `json:"id"`
	Name string `json:"name"`

	MaxModelLen         int `json:"max_model_len"`         // vLLM
	ContextLength       int `json:"context_length"`        // OpenRouter, Together
	ContextWindow       int `json:"context_window"`        // Groq
	MaxContextLength    int `json:"max_context_length"`    // Mistral
	LoadedContextLength int `json:"loaded_context_length"` // LM Studio's own interface, of a model that is loaded
	InputTokenLimit     int `json:"inputTokenLimit"`       // Gemini
	MaxInputTokens      int `json:"max_input_tokens"`      // Anthropic
	Meta                struct {
		Window int `json:"n_ctx"` // llama.cpp; the window it was trained with, n_ctx_train, is no limit of the server's
	} `json:"meta"`

	// State tells an entry of LM Studio's, whose max_context_length is what the model could take if it were loaded so.
	State json.RawMessage `json:"state"`
}

func (m sized) window() int {
	if m.State != nil {
		m.MaxContextLength = 0
	}
	for _, n := range []int{m.LoadedContextLength, m.MaxModelLen, m.ContextLength, m.ContextWindow, m.MaxContextLength, m.InputTokenLimit, m.MaxInputTokens, m.Meta.Window} {
		if n > 0 {
			return n
		}
	}
	return 0
}

// windowsOf reads what a list of models says of their windows. An entry that cannot be read says nothing.
func windowsOf(body []byte) map[string]int {
	var list listed[json.RawMessage]
	if list.read(body) != nil {
		return nil
	}
	all := map[string]int{}
	for _, raw := range append(list.Data, list.Models...) {
		var m sized
		if json.Unmarshal(raw, &m) != nil || m.window() == 0 {
			continue
		}
		all[orElse(m.ID, m.Name)] = m.window()
	}
	return all
}
