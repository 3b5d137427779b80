package wire

import (
	"bufio"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"baton/retrypolicy"
)

// Answer is a 200 whose body is an event stream or JSON.
type Answer struct {
	Header http.Header
	JSON   bool // the body starts as JSON does, else as an event stream

	status   int
	body     io.ReadCloser
	buffered *bufio.Reader
	hurried  bool // a fixed time is left; bytes renew it no more
	exchange *exchange
}

func (x *exchange) answer(r *http.Response) *Answer {
	a := &Answer{Header: r.Header, status: r.StatusCode, body: r.Body, exchange: x}
	a.buffered = bufio.NewReaderSize(renewing{a}, 32<<10)
	x.watch.idle.start()
	return a
}

// RequestID returns the server's own id of the request, or "".
func (a *Answer) RequestID() string {
	for _, name := range []string{"X-Request-Id", "Request-Id", "Cf-Ray"} {
		if id := a.Header.Get(name); id != "" {
			return a.exchange.client.redactor.Line(id, maxRequestID)
		}
	}
	return ""
}

// Read reads the body. Its errors are io.EOF, *retrypolicy.Failure or the context's.
func (a *Answer) Read(p []byte) (int, error) {
	n, err := a.buffered.Read(p)
	if err != nil && err != io.EOF {
		err = a.exchange.failure(err)
	}
	return n, err
}

// Close ends the exchange; whatever the server still sends is not read.
func (a *Answer) Close() {
	a.exchange.close()
	_ = a.body.Close()
}

// Within ends the exchange after d more, whatever arrives: for what may still follow an
// answer that is already complete, and for bodies that are only looked at.
func (a *Answer) Within(d time.Duration) {
	a.hurried = true
	a.exchange.watch.stop()
	a.exchange.watch.idle.set(d)
	a.exchange.watch.idle.start()
}

// renewing renews the idle limit with every byte of the body.
type renewing struct{ a *Answer }

func (r renewing) Read(p []byte) (int, error) {
	n, err := r.a.body.Read(p)
	if n > 0 && !r.a.hurried {
		r.a.exchange.watch.bodyByte()
	}
	return n, err
}

// judge sorts out every answer that is neither a stream nor JSON.
func (a *Answer) judge() error {
	switch {
	case a.status >= 400:
		return a.refusal()
	case a.status >= 300:
		return a.redirect()
	case a.status == http.StatusNoContent || a.status == http.StatusResetContent:
		return a.Fail(retrypolicy.CondEmpty, "the server answered "+strconv.Itoa(a.status)+" without a body")
	case a.status != http.StatusOK:
		return a.Fail(retrypolicy.CondNotAnAgent, "the server answered with status "+strconv.Itoa(a.status))
	}
	if coding := a.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return a.Fail(retrypolicy.CondMalformed, "the answer is compressed ("+coding+") though that was not asked for")
	}
	return a.sniff()
}

// sniff looks at the first byte that is no line end: what a body starts with says more
// than its content type, which servers and proxies get wrong both ways.
func (a *Answer) sniff() error {
	for {
		first, err := a.buffered.ReadByte()
		switch {
		case err == io.EOF:
			return a.Fail(retrypolicy.CondEmpty, "the server answered with an empty body")
		case err != nil:
			return a.exchange.failure(err)
		case first == '\n' || first == '\r':
			continue
		}
		_ = a.buffered.UnreadByte()
		kind, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type"))
		switch {
		case first == '{' || first == '[':
			a.JSON = true
		case first == '<' || kind == "text/html":
			return a.page()
		case kind == "text/event-stream" || strings.IndexByte("deir:\xEF", first) >= 0 && kind != "application/json":
		default:
			return a.Fail(retrypolicy.CondNotAnAgent, "the answer is neither an event stream nor JSON ("+orElse(kind, "no content type")+")")
		}
		return nil
	}
}

func (a *Answer) page() error {
	title := titleOf(a.head())
	return a.Fail(retrypolicy.CondNotAnAgent, "the server answered with a web page"+prefixed(": ", title))
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// head reads the first part of a body that is only looked at, for a short time.
func (a *Answer) head() []byte {
	a.Within(errorBodyTime)
	head, _ := io.ReadAll(io.LimitReader(a.buffered, MaxErrorBody)) // the status says enough when the rest is missing
	return head
}

// ReadAll reads the whole body, at most limit bytes; a longer one is malformed.
func (a *Answer) ReadAll(limit int) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(a, int64(limit)+1))
	if err != nil {
		return nil, err
	}
	if len(body) > limit {
		return nil, a.Malformed(errors.New("the answer is longer than " + strconv.Itoa(limit>>20) + " MB"))
	}
	return body, nil
}
