package wire

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"baton/agentclient/leaktest"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

var quiet = log.New(io.Discard, "", 0)

// proxySeen receives the requests that go through the proxy all tests share: net/http
// reads the environment once per process. Loopback never goes through it.
var proxySeen = make(chan string, 8)

func TestMain(m *testing.M) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		proxySeen <- r.URL.String()
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: proxied\n\n")
	}))
	for name, value := range map[string]string{"HTTP_PROXY": proxy.URL, "http_proxy": proxy.URL, "HTTPS_PROXY": "", "https_proxy": "", "NO_PROXY": "", "no_proxy": ""} {
		_ = os.Setenv(name, value)
	}
	code := m.Run()
	proxy.Close()
	leaktest.Exit(code)
}

func TestProxyFromTheEnvironment(t *testing.T) {
	body, err := exchangeOnce(t.Context(), client(t, Options{BaseURL: "http://agent.invalid/v1", AllowPlainHTTP: true}), post)
	if err != nil || body != "data: proxied\n\n" {
		t.Fatalf("got %q, %v", body, err)
	}
	if got := <-proxySeen; got != "http://agent.invalid/v1/chat" {
		t.Errorf("the proxy saw %s", got)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	noPEM := filepath.Join(t.TempDir(), "x.pem")
	if err := os.WriteFile(noPEM, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		o    Options
		want string // a part of the error, "" for none
	}{
		{"https", Options{BaseURL: "https://host/v1"}, ""},
		{"loopback_name", Options{BaseURL: "http://localhost:1/v1"}, ""},
		{"loopback_v6", Options{BaseURL: "http://[::1]:1"}, ""},
		{"plain_http", Options{BaseURL: "http://host/v1"}, "plain http"},
		{"plain_http_by_a_lookalike", Options{BaseURL: "http://localhost.evil.example/v1"}, "plain http"},
		{"plain_http_by_number", Options{BaseURL: "http://10.0.0.1/v1"}, "plain http"},
		{"plain_http_allowed", Options{BaseURL: "http://host/v1", AllowPlainHTTP: true}, ""},
		{"no_scheme", Options{BaseURL: "host/v1"}, "must start with"},
		{"no_host", Options{BaseURL: "https:///v1"}, "must start with"},
		{"empty", Options{}, "must start with"},
		{"other_scheme", Options{BaseURL: "file:///etc/passwd"}, "must start with"},
		{"no_url", Options{BaseURL: "https://" + canary + "\x00"}, "not a URL"},
		{"C15_userinfo", Options{BaseURL: "https://bob:" + canary + "@host"}, "user name"},
		{"query", Options{BaseURL: "https://host/?a=1"}, "without ?"},
		{"C15_key_with_newline", Options{BaseURL: "https://host", Key: NewSecret(canary + "\n")}, "the key from the configuration"},
		{"C15_header_with_newline", Options{BaseURL: "https://host", Headers: map[string]string{"A": canary + "\r\nB: c"}}, "header A"},
		{"header_name", Options{BaseURL: "https://host", Headers: map[string]string{"A b": "c"}}, "not a valid"},
		{"header_of_the_transport", Options{BaseURL: "https://host", Headers: map[string]string{"accept-encoding": "gzip"}}, "Accept-Encoding cannot be set"},
		{"no_ca_file", Options{BaseURL: "https://host", CAFile: noPEM + "x"}, "read ca_file"},
		{"bad_ca_file", Options{BaseURL: "https://host", CAFile: noPEM}, "no PEM certificate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := New(c.o)
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), canary) {
				t.Errorf("error %v, want one with %q and no secret", err, c.want)
			}
		})
	}
}

// A transport that pools connections repeats a request by itself when an idle one turns
// out to be closed. Every connection here is closed behind its answer.
func TestHTTP1NeverReplaysARequest(t *testing.T) {
	t.Run("case_48", func(t *testing.T) {
		server := wiretest.Start(t, func(n int, c *net.TCPConn) {
			if n == 1 {
				body := "data: a\n\n"
				wiretest.Write(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9\r\nConnection: keep-alive\r\n\r\n"+body)
			}
		})
		c := client(t, Options{BaseURL: server.URL()})
		if body, err := exchangeOnce(t.Context(), c, post); err != nil || body != "data: a\n\n" {
			t.Fatalf("got %q, %v", body, err)
		}
		for range 3 {
			_, err := exchangeOnce(t.Context(), c, post)
			if f := failed(t, err); f.Condition != retrypolicy.CondConnect {
				t.Errorf("failure %+v", f)
			}
		}
		if n := len(server.Seen()); n != 4 {
			t.Errorf("the server saw %d requests of 4 calls", n)
		}
	})
}

// What a library prints to standard error would land on the screen.
func TestNothingIsLogged(t *testing.T) {
	var printed strings.Builder
	log.SetOutput(&printed)
	defer log.SetOutput(os.Stderr)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			wiretest.Write(c, "220 mail.example ESMTP\r\n") // before any request
			go func() { wiretest.UntilGone(c); _ = c.Close() }()
		}
	}()
	for range 50 {
		_, err := exchangeOnce(t.Context(), client(t, Options{BaseURL: "http://" + listener.Addr().String()}), post)
		if f := failed(t, err); f.Condition != retrypolicy.CondNotAnAgent {
			t.Fatalf("failure %+v", f)
		}
	}
	if printed.Len() > 0 {
		t.Errorf("printed: %s", printed.String())
	}
}
