package wire

import "testing"

// Each kind of server says in its own field how much a model takes. The fields are those of their answers.
func TestWindows(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"vLLM":                            {`{"object":"list","data":[{"id":"m","object":"model","owned_by":"vllm","max_model_len":32768}]}`, 32768},
		"OpenRouter":                      {`{"data":[{"id":"m","name":"A model","context_length":131072,"top_provider":{"context_length":8192}}]}`, 131072},
		"Groq":                            {`{"data":[{"id":"m","active":true,"context_window":8192,"max_completion_tokens":1024}]}`, 8192},
		"Together":                        {`[{"id":"m","object":"model","type":"chat","display_name":"M","context_length":8192,"pricing":{"input":0.2}}]`, 8192},
		"Mistral":                         {`{"object":"list","data":[{"id":"m","object":"model","owned_by":"mistralai","name":"m","max_context_length":32000,"aliases":[],"type":"base"}]}`, 32000},
		"LM Studio, loaded":               {`{"object":"list","data":[{"id":"m","object":"model","type":"llm","state":"loaded","max_context_length":131072,"loaded_context_length":4096}]}`, 4096},
		"LM Studio, not loaded":           {`{"object":"list","data":[{"id":"m","object":"model","type":"llm","state":"not-loaded","max_context_length":131072}]}`, 0},
		"DeepSeek":                        {`{"object":"list","data":[{"id":"m","object":"model","owned_by":"deepseek"}]}`, 0},
		"Gemini":                          {`{"models":[{"name":"m","inputTokenLimit":1048576,"outputTokenLimit":8192}]}`, 1048576},
		"Anthropic":                       {`{"data":[{"id":"m","type":"model","display_name":"M","created_at":"2026-02-04T00:00:00Z","max_input_tokens":200000,"max_tokens":64000}],"has_more":false}`, 200000},
		"Anthropic before it told":        {`{"data":[{"id":"m","type":"model","display_name":"M","max_input_tokens":null,"max_tokens":null}]}`, 0},
		"llama.cpp":                       {`{"models":[{"name":"m","meta":""}],"object":"list","data":[{"id":"m","owned_by":"llamacpp","meta":{"vocab_type":2,"n_vocab":1,"n_ctx":4096,"n_ctx_train":131072}}]}`, 4096},
		"trained with more than it takes": {`{"data":[{"id":"m","meta":{"n_ctx_train":131072}}]}`, 0},
		"nothing":                         {`{"data":[{"id":"m"}]}`, 0},
		"null":                            {`{"data":[{"id":"m","context_length":null}]}`, 0},
		"below zero":                      {`{"data":[{"id":"m","context_length":-1}]}`, 0},
		"no number":                       {`{"data":[{"id":"x","context_length":"large"},{"id":"m","context_length":5}]}`, 5},
		"no list":                         {`{"data":{"m":1}}`, 0},
		"no JSON":                         {`<html>`, 0},
	} {
		if got := windowsOf([]byte(c.body))["m"]; got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
