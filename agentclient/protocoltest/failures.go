package protocoltest

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"baton/agentclient/wire"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

// notDecodable are bodies that are not what they should be.
func notDecodable(t *testing.T, p Protocol) {
	t.Run("malformed_event", func(t *testing.T) {
		_, _, err := p.stream(t, p.whole(Done, p.Stream.Text("Hel"), p.Stream.Malformed))
		failed(t, err, retrypolicy.Malformed)
	})
	t.Run("W1_page", func(t *testing.T) {
		_, _, err := p.send(t, Settings{}, func(c *net.TCPConn) {
			wiretest.Respond(c, 200, "Content-Type: text/html\r\n", "<html><title>Wrong place</title><p>no")
		})
		if f := failed(t, err, retrypolicy.NotAnAgent); !strings.Contains(f.Message, "Wrong place") {
			t.Errorf("message %q", f.Message)
		}
	})
	t.Run("W1_error_as_json", func(t *testing.T) {
		body, _, _ := p.Errors.Body(503, "no luck today")
		_, _, err := p.send(t, Settings{}, func(c *net.TCPConn) {
			wiretest.Respond(c, 200, "Content-Type: application/json\r\n", body)
		})
		if f := failed(t, err, retrypolicy.Overloaded); f.Message != "no luck today" {
			t.Errorf("message %q", f.Message)
		}
	})
	t.Run("W2_endless_line", func(t *testing.T) {
		const enough = 64 << 20 // far beyond one event and what sockets buffer
		written := make(chan int, 1)
		_, _, err := p.send(t, Settings{}, func(c *net.TCPConn) {
			field := "data: "
			if p.Stream.Lines {
				field = ""
			}
			wiretest.Write(c, p.head()+field+`{"a":"`)
			n, block := 0, []byte(strings.Repeat("x", 64<<10))
			for n < enough {
				m, err := c.Write(block)
				if n += m; err != nil {
					break
				}
			}
			written <- n
		})
		failed(t, err, retrypolicy.Malformed)
		if n := <-written; n >= enough {
			t.Errorf("the client took %d bytes of one line, and an event has at most %d", n, wire.MaxEvent)
		}
	})
}

// statuses are refusals with the protocol's own error body.
func statuses(t *testing.T, p Protocol) {
	for status, kind := range map[int]retrypolicy.Kind{
		400: retrypolicy.Invalid, 401: retrypolicy.Auth, 402: retrypolicy.Quota, 403: retrypolicy.Auth,
		404: retrypolicy.Invalid, 413: retrypolicy.Invalid, 422: retrypolicy.Invalid, 429: retrypolicy.RateLimited,
		500: retrypolicy.Server, 503: retrypolicy.Overloaded, 529: retrypolicy.Overloaded,
	} {
		t.Run(fmt.Sprintf("62_%d", status), func(t *testing.T) {
			body, code, typ := p.Errors.Body(status, "no luck today")
			_, _, err := p.send(t, Settings{Key: wire.NewSecret(canary), KeyName: "$K"}, func(c *net.TCPConn) {
				wiretest.Respond(c, status, "Content-Type: application/json\r\nX-Request-Id: "+requestID+"\r\n", body)
			})
			f := failed(t, err, kind)
			if f.Status != status || f.Code != code || f.Type != typ || f.Message != "no luck today" || f.RequestID != requestID {
				t.Errorf("failure %+v, want code %q and type %q", *f, code, typ)
			}
			if (f.KeyName == "$K") != (kind == retrypolicy.Auth) {
				t.Errorf("key name %q", f.KeyName)
			}
		})
	}
}

func hints(t *testing.T, p Protocol) {
	refusal := func(t *testing.T, header, body string) retrypolicy.Hint {
		_, _, err := p.send(t, Settings{}, func(c *net.TCPConn) { wiretest.Respond(c, 429, header, body) })
		return failed(t, err, retrypolicy.RateLimited).Hint
	}
	plain, _, _ := p.Errors.Body(429, "slow down")
	t.Run("40_header", func(t *testing.T) {
		if h := refusal(t, "Retry-After: 7\r\n", plain); h.Wait != 7*time.Second {
			t.Errorf("hint %+v", h)
		}
		if h := refusal(t, "", plain); h.Wait != 0 {
			t.Errorf("no wait asked: hint %+v", h)
		}
	})
	t.Run("106_body", func(t *testing.T) {
		if p.Errors.Wait == nil {
			return // the protocol's bodies ask for none
		}
		if h := refusal(t, "", p.Errors.Wait(9)); h.Wait != 9*time.Second {
			t.Errorf("hint %+v", h)
		}
		if h := refusal(t, "Retry-After: 7\r\n", p.Errors.Wait(9)); h.Wait != 9*time.Second {
			t.Errorf("the larger of two waits counts: hint %+v", h)
		}
	})
}

// redirect points to another host, which must not see anything.
func redirect(t *testing.T, p Protocol) {
	for _, status := range []int{301, 302, 307, 308} {
		t.Run(fmt.Sprintf("W4_%d", status), func(t *testing.T) {
			other := wiretest.Start(t, func(_ int, c *net.TCPConn) { wiretest.Write(c, p.head()+p.whole(Done, p.Stream.Text("Hello"))) })
			_, _, err := p.send(t, Settings{Key: wire.NewSecret(canary)}, func(c *net.TCPConn) {
				wiretest.Respond(c, status, "Location: http://"+other.Addr()+"/x?key="+canary+"\r\n", "")
			})
			f := failed(t, err, retrypolicy.Redirect)
			if f.Target != "http://"+other.Addr()+"/x" || strings.Contains(fmt.Sprintf("%+v", *f), "canary") {
				t.Errorf("failure %+v", *f)
			}
			if n := len(other.Seen()); n != 0 {
				t.Errorf("the other host saw %d requests", n)
			}
		})
	}
}

// secrets are keys that a server echoes.
func secrets(t *testing.T, p Protocol) {
	body, _, _ := p.Errors.Body(401, "bad key "+canary)
	answers := map[string]string{
		"error_event": p.head() + p.Stream.Error(retrypolicy.Server, "for "+canary),
		"malformed":   p.head() + p.Stream.Text("Hel") + strings.Replace(p.Stream.Malformed, "{", `{"`+canary+`":`, 1),
		"cut":         strings.Replace(p.head(), requestID, canary, 1) + p.Stream.Text("Hel"),
		"as_json":     "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n" + body,
	}
	for _, status := range []int{400, 401, 403, 429, 500} {
		answers[fmt.Sprint(status)] = fmt.Sprintf("HTTP/1.1 %d X\r\nX-Request-Id: %s\r\nConnection: close\r\n\r\n%s", status, canary, body)
	}
	for name, answer := range answers {
		t.Run("C15_"+name, func(t *testing.T) {
			_, finish, err := p.send(t, Settings{Key: wire.NewSecret(canary), KeyName: "$K"}, func(c *net.TCPConn) { wiretest.Write(c, answer) })
			if err == nil {
				t.Fatal("it succeeded")
			}
			shown := fmt.Sprintf("%v %+v %+v", err, err, finish)
			if f, ok := err.(*retrypolicy.Failure); ok {
				shown += fmt.Sprintf("%+v", *f)
			}
			if strings.Contains(shown, "canary") {
				t.Errorf("the key shows: %s", shown)
			}
		})
	}
}
