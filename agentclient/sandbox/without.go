package sandbox

import (
	"compress/gzip"
	"context"
	"net"
	"net/http"
	"strings"
	"time"
)

// answerWithout deals with the faults that send no stream of ours; it reports whether
// the request is dealt with.
func answerWithout(ctx context.Context, w http.ResponseWriter, f Fault) bool {
	switch f.Kind {
	case "status":
		status(w, f)
	case "blank":
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Content-Length", "0")
		w.WriteHeader(http.StatusOK)
	case "html":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><title>Sign in to the network</title><h1>Welcome</h1>" + strings.Repeat("<p>Please sign in.</p>", 100)))
	case "plain":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte("It works!\n"))
	case "gzip":
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write([]byte("data: [DONE]\n\n"))
		_ = z.Close() // a client that is gone hears nothing
	case "mute":
		<-ctx.Done()
	case "close":
		take(w, func(net.Conn) {})
	case "banner":
		take(w, func(c net.Conn) { _, _ = c.Write([]byte("SSH-2.0-sandbox\r\n")) })
	case "trickle":
		take(w, func(c net.Conn) { trickle(ctx, c) })
	case "late":
		return !wait(ctx, f.Wait)
	default:
		return false
	}
	return true
}

// trickle writes headers for as long as anybody listens.
func trickle(ctx context.Context, c net.Conn) {
	const pause, header = 10 * time.Millisecond, "X-More: to come\r\n"
	_, err := c.Write([]byte("HTTP/1.1 200 OK\r\n"))
	for i := 0; err == nil && wait(ctx, pause); i++ {
		_, err = c.Write([]byte{header[i%len(header)]})
	}
}

// take hands the connection over and closes it afterwards.
func take(w http.ResponseWriter, use func(net.Conn)) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // no connection to take over: cut it the plain way
	}
	use(conn)
	_ = conn.Close()
}

// abort ends the connection with a RST instead of an end.
func abort(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
}

func wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
