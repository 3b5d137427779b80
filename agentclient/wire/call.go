package wire

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"runtime/debug"

	"baton/agentclient"
)

// Call is one request below the base URL.
type Call struct {
	Method string
	Path   string // joined to the base URL's path, escaped: "chat/completions"
	Query  string // of the URL, escaped; never holds a secret
	Accept string
	Header http.Header // set by the protocol, over the configured ones
	Body   []byte      // JSON, or nil
}

// Do performs exactly one request over a connection of its own and judges what came
// back: only a 200 with an event stream or a JSON body is returned, to be closed by the
// caller. Everything else is a *retrypolicy.Failure, or ctx's error when ctx ended; the
// connection is closed at once in both cases. Redirects are not followed, nothing is
// ever sent twice. sink hears, on this goroutine, when the request has been written.
func (c *Client) Do(ctx context.Context, call Call, sink agentclient.Sink) (*Answer, error) {
	x := c.open(ctx)
	response, err := x.roundTrip(c.request(x.ctx, call), sink)
	if err != nil {
		defer x.close()
		return nil, x.failure(err)
	}
	visited(ctx, response)
	answer := x.answer(response)
	if err := answer.judge(); err != nil {
		answer.Close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	return answer, nil
}

// exchange is one request and its answer: a context, a connection, the limits.
type exchange struct {
	client  *Client
	outer   context.Context
	ctx     context.Context
	cancel  context.CancelCauseFunc
	watch   *watch
	link    *link
	written chan struct{}
}

func (c *Client) open(outer context.Context) *exchange {
	ctx, cancel := context.WithCancelCause(outer)
	x := &exchange{client: c, outer: outer, cancel: cancel, link: &link{}, written: make(chan struct{}, 1)}
	x.watch = newWatch(c.timeouts, cancel)
	x.ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { x.watch.connected() },
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			if info.Err == nil {
				x.watch.first.start()
				select {
				case x.written <- struct{}{}:
				default: // told already
				}
			}
		},
	})
	return x
}

// close ends the exchange and its connection. It may be called more than once.
func (x *exchange) close() {
	x.watch.stop()
	x.cancel(context.Canceled)
	x.link.close()
}

func (c *Client) request(ctx context.Context, call Call) *http.Request {
	url := *c.base.JoinPath(call.Path)
	url.RawQuery = call.Query
	request := (&http.Request{
		Method: call.Method, URL: &url, Host: url.Host, Header: c.header.Clone(),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
	for name, values := range call.Header {
		request.Header[name] = values
	}
	request.Header.Set("Accept", call.Accept)
	request.Header.Set("Accept-Encoding", "identity")
	if request.Header.Get("User-Agent") == "" {
		request.Header.Set("User-Agent", "baton")
	}
	if call.Body != nil {
		request.Header.Set("Content-Type", "application/json")
		request.Body = io.NopCloser(bytes.NewReader(call.Body))
		request.ContentLength = int64(len(call.Body))
	}
	request.GetBody = nil // without it neither HTTP/1 nor HTTP/2 can replay the body
	return request
}

// panicked brings a panic to the goroutine of the turn, whose starter gives the terminal back.
type panicked struct {
	value any
	stack []byte
}

// Origin is what the panic began with, and where.
func (p *panicked) Origin() (value any, stack []byte) { return p.value, p.stack }

func (x *exchange) roundTrip(request *http.Request, sink agentclient.Sink) (*http.Response, error) {
	transport := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            x.link.dial,
		TLSClientConfig:        x.client.tls.Clone(),
		ForceAttemptHTTP2:      true,
		DisableCompression:     true,
		DisableKeepAlives:      true,
		MaxResponseHeaderBytes: maxHeaderBytes,
	}
	type result struct {
		response *http.Response
		err      error
		panicked *panicked
	}
	done := make(chan result, 1)
	x.watch.connect.start()
	go func() {
		var r result
		defer func() {
			if v := recover(); v != nil {
				r.panicked = &panicked{v, debug.Stack()}
			}
			done <- r
		}()
		r.response, r.err = transport.RoundTrip(request)
	}()
	tell := func() { sink(agentclient.Piece{Phase: agentclient.Waiting}) }
	for {
		select {
		case <-x.written:
			tell()
		case r := <-done:
			if r.panicked != nil {
				panic(r.panicked)
			}
			select {
			case <-x.written: // both came at once; the order of the news does not change
				tell()
			default:
			}
			return r.response, r.err
		}
	}
}
