package wire

import (
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"baton/agentclient"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

// followed follows an answer of raw bytes: "whole" completes it, "end" ends it.
func followed(t *testing.T, lenient bool, write func(c *net.TCPConn)) (got string, alive int, err error) {
	t.Helper()
	server := wiretest.Start(t, func(_ int, c *net.TCPConn) { write(c) })
	answer, err := client(t, Options{BaseURL: server.URL()}).Do(t.Context(), post, func(agentclient.Piece) {})
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Close()
	r := answer.Relay(func(p agentclient.Piece) {
		if p.Alive {
			alive++
		}
	})
	err = r.Follow(lenient, func(name string, event []byte) (bool, error) {
		data := string(event)
		got += name + "=" + data + " "
		if data == "whole" {
			r.Complete()
		}
		if data == "bad" {
			return false, errBad
		}
		return data == "end", nil
	})
	return got, alive, err
}

var errBad = errors.New("bad")

func TestFollow(t *testing.T) {
	for _, c := range []struct {
		name, body, got string
		lenient         bool
		condition       retrypolicy.Condition // none: it ends well
	}{
		{"ended", "event: a\ndata: 1\n\ndata:  2 \n\ndata: end\n\ndata: 3\n\n", "a=1 =2 =end ", false, ""},
		{"76_broke_off", "data: 1\n\n", "=1 ", false, retrypolicy.CondTruncated},
		{"76_whole_without_an_end", "data: whole\n\ndata: 2\n\n", "=whole =2 ", false, ""},
		{"lenient", "data: 1\n\n", "=1 ", true, ""},
		{"73_bare_error", "data: 1\n\n{\n  \"error\": {\n    \"code\": 503\n  }\n}\n", "=1 ", false, retrypolicy.CondStreamError},
		{"73_bare_error_behind_the_finish", "data: whole\n\n{\"error\":{\"code\":503}}", "=whole ", true, retrypolicy.CondStreamError},
		{"73_bare_error_before_more", "{\"error\":{\"code\":503}}\n\ndata: end\n\n", "", true, retrypolicy.CondStreamError},
		{"bare_json_of_another_kind", "data: 1\n\n{\"ok\":1}\n\n{\"half\":\n\ndata: end\n\n", "=1 =end ", false, ""},
		{"W2_too_long", "data: " + strings.Repeat("x", MaxEvent+1), "", true, retrypolicy.CondMalformed},
		{"W2_too_long_but_whole", "data: whole\n\ndata: " + strings.Repeat("x", MaxEvent+1), "=whole ", false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, err := followed(t, c.lenient, func(conn *net.TCPConn) { wiretest.Write(conn, wiretest.Head+c.body) })
			if got != c.got {
				t.Errorf("got %q, want %q", got, c.got)
			}
			if c.condition == "" {
				if err != nil {
					t.Error(err)
				}
			} else if f := failed(t, err); f.Condition != c.condition {
				t.Errorf("condition %q, want %q", f.Condition, c.condition)
			}
		})
	}
	t.Run("87_signs_of_life", func(t *testing.T) {
		got, alive, err := followed(t, false, func(c *net.TCPConn) { wiretest.Write(c, wiretest.Head+": hi\n\ndata:\n\ndata: end\n\n") })
		if got != "=end " || alive != 2 || err != nil {
			t.Errorf("got %q, %d signs of life, %v", got, alive, err)
		}
	})
	t.Run("an_error_of_take_ends_it", func(t *testing.T) {
		if _, _, err := followed(t, true, func(c *net.TCPConn) { wiretest.Write(c, wiretest.Head+"data: bad\n\ndata: end\n\n") }); err != errBad {
			t.Errorf("error %v", err)
		}
	})
	t.Run("91_lenient_is_about_clean_ends_only", func(t *testing.T) {
		_, _, err := followed(t, true, func(c *net.TCPConn) {
			wiretest.Write(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 99\r\n\r\ndata: 1\n\n")
		})
		if f := failed(t, err); f.Condition != retrypolicy.CondConnect {
			t.Errorf("condition %q", f.Condition)
		}
	})
}

func TestTheEpilogueIsShort(t *testing.T) {
	gone := make(chan time.Duration, 1)
	_, _, err := followed(t, false, func(c *net.TCPConn) {
		wiretest.Write(c, wiretest.Head+"data: whole\n\n")
		gone <- wiretest.UntilGone(c)
	})
	if err != nil {
		t.Error(err)
	}
	if after := <-gone; after > afterFinish+2*time.Second {
		t.Errorf("the connection stayed open for %v", after)
	}
}

func TestQuery(t *testing.T) {
	server := wiretest.Start(t, func(_ int, c *net.TCPConn) { wiretest.Respond(c, 200, "", `{"data":[]}`) })
	names, err := client(t, Options{BaseURL: server.URL()}).List(t.Context(), Call{Path: "a%2Fb", Query: "x=1&y=%20"}, func([]byte) ([]string, error) {
		return []string{"n"}, nil
	})
	if err != nil || len(names) != 1 {
		t.Errorf("got %q, %v", names, err)
	}
	if s := server.Seen()[0]; s.Path != "/v1/a%2Fb" || s.Query != "x=1&y=%20" {
		t.Errorf("request %s?%s", s.Path, s.Query)
	}
}
