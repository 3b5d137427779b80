package wire

import (
	"crypto/tls"
	"encoding/binary"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"baton/retrypolicy"
)

// authority writes the server's certificate to a file that ca_file can name.
func authority(t *testing.T, server *httptest.Server) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(file, block, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func secure(t *testing.T, handler http.HandlerFunc) (*httptest.Server, *atomic.Int32) {
	t.Helper()
	var count atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
		handler(w, r)
	}))
	server.Config.ErrorLog = quiet
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	return server, &count
}

func TestCertificates(t *testing.T) {
	server, count := secure(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: "+r.Proto+"\n\n")
	})
	t.Run("W5_untrusted", func(t *testing.T) {
		_, err := exchangeOnce(t.Context(), client(t, Options{BaseURL: server.URL}), post)
		f := failed(t, err)
		if f.Condition != retrypolicy.CondTLS || !strings.Contains(f.Message, "is not trusted") {
			t.Errorf("failure %+v", f)
		}
		if strings.Contains(strings.ToLower(f.Message), "insecure") || strings.Contains(f.Message, "skip") {
			t.Errorf("the message hints at switching checks off: %s", f.Message)
		}
		if count.Load() != 0 {
			t.Error("a request was sent to an untrusted server")
		}
	})
	t.Run("W5_wrong_name", func(t *testing.T) {
		named := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
		_, err := exchangeOnce(t.Context(), client(t, Options{BaseURL: named, CAFile: authority(t, server)}), post)
		if f := failed(t, err); f.Condition != retrypolicy.CondTLS {
			t.Errorf("failure %+v", f)
		}
	})
	t.Run("ca_file_adds_a_root_and_HTTP_2_is_spoken", func(t *testing.T) {
		body, err := exchangeOnce(t.Context(), client(t, Options{BaseURL: server.URL, CAFile: authority(t, server)}), post)
		if err != nil || body != "data: HTTP/2.0\n\n" {
			t.Errorf("got %q, %v", body, err)
		}
	})
	t.Run("https_asked_of_plain_http", func(t *testing.T) {
		plain := httptest.NewServer(http.NotFoundHandler())
		defer plain.Close()
		_, err := exchangeOnce(t.Context(), client(t, Options{BaseURL: "https" + strings.TrimPrefix(plain.URL, "http")}), post)
		if f := failed(t, err); f.Condition != retrypolicy.CondNotAnAgent {
			t.Errorf("failure %+v", f)
		}
	})
}

func TestHTTP2StreamReset(t *testing.T) {
	t.Run("case_91", func(t *testing.T) {
		server, count := secure(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: Hel\n\n")
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler) // net/http sends RST_STREAM
		})
		body, err := exchangeOnce(t.Context(), client(t, Options{BaseURL: server.URL, CAFile: authority(t, server)}), post)
		if f := failed(t, err); f.Condition != retrypolicy.CondConnect || body != "data: Hel\n\n" {
			t.Errorf("got %q, %+v", body, f)
		}
		if count.Load() != 1 {
			t.Errorf("the server saw %d requests, want 1", count.Load())
		}
	})
}

// HTTP/2 frames, RFC 9113 §6.
const (
	frameHeaders  = 1
	frameReset    = 3
	frameSettings = 4
	frameGoAway   = 7
	refusedStream = 7
)

func writeFrame(w io.Writer, kind byte, stream uint32, payload ...byte) {
	head := []byte{0, 0, byte(len(payload)), kind, 0}
	_, _ = w.Write(append(binary.BigEndian.AppendUint32(head, stream), payload...))
}

// awaitHeaders reads frames until a request begins and returns its stream.
func awaitHeaders(r io.Reader) (uint32, error) {
	for {
		var head [9]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return 0, err
		}
		size := int64(head[0])<<16 | int64(head[1])<<8 | int64(head[2])
		if _, err := io.CopyN(io.Discard, r, size); err != nil {
			return 0, err
		}
		if head[3] == frameHeaders {
			return binary.BigEndian.Uint32(head[5:]), nil
		}
	}
}

// A server that says "not processed, send it again" is the case in which HTTP/2 clients
// repeat a request by themselves.
func TestHTTP2NeverReplaysARequest(t *testing.T) {
	for name, answer := range map[string]func(w io.Writer, stream uint32){
		"C8_refused_stream": func(w io.Writer, stream uint32) { writeFrame(w, frameReset, stream, 0, 0, 0, refusedStream) },
		"91_C8_goaway":      func(w io.Writer, _ uint32) { writeFrame(w, frameGoAway, 0, 0, 0, 0, 0, 0, 0, 0, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			server, _ := secure(t, func(http.ResponseWriter, *http.Request) {})
			listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: server.TLS.Certificates, NextProtos: []string{"h2"}})
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			var requests atomic.Int32
			go func() {
				for {
					c, err := listener.Accept()
					if err != nil {
						return
					}
					go refuseStreams(c, &requests, answer)
				}
			}()
			c := client(t, Options{BaseURL: "https://" + listener.Addr().String(), CAFile: authority(t, server)})
			_, err = exchangeOnce(t.Context(), c, post)
			if f := failed(t, err); f.Condition != retrypolicy.CondConnect {
				t.Errorf("failure %+v", f)
			}
			if n := requests.Load(); n != 1 {
				t.Errorf("the server saw %d requests, want 1", n)
			}
		})
	}
}

func refuseStreams(c net.Conn, requests *atomic.Int32, answer func(io.Writer, uint32)) {
	defer c.Close()
	preface := make([]byte, len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
	if _, err := io.ReadFull(c, preface); err != nil {
		return
	}
	writeFrame(c, frameSettings, 0)
	for {
		stream, err := awaitHeaders(c)
		if err != nil {
			return
		}
		requests.Add(1)
		answer(c, stream)
	}
}
