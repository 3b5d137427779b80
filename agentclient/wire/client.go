package wire

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"baton/agentclient"
)

// Options say how to reach one server.
type Options struct {
	BaseURL        string // scheme, host and the path that all calls share
	Key            Secret // never sent to any other origin than BaseURL's
	KeyName        string // where the key came from, for people: "$OPENAI_API_KEY"
	Headers        map[string]string
	Timeouts       agentclient.Timeouts // zero switches a limit off
	CAFile         string               // PEM file with roots trusted beside the system's
	AllowPlainHTTP bool                 // plain http beyond loopback
}

// Client reaches one server. It is safe for concurrent use; every call has a
// connection of its own.
type Client struct {
	base     *url.URL
	header   http.Header
	keyName  string
	timeouts agentclient.Timeouts
	tls      *tls.Config
	redactor *Redactor
	windows  atomic.Pointer[map[string]int] // as the last list of models named them
}

// New checks the options. Its errors are about configuration and name no secret.
func New(o Options) (*Client, error) {
	base, err := parseBase(o.BaseURL, o.AllowPlainHTTP)
	if err != nil {
		return nil, err
	}
	header, secrets, err := checkHeaders(o)
	if err != nil {
		return nil, err
	}
	roots, err := roots(o.CAFile)
	if err != nil {
		return nil, err
	}
	return &Client{
		base: base, header: header, keyName: o.KeyName, timeouts: o.Timeouts,
		redactor: NewRedactor(secrets...),
		tls: &tls.Config{
			MinVersion: tls.VersionTLS12, RootCAs: roots,
			// Every attempt has a new connection; tickets make it cheap.
			ClientSessionCache: tls.NewLRUClientSessionCache(4),
		},
	}, nil
}

// Origin returns scheme://host[:port] of the server.
func (c *Client) Origin() string { return c.base.Scheme + "://" + c.base.Host }

// Host returns the server's host name without its port.
func (c *Client) Host() string { return c.base.Hostname() }

// Redactor returns the redactor that knows this client's secrets.
func (c *Client) Redactor() *Redactor { return c.redactor }

func parseBase(text string, allowPlain bool) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		return nil, errors.New("base_url is not a URL") // the parser's error would repeat it, secrets included
	}
	switch {
	case u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("base_url must start with http:// or https:// and name a host")
	case u.User != nil:
		return nil, errors.New("base_url must not carry a user name or password; use a key or a header")
	case u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("base_url must end with its path, without ? or #")
	case u.Scheme == "http" && !allowPlain && !isLoopback(u.Hostname()):
		return nil, fmt.Errorf("base_url %s is plain http beyond this machine; use https, or allow_plain_http if the network is trusted", u.Host)
	}
	if u.Path == "" {
		u.Path = "/"
	}
	return u, nil
}

func isLoopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// fixedHeaders belong to the transport; setting one by hand would break the framing
// or ask for a compressed stream.
var fixedHeaders = []string{"Host", "Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "Accept-Encoding", "Te", "Trailer", "Expect"}

func checkHeaders(o Options) (http.Header, []string, error) {
	header, secrets := http.Header{}, []string{o.Key.Reveal()}
	for name, value := range o.Headers {
		canonical := http.CanonicalHeaderKey(name)
		switch {
		case !isToken(name):
			return nil, nil, fmt.Errorf("header name %q is not a valid one", name)
		case slices.Contains(fixedHeaders, canonical):
			return nil, nil, fmt.Errorf("header %s cannot be set", canonical)
		case !isFieldValue(value):
			return nil, nil, fmt.Errorf("the value of header %s holds characters that cannot be sent", canonical)
		}
		header.Set(canonical, value)
		if holdsSecret(canonical) {
			_, token, found := strings.Cut(value, " ")
			if found {
				secrets = append(secrets, token)
			}
			secrets = append(secrets, value)
		}
	}
	if !isFieldValue(o.Key.Reveal()) {
		return nil, nil, fmt.Errorf("the key from %s holds characters that cannot be sent", orElse(o.KeyName, "the configuration"))
	}
	return header, secrets, nil
}

func holdsSecret(header string) bool {
	lower := strings.ToLower(header)
	for _, word := range []string{"auth", "key", "token", "secret", "cookie", "password"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// isToken reports whether s is a field name (RFC 9110 §5.1).
func isToken(s string) bool {
	for _, r := range s {
		if r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r) {
			return false
		}
	}
	return s != ""
}

// isFieldValue reports whether s may stand in a field value (RFC 9110 §5.5).
func isFieldValue(s string) bool {
	for _, b := range []byte(s) {
		if b < ' ' && b != '\t' || b == 0x7f {
			return false
		}
	}
	return true
}

func roots(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil // the system's
	}
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read ca_file: %w", err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("ca_file %s holds no PEM certificate", file)
	}
	return pool, nil
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
