package wire

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A visit knows every step of one request, also of one that was refused.
func TestVisit(t *testing.T) {
	date := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	srv := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", date.Format(http.TimeFormat))
		w.WriteHeader(http.StatusForbidden)
	}))
	defer srv.Close()
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: srv.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := New(Options{BaseURL: srv.URL, CAFile: ca})
	if err != nil {
		t.Fatal(err)
	}
	var v Visit
	before := time.Now()
	if _, err = c.Models(Visiting(t.Context(), &v), "models", nil); err == nil {
		t.Fatal("it was to be refused")
	}
	if v.Status != http.StatusForbidden || !v.Date.Equal(date) || v.Came.Before(before) || v.Connect <= 0 || v.TLS <= 0 || v.FirstByte <= 0 || v.Lookup != 0 {
		t.Errorf("%+v", &v)
	}
	// A name is looked up; one that does not exist ends there.
	c, err = New(Options{BaseURL: strings.Replace(srv.URL, "127.0.0.1", "localhost", 1), CAFile: ca})
	if err != nil {
		t.Fatal(err)
	}
	var named Visit
	_, _ = c.Models(Visiting(t.Context(), &named), "models", nil)
	if named.Lookup <= 0 || named.Connect <= 0 {
		t.Errorf("%+v", &named)
	}
}
