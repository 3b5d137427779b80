package protocoltest

import (
	"context"
	"errors"
	"net"
	"strconv"
	"testing"
	"time"

	"baton/agentclient"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

// silences are answers that stall, each at its own limit.
func silences(t *testing.T, p Protocol) {
	const short, long = 150 * time.Millisecond, time.Minute
	for name, c := range map[string]struct {
		limits    agentclient.Timeouts
		before    string
		condition retrypolicy.Condition
	}{
		"88_no_answer":         {agentclient.Timeouts{FirstByte: short, Idle: long}, "", retrypolicy.CondFirstByteTime},
		"89_no_first_byte":     {agentclient.Timeouts{FirstByte: short, Idle: long}, p.head(), retrypolicy.CondFirstByteTime},
		"88_headers_only":      {agentclient.Timeouts{FirstByte: long, Idle: short}, p.head(), retrypolicy.CondIdleTime},
		"88_text_then_silence": {agentclient.Timeouts{FirstByte: long, Idle: short}, p.head() + p.Stream.Begin(used) + p.Stream.Text("Hel"), retrypolicy.CondIdleTime},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gone := make(chan time.Duration, 1)
			_, _, err := p.send(t, Settings{Timeouts: c.limits}, func(conn *net.TCPConn) {
				wiretest.Write(conn, c.before)
				gone <- wiretest.UntilGone(conn)
			})
			if f := failed(t, err, retrypolicy.Timeout); f.Condition != c.condition {
				t.Errorf("condition %q, want %q", f.Condition, c.condition)
			}
			<-gone // or the test would end with the connection open
		})
	}
	trickles(t, p, short, long)
}

// trickles are answers that come slowly: too slowly, just in time, and kept alive.
func trickles(t *testing.T, p Protocol, short, long time.Duration) {
	t.Run("W6_a_byte_now_and_then", func(t *testing.T) {
		t.Parallel()
		_, _, err := p.send(t, Settings{Timeouts: agentclient.Timeouts{FirstByte: long, Idle: short}}, func(conn *net.TCPConn) {
			wiretest.Write(conn, p.head()+p.Stream.Begin(used)+p.Stream.Text("Hel"))
			for range 10 { // it would go on for 3 s
				time.Sleep(2 * short)
				wiretest.Write(conn, "\n")
			}
		})
		if f := failed(t, err, retrypolicy.Timeout); f.Condition != retrypolicy.CondIdleTime {
			t.Errorf("condition %q", f.Condition)
		}
	})
	t.Run("89_slow_first_byte", func(t *testing.T) {
		t.Parallel()
		h, _, err := p.send(t, Settings{Timeouts: agentclient.Timeouts{FirstByte: long, Idle: short}}, func(conn *net.TCPConn) {
			time.Sleep(2 * short)
			p.greets()(conn)
		})
		if err != nil || h.text != "Hello" {
			t.Errorf("got %q, %v", h.text, err)
		}
	})
	if p.Stream.Alive == "" {
		return // nothing keeps such a stream alive
	}
	t.Run("87_keep_alives_count", func(t *testing.T) {
		t.Parallel()
		var h heard
		var err error
		for n := 0; n < tries && (n == 0 || err != nil); n++ {
			h, err = p.keptAlive(t)
		}
		if err != nil || h.text != "Hello" || h.alive == 0 {
			t.Errorf("got %q, %d signs of life, %v", h.text, h.alive, err)
		}
	})
}

// keptAlive runs an attempt whose answer takes twice the idle limit and is silent
// for a fourth of it at a time, unless the machine is busy elsewhere.
func (p Protocol) keptAlive(t *testing.T) (heard, error) {
	const idle = 300 * time.Millisecond
	h, _, err := p.send(t, Settings{Timeouts: agentclient.Timeouts{FirstByte: idle, Idle: idle}}, func(c *net.TCPConn) {
		wiretest.Write(c, p.head()+p.Stream.Begin(used))
		for range 8 {
			time.Sleep(idle / 4)
			wiretest.Write(c, p.Stream.Alive)
		}
		wiretest.Write(c, p.Stream.Text("Hello")+p.Stream.End(Done, used))
	})
	return h, err
}

// promptly is how soon a stop closes the connection, and tries how often a machine that
// is busy elsewhere may miss it.
const (
	promptly = 100 * time.Millisecond
	tries    = 5
)

// cancels stops an attempt in each of its phases.
func cancels(t *testing.T, p Protocol) {
	for name, before := range map[string]string{
		"waiting":       "",
		"in_headers":    "HTTP/1.1 200 OK\r\nX-A: ",
		"after_headers": p.head(),
		"in_the_stream": p.head() + p.Stream.Begin(used) + p.Stream.Text("Hel"),
		"in_an_event":   p.head() + p.Stream.Begin(used) + p.Stream.Text("Hel")[:10],
		"in_a_refusal":  "HTTP/1.1 500 X\r\nContent-Length: 9\r\n\r\n{",
	} {
		t.Run("C12_59_"+name, func(t *testing.T) {
			best := time.Hour
			for n := 0; n < tries && best > promptly; n++ {
				best = min(best, p.cancelOnce(t, before))
			}
			if best > promptly {
				t.Errorf("of %d tries the fastest took %v to close the connection, at most %v", tries, best, promptly)
			}
		})
	}
}

// cancelOnce returns how long after the stop the server saw the connection end.
func (p Protocol) cancelOnce(t *testing.T, before string) time.Duration {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan time.Duration, 1)
	server := wiretest.Start(t, func(_ int, c *net.TCPConn) {
		wiretest.Write(c, before)
		time.Sleep(20 * time.Millisecond) // the client reads what was sent
		cancel()
		gone <- wiretest.UntilGone(c)
	})
	_, err := p.open(t, server, Settings{}).Send(ctx, hello, silent)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	after := <-gone
	if n := len(server.Seen()); n != 1 {
		t.Errorf("C12: the server saw %d requests, want 1", n)
	}
	return after
}

// oneConnection offers the client a connection it could keep, after a success and after
// failures.
func oneConnection(t *testing.T, p Protocol) {
	length := func(s string) string { return "Content-Length: " + strconv.Itoa(len(s)) + "\r\n" }
	whole := p.whole(Done, p.Stream.Text("Hello"))
	refusal, _, _ := p.Errors.Body(500, "no luck today")
	for name, answer := range map[string]string{
		"success":     p.headWith(length(whole)) + whole,
		"refusal":     "HTTP/1.1 500 X\r\n" + length(refusal) + "\r\n" + refusal,
		"W3_no_end":   p.headWith("") + whole,
		"error_event": p.headWith("") + p.Stream.Error(retrypolicy.Server, "no luck today"),
	} {
		t.Run(name, func(t *testing.T) {
			gone := make(chan time.Duration, 2)
			server := wiretest.Start(t, func(_ int, c *net.TCPConn) {
				wiretest.Write(c, answer)
				gone <- wiretest.UntilGone(c)
			})
			agent := p.open(t, server, Settings{})
			for n := range 2 {
				_, _ = agent.Send(t.Context(), hello, silent) // how it ends is checked elsewhere
				if seen := len(server.Seen()); seen != n+1 {
					t.Fatalf("C8: after %d attempts the server saw %d requests", n+1, seen)
				}
				if after := <-gone; after > 5*time.Second {
					t.Errorf("W3: the connection stayed open for %v", after)
				}
			}
		})
	}
}
