package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"baton/agentclient"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

func client(t *testing.T, o Options) *Client {
	t.Helper()
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var post = Call{Method: http.MethodPost, Path: "chat", Accept: "text/event-stream", Body: []byte(`{"a":1}`)}

// exchangeOnce performs the call and reads the whole answer.
func exchangeOnce(ctx context.Context, c *Client, call Call) (string, error) {
	answer, err := c.Do(ctx, call, func(agentclient.Piece) {})
	if err != nil {
		return "", err
	}
	defer answer.Close()
	body, err := io.ReadAll(answer)
	return string(body), err
}

func failed(t *testing.T, err error) *retrypolicy.Failure {
	t.Helper()
	var f *retrypolicy.Failure
	if !errors.As(err, &f) {
		t.Fatalf("error %v (%T), want a Failure", err, err)
	}
	return f
}

func TestAnswers(t *testing.T) {
	page := "<html><head><title>Wrong\n place</title></head><body>" + strings.Repeat("<p>no</p>", 4500)
	html := "Content-Type: text/html\r\n"
	for _, c := range []struct {
		name      string
		answer    func(c *net.TCPConn)
		condition retrypolicy.Condition
		status    int
		message   string // a part of it
	}{
		{"81_521_with_40_kB_of_html", func(c *net.TCPConn) { wiretest.Respond(c, 521, html, page) }, "", 521, "Wrong place"},
		{"71_404_html", func(c *net.TCPConn) { wiretest.Respond(c, 404, html, page) }, "", 404, "Wrong place"},
		{"W1_200_html", func(c *net.TCPConn) { wiretest.Respond(c, 200, html, page) }, retrypolicy.CondNotAnAgent, 0, "a web page: Wrong place"},
		{"W1_200_html_by_its_look", func(c *net.TCPConn) { wiretest.Respond(c, 200, "", "\n"+page) }, retrypolicy.CondNotAnAgent, 0, "Wrong place"},
		{"W1_204", func(c *net.TCPConn) { wiretest.Write(c, "HTTP/1.1 204 No Content\r\n\r\n") }, retrypolicy.CondEmpty, 204, "204"},
		{"W1_empty_body", func(c *net.TCPConn) { wiretest.Respond(c, 200, "", "") }, retrypolicy.CondEmpty, 0, "empty body"},
		{"W1_empty_lines_only", func(c *net.TCPConn) { wiretest.Respond(c, 200, "", "\r\n\n\n") }, retrypolicy.CondEmpty, 0, "empty body"},
		{"W1_202", func(c *net.TCPConn) { wiretest.Respond(c, 202, "", "ok") }, retrypolicy.CondNotAnAgent, 202, "202"},
		{"W1_200_plain_text", func(c *net.TCPConn) { wiretest.Respond(c, 200, "Content-Type: text/plain\r\n", "Welcome") }, retrypolicy.CondNotAnAgent, 0, "text/plain"},
		{"71_banner", func(c *net.TCPConn) { wiretest.Write(c, "SSH-2.0-OpenSSH_9.9\r\n") }, retrypolicy.CondNotAnAgent, 0, "does not speak HTTP"},
		{"W2_endless_headers", func(c *net.TCPConn) {
			wiretest.Write(c, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 2<<20)+"\r\n\r\n")
		}, retrypolicy.CondNotAnAgent, 0, "longer than 1 MB"},
		{"91_closed_before_an_answer", func(*net.TCPConn) {}, retrypolicy.CondConnect, 0, "ended early"},
		{"91_reset", wiretest.Reset, retrypolicy.CondConnect, 0, "broke: reset by the other side"},
		{"91_half_a_head", func(c *net.TCPConn) { wiretest.Write(c, "HTTP/1.1 200 OK\r\nContent-T") }, retrypolicy.CondConnect, 0, "broke"},
		{"91_gzip_though_identity", func(c *net.TCPConn) {
			wiretest.Respond(c, 200, "Content-Encoding: gzip\r\nContent-Type: text/event-stream\r\n", "\x1f\x8b\x08")
		}, retrypolicy.CondMalformed, 0, "compressed (gzip)"},
		{"W2_error_body_without_end", func(c *net.TCPConn) {
			wiretest.Write(c, "HTTP/1.1 500 X\r\nContent-Length: 1000000000\r\n\r\n")
			for block := strings.Repeat("x", 1<<16); ; {
				if _, err := io.WriteString(c, block); err != nil {
					return
				}
			}
		}, "", 500, "xxxx"},
		{"429_without_a_body", func(c *net.TCPConn) { wiretest.Respond(c, 429, "Retry-After: 7\r\n", "") }, "", 429, "too many requests"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := wiretest.Start(t, func(_ int, conn *net.TCPConn) { c.answer(conn) })
			_, err := exchangeOnce(t.Context(), client(t, Options{BaseURL: server.URL()}), post)
			f := failed(t, err)
			if f.Condition != c.condition || f.Status != c.status || !strings.Contains(f.Message, c.message) {
				t.Errorf("got %q %d %.200q, want %q %d %q", f.Condition, f.Status, f.Message, c.condition, c.status, c.message)
			}
			if strings.ContainsAny(f.Message, "<>\n") || len(f.Message) > maxMessage {
				t.Errorf("message of %d bytes is not one short line without tags: %.200q", len(f.Message), f.Message)
			}
			if n := len(server.Seen()); n != 1 {
				t.Errorf("the server saw %d requests, want 1", n)
			}
		})
	}
}

func TestRequestAsSent(t *testing.T) {
	server := wiretest.Start(t, func(_ int, c *net.TCPConn) { wiretest.Write(c, wiretest.Head+"data: a\n\n") })
	c := client(t, Options{BaseURL: server.URL() + "/", Headers: map[string]string{"x-team": "blue"}})
	body, err := exchangeOnce(t.Context(), c, post)
	if err != nil || body != "data: a\n\n" {
		t.Fatalf("got %q, %v", body, err)
	}
	seen := server.Seen()[0]
	if seen.Method != "POST" || seen.Path != "/v1/chat" || seen.Body != `{"a":1}` {
		t.Errorf("request %+v", seen)
	}
	for name, want := range map[string]string{"Accept-Encoding": "identity", "X-Team": "blue", "Content-Type": "application/json", "Accept": "text/event-stream"} {
		if got := seen.Header.Values(name); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestFailureCarriesWhatTheServerSaid(t *testing.T) {
	server := wiretest.Start(t, func(_ int, c *net.TCPConn) {
		wiretest.Respond(c, 403, "Retry-After: 7\r\nX-Should-Retry: false\r\nRequest-Id: r9\r\n",
			`{"error":{"message":"key `+canary+` is\n not allowed","type":"perm","code":"c-`+canary+`"}}`)
	})
	_, err := exchangeOnce(t.Context(), client(t, Options{BaseURL: server.URL(), Key: NewSecret(canary), KeyName: "$WORK_KEY"}), post)
	f := failed(t, err)
	if f.Status != 403 || f.Message != "key [redacted] is not allowed" || f.Code != "c-[redacted]" || f.Type != "perm" {
		t.Errorf("failure %+v", f)
	}
	if f.Hint.Wait != 7*time.Second || !f.NoRetry || f.RequestID != "r9" || f.KeyName != "$WORK_KEY" {
		t.Errorf("failure %+v", f)
	}
}

func TestABadKeyIsNamedWhateverTheStatus(t *testing.T) {
	server := wiretest.Start(t, func(_ int, c *net.TCPConn) {
		wiretest.Respond(c, 400, "", `{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}`)
	})
	_, err := exchangeOnce(t.Context(), client(t, Options{BaseURL: server.URL(), KeyName: "$WORK_KEY"}), post)
	if f := failed(t, err); f.KeyName != "$WORK_KEY" || f.Code != "API_KEY_INVALID" || f.Status != 400 {
		t.Errorf("failure %+v", f)
	}
}

func TestRedirectsAreRefused(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		t.Run("W4_"+http.StatusText(status), func(t *testing.T) {
			other := wiretest.Start(t, func(_ int, c *net.TCPConn) { wiretest.Write(c, wiretest.Head) })
			server := wiretest.Start(t, func(_ int, c *net.TCPConn) {
				wiretest.Respond(c, status, "Location: http://bob:pw@"+other.Addr()+"/x?token="+canary+"\r\n", "")
			})
			call := post
			call.Header = http.Header{"Authorization": {"Bearer " + canary}}
			_, err := exchangeOnce(t.Context(), client(t, Options{BaseURL: server.URL(), Key: NewSecret(canary)}), call)
			f := failed(t, err)
			if f.Condition != retrypolicy.CondRedirect || f.Target != "http://"+other.Addr()+"/x" || f.Status != status {
				t.Errorf("failure %+v", f)
			}
			if n := len(other.Seen()); n != 0 {
				t.Errorf("the other host saw %d requests", n)
			}
		})
	}
}

func TestUnreachable(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	_ = listener.Close()
	t.Run("55_refused", func(t *testing.T) {
		_, err := exchangeOnce(t.Context(), client(t, Options{BaseURL: "http://" + addr}), post)
		f := failed(t, err)
		if f.Condition != retrypolicy.CondConnect || f.Target != addr || f.Message != "cannot reach "+addr+": connection refused" {
			t.Errorf("failure %+v", f)
		}
	})
	t.Run("no_such_host", func(t *testing.T) {
		c := client(t, Options{BaseURL: "https://agent.invalid/v1"})
		_, err := exchangeOnce(t.Context(), c, post)
		f := failed(t, err)
		if f.Condition != retrypolicy.CondConnect || f.Target != "agent.invalid:443" {
			t.Errorf("failure %+v", f)
		}
	})
}
