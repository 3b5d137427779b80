package wire

import (
	"context"
	"errors"
	"net"
	"sync"
)

var errSecondDial = errors.New("a request has one connection")

// link is the one connection of one exchange. Because it can be dialled once only,
// nothing below it can send a request a second time.
type link struct {
	mu     sync.Mutex
	dialed bool
	closed bool
	addr   string // what was dialled: the server, or a proxy
	conn   net.Conn
}

func (l *link) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	l.mu.Lock()
	if l.dialed {
		l.mu.Unlock()
		return nil, errSecondDial
	}
	l.dialed, l.addr = true, addr
	l.mu.Unlock()

	var d net.Dialer
	raw, err := d.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	conn := &speakFirst{Conn: raw, spoke: make(chan struct{})}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		_ = conn.Close()
		return nil, net.ErrClosed
	}
	l.conn = conn
	return conn, nil
}

// close ends the connection at once, in whatever phase it is.
func (l *link) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	if l.conn != nil {
		_ = l.conn.Close()
	}
}

func (l *link) address() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.addr
}

// stood reports whether there ever was a connection.
func (l *link) stood() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.conn != nil
}

// speakFirst holds reads back until something was written, or the connection ended.
// Bytes that a server sends unasked (the banner of something that is no HTTP server)
// then always count as the answer; else net/http may print them to standard error.
type speakFirst struct {
	net.Conn
	once  sync.Once
	spoke chan struct{}
}

func (c *speakFirst) Read(p []byte) (int, error) {
	<-c.spoke
	return c.Conn.Read(p)
}

func (c *speakFirst) Write(p []byte) (int, error) {
	c.once.Do(func() { close(c.spoke) })
	return c.Conn.Write(p)
}

func (c *speakFirst) Close() error {
	c.once.Do(func() { close(c.spoke) })
	return c.Conn.Close()
}
