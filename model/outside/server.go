package outside

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"baton/model/engine"
	"baton/model/owner"
)

// Server takes requests for one running chat. All that is slow or hostile about callers
// stays on its own goroutines; the program sees whole calls and answers without waiting.
type Server struct {
	places  Places
	path    string
	ln      *net.UnixListener
	calls   chan *Call
	closed  chan struct{}
	once    sync.Once
	opening sync.Mutex // held while path and ln come to be
	slots   chan struct{}
	who     func(*net.UnixConn) (uid int, err error)
	told    atomic.Int32 // connections that are being told something

	requestTime, takeTime time.Duration
}

// tries is how many names are tried for a socket whose first name is taken.
const tries = 4

// New prepares a server. Nobody can reach it until Listen.
func New(p Places) *Server {
	return &Server{places: p, calls: make(chan *Call), closed: make(chan struct{}), slots: make(chan struct{}, MaxCallers), who: peer,
		requestTime: RequestTime, takeTime: TakeTime}
}

// Listen makes the socket and serves callers until Close. A socket that a dead process left is removed. It is called at most
// once, from any goroutine; behind Close it does nothing.
func (s *Server) Listen() error {
	s.opening.Lock()
	defer s.opening.Unlock()
	var err error
	for try := 0; try < tries && !s.isClosed(); try++ {
		if err = s.bind(try); err == nil {
			s.start(s.accept)
			s.start(s.sweepLater)
			return nil
		}
	}
	return err
}

func (s *Server) isClosed() bool {
	select {
	case <-s.closed:
		return true
	default:
		return false
	}
}

// sweepAfter is when a chat looks for sockets that dead ones left.
const sweepAfter = time.Second

// sweepLater leaves the start of the program alone.
func (s *Server) sweepLater() {
	later := time.NewTimer(sweepAfter)
	defer later.Stop()
	select {
	case <-later.C:
		s.places.Sweep()
	case <-s.closed:
	}
}

func (s *Server) bind(try int) error {
	path, err := s.places.own(s.places.name(os.Getpid(), try))
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); err == nil && refuses(path) { // it has our number: whoever left it is gone
		_ = os.Remove(path)
	}
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = ln.Close()
		return err
	}
	s.path, s.ln = path, ln
	return nil
}

// Calls are the requests, for the program to take one after the other. It is never closed.
func (s *Server) Calls() <-chan *Call { return s.calls }

// Close ends listening and removes the socket. It waits a moment for what was said last to be written.
func (s *Server) Close() {
	s.once.Do(func() {
		close(s.closed)
		s.opening.Lock()
		defer s.opening.Unlock()
		if s.ln == nil {
			return
		}
		_ = s.ln.Close()
		for end := time.Now().Add(lastWords); s.told.Load() > 0 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		_ = os.Remove(filepath.Dir(s.path)) // if it is empty now
	})
}

const (
	// acceptPause lets a process that has run out of descriptors come to itself.
	acceptPause = 50 * time.Millisecond
	// lastWords is how long a program that ends waits for callers to be told.
	lastWords = 50 * time.Millisecond
)

// start is the only way a goroutine begins here: its panic comes out where the program takes calls, on the goroutine that
// gives the terminal back.
func (s *Server) start(f func()) {
	go func() {
		defer func() {
			if v := recover(); v != nil {
				c := NewCall(Request{})
				c.panicked = &engine.Panic{Value: v, Stack: debug.Stack()}
				select {
				case s.calls <- c:
				case <-s.closed:
				}
			}
		}()
		f()
	}()
}

func (s *Server) accept() {
	for {
		c, err := s.ln.AcceptUnix()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
			select {
			case <-s.closed:
				return
			case <-time.After(acceptPause):
			}
			continue
		}
		if uid, err := s.who(c); err != nil || uid != os.Getuid() {
			_ = c.Close()
			continue
		}
		select {
		case s.slots <- struct{}{}:
			s.start(func() {
				defer func() { <-s.slots }()
				s.serve(c)
			})
		default:
			_ = c.SetDeadline(time.Now().Add(acceptPause))
			_ = writeLine(c, Reply{Version: Version, Kind: Refused, Why: "busy", Text: fmt.Sprintf("%d callers are connected already; try again in a moment", MaxCallers)})
			_ = c.Close()
		}
	}
}

// serve reads one request, hands it to the program and passes the replies on.
func (s *Server) serve(c *net.UnixConn) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(s.requestTime))
	r := bufio.NewReader(c)
	var req Request
	refuse := func(why, text string) {
		_ = writeLine(c, Reply{Version: Version, Kind: Refused, Why: why, Text: text})
	}
	if err := readLine(r, MaxRequest, &req); err != nil {
		refuse("malformed", "the request cannot be read: "+err.Error())
		return
	}
	if req.Version != Version {
		refuse("version", fmt.Sprintf("this chat speaks version %d of the queue's protocol, not %d; both have to be the same baton", Version, req.Version))
		return
	}
	_ = c.SetDeadline(time.Time{})
	call := NewCall(req)
	gone := make(chan struct{})
	s.start(func() { // the caller has nothing more to say: whatever comes, or the end, is its end
		defer close(gone)
		_, _ = r.ReadByte()
	})
	if !s.handOver(call, gone) {
		refuse("silent", "the chat does not answer; nothing was done")
		return
	}
	s.pass(c, call, gone)
}

// handOver gives a call to the program. false says that it was given up and will never be taken.
func (s *Server) handOver(call *Call, gone <-chan struct{}) bool {
	late := time.NewTimer(s.takeTime)
	defer late.Stop()
	calls := s.calls
	for {
		select {
		case calls <- call:
			calls = nil // the program has it, and takes it in its next step
		case <-call.begun:
			return true
		case <-late.C:
			return !call.giveUp()
		case <-gone:
			return !call.giveUp()
		case <-s.closed:
			return !call.giveUp()
		}
	}
}

// pass writes the replies until the last, or until the caller is gone.
func (s *Server) pass(c *net.UnixConn, call *Call, gone <-chan struct{}) {
	s.told.Add(1)
	defer s.told.Add(-1)
	closed := s.closed
	var end <-chan time.Time
	for {
		select {
		case r := <-call.replies:
			_ = c.SetWriteDeadline(time.Now().Add(ReplyTime))
			if writeLine(c, r) != nil || !r.More {
				return
			}
		case <-gone:
			return
		case <-closed: // what was said last may still be on its way
			closed = nil
			end = time.After(lastWords)
		case <-end:
			return
		}
	}
}

// refuses reports whether nobody listens at a socket.
func refuses(path string) bool {
	c, err := net.DialTimeout("unix", path, dialTime)
	if err == nil {
		_ = c.Close()
		return false
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}

// orphaned is how old a socket is that nobody listens at and whose process seems to live: its number was given anew. A
// younger one may be about to be listened at.
const orphaned = time.Minute

// Sweep removes the sockets that dead processes of this machine left.
func (p Places) Sweep() {
	for _, path := range p.sockets() {
		if !p.ours(path) {
			continue
		}
		info, err := os.Lstat(path)
		if err != nil || !owner.Mine(info) || !dead(pidOf(path)) && time.Since(info.ModTime()) <= orphaned {
			continue // a young one of a process that lives is not even called: it would take a caller's place
		}
		if refuses(path) {
			_ = os.Remove(path)
		}
	}
}
