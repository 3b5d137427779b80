package sandbox

import (
	"errors"
	"strings"
	"testing"
	"time"

	"baton/agentclient"
	"baton/retrypolicy"
)

// failing are the faults that fail a request, and how the real client and the real
// policy take each.
var failing = []struct {
	fault     string
	condition retrypolicy.Condition
	status    int
	kind      retrypolicy.Kind
	retried   bool
}{
	{"500", "", 500, retrypolicy.Server, true},
	{"599", "", 599, retrypolicy.Server, true},
	{"429:7", "", 429, retrypolicy.RateLimited, true},
	{"429:0", "", 429, retrypolicy.RateLimited, true},
	{"429:date=7", "", 429, retrypolicy.RateLimited, true},
	{"429:junk", "", 429, retrypolicy.RateLimited, true},
	{"429:ms=700", "", 429, retrypolicy.RateLimited, true},
	{"429:reset=7", "", 429, retrypolicy.RateLimited, true},
	{"429:at=7", "", 429, retrypolicy.RateLimited, true},
	{"429:in=7", "", 429, retrypolicy.RateLimited, true},
	{"429:delay=7", "", 429, retrypolicy.RateLimited, true},
	{"429:quota", "", 429, retrypolicy.Quota, false},
	{"429:quota:7", "", 429, retrypolicy.RateLimited, true},
	{"429:day", "", 429, retrypolicy.Quota, false},
	{"429:minute", "", 429, retrypolicy.RateLimited, true},
	{"400:context", "", 400, retrypolicy.ContextOverflow, false},
	{"500:overloaded", "", 500, retrypolicy.Overloaded, true},
	{"503:noretry", "", 503, retrypolicy.Overloaded, false},
	{"400:retry", "", 400, retrypolicy.Invalid, false},
	{"521:html", "", 521, retrypolicy.Server, true},
	{"500:bare", "", 500, retrypolicy.Server, true},
	{"500:big", "", 500, retrypolicy.Server, true},
	{"500:hostile", "", 500, retrypolicy.Server, true},
	{"401", "", 401, retrypolicy.Auth, false},
	{"204", retrypolicy.CondEmpty, 204, retrypolicy.Empty, true},
	{"202", retrypolicy.CondNotAnAgent, 202, retrypolicy.NotAnAgent, false},
	{"302", retrypolicy.CondRedirect, 302, retrypolicy.Redirect, false},

	{"close", retrypolicy.CondConnect, 0, retrypolicy.Network, true},
	{"banner", retrypolicy.CondNotAnAgent, 0, retrypolicy.NotAnAgent, false},
	{"mute", retrypolicy.CondFirstByteTime, 0, retrypolicy.Timeout, true},
	{"trickle", retrypolicy.CondFirstByteTime, 0, retrypolicy.Timeout, true},
	{"hang", retrypolicy.CondIdleTime, 0, retrypolicy.Timeout, true},
	{"late:60", retrypolicy.CondFirstByteTime, 0, retrypolicy.Timeout, true},

	{"cut@5", retrypolicy.CondTruncated, 0, retrypolicy.Truncated, true},
	{"drop@5", retrypolicy.CondConnect, 0, retrypolicy.Network, true},
	{"short@5", retrypolicy.CondConnect, 0, retrypolicy.Network, true},
	{"reset", retrypolicy.CondConnect, 0, retrypolicy.Network, true},
	{"reset@5", retrypolicy.CondConnect, 0, retrypolicy.Network, true},
	{"stall@5", retrypolicy.CondIdleTime, 0, retrypolicy.Timeout, true},
	{"error@5", retrypolicy.CondStreamError, 0, retrypolicy.Server, true},
	{"error:429@5", retrypolicy.CondStreamError, 429, retrypolicy.RateLimited, true},
	{"error:400@5", retrypolicy.CondStreamError, 400, retrypolicy.Invalid, false},
	{"naked@5", retrypolicy.CondStreamError, 503, retrypolicy.Overloaded, true},
	{"huge@5", retrypolicy.CondMalformed, 0, retrypolicy.Malformed, true},
	{"length@0", retrypolicy.CondLength, 0, retrypolicy.Length, false},
	{"filter", retrypolicy.CondRefused, 0, retrypolicy.Refused, false},

	{"empty", retrypolicy.CondEmpty, 0, retrypolicy.Empty, true},
	{"blank", retrypolicy.CondEmpty, 0, retrypolicy.Empty, true},
	{"space", retrypolicy.CondEmpty, 0, retrypolicy.Empty, true},
	{"thought", retrypolicy.CondEmpty, 0, retrypolicy.Empty, true},
	{"done", retrypolicy.CondEmpty, 0, retrypolicy.Empty, true},
	{"refusal", retrypolicy.CondRefused, 0, retrypolicy.Refused, false},
	{"tool", retrypolicy.CondToolAsked, 0, retrypolicy.Invalid, false},
	{"toolcut", retrypolicy.CondTruncated, 0, retrypolicy.Truncated, true}, // agentclient does not repeat it: TestATurnKeepsAwayFromTools
	{"garbage", retrypolicy.CondMalformed, 0, retrypolicy.Malformed, true},
	{"html", retrypolicy.CondNotAnAgent, 0, retrypolicy.NotAnAgent, false},
	{"plain", retrypolicy.CondNotAnAgent, 0, retrypolicy.NotAnAgent, false},
	{"gzip", retrypolicy.CondMalformed, 0, retrypolicy.Malformed, true},
	{"json:503", retrypolicy.CondStreamError, 503, retrypolicy.Overloaded, true},
}

// harmless are those that a client must take as an ordinary answer.
var harmless = []string{"ok", "late:0.05", "alive:1.5", "json", "nodone", "nofinish", "linger", "bytes", "crlf", "cr", "loose", "hostile"}

func TestFaults(t *testing.T) {
	for _, c := range failing {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			a := open(t, Options{Faults: c.fault})
			text, _, _, err := ask(t, a, "hello")
			var f *retrypolicy.Failure
			if !errors.As(err, &f) || f.Condition != c.condition || f.Status != c.status {
				t.Fatalf("error %v (%+v), want %q %d", err, f, c.condition, c.status)
			}
			if v := retrypolicy.Classify(err, time.Minute); v.Kind != c.kind || v.Retry != c.retried {
				t.Errorf("judged %+v, want %s, retried %v", v, c.kind, c.retried)
			}
			if strings.HasSuffix(c.fault, "@5") && len(strings.Fields(text)) != 5 {
				t.Errorf("%d tokens came before the fault: %q", len(strings.Fields(text)), text)
			}
			if c.fault == "500:hostile" && (!strings.Contains(f.Message, "\x1b]52;") || f.RequestID != "\u009b2Jid") {
				t.Errorf("not hostile: message %q, request id %q", f.Message, f.RequestID)
			}
			if _, _, _, err := ask(t, a, "hello"); err != nil {
				t.Errorf("a fault hit a second request: %v", err)
			}
		})
	}
	t.Run("length_with_text", func(t *testing.T) {
		_, _, finish, err := ask(t, open(t, Options{Faults: "length@5"}), "hello")
		if err != nil || !finish.Cut {
			t.Errorf("finish %+v, %v", finish, err)
		}
	})
}

func TestHarmlessFaults(t *testing.T) {
	whole, _, _, err := ask(t, open(t, Options{}), "hello 世界")
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range harmless {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			text, _, finish, err := ask(t, open(t, Options{Faults: fault}), "hello 世界")
			if err != nil {
				t.Fatal(err)
			}
			if fault == "hostile" {
				before, _, _ := strings.Cut(text, "## You said")
				if !strings.Contains(before, "\x1b]52;c;") || !strings.Contains(before, "\u202e") || !strings.Contains(before, "\uFFFD2J") {
					t.Errorf("the hostile part is %q", before)
				}
				text = strings.TrimPrefix(text, before)
			}
			if text != whole {
				t.Errorf("got %q, want %q", text, whole)
			}
			if want := "stop"; finish.Reason != want && fault != "nofinish" {
				t.Errorf("finish %+v", finish)
			}
		})
	}
}

// TestEveryFaultIsTried: each listed form is among those above, as it stands or with
// other numbers.
func TestEveryFaultIsTried(t *testing.T) {
	tried := map[string]bool{}
	add := func(item string) {
		item, _, _ = strings.Cut(item, "@")
		tried[item] = true
		name, _, _ := strings.Cut(item, ":")
		tried[name] = true
	}
	for _, c := range failing {
		add(c.fault)
	}
	for _, fault := range harmless {
		add(fault)
	}
	for _, k := range Faults() {
		name := nameOf(k.Form)
		if k.Form[0] <= '9' {
			name = k.Form
		}
		if !tried[name] {
			t.Errorf("%s is tried by no test", k.Form)
		}
	}
}

// What servers ask for is read from wherever it stands, and nonsense from nowhere.
func TestWaitsThatAreAsked(t *testing.T) {
	for fault, want := range map[string]time.Duration{
		"429": 0, "429:7": 7 * time.Second, "429:0.5": time.Second / 2, "429:-5": 0, "429:0": 0, "429:junk": 0,
		"429:9999999999": retrypolicy.Forever, "503:date=7": 7 * time.Second, "429:date=-7": 0, "429:date=9999999999": retrypolicy.Forever,
		"429:ms=700": 700 * time.Millisecond, "429:ms=-1": 0, "429:reset=7": 7 * time.Second, "429:at=7": 7 * time.Second, "429:at=-7": 0,
		"429:in=7": 7 * time.Second, "429:delay=7": 7 * time.Second, "429:2:ms=2500": 2500 * time.Millisecond, "429:minute:3": 3 * time.Second,
	} {
		t.Run(fault, func(t *testing.T) {
			_, _, _, err := ask(t, open(t, Options{Faults: fault}), "hello")
			var f *retrypolicy.Failure
			if !errors.As(err, &f) {
				t.Fatal(err)
			}
			// Dates have whole seconds, and the server may write its own a second later.
			if off := want - f.Hint.Wait; off < 0 || off > time.Second || off != 0 && !strings.ContainsAny(fault, "dt") {
				t.Errorf("hint %+v, want %v", f.Hint, want)
			}
		})
	}
}

// TestATurnKeepsAwayFromTools: C11, whatever follows a tool part, it is not repeated.
func TestATurnKeepsAwayFromTools(t *testing.T) {
	a := open(t, Options{Faults: "toolcut,500"})
	var last agentclient.News
	agentclient.Run(t.Context(), agentclient.Turn{ID: 1, Policy: retrypolicy.DefaultPolicy(), Request: agentclient.Request{
		Messages: []agentclient.Message{{Role: agentclient.User, Text: "hello"}},
	}}, a, func(n agentclient.News) { last = n })
	if gave, ok := last.(agentclient.GaveUp); !ok || gave.N != 1 || a.Armed() != 1 {
		t.Errorf("the turn ended with %+v, %d faults left", last, a.Armed())
	}
}
