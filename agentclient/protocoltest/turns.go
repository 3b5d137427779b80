package protocoltest

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"baton/agentclient"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

// turned is a whole turn: what the server saw, and what was told of it.
type turned struct {
	seen      []wiretest.Seen
	scheduled []agentclient.RetryScheduled
	ready     *agentclient.Ready
	gave      *agentclient.GaveUp
	stopped   bool
	texts     []string // of each attempt
}

// quickly is a turn whose retries wait for a millisecond unless the server asks for more.
func quickly() agentclient.Turn {
	return agentclient.Turn{ID: 1, Request: hello, Policy: retrypolicy.Policy{
		Attempts: retrypolicy.TurnAttempts, Base: time.Millisecond, Cap: time.Millisecond,
		LimitedBase: time.Millisecond, LimitedCap: time.Millisecond, MaxWait: retrypolicy.DefaultMaxWait,
	}}
}

// turn runs a whole turn against a server that gives one answer after the other, the
// last one for ever. The turn is stopped if it would wait for longer than a second.
func (p Protocol) turn(t *testing.T, s Settings, turn agentclient.Turn, answers ...func(*net.TCPConn)) turned {
	t.Helper()
	server := wiretest.Start(t, func(n int, c *net.TCPConn) { answers[min(n, len(answers))-1](c) })
	told := hear(t, p.open(t, server, s), turn)
	told.seen = server.Seen()
	for _, r := range told.seen[min(1, len(told.seen)):] {
		if r.Body != told.seen[0].Body {
			t.Errorf("C9: a retry sends %s, the first request %s", r.Body, told.seen[0].Body)
		}
	}
	if n := len(told.seen); n > turn.Policy.Attempts || n != len(told.texts) {
		t.Errorf("C8: the server saw %d requests in %d attempts, %d allowed", n, len(told.texts), turn.Policy.Attempts)
	}
	return told
}

// hear runs a turn and gathers its news. A turn settles once; only a success promotes.
func hear(t *testing.T, agent agentclient.Agent, turn agentclient.Turn) turned {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var told turned
	ends, promotes := 0, 0
	agentclient.Run(ctx, turn, agent, func(n agentclient.News) {
		switch n := n.(type) {
		case agentclient.AttemptStarted:
			told.texts = append(told.texts, "")
		case agentclient.Delta:
			told.texts[n.N-1] += n.Text
		case agentclient.RetryScheduled:
			if told.scheduled = append(told.scheduled, n); n.Delay > time.Second {
				stop()
			}
		case agentclient.Ready:
			told.ready = &n
			ends++
		case agentclient.GaveUp:
			told.gave = &n
			ends++
		case agentclient.Stopped:
			told.stopped = true
			ends++
		case agentclient.Promote:
			promotes++
		}
	})
	if ends != 1 || (promotes == 1) != (told.ready != nil) {
		t.Errorf("C6: %d ends, %d promotes", ends, promotes)
	}
	return told
}

// failing checks that the turn failed after so many requests.
func (told turned) failing(t *testing.T, requests int, kind retrypolicy.Kind, exhausted bool) agentclient.Cause {
	t.Helper()
	if told.gave == nil {
		t.Fatalf("after %d requests the turn has not failed: %+v", len(told.seen), told)
	}
	c := told.gave.Cause
	if len(told.seen) != requests || c.Kind != kind || told.gave.Exhausted != exhausted {
		t.Errorf("%d requests, %s, exhausted %t; want %d, %s, %t", len(told.seen), c.Kind, told.gave.Exhausted, requests, kind, exhausted)
	}
	if len(told.scheduled) != max(requests-1, 0) {
		t.Errorf("%d retries planned for %d requests", len(told.scheduled), requests)
	}
	if strings.ContainsAny(c.Message, "<>\r\n") || ansi.StringWidth(c.Message+c.NextStep) > agentclient.CauseCells {
		t.Errorf("not one short line: %.400q, %q", c.Message, c.NextStep)
	}
	return c
}

// answering checks that the turn succeeded with its last attempt's text.
func (told turned) answering(t *testing.T, texts ...string) {
	t.Helper()
	if told.ready == nil || fmt.Sprintf("%q", told.texts) != fmt.Sprintf("%q", texts) {
		t.Errorf("texts of the attempts %q, want %q and a success: %+v", told.texts, texts, told.gave)
	}
}

func says(text string) func(*net.TCPConn) {
	return func(c *net.TCPConn) { wiretest.Write(c, text) }
}

func responds(status int, header, body string) func(*net.TCPConn) {
	return func(c *net.TCPConn) { wiretest.Respond(c, status, header, body) }
}

// greets answers with "Hello".
func (p Protocol) greets() func(*net.TCPConn) {
	return says(p.head() + p.whole(Done, p.Stream.Text("Hello")))
}

// body answers a 200 with a stream that ends after these parts.
func (p Protocol) body(parts ...string) func(*net.TCPConn) {
	return says(p.head() + p.Stream.Begin(used) + strings.Join(parts, ""))
}
