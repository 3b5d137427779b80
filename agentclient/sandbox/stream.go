package sandbox

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"time"
)

// answerWithout deals with the faults that send no stream of ours.
func answerWithout(w http.ResponseWriter, f Fault) bool {
	switch f.Kind {
	case "status":
		status(w, f)
	case "blank":
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Content-Length", "0")
		w.WriteHeader(http.StatusOK)
	case "html":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><title>Sign in to the network</title><h1>Welcome</h1>" + strings.Repeat("<p>Please sign in.</p>", 100)))
	default:
		return false
	}
	return true
}

func status(w http.ResponseWriter, f Fault) {
	message, code := "the sandbox was asked for status "+http.StatusText(f.Status), ""
	switch f.Arg {
	case "quota":
		message, code = "You exceeded your current quota, please check your plan and billing details.", "insufficient_quota"
	case "context":
		message, code = "This model's maximum context length is exceeded.", "context_length_exceeded"
	case "noretry":
		w.Header().Set("X-Should-Retry", "false")
	case "":
	default:
		w.Header().Set("Retry-After", f.Arg)
	}
	switch {
	case f.Status == http.StatusNoContent || f.Status == http.StatusNotModified:
		w.WriteHeader(f.Status)
		return
	case f.Status/100 == 3:
		w.Header().Set("Location", "http://elsewhere.invalid/v1/chat/completions")
	}
	refuse(w, f.Status, message, code)
}

// stream writes one answer as events.
type stream struct {
	w   http.ResponseWriter
	ctx context.Context
	id  string
}

// play sends the answer up to where the fault is, then lets it happen.
func (s *stream) play(a answer, f Fault) {
	all := len(a.tokens)
	switch {
	case f.Kind == "hang":
		<-s.ctx.Done()
		return
	case f.Kind == "empty":
		all = 0
	case f.Kind == "tool":
		all = 0
	case f.Kind == "garbage":
		all = min(all, 3)
	case f.Kind != "ok" && f.After != endOfAnswer:
		all = min(all, f.After)
	}
	s.delta(map[string]any{"role": "assistant", "content": nil})
	if f.Kind == "ok" && !s.words(split(a.reasoning), "reasoning_content", a.pause) {
		return
	}
	if !s.words(a.tokens[:all], "content", a.pause) {
		return
	}
	s.end(f, all)
}

// words sends tokens at their pace; it reports false when the client is gone.
func (s *stream) words(tokens []string, field string, pause time.Duration) bool {
	for _, token := range tokens {
		if !wait(s.ctx, pause) {
			return false
		}
		s.delta(map[string]any{field: token})
	}
	return true
}

func (s *stream) end(f Fault, tokens int) {
	switch f.Kind {
	case "cut":
	case "stall":
		<-s.ctx.Done()
	case "reset":
		s.reset()
	case "garbage":
		s.event(`{"choices":[{"delta":{"content":"half`)
	case "error":
		s.event(`{"error":{"message":"The server had an error while processing the request.","type":"server_error","code":"internal_error"}}`)
		s.event("[DONE]")
	case "length":
		s.finish("length", tokens)
	case "filter":
		s.finish("content_filter", tokens)
	case "tool":
		s.delta(map[string]any{"tool_calls": []any{map[string]any{"index": 0, "id": "call-1", "type": "function", "function": map[string]string{"name": "list_files", "arguments": `{"path":"."}`}}}})
		s.finish("tool_calls", tokens)
	default:
		s.finish("stop", tokens)
	}
}

func (s *stream) finish(reason string, tokens int) {
	s.chunk([]any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": reason}}, nil)
	s.chunk([]any{}, map[string]int{"prompt_tokens": 0, "completion_tokens": tokens, "total_tokens": tokens})
	s.event("[DONE]")
}

func (s *stream) delta(d map[string]any) {
	s.chunk([]any{map[string]any{"index": 0, "delta": d, "finish_reason": nil}}, nil)
}

func (s *stream) chunk(choices []any, usage map[string]int) {
	chunk := map[string]any{"id": s.id, "object": "chat.completion.chunk", "model": Model, "choices": choices}
	if usage != nil {
		chunk["usage"] = usage
	}
	data, err := json.Marshal(chunk)
	if err != nil {
		return // maps of texts and numbers always encode
	}
	s.event(string(data))
}

func (s *stream) event(data string) {
	_, _ = s.w.Write([]byte("data: " + data + "\n\n")) // a client that is gone ends ctx
	s.flush()
}

func (s *stream) flush() { _ = http.NewResponseController(s.w).Flush() }

// reset ends the connection with a RST instead of an end.
func (s *stream) reset() {
	conn, _, err := http.NewResponseController(s.w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // no connection to take over: cut it the plain way
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

func wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
