package sandbox

import (
	"encoding/json"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// end is how the stream ends behind its last token.
func (s *stream) end(tokens int) {
	switch s.fault.Kind {
	case "cut", "short":
	case "stall":
		<-s.ctx.Done()
	case "drop":
		take(s.w, func(net.Conn) {})
	case "reset":
		take(s.w, abort)
	case "length":
		s.finish("length", tokens)
	case "filter":
		s.finish("content_filter", tokens)
	case "nodone":
		s.reason("stop", tokens)
	case "nofinish":
		s.event("[DONE]")
	case "linger":
		s.finish("stop", tokens)
		<-s.ctx.Done()
	default:
		s.instead(tokens)
	}
}

// instead sends what comes in the place of an answer, or ends an ordinary one.
func (s *stream) instead(tokens int) {
	switch s.fault.Kind {
	case "garbage":
		s.event(`{"choices":[{"delta":{"content":"half`)
		return
	case "error":
		s.event(errorText(s.fault.Status))
		s.event("[DONE]")
		return
	case "naked":
		s.write(errorText(http.StatusServiceUnavailable) + "\n\n")
		return
	case "huge":
		s.event(`{"choices":[{"index":0,"delta":{"content":"` + strings.Repeat("x", hugeText) + `"}}]}`)
		return
	case "tool", "toolcut":
		s.delta(map[string]any{"tool_calls": []any{map[string]any{"index": 0, "id": "call-1", "type": "function", "function": map[string]string{"name": "list_files", "arguments": `{"path":"."}`}}}})
		if s.fault.Kind == "tool" {
			s.finish("tool_calls", tokens)
		}
		return
	case "space":
		s.delta(map[string]any{"content": " \n\t "})
	case "thought":
		s.delta(map[string]any{"reasoning_content": "I think, and then I say nothing."})
	case "refusal":
		s.delta(map[string]any{"refusal": "I cannot help with that."})
	}
	s.finish("stop", tokens)
}

// errorText is an error as it stands in a stream or in a JSON answer; with a code of its
// own it is judged by that.
func errorText(code int) string {
	if code == 0 {
		return `{"error":{"message":"The server had an error while processing the request.","type":"server_error","code":"internal_error"}}`
	}
	return `{"error":{"message":"The sandbox was asked for this error.","type":"sandbox","code":"` + strconv.Itoa(code) + `"}}`
}

// whole sends the answer, or an error, as one JSON text.
func (s *stream) whole(a answer) {
	body := errorText(s.fault.Status)
	if s.fault.Status == 0 {
		text, err := json.Marshal(map[string]any{"id": s.id, "object": "chat.completion", "model": Model, "usage": usageOf(len(a.tokens)),
			"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]string{"role": "assistant", "content": strings.Join(a.tokens, "")}}}})
		if err != nil {
			return // maps of texts and numbers always encode
		}
		body = string(text)
	}
	s.w.Header().Set("Content-Type", "application/json")
	_, _ = s.w.Write([]byte(body))
}
