package wire

import (
	"context"
	"net/http/httptrace"
	"strings"
	"testing"

	"baton/agentclient"
)

// TestPanicOfARequest: a panic on the goroutine of a request comes out on that of its turn,
// with the place where it began.
func TestPanicOfARequest(t *testing.T) {
	ctx := httptrace.WithClientTrace(context.Background(), &httptrace.ClientTrace{GetConn: func(string) { boom() }})
	defer func() {
		from, ok := recover().(interface{ Origin() (any, []byte) })
		if !ok {
			t.Fatal("nothing came out")
		}
		if v, stack := from.Origin(); v != "boom" || !strings.Contains(string(stack), "wire.boom(") {
			t.Errorf("%v\n%s", v, stack)
		}
	}()
	_, _ = client(t, Options{BaseURL: "http://127.0.0.1:1"}).Do(ctx, post, func(agentclient.Piece) {})
}

//go:noinline
func boom() { panic("boom") }
