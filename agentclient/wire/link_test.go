package wire

import (
	"io"
	"net"
	"testing"
	"testing/synctest"
)

func TestReadsWaitForTheFirstWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		defer far.Close()
		c := &speakFirst{Conn: near, spoke: make(chan struct{})}
		got := make(chan byte, 1)
		go func() {
			var b [1]byte
			_, _ = io.ReadFull(c, b[:])
			got <- b[0]
		}()
		go func() {
			_, _ = far.Write([]byte("S")) // a banner, before any request
			_, _ = io.Copy(io.Discard, far)
		}()
		synctest.Wait()
		select {
		case <-got:
			t.Fatal("a read returned before anything was written")
		default:
		}
		_, _ = c.Write([]byte("GET"))
		if b := <-got; b != 'S' {
			t.Errorf("read %q", b)
		}
		_ = c.Close()
	})
}

func TestClosingFreesAWaitingRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		defer far.Close()
		c := &speakFirst{Conn: near, spoke: make(chan struct{})}
		done := make(chan error, 1)
		go func() {
			_, err := c.Read(make([]byte, 1))
			done <- err
		}()
		synctest.Wait()
		_ = c.Close()
		if <-done == nil {
			t.Error("no error from a closed connection")
		}
	})
}

func TestOneDialOnly(t *testing.T) {
	l := &link{}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	defer l.close()
	if _, err := l.dial(t.Context(), "tcp", listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.dial(t.Context(), "tcp", listener.Addr().String()); err != errSecondDial {
		t.Errorf("C8: a second dial returned %v", err)
	}
}
