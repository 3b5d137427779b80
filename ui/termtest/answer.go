package termtest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// Answer is the server's side of one request. Its methods do nothing once the client has gone.
type Answer struct {
	Request Request

	w       http.ResponseWriter
	ctx     context.Context
	conn    net.Conn
	started bool
	ended   atomic.Bool // by us
}

// Gone is closed when the client has closed the connection, or the test is over.
func (a *Answer) Gone() <-chan struct{} { return a.ctx.Done() }

// Sleep waits, and returns false if the client has gone meanwhile.
func (a *Answer) Sleep(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-a.ctx.Done():
		return false
	}
}

// Start sends the head of a stream.
func (a *Answer) Start() {
	if a.started {
		return
	}
	a.started = true
	a.w.Header().Set("Content-Type", "text/event-stream")
	a.w.Header().Set("X-Request-Id", fmt.Sprintf("req-%d", a.Request.N))
	a.w.WriteHeader(http.StatusOK)
	a.flush()
}

// Event sends one event with this data.
func (a *Answer) Event(data string) {
	a.Start()
	_, _ = io.WriteString(a.w, "data: "+data+"\n\n")
	a.flush()
}

// Token sends a piece of the answer's text.
func (a *Answer) Token(text string) { a.delta(map[string]any{"content": text}, nil) }

// Thought sends a piece of the reasoning before the text.
func (a *Answer) Thought(text string) { a.delta(map[string]any{"reasoning_content": text}, nil) }

// Finish sends the finish reason and the end marker.
func (a *Answer) Finish() {
	a.delta(map[string]any{}, "stop")
	a.Event("[DONE]")
}

func (a *Answer) delta(delta map[string]any, reason any) {
	data, err := json.Marshal(map[string]any{
		"id": fmt.Sprintf("chat-%d", a.Request.N), "object": "chat.completion.chunk", "model": a.Request.Model,
		"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason}},
	})
	if err != nil {
		panic(err) // strings and maps always encode
	}
	a.Event(string(data))
}

// Status sends a whole answer of another kind.
func (a *Answer) Status(code int, header map[string]string, body string) {
	a.started = true
	if a.w.Header().Set("Content-Type", "application/json"); strings.HasPrefix(body, "<") {
		a.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	}
	for k, v := range header {
		a.w.Header().Set(k, v)
	}
	a.w.WriteHeader(code)
	_, _ = io.WriteString(a.w, body)
	a.flush()
}

// Cut ends the connection as it stands: with the stream's end missing, or no answer at all.
func (a *Answer) Cut() {
	a.ended.Store(true)
	_ = a.conn.Close()
}

// Reset ends the connection with a RST.
func (a *Answer) Reset() {
	if c, ok := a.conn.(*net.TCPConn); ok {
		_ = c.SetLinger(0)
	}
	a.Cut()
}

func (a *Answer) flush() {
	if f, ok := a.w.(http.Flusher); ok {
		f.Flush()
	}
}
