package protocoltest

import (
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"baton/agentclient"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

// canary is a key that must show nowhere.
const canary = "sk-canary-0123456789"

const requestID = "req-1"

var (
	hello = agentclient.Request{Messages: []agentclient.Message{{Role: agentclient.User, Text: "hello"}}}
	used  = agentclient.Usage{Input: 3, Output: 4}
)

// heard gathers the pieces of one attempt.
type heard struct {
	text, reasoning string
	phases          []agentclient.Phase
	tools           []agentclient.ToolPart
	alive           int
}

func (h *heard) sink(p agentclient.Piece) {
	h.text += p.Text
	h.reasoning += p.Reasoning
	if p.Phase != "" {
		h.phases = append(h.phases, p.Phase)
	}
	if p.Tool != nil {
		h.tools = append(h.tools, *p.Tool)
	}
	if p.Alive {
		h.alive++
	}
}

func silent(agentclient.Piece) {}

// open returns an agent for a server of the test.
func (p Protocol) open(t *testing.T, server *wiretest.Server, s Settings) agentclient.Agent {
	t.Helper()
	s.BaseURL = "http://" + server.Addr() + p.Base
	if s.Model == "" {
		s.Model = "m"
	}
	agent, err := p.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	return agent
}

// send runs one attempt against a server that answers with raw bytes, and checks that it
// was one request.
func (p Protocol) send(t *testing.T, s Settings, answer func(*net.TCPConn)) (heard, agentclient.Finish, error) {
	t.Helper()
	server := wiretest.Start(t, func(_ int, c *net.TCPConn) { answer(c) })
	var h heard
	finish, err := p.open(t, server, s).Send(t.Context(), hello, h.sink)
	if n := len(server.Seen()); n != 1 {
		t.Errorf("C8: the server saw %d requests, want 1", n)
	}
	return h, finish, err
}

// stream runs one attempt against a 200 with the given body, ended by closing.
func (p Protocol) stream(t *testing.T, body string) (heard, agentclient.Finish, error) {
	t.Helper()
	return p.send(t, Settings{}, func(c *net.TCPConn) { wiretest.Write(c, p.head()+body) })
}

// head is the head of a 200 whose body ends with the connection.
func (p Protocol) head() string { return p.headWith("Connection: close\r\n") }

func (p Protocol) headWith(fields string) string {
	media := p.Stream.Media
	if media == "" {
		media = "text/event-stream"
	}
	return "HTTP/1.1 200 OK\r\nContent-Type: " + media + "\r\nX-Request-Id: " + requestID + "\r\n" + fields + "\r\n"
}

// whole is the body of an answer: its beginning, the parts, its end.
func (p Protocol) whole(how Ending, parts ...string) string {
	return p.Stream.Begin(used) + strings.Join(parts, "") + p.Stream.End(how, used)
}

// Said is what one attempt came to.
type Said struct {
	Text, Reasoning string
	Tools           []agentclient.ToolPart
	Finish          agentclient.Finish
	Err             error
}

// Once runs one attempt of an agent against a server that answers with raw bytes, for
// what a protocol tests beyond the contract.
func Once(t *testing.T, open func(origin string) (agentclient.Agent, error), answer func(*net.TCPConn)) Said {
	t.Helper()
	server := wiretest.Start(t, func(_ int, c *net.TCPConn) { answer(c) })
	agent, err := open("http://" + server.Addr())
	if err != nil {
		t.Fatal(err)
	}
	var h heard
	finish, err := agent.Send(t.Context(), hello, h.sink)
	return Said{h.text, h.reasoning, h.tools, finish, err}
}

// Streamed answers with an event stream of the given body.
func Streamed(body string) func(*net.TCPConn) {
	return func(c *net.TCPConn) { wiretest.Write(c, wiretest.Head+body) }
}

// Failed checks that an attempt failed by a condition, and that the policy takes it for
// a kind.
func Failed(t *testing.T, err error, condition retrypolicy.Condition, kind retrypolicy.Kind) *retrypolicy.Failure {
	t.Helper()
	f := failed(t, err, kind)
	if f.Condition != condition {
		t.Errorf("condition %q (%s), want %q", f.Condition, f.Message, condition)
	}
	return f
}

// failed checks that an attempt failed as the policy's kind says, and that the failure is
// fit to be shown.
func failed(t *testing.T, err error, kind retrypolicy.Kind) *retrypolicy.Failure {
	t.Helper()
	var f *retrypolicy.Failure
	if !errors.As(err, &f) {
		t.Fatalf("error %v (%T), want a Failure of kind %s", err, err, kind)
	}
	if got := retrypolicy.Classify(err, time.Minute); got.Kind != kind {
		t.Errorf("kind %s by class %s (condition %q, status %d, code %q, type %q: %s), want %s",
			got.Kind, got.Class, f.Condition, f.Status, f.Code, f.Type, f.Message, kind)
	}
	if f.Message == "" || strings.ContainsAny(f.Message, "\r\n") {
		t.Errorf("message %q is not one line", f.Message)
	}
	return f
}
