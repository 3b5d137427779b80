package sandbox

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// stream writes one answer as events.
type stream struct {
	w     http.ResponseWriter
	ctx   context.Context
	id    string
	fault Fault
}

const (
	promised = 1 << 20 // Content-Length of a body that ends before, in bytes
	hugeText = 5 << 20 // bytes of an event that is too long for anybody
	lifeSign = 50 * time.Millisecond
)

// play sends the answer up to where the fault is, then lets it happen.
func (s *stream) play(a answer) {
	f := s.fault
	if f.Kind == "json" {
		s.whole(a)
		return
	}
	s.begin()
	switch f.Kind {
	case "hang":
		<-s.ctx.Done()
		return
	case "done":
		s.event("[DONE]")
		return
	case "alive":
		if !s.alive(f.Wait) {
			return
		}
	}
	tokens := a.tokens
	if f.After != endOfAnswer {
		tokens = tokens[:min(len(tokens), f.After)]
	}
	s.delta(map[string]any{"role": "assistant", "content": nil})
	if f.After == endOfAnswer && !s.words(split(a.reasoning), "reasoning_content", a.pause) {
		return
	}
	if f.Kind == "hostile" {
		s.hostile()
	}
	if s.words(tokens, "content", a.pause) {
		s.end(len(tokens))
	}
}

// begin sends the headers.
func (s *stream) begin() {
	s.w.Header().Set("Content-Type", "text/event-stream")
	s.w.Header().Set("Cache-Control", "no-store")
	if s.fault.Kind == "short" {
		s.w.Header().Set("Content-Length", strconv.Itoa(promised))
	}
	s.flush()
	if s.fault.Kind == "loose" {
		s.write("\uFEFFretry: 10\nid: 7\n: a comment\n\n")
	}
}

// alive sends comments for a while; it reports false when the client is gone.
func (s *stream) alive(d time.Duration) bool {
	for end := time.Now().Add(d); time.Now().Before(end); {
		s.write(": still thinking\n\n")
		if !wait(s.ctx, min(lifeSign, d)) {
			return false
		}
	}
	return s.ctx.Err() == nil
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

// hostile sends what must not reach a terminal, as text and as bytes that are none.
func (s *stream) hostile() {
	for _, piece := range strings.SplitAfter(hostileText, "\x1b") { // sequences are cut in two
		s.delta(map[string]any{"content": piece})
	}
	s.event(`{"choices":[{"index":0,"delta":{"content":"` + "\x9b2J\xff" + ` \ud800 "}}]}`)
}

func (s *stream) finish(reason string, tokens int) {
	s.reason(reason, tokens)
	s.event("[DONE]")
}

func (s *stream) reason(reason string, tokens int) {
	s.chunk([]any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": reason}}, nil)
	s.chunk([]any{}, usageOf(tokens))
}

func usageOf(tokens int) map[string]int {
	return map[string]int{"prompt_tokens": 0, "completion_tokens": tokens, "total_tokens": tokens}
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

// event writes one event, in the dress that the fault asks for.
func (s *stream) event(data string) {
	if rest, ok := strings.CutPrefix(data, "{"); ok && s.fault.Kind == "loose" {
		s.write(": a comment\nevent: message\ndata:{\ndata:" + rest + "\n\n")
		return
	}
	s.write("data: " + data + "\n\n")
}

func (s *stream) write(text string) {
	switch s.fault.Kind {
	case "crlf":
		text = strings.ReplaceAll(text, "\n", "\r\n")
	case "cr":
		text = strings.ReplaceAll(text, "\n", "\r")
	case "bytes":
		for i := range len(text) {
			_, _ = s.w.Write([]byte{text[i]})
			s.flush()
		}
		return
	}
	_, _ = s.w.Write([]byte(text)) // a client that is gone ends ctx
	s.flush()
}

func (s *stream) flush() { _ = http.NewResponseController(s.w).Flush() }
