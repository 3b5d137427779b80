package wire

import (
	"net"
	"slices"
	"strings"
	"testing"

	"baton/agentclient/wire/wiretest"
)

func TestModels(t *testing.T) {
	page := func(n int) string { return `{"data":[]` + strings.Repeat(" ", n-len(`{"data":[]}`)) + `}` }
	for _, c := range []struct {
		name   string
		status int
		body   string
		want   []string
		err    string
	}{
		{"by_id", 200, `{"object":"list","data":[{"id":"b"},{"id":"a","name":"A"},{"id":""}]}`, []string{"b", "a"}, ""},
		{"by_name", 200, `{"models":[{"name":"b:latest","model":"b"}]}`, []string{"b:latest"}, ""},
		{"bare", 200, `[{"id":"b"},{"id":"a"}]`, []string{"b", "a"}, ""},
		{"bare_empty", 200, `[]`, nil, ""},
		{"empty", 200, `{"data":[]}`, nil, ""},
		{"other_json", 200, `{"ok":true}`, nil, "no list of models"},
		{"undecodable", 200, `{"data":[`, nil, "list models: "},
		{"refused", 401, `{"error":{"message":"no key"}}`, nil, "no key"},
		{"page", 200, `<html><title>Hi</title>`, nil, "web page"},
		{"limit", 200, page(maxModels), nil, ""},
		{"limit+1", 200, page(maxModels + 1), nil, "longer than 4 MB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := wiretest.Start(t, func(_ int, conn *net.TCPConn) { wiretest.Respond(conn, c.status, "", c.body) })
			got, err := client(t, Options{BaseURL: server.URL()}).Models(t.Context(), "models", Bearer(NewSecret("k-0123456")))
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("error %v, want %q", err, c.err)
			}
			if s := server.Seen()[0]; s.Method != "GET" || s.Path != "/v1/models" || s.Header.Get("Authorization") != "Bearer k-0123456" {
				t.Errorf("request %+v", s)
			}
		})
	}
}

func TestBearerWithoutAKey(t *testing.T) {
	if h := Bearer(Secret{}); h != nil {
		t.Errorf("header %v", h)
	}
}
