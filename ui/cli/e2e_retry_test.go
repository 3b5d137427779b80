//go:build unix

package cli_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/ui/termtest"
)

// planned is what the log says of a retry, times in nanoseconds.
type planned struct {
	Delay time.Duration
	Mode  string
}

// A turn is retried inside itself: one user row, equal bodies, the queue untouched until the success (C4, C5, C9). A
// wait is as long as it says at least; that it is no longer either is measured where time is virtual.
func TestRetriesWaitAsLongAsTheyAsk(t *testing.T) {
	t.Parallel()
	g := termtest.NewGate(t, "good ")
	p := termtest.NewProvider(t, termtest.Fail(500), termtest.Fail(500), g.Response())
	c := open(t, p, termtest.Options{})
	c.say("the prompt")
	c.say("row A")
	c.wantRows("row A")
	g.Wait()
	c.WaitFor("good")
	c.wantRows("row A")
	if n := c.p.Count(); n != 3 {
		t.Errorf("%d requests before the success", n)
	}
	g.Release("answer")
	rs := c.asked(4)
	c.ready()
	c.wantRows()
	c.WaitFor("Retried model request (2/4)")
	wantSame(t, rs[:3])
	wantSpoken(t, rs[3], "user: the prompt", "assistant: good answer", "user: row A")
	if n := c.user("the prompt"); n != 1 {
		t.Errorf("%d user rows\n%s", n, c.Picture())
	}
	waits := read[planned](t, c.facts(), "retry.scheduled")
	if len(waits) != 2 {
		t.Fatalf("retries planned: %+v", waits)
	}
	for i, w := range waits {
		base := 250 * time.Millisecond << i
		if w.Delay < base*8/10 || w.Delay > base*12/10 || w.Mode != "retry_failed" {
			t.Errorf("wait %d asked: %+v, want %v within a fifth", i+1, w, base)
		}
		if seen := rs[i+1].Time.Sub(rs[i].Time); seen < w.Delay {
			t.Errorf("wait %d: %v between the requests, asked %v", i+1, seen, w.Delay)
		}
	}
}

// The wait a server asks for is a minimum (case 40).
func TestServerWaitIsAMinimum(t *testing.T) {
	t.Parallel()
	t.Run("case 40", func(t *testing.T) {
		p := termtest.NewProvider(t, termtest.Status(429, map[string]string{"Retry-After": "4"}, termtest.ErrorBody("rate_limit_error", "", "slow down")), termtest.OK("fine now"))
		c := open(t, p, termtest.Options{})
		c.say("the prompt")
		c.say("row A")
		c.WaitFor("server asked 4s")
		for _, left := range []string{"in 3", "in 2", "in 1"} { // a second each: they have tenths
			c.WaitFor("retrying 2/5 " + left)
		}
		rs := c.asked(3)
		c.ready()
		c.WaitFor("fine now")
		wantSame(t, rs[:2])
		if seen := rs[1].Time.Sub(rs[0].Time); seen < 4*time.Second {
			t.Errorf("asked again after %v", seen)
		}
		if rs[2].Last() != "row A" {
			t.Errorf("%q", spoken(rs[2]))
		}
	})
}

// Five requests, one terminal row, the queue held with the generated row at its head (C2, C6, C8, case 6).
func TestGiveUpKeepsTheQueue(t *testing.T) {
	t.Parallel()
	for rows, after := range map[int]time.Duration{0: time.Second, 2: 10 * time.Second, 16: time.Second} {
		t.Run(fmt.Sprintf("cases 6 49 101, %d rows", rows), func(t *testing.T) {
			t.Parallel()
			g := make(chan struct{})
			p := termtest.NewProvider(t, func(a *termtest.Answer) {
				select {
				case <-g:
				case <-a.Gone():
				}
				termtest.Fail(500)(a)
			})
			p.Always(termtest.Fail(500))
			c := open(t, p, termtest.Options{Env: quick})
			c.say("the prompt")
			c.busy()
			var want []string
			for i := range rows {
				want = append(want, fmt.Sprintf("row %d", i+1))
				c.say(want[i])
				c.wantRows(want...)
			}
			close(g)
			c.failed()
			if rows > 0 && rows < 16 {
				want = append([]string{"Continue the current turn"}, want...)
			}
			c.wantRows(want...)
			for _, r := range c.queued() {
				if word, _, _ := strings.Cut(r, "|"); !strings.HasPrefix(word, "held") {
					t.Errorf("row %q is not held", r)
				}
			}
			if rows > 0 {
				c.WaitFor("held: last turn failed")
			}
			c.quiet(5, watch(after))
			wantSame(t, p.Requests())
			c.wantRows(want...)
			c.redraws()
			if c.count("Turn failed · server · 500") != 1 || !strings.Contains(unwrapped(c), "5 attempts") || c.user("the prompt") != 1 {
				t.Errorf("the end of the turn:\n%s", c.Picture())
			}
			if n := kinds(c.facts()); n["turn.failed"] != 1 || n["turn.started"] != 1 || n["retry.scheduled"] != 4 {
				t.Errorf("facts: %v", n)
			}
		})
	}
}

// What is not worth repeating is asked once; the row says what to do, and the rows stay.
func TestPermanentFailures(t *testing.T) {
	t.Parallel()
	plain := func(code int) termtest.Response {
		return termtest.Status(code, nil, termtest.ErrorBody("invalid_request_error", "", "no luck today; code 500"))
	}
	limited := func(header, value string) termtest.Response {
		return termtest.Status(429, map[string]string{header: value}, termtest.ErrorBody("rate_limit_error", "", "slow down"))
	}
	quota := func(kind string) termtest.Response {
		return termtest.Status(429, nil, termtest.ErrorBody(kind, kind, "You exceeded your current quota, please check your plan and billing details."))
	}
	inTwoWeeks := time.Now().Add(1_209_600 * time.Second)
	page := "<html><head><title>Not Found here</title></head><body><h1>x</h1></body></html>"
	for name, f := range map[string]struct {
		answer termtest.Response
		shows  []string
	}{
		"case 62, 400":                   {plain(400), []string{"invalid · 400", "no luck today"}},
		"cases 13 62, 401":               {termtest.Status(401, nil, termtest.ErrorBody("invalid_request_error", "invalid_api_key", "wrong key")), []string{"auth · 401", "wrong key"}},
		"cases 62 65, 402":               {plain(402), []string{"quota · 402", "billing"}},
		"case 62, 403":                   {plain(403), []string{"auth · 403", "key"}},
		"case 62, 404":                   {plain(404), []string{"invalid · 404", "check base_url"}},
		"case 62, 413":                   {plain(413), []string{"invalid · 413", "/new starts anew"}},
		"case 62, 422":                   {plain(422), []string{"invalid · 422", "check the model"}},
		"case 63, current quota":         {quota("exceeded_current_quota_error"), []string{"quota · 429", "billing"}},
		"cases 63 66, no quota":          {quota("insufficient_quota"), []string{"quota · 429", "billing"}},
		"case 43, a wait of 300 years":   {limited("Retry-After", "9999999999"), []string{"rate limited · 429", "asks to wait until 2"}},
		"case 45, 90 seconds":            {limited("Retry-After", "90"), []string{"rate limited · 429", "asks to wait until", "(1m30s)"}},
		"case 47, 14 days":               {limited("Retry-After", "1209600"), []string{inTwoWeeks.Format(time.DateOnly) + " or " + inTwoWeeks.Add(time.Hour).Format(time.DateOnly), "14 days"}},
		"case 106, reset after":          {limited("X-Team-Primary-Reset-After-Seconds", "7200"), []string{"asks to wait until", "(2h0m)"}},
		"case 67, too long":              {termtest.Status(400, nil, termtest.ErrorBody("invalid_request_error", "context_length_exceeded", "too many tokens")), []string{"context overflow · 400", "/new starts anew"}},
		"case 67, 400 without a word":    {termtest.Status(400, nil, ""), []string{"invalid · 400", "/new starts anew"}},
		"case 71, page":                  {termtest.Status(404, nil, page), []string{"404", "Not Found here", "check base_url"}},
		"case 70, must not be repeated":  {termtest.Status(503, map[string]string{"x-should-retry": "false"}, termtest.ErrorBody("", "", "gone for good")), []string{"overloaded · 503", "gone for good"}},
		"case 68, content filter":        {ends("content_filter"), []string{"refused", "rephrase the prompt"}},
		"case 78, limit without a word":  {ends("length"), []string{"length", "output limit"}},
		"case 15, a tool where none are": {ends("tool_calls"), []string{"invalid", "tools"}},
		"W4, redirect":                   {termtest.Status(307, map[string]string{"Location": "http://192.0.2.1/v1"}, ""), []string{"redirect · 307", "192.0.2.1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			told := make(chan struct{})
			p := termtest.NewProvider(t, func(a *termtest.Answer) {
				select {
				case <-told:
					f.answer(a)
				case <-a.Gone():
				}
			})
			c := open(t, p, termtest.Options{})
			c.say("the prompt")
			c.say("row A")
			c.wantRows("row A")
			close(told)
			c.failed()
			c.wantRows("Continue the current turn", "row A")
			if c.count("Turn failed") != 1 || !strings.Contains(unwrapped(c), "1 attempt") || c.count("<h1>") != 0 || c.count("Retried") != 0 || c.user("the prompt") != 1 {
				t.Errorf("the end of the turn:\n%s", c.Picture())
			}
			for _, s := range f.shows {
				if !slices.ContainsFunc(strings.Split(s, " or "), func(s string) bool { return strings.Contains(unwrapped(c), s) }) {
					t.Errorf("nothing says %q:\n%s", s, c.Picture())
				}
			}
			c.quiet(1, 50*time.Millisecond)
			if name != "cases 13 62, 401" && name != "case 78, limit without a word" {
				return
			}
			c.play() // the chat goes on, and the failed turn is told
			rs := c.asked(3)
			c.ready()
			c.wantRows()
			if len(rs[1].Messages) != 3 || rs[1].Messages[1].Role != "assistant" || rs[1].Last() != "Continue the current turn" || rs[2].Last() != "row A" {
				t.Errorf("%q, then %q", spoken(rs[1]), spoken(rs[2]))
			}
		})
	}
}

// ends ends an answer without a word and for this reason.
func ends(reason string) termtest.Response {
	return func(a *termtest.Answer) {
		a.Event(`{"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}`)
		a.Event("[DONE]")
	}
}

// unwrapped is the screen with wrapped lines joined again.
func unwrapped(c chat) string {
	var words []string
	for _, l := range c.Lines() {
		words = append(words, strings.Fields(l)...)
	}
	return strings.Join(words, " ")
}

func TestUnreachableServer(t *testing.T) {
	t.Parallel()
	t.Run("case 55", func(t *testing.T) {
		nowhere := termtest.Nowhere(t)
		c := chat{termtest.Start(t, termtest.Options{Args: []string{"--base-url", nowhere, "--model", "m"}, Env: quick, Width: 100, Height: 30}), t, nil}
		c.idle()
		c.say("the prompt")
		c.failed()
		host := strings.TrimSuffix(strings.TrimPrefix(nowhere, "http://"), "/v1")
		if s := unwrapped(c); !strings.Contains(s, "cannot reach "+host) || !strings.Contains(s, "5 attempts") || !strings.Contains(s, "network") {
			t.Errorf("the end of the turn:\n%s", c.Picture())
		}
		c.say("again")
		c.Until("a second failure", func() bool { return c.count("Turn failed") == 2 })
		c.failed()
	})
}

// Case 93: the text of a cut attempt goes; what the retry says stands once, on the screen and in later requests.
func TestCutStreamIsNotDoubled(t *testing.T) {
	t.Parallel()
	t.Run("case 93", func(t *testing.T) {
		words := strings.Fields(strings.Repeat("word ", 60))
		for i := range words {
			words[i] = fmt.Sprintf("word%d ", i+1)
		}
		g := termtest.NewGate(t, words[:2]...)
		told := make(chan struct{})
		cut := func(a *termtest.Answer) {
			for i := range 50 {
				a.Token(words[i])
			}
			held(told, (*termtest.Answer).Cut)(a)
		}
		p := termtest.NewProvider(t, cut, g.Response())
		c := open(t, p, termtest.Options{Env: quick})
		c.say("the prompt")
		c.WaitFor("word50")
		close(told)
		g.Wait()
		c.WaitFor("streaming, attempt 2")
		c.WaitGone("word3")
		c.WaitFor("word2")
		g.Release(words[2:]...)
		c.WaitFor("word60")
		c.ready()
		text := unwrapped(c)
		for _, w := range words {
			if n := strings.Count(text+" ", w); n != 1 {
				t.Fatalf("%d times %q:\n%s", n, w, c.Picture())
			}
		}
		c.say("again")
		rs := c.asked(3)
		wantSame(t, rs[:2])
		wantSpoken(t, rs[2], "user: the prompt", "assistant: "+strings.Join(words, ""), "user: again")
	})
}

// Each of these says nothing, or breaks off; none is an answer.
func TestNoAnswerIsNoSuccess(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer termtest.Response
		kind   string
	}{
		"cases 80 105, nothing":    {termtest.Empty200(), "empty"},
		"case 80, zero bytes":      {termtest.ZeroBytes(), "empty"},
		"case 76, unfinished":      {termtest.Unfinished(3), "truncated"},
		"case 91, reset":           {termtest.Reset(0), "network"},
		"case 91, reset later":     {termtest.Reset(2), "network"},
		"cases 73 97, error event": {termtest.ErrorEvent(2, "overloaded_error", "too busy"), "overloaded"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			told := make(chan struct{})
			p := termtest.NewProvider(t, held(told, c.answer))
			p.Always(c.answer)
			kind := c.kind
			c := open(t, p, termtest.Options{Env: quick})
			c.say("the prompt")
			c.say("row A")
			c.wantRows("row A")
			close(told)
			c.failed()
			c.wantRows("Continue the current turn", "row A")
			c.WaitFor("held: last turn failed")
			if s := unwrapped(c); !strings.Contains(s, "Turn failed · "+kind) || !strings.Contains(s, "5 attempts") {
				t.Errorf("the end of the turn:\n%s", c.Picture())
			}
			c.quiet(5, 500*time.Millisecond)
			wantSame(t, p.Requests())
			p.Always(termtest.Echo())
			c.play()
			rs := c.asked(7)
			c.ready()
			c.wantRows()
			for _, m := range rs[6].Messages {
				if strings.Contains(m.Text, "word1") || m.Text == "" {
					t.Errorf("a failed attempt is in the request: %q", spoken(rs[6]))
				}
			}
			if rs[5].Last() != "Continue the current turn" || rs[6].Last() != "row A" {
				t.Errorf("%q, then %q", rs[5].Last(), rs[6].Last())
			}
		})
	}
}

// ctrl+y ends a wait and counts on; after the give-up it runs the turn again under the same user row.
func TestRetryByHand(t *testing.T) {
	t.Parallel()
	t.Run("cases 52 99", func(t *testing.T) {
		p := termtest.NewProvider(t, termtest.Fail(500), termtest.Fail(500))
		c := open(t, p, termtest.Options{Env: map[string]string{"BATON_RETRY_BASE": "1h", "BATON_RETRY_CAP": "1h", "BATON_RETRY_ATTEMPTS": "2"}})
		c.say("the prompt")
		c.say("row A")
		c.WaitFor("retrying 2/2")
		c.Key("ctrl+y")
		c.failed()
		c.wantRows("Continue the current turn", "row A")
		c.Key("ctrl+y")
		rs := c.asked(4)
		c.ready()
		c.wantRows()
		wantSame(t, rs[:3])
		wantSpoken(t, rs[3], "user: the prompt", "assistant: echo: the prompt", "user: row A")
		if n := c.user("the prompt"); n != 1 {
			t.Errorf("%d user rows\n%s", n, c.Picture())
		}
		if !slices.ContainsFunc(c.Lines(), func(l string) bool { return strings.Contains(l, "Turn failed") }) {
			t.Errorf("the earlier failure is gone:\n%s", c.Picture())
		}
	})
}
