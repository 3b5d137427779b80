package protocoltest

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"baton/agentclient"
	"baton/agentclient/wire/wiretest"
	"baton/retrypolicy"
)

// repeats are turns in which each failure is of passing nature.
func repeats(t *testing.T, p Protocol) {
	short := Settings{Timeouts: agentclient.Timeouts{FirstByte: time.Minute, Idle: 100 * time.Millisecond}}
	page := "<!doctype html><html><head><title>Web server\n is down</title></head><body>" + strings.Repeat("<p>Sorry.</p>", 3200)
	hel := p.Stream.Text("Hel")
	for name, c := range map[string]struct {
		fails func(*net.TCPConn)
		kind  retrypolicy.Kind
		text  string // what the failed attempt shows
	}{
		"48_closed_though_kept_alive": {says("HTTP/1.1 500 X\r\nContent-Length: 2\r\n\r\n{}"), retrypolicy.Server, ""},
		"48_closed_before_an_answer":  {says(""), retrypolicy.Network, ""},
		"49_503":                      {responds(503, "", ""), retrypolicy.Overloaded, ""},
		"68_filter_as_500":            {responds(500, "", "The content_filter has blocked this"), retrypolicy.Server, ""},
		"73_error_event":              {p.body(hel, p.Stream.Error(retrypolicy.Overloaded, "overloaded")), retrypolicy.Overloaded, "Hel"},
		"76_clean_close":              {p.body(hel), retrypolicy.Truncated, "Hel"},
		"80_nothing":                  {says(p.head() + p.whole(Done)), retrypolicy.Empty, ""},
		"80_zero_bytes":               {says(p.head()), retrypolicy.Empty, ""},
		"81_521_page":                 {responds(521, "Content-Type: text/html\r\n", page), retrypolicy.Server, ""},
		"88_text_then_silence":        {func(c *net.TCPConn) { p.body(hel)(c); wiretest.UntilGone(c) }, retrypolicy.Timeout, "Hel"},
		"91_half_an_event":            {p.body(hel, hel[:10]), retrypolicy.Truncated, "Hel"},
		"91_length_too_long":          {says(p.headWith("Content-Length: 60000\r\n") + p.Stream.Begin(used) + hel), retrypolicy.Network, "Hel"},
		"91_gzip":                     {responds(200, "Content-Encoding: gzip\r\n", "\x1f\x8b\x08"), retrypolicy.Malformed, ""},
	} {
		t.Run(name+"_then_an_answer", func(t *testing.T) {
			t.Parallel()
			told := p.turn(t, short, quickly(), c.fails, p.greets())
			told.answering(t, c.text, "Hello")
			if len(told.scheduled) != 1 || told.scheduled[0].Cause.Kind != c.kind {
				t.Errorf("planned %+v, want one retry for %s", told.scheduled, c.kind)
			}
		})
		t.Run(name+"_for_ever", func(t *testing.T) {
			t.Parallel()
			p.turn(t, short, quickly(), c.fails).failing(t, retrypolicy.TurnAttempts, c.kind, true)
		})
	}
	others(t, p, short)
}

// others are turns that go on for other reasons than a second answer.
func others(t *testing.T, p Protocol, short Settings) {
	hel := p.Stream.Text("Hel")
	t.Run("93_cut_then_whole", func(t *testing.T) {
		whole := says(p.head() + p.whole(Done, p.Stream.Text("ABC"), p.Stream.Text("DEF")))
		p.turn(t, Settings{}, quickly(), p.body(p.Stream.Text("ABC")), whole).answering(t, "ABC", "ABCDEF")
	})
	t.Run("78_cut_by_the_limit", func(t *testing.T) {
		told := p.turn(t, Settings{}, quickly(), says(p.head()+p.whole(Length, hel)))
		if told.answering(t, "Hel"); told.ready == nil || !told.ready.Finish.Cut {
			t.Errorf("%+v", told.ready)
		}
	})
	for _, attempts := range []int{1, 2, 12} {
		t.Run(fmt.Sprintf("50_%d_attempts", attempts), func(t *testing.T) {
			turn := quickly()
			turn.Policy.Attempts = attempts
			p.turn(t, Settings{}, turn, responds(503, "", "")).failing(t, attempts, retrypolicy.Overloaded, true)
		})
	}
	t.Run("87_the_turn_has_a_limit", func(t *testing.T) {
		if p.Stream.Alive == "" {
			return // nothing keeps such a stream alive
		}
		turn := quickly()
		turn.Limit = 300 * time.Millisecond
		p.turn(t, short, turn, func(c *net.TCPConn) {
			p.body()(c)
			for range 1000 { // it would go on for 5 s
				time.Sleep(5 * time.Millisecond)
				if _, err := c.Write([]byte(p.Stream.Alive)); err != nil {
					return // the client has gone
				}
			}
		}).failing(t, 1, retrypolicy.Timeout, false)
	})
	t.Run("55_refused_three_times", p.refusedThreeTimes)
}

// refusedThreeTimes starts the server only when the third connection was refused.
func (p Protocol) refusedThreeTimes(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	_ = listener.Close()
	agent, err := p.Open(Settings{BaseURL: "http://" + addr + p.Base, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	turn := quickly()
	turn.Policy.Classify = func(err error, wait time.Duration) retrypolicy.Verdict {
		if refused++; refused == 3 {
			wiretest.StartAt(t, addr, func(_ int, c *net.TCPConn) { p.greets()(c) })
		}
		return retrypolicy.Classify(err, wait)
	}
	told := hear(t, agent, turn)
	told.answering(t, "", "", "", "Hello")
	for _, s := range told.scheduled {
		if s.Cause.Kind != retrypolicy.Network || !strings.Contains(s.Cause.Message, "cannot reach "+addr) {
			t.Errorf("planned %+v", s.Cause)
		}
	}
}
