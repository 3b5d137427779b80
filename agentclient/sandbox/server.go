// Package sandbox is the embedded agent: an HTTP server on loopback that speaks chat
// completions, answers from a script and fails on demand, reached through the very
// client that reaches real servers. It must not touch the network beyond its listener,
// ask for a key, or be told apart by the code that runs turns.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Options describe the server. The zero value is good for everyday use.
type Options struct {
	Addr   string // host:port to listen on; default 127.0.0.1:0
	Remote bool   // allow an address beyond loopback, and any Host header

	// Tables answers prompts that mention keys, queue, retry or help, in Markdown; ""
	// or nil falls back to the echo.
	Tables func(topic string) string
	Faults string        // armed at the start, see ParseFaults
	Pace   time.Duration // between words; 0 is a human pace, negative none
}

// Server is a sandbox. It is safe for concurrent use.
type Server struct {
	options Options
	count   atomic.Int64 // of requests, for their ids

	mu       sync.Mutex
	armed    []Fault
	scripts  scripts
	listener net.Listener // nil until it listens
	http     *http.Server
	stop     context.CancelFunc
	closed   bool
}

// ErrNotLoopback says that an address can be reached from other machines, or might be.
var ErrNotLoopback = errors.New("not on this machine's loopback")

// Start listens and serves until Close. Errors are ErrNotLoopback for an address beyond
// loopback without Remote, a *net.AddrError for one that is none, a *net.OpError for one
// that cannot be listened on, and a fault that does not exist.
func Start(o Options) (*Server, error) {
	s, err := prepare(o)
	if err != nil {
		return nil, err
	}
	if err := s.listen(); err != nil {
		return nil, err
	}
	return s, nil
}

// prepare makes a server that does not listen yet.
func prepare(o Options) (*Server, error) {
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	host, _, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return nil, fmt.Errorf("sandbox address: %w", err)
	}
	if !o.Remote && !local(host) {
		return nil, fmt.Errorf("sandbox address %s: %w", o.Addr, ErrNotLoopback)
	}
	faults, err := ParseFaults(o.Faults)
	if err != nil {
		return nil, err
	}
	return &Server{options: o, armed: faults}, nil
}

// listen serves until Close, once however often it is called.
func (s *Server) listen() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listener != nil {
		return nil
	}
	if s.closed {
		return fmt.Errorf("start sandbox: %w", net.ErrClosed)
	}
	listener, err := net.Listen("tcp", s.options.Addr)
	if err != nil {
		return fmt.Errorf("start sandbox: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s.listener, s.stop = listener, stop
	s.http = &http.Server{
		Handler:           s.routes(),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          log.New(io.Discard, "", 0), // it may share a terminal with the screen
		ReadHeaderTimeout: 10 * time.Second,
	}
	go func() { _ = s.http.Serve(listener) }() // ends with Close
	return nil
}

// URL returns the base URL for a client on this machine.
func (s *Server) URL() string {
	addr := s.listener.Addr().String()
	if host, port, err := net.SplitHostPort(addr); err == nil && net.ParseIP(host).IsUnspecified() {
		addr = net.JoinHostPort("127.0.0.1", port) // every address is ours, so this one is
	}
	return "http://" + addr + "/v1"
}

// Close ends the server and every answer under way. It may be called more than once.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	listens := s.listener != nil
	s.mu.Unlock()
	if !listens {
		return nil
	}
	s.stop()
	if err := s.http.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("stop sandbox: %w", err)
	}
	return nil
}

// Arm gives the next requests the listed faults, behind those armed already.
func (s *Server) Arm(list string) error {
	faults, err := ParseFaults(list)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.armed)+len(faults) > MaxArmed {
		return fmt.Errorf("too many faults: %d at most, %d are armed", MaxArmed, len(s.armed))
	}
	s.armed = append(s.armed, faults...)
	return nil
}

// Armed returns how many requests are still to fail, or to be let through by ok.
func (s *Server) Armed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.armed)
}

func (s *Server) next() Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.armed) == 0 {
		return fine
	}
	fault := s.armed[0]
	s.armed = s.armed[1:]
	return fault
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", s.models)
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.hostIsOurs(r.Host) {
			refuse(w, http.StatusMisdirectedRequest, "this sandbox answers to its own address only", "wrong_host")
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// hostIsOurs refuses names that somebody else made point at this machine: a web page
// could reach a loopback server that way.
func (s *Server) hostIsOurs(host string) bool {
	if s.options.Remote {
		return true
	}
	name, port, err := net.SplitHostPort(host)
	_, ours, _ := net.SplitHostPort(s.listener.Addr().String())
	return err == nil && port == ours && local(name)
}

func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
