package sandbox

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"baton/agentclient"
	"baton/retrypolicy"
)

// limits are short where a limit is what ends a fault, and where a fault outlasts one. Elsewhere a busy machine must not
// meet one.
func limits(fault string) agentclient.Timeouts {
	switch fault {
	case "mute", "trickle", "late:60":
		return agentclient.Timeouts{FirstByte: 500 * time.Millisecond, Idle: time.Minute}
	case "hang", "stall@5", "alive:1.5":
		return agentclient.Timeouts{FirstByte: time.Minute, Idle: time.Second}
	}
	return agentclient.Timeouts{FirstByte: time.Minute, Idle: time.Minute}
}

func open(t *testing.T, o Options) *Agent {
	t.Helper()
	if o.Pace == 0 {
		o.Pace = -1
	}
	a, err := Open("", o, limits(o.Faults))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	if _, err := a.reach(); err != nil {
		t.Fatal(err)
	}
	return a
}

// A server that nobody asked anything of does not listen, and one that was closed does not begin to.
func TestListensWhenAsked(t *testing.T) {
	a, err := Open("", Options{Pace: -1}, agentclient.Timeouts{})
	if err != nil {
		t.Fatal(err)
	}
	if a.listener != nil {
		t.Error("it listens before anything is asked")
	}
	if text, _, _, err := ask(t, a, "hello"); err != nil || text == "" {
		t.Error(text, err)
	}
	for range 2 {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
	idle, err := Open("", Options{}, agentclient.Timeouts{})
	if err != nil {
		t.Fatal(err)
	}
	if err := idle.Close(); err != nil {
		t.Error(err)
	}
	if _, _, _, err := ask(t, idle, "hello"); err == nil || !strings.Contains(err.Error(), "start sandbox") {
		t.Errorf("asked behind its end: %v", err)
	}
}

func ask(t *testing.T, a *Agent, prompt string) (text, reasoning string, finish agentclient.Finish, err error) {
	t.Helper()
	finish, err = a.Send(t.Context(), agentclient.Request{Messages: []agentclient.Message{{Role: agentclient.User, Text: prompt}}},
		func(p agentclient.Piece) { text += p.Text; reasoning += p.Reasoning })
	return text, reasoning, finish, err
}

func TestAnswers(t *testing.T) {
	tables := func(topic string) string {
		if topic == "retry" {
			return ""
		}
		return "| " + topic + " | does |\n|---|---|\n"
	}
	a := open(t, Options{Tables: tables})
	for _, c := range []struct{ name, prompt, want string }{
		{"echo", "hello\nthere", "> hello\n> there\n"},
		{"keys", "Which KEYS are there?", "| keys | does |\n|---|---|\n"},
		{"queue", "explain the queue", "| queue | does |\n|---|---|\n"},
		{"help_before_others", "help me with keys", "| help | does |\n|---|---|\n"},
		{"word_not_part", "monkeys are queued", "> monkeys are queued"},
		{"no_table_is_an_echo", "retry", "> retry\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, _, finish, err := ask(t, a, c.prompt)
			if err != nil || !strings.Contains(text, c.want) {
				t.Fatalf("got %q, %v; want %q", text, err, c.want)
			}
			if finish.Reason != "stop" || finish.Usage.Output == 0 || !strings.HasPrefix(finish.RequestID, "sandbox-") {
				t.Errorf("finish %+v", finish)
			}
			if strings.HasPrefix(c.want, ">") {
				for _, part := range []string{"## ", "\n1. ", "```"} {
					if !strings.Contains(text, part) {
						t.Errorf("the echo lacks %q", part)
					}
				}
			}
		})
	}
	if _, reasoning, _, err := ask(t, a, "please think"); err != nil || reasoning == "" {
		t.Errorf("think: reasoning %q, %v", reasoning, err)
	}
}

func TestPace(t *testing.T) {
	total := func(prompt string, o Options) time.Duration {
		a := reply(prompt, nil, o.Tables, o.Pace)
		return time.Duration(len(a.tokens)) * a.pause
	}
	usual := total("hello", Options{})
	if usual < time.Second || usual > longest {
		t.Errorf("an ordinary answer takes %v, want 1 s to 3 s", usual)
	}
	big := Options{Tables: func(string) string { return strings.Repeat("word ", 5000) }}
	if got := total("keys", big); got < time.Second || got > longest {
		t.Errorf("a big table takes %v, want at most 3 s", got)
	}
	for _, prompt := range []string{"slow please", "a long one"} {
		if got := total(prompt, Options{}); got < 2*longest || got > time.Minute {
			t.Errorf("%q takes %v, want well over 3 s", prompt, got)
		}
	}
	if got := total("hello", Options{Pace: -1}); got != 0 {
		t.Errorf("no pace takes %v", got)
	}
}

func TestTokensJoinToTheText(t *testing.T) {
	for _, text := range []string{"", " ", "a", " a\n\n b\tc ", echo("x\ny", 2)} {
		if got := strings.Join(split(text), ""); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestArm(t *testing.T) {
	a := open(t, Options{Faults: "500"})
	if err := a.Arm("ok,503"); err != nil {
		t.Fatal(err)
	}
	if err := a.Arm("boom"); err == nil || a.Armed() != 3 {
		t.Errorf("a bad list: error %v, %d armed", err, a.Armed())
	}
	if err := a.Arm("500*1000"); err == nil || a.Armed() != 3 {
		t.Errorf("past the limit: error %v, %d armed", err, a.Armed())
	}
	if _, err := a.Models(t.Context()); err != nil || a.Armed() != 3 {
		t.Errorf("a list of models used a fault up: %v, %d armed", err, a.Armed())
	}
	for _, want := range []int{500, 0, 503, 0} {
		_, _, _, err := ask(t, a, "hello")
		var f *retrypolicy.Failure
		if errors.As(err, &f) != (want != 0) || want != 0 && f.Status != want {
			t.Errorf("error %v, want status %d", err, want)
		}
	}
}

func TestHostIsChecked(t *testing.T) {
	a := open(t, Options{})
	port := a.URL()[strings.LastIndex(a.URL(), ":"):strings.LastIndex(a.URL(), "/")]
	for host, want := range map[string]int{
		"localhost" + port:      200,
		"127.0.0.1" + port:      200,
		"evil.example" + port:   421,
		"evil.example":          421,
		"127.0.0.1:1":           421,
		"localhost.evil" + port: 421,
	} {
		request, err := http.NewRequest(http.MethodGet, a.URL()+"/models", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = host
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("Host %s: status %d, want %d", host, response.StatusCode, want)
		}
	}
}

func TestAddresses(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "10.0.0.1:0", "nowhere"} {
		if s, err := Start(Options{Addr: addr}); err == nil {
			_ = s.Close()
			t.Errorf("%s was accepted", addr)
		}
	}
	s, err := Start(Options{Addr: "0.0.0.0:0", Remote: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}

func TestCloseEndsWhatIsUnderWay(t *testing.T) {
	a, err := Open("", Options{Faults: "hang"}, agentclient.Timeouts{})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	waiting := make(chan struct{})
	go func() {
		_, err := a.Send(context.Background(), agentclient.Request{Messages: []agentclient.Message{{Role: agentclient.User, Text: "x"}}},
			func(agentclient.Piece) { close(waiting) })
		ended <- err
	}()
	<-waiting
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err == nil {
		t.Error("a hanging answer ended well")
	}
}

func TestATurnGoesThroughItsFaults(t *testing.T) {
	policy := retrypolicy.DefaultPolicy()
	policy.Base, policy.LimitedBase = time.Millisecond, time.Millisecond
	for _, c := range []struct {
		name, faults string
		attempts     int
		left         int
		kind         retrypolicy.Kind // of the last news, "" for success
	}{
		{"93_cut_then_whole", "500,cut@3,empty", 4, 0, ""},
		{"49_exhausted", "500*9", 5, 4, retrypolicy.Server},
		{"63_quota", "429:quota,500", 1, 1, retrypolicy.Quota},
		{"C11_tool", "tool,500", 1, 1, retrypolicy.Invalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := open(t, Options{Faults: c.faults})
			var news []agentclient.News
			agentclient.Run(t.Context(), agentclient.Turn{ID: 1, Policy: policy, Request: agentclient.Request{
				Messages: []agentclient.Message{{Role: agentclient.User, Text: "hello"}},
			}}, a, func(n agentclient.News) { news = append(news, n) })
			if a.Armed() != c.left {
				t.Errorf("C8: %d faults are left, want %d", a.Armed(), c.left)
			}
			if c.kind == "" {
				ready, ok := news[len(news)-2].(agentclient.Ready)
				if _, promoted := news[len(news)-1].(agentclient.Promote); !ok || !promoted || ready.N != c.attempts {
					t.Errorf("the turn ended with %+v", news[len(news)-2:])
				}
				return
			}
			gave, ok := news[len(news)-1].(agentclient.GaveUp)
			if !ok || gave.Cause.Kind != c.kind || gave.N != c.attempts {
				t.Errorf("the turn ended with %+v", news[len(news)-1])
			}
		})
	}
}

func TestAttachmentsAndHistory(t *testing.T) {
	a := open(t, Options{})
	var text string
	_, err := a.Send(t.Context(), agentclient.Request{Messages: []agentclient.Message{
		{Role: agentclient.User, Text: "zebra"}, {Role: agentclient.Assistant, Text: "answer"},
		{Role: agentclient.User, Text: "second", Attachments: []agentclient.Attachment{{Name: "p.png", Media: "image/png", Data: []byte{1}}}},
	}}, func(p agentclient.Piece) { text += p.Text })
	if err != nil || !strings.Contains(text, "> (attached: image_url)\n> second\n") || strings.Contains(text, "zebra") {
		t.Errorf("got %q, %v", text, err)
	}
}

// A summary names the prompts there were, which is what shows that they were sent.
func TestSummary(t *testing.T) {
	before := []string{"first\nwith more", strings.Repeat("é", 100), "last"}
	text := strings.Join(reply("Summarize our conversation so far.", before, nil, -1).tokens, "")
	for _, want := range []string{"1. first …\n", "2. " + strings.Repeat("é", 40) + " …\n", "3. last\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
	if text := strings.Join(reply("summarize", nil, nil, -1).tokens, ""); !strings.Contains(text, "You said") {
		t.Errorf("a summary of nothing: %q", text)
	}
}
