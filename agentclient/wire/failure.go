package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"baton/retrypolicy"
)

// Fail returns a failure with what the head of the answer tells: ids and hints.
func (a *Answer) Fail(condition retrypolicy.Condition, message string) *retrypolicy.Failure {
	f := a.failure(nil)
	f.Condition, f.Message = condition, a.exchange.client.redactor.Line(message, maxMessage)
	if a.status != http.StatusOK {
		f.Status = a.status
	}
	return f
}

// Clean makes a short foreign text (a finish reason) fit to be emitted.
func (a *Answer) Clean(s string) string {
	return a.exchange.client.redactor.Line(s, maxRequestID)
}

// Malformed returns the failure of a body that cannot be decoded.
func (a *Answer) Malformed(err error) *retrypolicy.Failure {
	f := a.Fail(retrypolicy.CondMalformed, undecodable(err))
	f.Err = a.exchange.client.redactor.cause(err)
	return f
}

// undecodable says what is wrong with an event without the decoder's own words, which
// speak of the program's types.
func undecodable(err error) string {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &kind) && kind.Field != "":
		return "an event holds a " + kind.Value + " where something else belongs (" + kind.Field + ")"
	case errors.As(err, &kind), errors.As(err, &syntax), errors.Is(err, io.ErrUnexpectedEOF):
		return "an event is no valid JSON of this protocol"
	}
	return err.Error()
}

// StreamError returns the failure that an error inside a 200 describes; body is the
// JSON that holds it. A code that is a status is reported as the status.
func (a *Answer) StreamError(body []byte) *retrypolicy.Failure {
	f := a.failure(body)
	f.Condition = retrypolicy.CondStreamError
	f.KeyName = a.exchange.client.keyName
	if n, err := strconv.Atoi(f.Code); err == nil && n >= 400 && n <= 599 {
		f.Status = n
	}
	if f.Message == "" {
		f.Message = "the server reported an error inside its answer"
	}
	return f
}

// badKey is what Google says, with a 400, about a key that it does not know.
const badKey = "API_KEY_INVALID"

// refusal is the failure of a 4xx or 5xx.
func (a *Answer) refusal() *retrypolicy.Failure {
	f := a.failure(a.head())
	f.Status = a.status
	if a.status == http.StatusUnauthorized || a.status == http.StatusForbidden || f.Code == badKey {
		f.KeyName = a.exchange.client.keyName
	}
	if f.Message == "" {
		f.Message = strings.ToLower(http.StatusText(a.status))
	}
	return f
}

// redirect names the place an answer pointed to, without what may be secret in it.
func (a *Answer) redirect() *retrypolicy.Failure {
	f := a.Fail(retrypolicy.CondRedirect, "the server redirects, and redirects are not followed")
	target, err := a.exchange.client.base.Parse(a.Header.Get("Location"))
	if err == nil && a.Header.Get("Location") != "" {
		place := url.URL{Scheme: target.Scheme, Host: target.Host, Path: target.Path}
		f.Target = a.exchange.client.redactor.Line(place.String(), maxMessage)
		f.Message = "the server redirects to " + f.Target + ", and redirects are not followed"
	}
	return f
}

func (a *Answer) failure(body []byte) *retrypolicy.Failure {
	said := readError(body)
	status := a.status
	if n, err := strconv.Atoi(said.code); err == nil && status == http.StatusOK {
		status = n // an error inside a 200 may carry its own
	}
	line := func(s string) string { return a.exchange.client.redactor.Line(s, maxMessage) }
	return &retrypolicy.Failure{
		Code: line(said.code), Type: line(said.kind), Message: line(said.message),
		Hint:      retrypolicy.ParseHints(status, a.Header, body, time.Now()),
		NoRetry:   strings.EqualFold(a.Header.Get("X-Should-Retry"), "false"),
		QuotaID:   line(retrypolicy.QuotaIDs(body)),
		RequestID: a.RequestID(),
	}
}

// failure turns an error of the exchange into ctx's error, if ctx ended, or a Failure.
func (x *exchange) failure(err error) error {
	if x.outer.Err() != nil {
		return x.outer.Err()
	}
	f := &retrypolicy.Failure{Err: x.client.redactor.cause(err), Target: orElse(x.link.address(), x.client.hostPort())}
	f.Condition, f.Message = x.describe(err)
	var silent *silence
	if errors.As(context.Cause(x.ctx), &silent) {
		f.Err = silent // not the cancellation it worked through
	}
	f.Message = x.client.redactor.Line(f.Message, maxMessage)
	return f
}

func (x *exchange) describe(err error) (retrypolicy.Condition, string) {
	var silent *silence
	if errors.As(context.Cause(x.ctx), &silent) {
		return silent.condition, silent.Error()
	}
	host := x.client.base.Host
	if why := untrusted(err); why != "" {
		return retrypolicy.CondTLS, "the certificate of " + host + " is not trusted: " + why
	}
	var alert tls.AlertError
	if errors.As(err, &alert) {
		return retrypolicy.CondTLS, host + " refused the TLS handshake: " + alert.Error()
	}
	if why := notHTTP(err); why != "" {
		return retrypolicy.CondNotAnAgent, host + " " + why
	}
	at := orElse(x.link.address(), x.client.hostPort())
	if x.link.stood() {
		return retrypolicy.CondConnect, "the connection to " + at + " broke: " + plainly(err)
	}
	return retrypolicy.CondConnect, "cannot reach " + at + ": " + plainly(err)
}

func untrusted(err error) string {
	var verification *tls.CertificateVerificationError
	if errors.As(err, &verification) {
		return strings.TrimPrefix(verification.Err.Error(), "x509: ")
	}
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	if errors.As(err, &unknown) || errors.As(err, &name) || errors.As(err, &invalid) {
		return strings.TrimPrefix(err.Error(), "x509: ")
	}
	return ""
}

// notHTTP recognises what net/http says, in errors without a type, about a peer that
// speaks something else.
func notHTTP(err error) string {
	var record tls.RecordHeaderError
	text := err.Error()
	switch {
	case errors.As(err, &record), strings.Contains(text, "server gave HTTP response to HTTPS client"):
		return "does not speak TLS"
	case strings.Contains(text, "server response headers exceeded"):
		return "sent headers longer than 1 MB"
	case strings.Contains(text, "malformed HTTP"):
		return "does not speak HTTP"
	case strings.Contains(text, "malformed MIME header line"): // a head that was cut off says it otherwise
		return "sent headers that are not HTTP's"
	}
	return ""
}

// plainly names the common failures of a connection in a person's words.
func plainly(err error) string {
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "no such host"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "reset by the other side"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "it ended early"
	case errors.Is(err, os.ErrDeadlineExceeded):
		return "timed out"
	}
	return err.Error()
}

func (c *Client) hostPort() string {
	if c.base.Port() != "" {
		return c.base.Host
	}
	return net.JoinHostPort(c.base.Hostname(), map[string]string{"http": "80", "https": "443"}[c.base.Scheme])
}
