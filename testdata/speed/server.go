//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

const (
	// lastWord ends each answer. It comes in one token and has no letter that is typed.
	lastWord = "THEEND"

	longAnswer = 1 << 20 // bytes
	manyTokens = 20_000
	tokenRate  = 200 // a second
)

// server speaks streaming chat completions. The prompt says what it answers: long, steady, flood.
type server struct {
	listener net.Listener
	http     *http.Server
}

func serve() (*server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{listener: l}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.complete)
	s.http = &http.Server{Handler: mux}
	go func() { _ = s.http.Serve(l) }()
	return s, nil
}

func (s *server) url() string { return "http://" + s.listener.Addr().String() + "/v1" }
func (s *server) close()      { _ = s.http.Close() }

func (s *server) complete(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var req struct {
		Messages []struct{ Content string }
	}
	if err := json.Unmarshal(body, &req); err != nil || len(req.Messages) == 0 {
		http.Error(w, "no messages", http.StatusBadRequest)
		return
	}
	flusher, ok := w.(http.Flusher)
	if !ok {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	a := &answer{w: bufio.NewWriter(w), flusher: flusher, done: r.Context().Done()}
	switch req.Messages[len(req.Messages)-1].Content {
	case "long":
		a.long()
	case "steady":
		a.steady()
	case "flood":
		for i := range manyTokens {
			a.token(word(i))
		}
	}
	a.end()
}

// answer is one response under way; after an error it writes nothing more.
type answer struct {
	w       *bufio.Writer
	flusher http.Flusher
	done    <-chan struct{}
	err     error
}

// event sends one event by itself, as servers do.
func (a *answer) event(data string) {
	if a.err != nil {
		return
	}
	if _, a.err = fmt.Fprintf(a.w, "data: %s\n\n", data); a.err == nil {
		a.err = a.w.Flush()
		a.flusher.Flush()
	}
}

func (a *answer) token(text string) {
	quoted, err := json.Marshal(text)
	if err != nil {
		a.err = err
		return
	}
	a.event(`{"id":"1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":` + string(quoted) + `},"finish_reason":null}]}`)
}

func (a *answer) end() {
	a.token("\n\n" + lastWord + "\n")
	a.event(`{"id":"1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)
	a.event("[DONE]")
}

// long is a megabyte of ordinary markdown, in events of a few KB.
func (a *answer) long() {
	const part = "## a heading\n\nA paragraph of **some** words, `code` and [a link](http://localhost/x) that is long enough to be wrapped twice.\n\n" +
		"- item one\n- item two\n\n```go\nfor i := range n { // a comment\n\tfmt.Println(i)\n}\n```\n\n"
	piece := strings.Repeat(part, 4096/len(part))
	for n := 0; n < longAnswer; n += len(piece) {
		a.token(piece)
	}
}

// steady sends words at an even pace until the client has gone.
func (a *answer) steady() {
	tick := time.NewTicker(time.Second / tokenRate)
	defer tick.Stop()
	for i := 0; a.err == nil; i++ {
		a.token(word(i))
		select {
		case <-tick.C:
		case <-a.done:
			a.err = errors.New("the client has gone")
		}
	}
}

// word is the i-th token of an answer in paragraphs of 60 words, with markdown in them.
func word(i int) string {
	switch {
	case i%60 == 59:
		return "end.\n\n"
	case i%20 == 7:
		return "**bold** "
	case i%20 == 13:
		return "`code` "
	}
	return []string{"the ", "answer ", "goes ", "on ", "and ", "has ", "some ", "words "}[i%8]
}
