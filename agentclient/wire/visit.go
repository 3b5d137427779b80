package wire

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"
)

// Visit is what one request met on its way, for those who look into a connection. Read it
// when the request is over.
type Visit struct {
	// Lookup, Connect, TLS and FirstByte are how long each took, one behind the other; 0
	// where it was not needed or not reached. FirstByte counts from the request.
	Lookup, Connect, TLS, FirstByte time.Duration
	Status                          int       // of the answer; 0 when none came
	Date                            time.Time // the server's clock (RFC 9110 §6.6.1); zero when it told none
	Came                            time.Time // when the answer's head was there, by our clock

	mu                                   sync.Mutex // dials may race each other
	lookedUp, connecting, shaking, asked time.Time
}

type visiting struct{}

// Visiting lets v know what the requests under this context meet. It is meant for one.
func Visiting(ctx context.Context, v *Visit) context.Context {
	at := func(f func(now time.Time)) {
		v.mu.Lock()
		defer v.mu.Unlock()
		f(time.Now())
	}
	return httptrace.WithClientTrace(context.WithValue(ctx, visiting{}, v), &httptrace.ClientTrace{
		DNSStart: func(httptrace.DNSStartInfo) { at(func(now time.Time) { v.lookedUp = now }) },
		DNSDone:  func(httptrace.DNSDoneInfo) { at(func(now time.Time) { v.Lookup = since(v.lookedUp, now) }) },
		ConnectStart: func(string, string) {
			at(func(now time.Time) {
				if v.connecting.IsZero() { // a second address may be tried beside the first
					v.connecting = now
				}
			})
		},
		ConnectDone: func(_, _ string, err error) {
			at(func(now time.Time) {
				if err == nil {
					v.Connect = since(v.connecting, now)
				}
			})
		},
		TLSHandshakeStart: func() { at(func(now time.Time) { v.shaking = now }) },
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			at(func(now time.Time) {
				if err == nil {
					v.TLS = since(v.shaking, now)
				}
			})
		},
		WroteRequest:         func(httptrace.WroteRequestInfo) { at(func(now time.Time) { v.asked = now }) },
		GotFirstResponseByte: func() { at(func(now time.Time) { v.FirstByte = since(v.asked, now) }) },
	})
}

// since is how long it is from a to now, at least a nanosecond: it did happen.
func since(a, now time.Time) time.Duration {
	if a.IsZero() {
		return 0
	}
	return max(now.Sub(a), 1)
}

// visited notes the head of an answer.
func visited(ctx context.Context, r *http.Response) {
	v, ok := ctx.Value(visiting{}).(*Visit)
	if !ok {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.Status, v.Came = r.StatusCode, time.Now()
	if date, err := http.ParseTime(r.Header.Get("Date")); err == nil {
		v.Date = date
	}
}
