package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"baton/agentclient"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

// dribble writes one byte of text at a time until the client is gone.
func dribble(c net.Conn, text string, pause time.Duration) {
	for i := 0; ; i++ {
		if _, err := io.WriteString(c, text[i%len(text):i%len(text)+1]); err != nil {
			return
		}
		time.Sleep(pause)
	}
}

func TestSilences(t *testing.T) {
	const short, long = 150 * time.Millisecond, time.Minute
	for _, c := range []struct {
		name      string
		limits    agentclient.Timeouts
		answer    func(c *net.TCPConn)
		condition retrypolicy.Condition
	}{
		{"88_no_answer", agentclient.Timeouts{FirstByte: short, Idle: long},
			func(c *net.TCPConn) { wiretest.UntilGone(c) }, retrypolicy.CondFirstByteTime},
		{"88_headers_then_silence", agentclient.Timeouts{FirstByte: long, Idle: short},
			func(c *net.TCPConn) { wiretest.Write(c, wiretest.Head); wiretest.UntilGone(c) }, retrypolicy.CondIdleTime},
		{"89_headers_then_no_first_byte", agentclient.Timeouts{FirstByte: short, Idle: long},
			func(c *net.TCPConn) { wiretest.Write(c, wiretest.Head); wiretest.UntilGone(c) }, retrypolicy.CondFirstByteTime},
		{"88_text_then_silence", agentclient.Timeouts{FirstByte: long, Idle: short},
			func(c *net.TCPConn) { wiretest.Write(c, wiretest.Head+"data: Hel\n\n"); wiretest.UntilGone(c) }, retrypolicy.CondIdleTime},
		{"W6_slow_headers", agentclient.Timeouts{FirstByte: short, Idle: short},
			func(c *net.TCPConn) {
				wiretest.Write(c, "HTTP/1.1 200 OK\r\n")
				dribble(c, "X-A: b\r\n", 10*time.Millisecond)
			}, retrypolicy.CondFirstByteTime},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := wiretest.Start(t, func(_ int, conn *net.TCPConn) { c.answer(conn) })
			_, err := exchangeOnce(t.Context(), client(t, Options{BaseURL: server.URL(), Timeouts: c.limits}), post)
			if f := failed(t, err); f.Condition != c.condition {
				t.Errorf("condition %q (%v), want %q", f.Condition, f, c.condition)
			}
			if n := len(server.Seen()); n != 1 {
				t.Errorf("the server saw %d requests, want 1", n)
			}
		})
	}
}

// A listener whose queue is full takes no connection, and none of its own refuses one:
// the closest thing to an address that answers nothing. A TLS client whose server never
// speaks is the portable form of it.
func TestConnectLimit(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go wiretest.UntilGone(c)
		}
	}()
	c := client(t, Options{BaseURL: "https://" + listener.Addr().String(), Timeouts: agentclient.Timeouts{Connect: 150 * time.Millisecond}})
	_, err = exchangeOnce(t.Context(), c, post)
	if f := failed(t, err); f.Condition != retrypolicy.CondConnectTime || f.Target != listener.Addr().String() {
		t.Errorf("failure %+v", f)
	}
}

func TestAnyByteIsALifeSign(t *testing.T) {
	t.Run("87_comments_renew_the_idle_limit", func(t *testing.T) {
		const idle = time.Second
		server := wiretest.Start(t, func(_ int, c *net.TCPConn) {
			wiretest.Write(c, wiretest.Head)
			for range 12 { // twice the limit in all
				wiretest.Write(c, ":\n")
				time.Sleep(idle / 6)
			}
			wiretest.Write(c, "data: x\n\n")
		})
		body, err := exchangeOnce(t.Context(), client(t, Options{BaseURL: server.URL(), Timeouts: agentclient.Timeouts{FirstByte: idle, Idle: idle}}), post)
		if err != nil || !strings.HasSuffix(body, "data: x\n\n") {
			t.Errorf("got %q, %v", body, err)
		}
	})
	t.Run("but_not_once_a_fixed_time_is_left", func(t *testing.T) {
		server := wiretest.Start(t, func(_ int, c *net.TCPConn) {
			wiretest.Write(c, wiretest.Head)
			dribble(c, ":\n", 10*time.Millisecond)
		})
		answer, err := client(t, Options{BaseURL: server.URL()}).Do(t.Context(), post, func(agentclient.Piece) {})
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Close()
		answer.Within(150 * time.Millisecond)
		_, err = io.Copy(io.Discard, io.LimitReader(answer, 500)) // 5 s of dribbling
		if f := failed(t, err); f.Condition != retrypolicy.CondIdleTime {
			t.Errorf("failure %+v", f)
		}
	})
	t.Run("an_error_body_has_a_time_of_its_own", func(t *testing.T) {
		server := wiretest.Start(t, func(_ int, c *net.TCPConn) {
			wiretest.Write(c, "HTTP/1.1 503 X\r\nContent-Length: 99\r\n\r\n{\"half\":")
			_ = c.CloseWrite() // half-closed: the rest never comes
			wiretest.UntilGone(c)
		})
		_, err := exchangeOnce(t.Context(), client(t, Options{BaseURL: server.URL()}), post)
		if f := failed(t, err); f.Status != 503 {
			t.Errorf("failure %+v", f)
		}
	})
}

// The connection must be closed within 100 ms of a cancel; the tests allow a loaded
// machine more, but far less than any limit would take.
func TestCancelClosesTheConnection(t *testing.T) {
	const promptly = 2 * time.Second
	for _, c := range []struct {
		name   string
		answer func(c *net.TCPConn)
	}{
		{"59_waiting_for_headers", func(*net.TCPConn) {}},
		{"59_in_the_headers", func(c *net.TCPConn) { wiretest.Write(c, "HTTP/1.1 200 OK\r\nX-A: ") }},
		{"59_waiting_for_the_first_byte", func(c *net.TCPConn) { wiretest.Write(c, wiretest.Head) }},
		{"59_in_the_stream", func(c *net.TCPConn) { wiretest.Write(c, wiretest.Head+"data: a\n\n") }},
		{"59_in_an_error_body", func(c *net.TCPConn) { wiretest.Write(c, "HTTP/1.1 500 X\r\nContent-Length: 9\r\n\r\n{") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			reached, gone := make(chan struct{}), make(chan time.Duration, 1)
			server := wiretest.Start(t, func(_ int, conn *net.TCPConn) {
				c.answer(conn)
				close(reached)
				gone <- wiretest.UntilGone(conn)
			})
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-reached
				time.Sleep(50 * time.Millisecond) // let the client read what was sent
				cancel()
			}()
			start := time.Now()
			_, err := exchangeOnce(ctx, client(t, Options{BaseURL: server.URL()}), post)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v, want context.Canceled", err)
			}
			if took := time.Since(start); took > promptly {
				t.Errorf("the call returned after %v", took)
			}
			if after := <-gone; after > promptly {
				t.Errorf("the connection stayed open for %v", after)
			}
		})
	}
	t.Run("59_sending", func(t *testing.T) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan time.Duration, 1)
		go func() {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			time.Sleep(100 * time.Millisecond) // the buffers between us fill up, the rest of the body waits
			cancel()
			gone <- wiretest.UntilGone(c)
		}()
		big := post
		big.Body = make([]byte, 32<<20)
		start := time.Now()
		_, err = exchangeOnce(ctx, client(t, Options{BaseURL: "http://" + listener.Addr().String()}), big)
		if !errors.Is(err, context.Canceled) || time.Since(start) > promptly {
			t.Errorf("error %v after %v", err, time.Since(start))
		}
		if after := <-gone; after > promptly {
			t.Errorf("the connection stayed open for %v", after)
		}
	})
	t.Run("59_connecting", func(t *testing.T) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan time.Duration, 1)
		go func() {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			cancel()
			gone <- wiretest.UntilGone(c) // the TLS handshake is never answered
		}()
		_, err = exchangeOnce(ctx, client(t, Options{BaseURL: "https://" + listener.Addr().String()}), post)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want context.Canceled", err)
		}
		if after := <-gone; after > promptly {
			t.Errorf("the connection stayed open for %v", after)
		}
	})
}

func TestPhases(t *testing.T) {
	var heard atomic.Bool
	server := wiretest.Start(t, func(_ int, c *net.TCPConn) {
		for !heard.Load() { // the news must come before any byte of the answer
			time.Sleep(time.Millisecond)
		}
		wiretest.Write(c, wiretest.Head+"data: a\n\n")
	})
	var phases []agentclient.Phase
	answer, err := client(t, Options{BaseURL: server.URL()}).Do(t.Context(), post, func(p agentclient.Piece) {
		phases = append(phases, p.Phase)
		heard.Store(true)
	})
	if err != nil {
		t.Fatal(err)
	}
	answer.Close()
	if len(phases) != 1 || phases[0] != agentclient.Waiting {
		t.Errorf("phases %q, want waiting once", phases)
	}
}
