package sandbox

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

const rawPrompt = `{"messages":[{"role":"user","content":"hello"}]}`

// raw returns the body of an answer as it comes.
func raw(t *testing.T, fault string) string {
	t.Helper()
	r, err := http.Post(open(t, Options{Faults: fault}).URL()+"/chat/completions", "application/json", strings.NewReader(rawPrompt))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// What a client must not notice is there all the same.
func TestHarmlessFaultsAreThere(t *testing.T) {
	for fault, c := range map[string]struct{ with, without []string }{
		"ok":        {[]string{"data: {", "\n\n", `"finish_reason":"stop"`, "data: [DONE]\n\n"}, []string{"\r"}},
		"crlf":      {[]string{"}\r\n\r\ndata: ", "data: [DONE]\r\n\r\n"}, []string{"\n\n", "}\n"}},
		"cr":        {[]string{"}\r\rdata: ", "data: [DONE]\r\r"}, []string{"\n"}},
		"loose":     {[]string{"\uFEFFretry: 10\nid: 7\n", "event: message\ndata:{\ndata:\""}, []string{"data: {"}},
		"nodone":    {[]string{`"finish_reason":"stop"`}, []string{"[DONE]"}},
		"nofinish":  {[]string{"data: [DONE]\n\n"}, []string{`"finish_reason":"stop"`}},
		"alive:0.5": {[]string{": still thinking\n\n: still thinking\n\ndata: {", "data: [DONE]\n\n"}, nil},
		"json":      {[]string{`"message":{"content":"## You said`}, []string{"data:", "[DONE]"}},
		"hostile":   {[]string{`\u001b`, "\x9b2J\xff", `\ud800`}, nil},
	} {
		t.Run(fault, func(t *testing.T) {
			body := raw(t, fault)
			for _, part := range c.with {
				if !strings.Contains(body, part) {
					t.Errorf("there is no %q in %.300q", part, body)
				}
			}
			for _, part := range c.without {
				if strings.Contains(body, part) {
					t.Errorf("there is %q in %.300q", part, body)
				}
			}
		})
	}
	t.Run("late", func(t *testing.T) {
		began := time.Now()
		raw(t, "late:0.1")
		if took := time.Since(began); took < 100*time.Millisecond {
			t.Errorf("it came after %v", took)
		}
	})
}

// Each byte is a chunk of its own, and behind a lingering answer nothing ends.
func TestHarmlessFaultsOnTheWire(t *testing.T) {
	for fault, end := range map[string]string{"bytes": "\r\n1\r\nd\r\n1\r\na\r\n1\r\nt\r\n", "linger": "data: [DONE]\n\n\r\n"} {
		t.Run(fault, func(t *testing.T) {
			a := open(t, Options{Faults: fault})
			conn, err := net.Dial("tcp", a.listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			fmt.Fprintf(conn, "POST /v1/chat/completions HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", conn.RemoteAddr(), len(rawPrompt), rawPrompt)
			var seen strings.Builder
			for r := bufio.NewReader(conn); !strings.HasSuffix(seen.String(), end); {
				b, err := r.ReadByte()
				if err != nil {
					t.Fatalf("no %q in %q: %v", end, seen.String(), err)
				}
				seen.WriteByte(b)
			}
			if fault == "bytes" {
				return
			}
			_ = conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
			if n, err := conn.Read(make([]byte, 1)); n != 0 || err == nil || err == io.EOF {
				t.Errorf("behind the answer: %d bytes, %v", n, err)
			}
		})
	}
}
