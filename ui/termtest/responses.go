package termtest

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"
)

// OK streams the tokens and ends well.
func OK(tokens ...string) Response { return Paced(0, tokens...) }

// Paced streams the tokens with a pause behind each, and ends well.
func Paced(pause time.Duration, tokens ...string) Response {
	return func(a *Answer) {
		if a.stream(pause, tokens) {
			a.Finish()
		}
	}
}

func (a *Answer) stream(pause time.Duration, tokens []string) bool {
	a.Start()
	for _, t := range tokens {
		a.Token(t)
		if pause > 0 && !a.Sleep(pause) {
			return false
		}
	}
	return true
}

// maxEcho bounds what Echo repeats, in characters.
const maxEcho = 200

// Echo answers "echo: " and the beginning of the last message.
func Echo() Response {
	return func(a *Answer) {
		said := []rune(a.Request.Last())
		a.Token("echo: ")
		a.Token(string(said[:min(len(said), maxEcho)]))
		a.Finish()
	}
}

// Status answers with a status, headers and a body; a body that begins with "<" is HTML, any other JSON.
func Status(code int, header map[string]string, body string) Response {
	return func(a *Answer) { a.Status(code, header, body) }
}

// ErrorBody is the usual JSON of an error.
func ErrorBody(kind, code, message string) string {
	b, err := json.Marshal(map[string]any{"error": map[string]any{"type": kind, "code": code, "message": message}})
	if err != nil {
		panic(err) // strings always encode
	}
	return string(b)
}

// Fail answers with a status and a plain message.
func Fail(code int) Response {
	return Status(code, nil, ErrorBody("server_error", "", fmt.Sprintf("scripted failure %d", code)))
}

// CutAfter streams n numbered words, "word1 word2 …", and closes the connection without the stream's end.
func CutAfter(n int) Response {
	return func(a *Answer) {
		a.stream(0, words(n))
		a.Cut()
	}
}

// Unfinished streams n numbered words and ends the body properly, but without finish reason and end marker.
func Unfinished(n int) Response { return func(a *Answer) { a.stream(0, words(n)) } }

// StallAfter streams n numbered words and is silent until the client goes.
func StallAfter(n int) Response {
	return func(a *Answer) {
		a.stream(0, words(n))
		<-a.Gone()
	}
}

func words(n int) []string {
	var ws []string
	for i := range n {
		ws = append(ws, fmt.Sprintf("word%d ", i+1))
	}
	return ws
}

// Empty200 ends well without having said anything.
func Empty200() Response { return func(a *Answer) { a.Finish() } }

// ZeroBytes answers 200 with no body at all.
func ZeroBytes() Response { return func(a *Answer) { a.Status(200, nil, "") } }

// Hang sends the head and is silent until the client goes.
func Hang() Response { return StallAfter(0) }

// Silent sends nothing at all until the client goes.
func Silent() Response { return func(a *Answer) { <-a.Gone() } }

// Reset breaks the connection with a RST, after n numbered words; with 0 before the head.
func Reset(n int) Response {
	return func(a *Answer) {
		if n > 0 {
			a.stream(0, words(n))
		}
		a.Reset()
	}
}

// SlowFirstByte waits before it answers with the tokens.
func SlowFirstByte(wait time.Duration, tokens ...string) Response {
	return func(a *Answer) {
		if a.Sleep(wait) {
			OK(tokens...)(a)
		}
	}
}

// ErrorEvent streams n numbered words, then an error inside the stream.
func ErrorEvent(n int, kind, message string) Response {
	return func(a *Answer) {
		a.stream(0, words(n))
		a.Event(ErrorBody(kind, "", message))
		a.Event("[DONE]")
	}
}

// Gate is an answer whose end the test decides: it streams its first part and waits.
type Gate struct {
	t       testing.TB
	before  []string
	reached chan struct{}
	release chan []string
	once    sync.Once
}

// NewGate returns a gate whose first part are these tokens. It answers one request.
func NewGate(t testing.TB, before ...string) *Gate {
	return &Gate{t: t, before: before, reached: make(chan struct{}), release: make(chan []string, 1)}
}

// Response is the gate's place in a script.
func (g *Gate) Response() Response {
	return func(a *Answer) {
		sent := a.stream(0, g.before)
		g.once.Do(func() { close(g.reached) })
		if !sent {
			return
		}
		select {
		case rest := <-g.release:
			if a.stream(0, rest) {
				a.Finish()
			}
		case <-a.Gone():
		}
	}
}

// Wait waits until the first part was sent, 90 s at most.
func (g *Gate) Wait() {
	g.t.Helper()
	select {
	case <-g.reached:
	case <-time.After(patience):
		g.t.Fatal("the gate's request never came")
	}
}

// Release lets the answer go on with these tokens to its good end.
func (g *Gate) Release(rest ...string) { g.release <- rest }
