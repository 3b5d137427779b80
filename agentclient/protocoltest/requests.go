package protocoltest

import (
	"encoding/json"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"baton/agentclient"
	"baton/agentclient/wire"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

// refuses is a server that only looks at requests.
func refuses(t *testing.T) *wiretest.Server {
	t.Helper()
	return wiretest.Start(t, func(_ int, c *net.TCPConn) { wiretest.Respond(c, 500, "", "") })
}

// talk has every role.
var talk = agentclient.Request{Messages: []agentclient.Message{
	{Role: agentclient.User, Text: "one"}, {Role: agentclient.Assistant, Text: "two"}, {Role: agentclient.User, Text: "three"},
}}

// sent returns the requests that one agent makes of r.
func (p Protocol) sent(t *testing.T, s Settings, r agentclient.Request, times int) []wiretest.Seen {
	t.Helper()
	server := refuses(t)
	agent := p.open(t, server, s)
	for range times {
		_, _ = agent.Send(t.Context(), r, silent) // refused
	}
	seen := server.Seen()
	if len(seen) != times {
		t.Fatalf("C8: the server saw %d requests, want %d", len(seen), times)
	}
	return seen
}

func request(t *testing.T, p Protocol) {
	seen := p.sent(t, Settings{System: "be brief", Key: wire.NewSecret(canary)}, talk, 3)
	for _, s := range seen[1:] {
		if diff := cmp.Diff(seen[0], s); diff != "" {
			t.Errorf("C9: equal requests are sent differently: %s", diff)
		}
	}
	first := seen[0]
	if first.Method != "POST" || first.Path != p.Requests.Path || first.Query != p.Requests.Query {
		t.Errorf("request %s %s?%s, want POST %s?%s", first.Method, first.Path, first.Query, p.Requests.Path, p.Requests.Query)
	}
	if got := first.Header.Get(p.Requests.KeyHeader); got != p.Requests.KeyPrefix+canary {
		t.Errorf("header %s: %q", p.Requests.KeyHeader, got)
	}
	if strings.Contains(first.Path+first.Query+first.Body, "canary") {
		t.Error("C15: the key stands outside its header")
	}
	if got := first.Header.Get("Content-Type"); got != "application/json" {
		t.Errorf("content type %q", got)
	}
	sameJSON(t, p.Requests.Talk, first.Body)

	bare := p.sent(t, Settings{}, talk, 1)[0]
	if _, sent := bare.Header[p.Requests.KeyHeader]; sent {
		t.Errorf("a header %s was sent without a key", p.Requests.KeyHeader)
	}
	if strings.Contains(bare.Body, "system") {
		t.Errorf("a system prompt was sent though none is set: %s", bare.Body)
	}
}

func sameJSON(t *testing.T, want, got string) {
	t.Helper()
	var a, b any
	if err := json.Unmarshal([]byte(want), &a); err != nil {
		t.Fatalf("the expected body is not JSON: %v", err)
	}
	if err := json.Unmarshal([]byte(got), &b); err != nil {
		t.Fatalf("the body is not JSON: %v\n%s", err, got)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("the body differs:\n%s", diff)
	}
}

func attachments(t *testing.T, p Protocol) {
	with := func(a ...agentclient.Attachment) agentclient.Request {
		return agentclient.Request{Messages: []agentclient.Message{{Role: agentclient.User, Text: "see", Attachments: a}}}
	}
	t.Run("34_image_and_text", func(t *testing.T) {
		seen := p.sent(t, Settings{}, with(
			agentclient.Attachment{Name: "a b.png", Media: "image/png", Data: []byte{1, 2}},
			agentclient.Attachment{Name: "n.md", Media: "text/markdown; charset=utf-8", Data: []byte("hi")}), 1)
		sameJSON(t, p.Requests.Files, seen[0].Body)
	})
	t.Run("unsendable", func(t *testing.T) {
		server := refuses(t)
		_, err := p.open(t, server, Settings{}).Send(t.Context(), with(agentclient.Attachment{Name: "x.zip", Media: "application/zip", Data: []byte("PK\x00")}), silent)
		if f := failed(t, err, retrypolicy.Invalid); f.Condition != retrypolicy.CondRefusedLocal || !strings.Contains(f.Message, "x.zip") {
			t.Errorf("failure %+v", *f)
		}
		if len(server.Seen()) != 0 {
			t.Error("a request was sent")
		}
	})
}

func models(t *testing.T, p Protocol) {
	refusal, _, _ := p.Errors.Body(401, "no luck today")
	for name, c := range map[string]struct {
		status     int
		body, want string // want: the names, or a part of the error behind "!"
	}{
		"list":         {200, p.Requests.Models("b", "a"), "b a"},
		"none":         {200, p.Requests.Models(), ""},
		"other_json":   {200, `{"ok":true}`, "!no list of models"},
		"refused":      {401, refusal, "!no luck today"},
		"W1_page":      {200, "<html><title>Hi</title>", "!web page"},
		"W2_too_large": {200, p.Requests.Models("a") + strings.Repeat(" ", 5<<20), "!longer than"},
	} {
		t.Run(name, func(t *testing.T) {
			server := wiretest.Start(t, func(_ int, conn *net.TCPConn) { wiretest.Respond(conn, c.status, "", c.body) })
			lister, ok := p.open(t, server, Settings{Key: wire.NewSecret(canary)}).(agentclient.Lister)
			if !ok {
				t.Fatal("the agent lists no models")
			}
			ids, err := lister.Models(t.Context())
			got := strings.Join(ids, " ")
			if err != nil {
				got = "!" + err.Error()
			}
			part, fails := strings.CutPrefix(c.want, "!")
			if fails != (err != nil) || fails && !strings.Contains(got, part) || !fails && got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			seen := server.Seen()
			if len(seen) != 1 || seen[0].Method != "GET" || seen[0].Path != p.Requests.ModelsPath || seen[0].Header.Get(p.Requests.KeyHeader) != p.Requests.KeyPrefix+canary {
				t.Errorf("requests %+v", seen)
			}
		})
	}
}
