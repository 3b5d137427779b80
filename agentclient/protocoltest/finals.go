package protocoltest

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"baton/retrypolicy"
)

// finals are turns that fail at their first request.
func finals(t *testing.T, p Protocol) {
	said := func(status int, message string) func(*net.TCPConn) {
		body, _, _ := p.Errors.Body(status, message)
		return responds(status, "Content-Type: application/json\r\n", body)
	}
	page := "<html><head><title>Not here</title></head><body>" + strings.Repeat("<p>no</p>", 500)
	for name, c := range map[string]struct {
		fails func(*net.TCPConn)
		kind  retrypolicy.Kind
		says  string // a part of message and next step
	}{
		"62_400":               {said(400, "no luck"), retrypolicy.Invalid, "no luck"},
		"62_401":               {said(401, "no luck"), retrypolicy.Auth, "key"},
		"62_402":               {said(402, "no luck"), retrypolicy.Quota, "billing"},
		"62_403":               {said(403, "no luck"), retrypolicy.Auth, "key"},
		"62_404":               {said(404, "no luck"), retrypolicy.Invalid, "check base_url"},
		"62_413":               {said(413, "no luck"), retrypolicy.Invalid, "/new"},
		"62_422":               {said(422, "no luck"), retrypolicy.Invalid, "no luck"},
		"63_current_quota":     {said(429, "You exceeded your current quota, please check your plan and billing details"), retrypolicy.Quota, "billing"},
		"65_402":               {said(402, "Insufficient credits"), retrypolicy.Quota, "Insufficient credits"},
		"66_quota_of_the_day":  {said(429, "You have reached your daily limit of requests"), retrypolicy.Quota, "daily limit"},
		"67_context":           {said(400, "This model's maximum context length is 8192 tokens, your messages are longer"), retrypolicy.ContextOverflow, "/new"},
		"67_400_of_no_words":   {responds(400, "", ""), retrypolicy.Invalid, "/new"},
		"68_refused":           {says(p.head() + p.whole(Refused, p.Stream.Text("Hel"))), retrypolicy.Refused, "rephrase"},
		"71_banner":            {says("SSH-2.0-OpenSSH_9.9\r\n"), retrypolicy.NotAnAgent, "check base_url"},
		"71_404_page":          {responds(404, "Content-Type: text/html\r\n", page), retrypolicy.Invalid, "Not here"},
		"77_cut_after_a_tool":  {p.body(p.Stream.Tool("c1", "ls")), retrypolicy.Truncated, "a tool was active"},
		"78_length_no_text":    {says(p.head() + p.whole(Length)), retrypolicy.Length, "output limit"},
		"W1_page":              {responds(200, "Content-Type: text/html\r\n", page), retrypolicy.NotAnAgent, "Not here"},
		"W4_redirect":          {responds(307, "Location: http://192.0.2.1/x\r\n", ""), retrypolicy.Redirect, "192.0.2.1"},
		"70_503_not_to_repeat": {responds(503, "x-should-retry: false\r\n", ""), retrypolicy.Overloaded, ""},
	} {
		t.Run(name, func(t *testing.T) {
			cause := p.turn(t, Settings{}, quickly(), c.fails, p.greets()).failing(t, 1, c.kind, false)
			if !strings.Contains(cause.Message+" · "+cause.NextStep, c.says) || cause.NextStep == "" {
				t.Errorf("message %q, next step %q, want %q in them", cause.Message, cause.NextStep, c.says)
			}
		})
	}
	for status, repeated := range map[int]bool{
		408: true, 409: false, 425: true, 500: true, 501: false, 502: true, 503: true, 504: true, 520: true, 522: true, 529: true, 599: true,
	} {
		t.Run(fmt.Sprintf("70_%d", status), func(t *testing.T) {
			told := p.turn(t, Settings{}, quickly(), responds(status, "", ""), p.greets())
			if (told.ready != nil) != repeated || (len(told.seen) == 2) != repeated {
				t.Errorf("%d requests, %+v; repeated is to be %t", len(told.seen), told.gave, repeated)
			}
		})
	}
}

// waits are what a server asks for, each with a Date of its own.
func waits(t *testing.T, p Protocol) {
	body, _, _ := p.Errors.Body(429, "slow down")
	now := time.Now().UTC().Truncate(time.Second)
	date := func(d time.Duration) string { return now.Add(d).Format("Mon, 02 Jan 2006 15:04:05 GMT") }
	for name, c := range map[string]struct {
		header      string
		least, most time.Duration // of the wait that is planned
	}{
		"40_seconds":  {"Retry-After: 7", 7 * time.Second, 7500 * time.Millisecond},
		"40_a_minute": {"Retry-After: 60", time.Minute, time.Minute + 500*time.Millisecond},
		"41_date":     {"Retry-After: " + date(4*time.Second), 4 * time.Second, 5 * time.Second},
		"41_past":     {"Retry-After: " + date(-4*time.Second), 0, 2 * time.Millisecond},
		"41_negative": {"Retry-After: -5", 0, 2 * time.Millisecond},
		"41_word":     {"Retry-After: abc", 0, 2 * time.Millisecond},
		"41_empty":    {"Retry-After:", 0, 2 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			answer := responds(429, "Date: "+date(0)+"\r\n"+c.header+"\r\n", body)
			told := p.turn(t, Settings{}, quickly(), answer, p.greets())
			if len(told.scheduled) != 1 {
				t.Fatalf("planned %+v, gave up %+v", told.scheduled, told.gave)
			}
			if d := told.scheduled[0].Delay; d < c.least || d > c.most {
				t.Errorf("the wait is %v, want %v to %v", d, c.least, c.most)
			}
		})
	}
	for name, c := range map[string]struct {
		header string
		until  time.Duration
	}{
		"43_overflow":     {"Retry-After: 9999999999", retrypolicy.Forever},
		"45_90_seconds":   {"Retry-After: 90", 90 * time.Second},
		"47_14_days":      {"Retry-After: 1209600", 14 * 24 * time.Hour},
		"106_reset_after": {"X-Team-Primary-Reset-After-Seconds: 7200", 2 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			told := p.turn(t, Settings{}, quickly(), responds(429, c.header+"\r\n", body), p.greets())
			cause := told.failing(t, 1, retrypolicy.RateLimited, false)
			if h := told.gave.Hint; h.Wait != c.until || h.Until.Before(now.Add(c.until)) {
				t.Errorf("hint %+v, want %v", h, c.until)
			}
			if !strings.Contains(cause.NextStep, "asks to wait until") {
				t.Errorf("next step %q", cause.NextStep)
			}
		})
	}
}
