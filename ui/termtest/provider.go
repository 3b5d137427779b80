package termtest

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

// Response answers one request.
type Response func(a *Answer)

// Message is one message of a request. Text is the content's text, or that of its text parts joined.
type Message struct {
	Role, Text string
}

// Request is one request for an answer, as it arrived.
type Request struct {
	N        int // from 1
	Time     time.Time
	Header   http.Header
	Body     []byte
	Model    string
	Messages []Message
	// Gone is when the client closed the connection while the answer was under way; zero if it did not.
	Gone time.Time
	// Done is when the answer was over; zero while it goes on.
	Done time.Time
}

// Last returns the text of the last message.
func (r Request) Last() string {
	if len(r.Messages) == 0 {
		return ""
	}
	return r.Messages[len(r.Messages)-1].Text
}

// Provider is a server on loopback that speaks streaming chat completions by a script, and misbehaves where the script
// says so. Each request takes the next response; when none is left, the answer is an echo of the last message.
type Provider struct {
	t      testing.TB
	server *http.Server
	addr   string
	stop   context.CancelFunc

	mu       sync.Mutex
	script   []Response
	fallback Response
	requests []*Request
	lists    int
	names    []string // of the models
}

// patience bounds every wait for the program. Only a broken one needs it; 10 MB under the race detector on a busy machine
// have needed a third of it.
const patience = 90 * time.Second

// connKey finds the connection in a request's context.
type connKey struct{}

// NewProvider starts a server that runs until the test ends.
func NewProvider(t testing.TB, script ...Response) *Provider {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	p := &Provider{t: t, addr: listener.Addr().String(), stop: stop, script: script, fallback: Echo(), names: []string{"scripted"}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", p.complete)
	mux.HandleFunc("GET /v1/models", p.models)
	p.server = &http.Server{
		Handler:     mux,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ConnContext: func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) },
	}
	served := make(chan struct{})
	go func() { defer close(served); _ = p.server.Serve(listener) }()
	t.Cleanup(func() {
		stop()
		_ = p.server.Close()
		<-served
	})
	return p
}

// URL is the base URL up to the version.
func (p *Provider) URL() string { return "http://" + p.addr + "/v1" }

// Addr is host:port.
func (p *Provider) Addr() string { return p.addr }

// Then adds responses to the end of the script.
func (p *Provider) Then(more ...Response) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.script = append(p.script, more...)
}

// Always sets what answers when the script has run out.
func (p *Provider) Always(r Response) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fallback = r
}

// Models sets which models are listed; none at all makes every list a failure with status 500.
func (p *Provider) Models(names ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.names = names
}

// Requests returns the requests for an answer so far, in the order they arrived.
func (p *Provider) Requests() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := make([]Request, len(p.requests))
	for i, r := range p.requests {
		list[i] = *r
	}
	return list
}

// Count is the number of requests for an answer so far.
func (p *Provider) Count() int { return len(p.Requests()) }

// Lists counts the requests for the list of models.
func (p *Provider) Lists() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lists
}

// Until waits until ok holds for the requests so far, 90 s at most.
func (p *Provider) Until(what string, ok func([]Request) bool) []Request {
	p.t.Helper()
	for limit := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		rs := p.Requests()
		if ok(rs) {
			return rs
		}
		if time.Now().After(limit) {
			p.t.Fatalf("the server never saw %s; it saw %d requests", what, len(rs))
		}
	}
}

// WaitCount waits until n requests have come, and returns them.
func (p *Provider) WaitCount(n int) []Request {
	p.t.Helper()
	return p.Until("enough requests", func(rs []Request) bool { return len(rs) >= n })
}

func (p *Provider) complete(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	seen := &Request{Time: now, Header: r.Header.Clone(), Body: body}
	seen.parse()
	respond := p.enlist(seen)
	a := &Answer{Request: *seen, w: w, ctx: r.Context(), conn: r.Context().Value(connKey{}).(net.Conn)}
	over := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		select {
		case <-over:
		case <-r.Context().Done():
			if !a.ended.Load() {
				p.note(func() { seen.Gone = time.Now() })
			}
		}
	})
	defer func() {
		close(over)
		watch.Wait()
		p.note(func() { seen.Done = time.Now() })
	}()
	respond(a)
}

// enlist records a request and takes its response from the script.
func (p *Provider) enlist(r *Request) Response {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests = append(p.requests, r)
	r.N = len(p.requests)
	if len(p.script) == 0 {
		return p.fallback
	}
	next := p.script[0]
	p.script = slices.Delete(p.script, 0, 1)
	return next
}

func (p *Provider) note(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

func (p *Provider) models(w http.ResponseWriter, _ *http.Request) {
	type model struct {
		ID string `json:"id"`
	}
	list := []model{}
	p.note(func() {
		p.lists++
		for _, name := range p.names {
			list = append(list, model{name})
		}
	})
	w.Header().Set("Content-Type", "application/json")
	if len(list) == 0 {
		w.WriteHeader(http.StatusInternalServerError)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": list})
}

// parse reads what tests ask about. What cannot be read stays empty: the test then sees that.
func (r *Request) parse() {
	var body struct {
		Model    string
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	if json.Unmarshal(r.Body, &body) != nil {
		return
	}
	r.Model = body.Model
	for _, m := range body.Messages {
		r.Messages = append(r.Messages, Message{m.Role, contentText(m.Content)})
	}
}

// contentText reads a message's content: a string, or parts.
func contentText(content json.RawMessage) string {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return s
	}
	var parts []struct{ Text string }
	_ = json.Unmarshal(content, &parts)
	for _, p := range parts {
		s += p.Text
	}
	return s
}

// Nowhere returns a base URL on loopback at which nobody listens.
func Nowhere(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return "http://" + listener.Addr().String() + "/v1"
}
