// Package wiretest runs HTTP servers on loopback that answer with raw bytes, so that a
// test can misbehave in every way a wire can. It must not be imported outside tests.
package wiretest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"
)

// Seen is a request as it arrived.
type Seen struct {
	Method, Path, Query, Body string
	Header                    http.Header
}

// Server answers each request on a connection by calling its answer function.
type Server struct {
	listener net.Listener
	mu       sync.Mutex
	seen     []Seen
	open     []net.Conn
}

// Start runs a server until the test ends. answer gets the request's number, from 1,
// and writes raw bytes; the connection is closed when it returns.
func Start(t testing.TB, answer func(n int, c *net.TCPConn)) *Server {
	t.Helper()
	return StartAt(t, "127.0.0.1:0", answer)
}

// StartAt runs a server at a host:port of the caller's choice.
func StartAt(t testing.TB, addr string, answer func(n int, c *net.TCPConn)) *Server {
	t.Helper()
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{listener: listener}
	var running sync.WaitGroup
	t.Cleanup(func() {
		_ = listener.Close()
		s.mu.Lock()
		for _, c := range s.open {
			_ = c.Close()
		}
		s.mu.Unlock()
		running.Wait()
	})
	running.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			running.Go(func() { s.serve(conn.(*net.TCPConn), answer) })
		}
	})
	return s
}

func (s *Server) serve(conn *net.TCPConn, answer func(int, *net.TCPConn)) {
	defer conn.Close()
	s.mu.Lock()
	s.open = append(s.open, conn)
	s.mu.Unlock()
	request, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return
	}
	s.mu.Lock()
	s.seen = append(s.seen, Seen{request.Method, request.URL.EscapedPath(), request.URL.RawQuery, string(body), request.Header})
	n := len(s.seen)
	s.mu.Unlock()
	answer(n, conn)
}

// Addr returns host:port.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// URL returns the server's base URL, with a version path.
func (s *Server) URL() string { return "http://" + s.Addr() + "/v1" }

// Seen returns the requests so far.
func (s *Server) Seen() []Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

// Head is the head of a 200 that streams events until the connection closes.
const Head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nX-Request-Id: req-1\r\nConnection: close\r\n\r\n"

// Write sends text and ignores that the client may be gone.
func Write(c net.Conn, text string) { _, _ = io.WriteString(c, text) }

// Respond sends a whole answer with its length.
func Respond(c net.Conn, status int, header, body string) {
	Write(c, fmt.Sprintf("HTTP/1.1 %d %s\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n%s", status, http.StatusText(status), header, len(body), body))
}

// Reset ends the connection with a RST.
func Reset(c *net.TCPConn) {
	_ = c.SetLinger(0)
	_ = c.Close()
}

// UntilGone waits until the client has closed its side and reports how long it took; a
// client that stays for 10 s counts as never.
func UntilGone(c net.Conn) time.Duration {
	start := time.Now()
	_ = c.SetReadDeadline(start.Add(10 * time.Second))
	_, _ = io.Copy(io.Discard, c)
	return time.Since(start)
}
