package sandbox

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"baton/agentclient"
	"baton/retrypolicy"
)

// statusOf is 0 for an answer, else the status of its failure, or -1.
func statusOf(err error) int {
	var f *retrypolicy.Failure
	switch {
	case err == nil:
		return 0
	case errors.As(err, &f):
		return f.Status
	}
	return -1
}

// Requests with the same body walk through the prompt's own list; others meet what is
// armed, and nothing of it is used up by the former.
func TestFaultsOfAPrompt(t *testing.T) {
	a := open(t, Options{Faults: "418"})
	const one, other = "fault: 500, 503:noretry\nfirst", "fault: 500, 503:noretry\nsecond"
	for i, step := range []struct {
		prompt string
		want   int
	}{
		{one, 500}, {other, 500}, {one, 503}, {one, 0}, {other, 503}, {"hello", 418}, {"hello", 0}, {one, 0}, {other, 0},
		{"hello\nfault: 500", 0}, {" fault: 500", 0}, {"fault:\nhello", 0},
	} {
		text, _, _, err := ask(t, a, step.prompt)
		if got := statusOf(err); got != step.want {
			t.Fatalf("request %d, %q: status %d (%v), want %d", i, step.prompt, got, err, step.want)
		}
		if step.want == 0 && step.prompt == one && (!strings.Contains(text, "> first\n") || strings.Contains(text, "> fault")) {
			t.Errorf("the answer repeats %q", text)
		}
	}
	text, _, _, err := ask(t, a, "fault: ok")
	if err != nil || !strings.Contains(text, "> fault: ok\n") {
		t.Errorf("a prompt of faults alone: %q, %v", text, err)
	}
}

func TestABadListOfAPrompt(t *testing.T) {
	_, _, _, err := ask(t, open(t, Options{}), "fault: boom\nhello")
	var f *retrypolicy.Failure
	if !errors.As(err, &f) || f.Status != 400 || f.Code != "bad_fault" || !strings.Contains(f.Message, `unknown fault "boom"`) {
		t.Errorf("failure %+v", f)
	}
	if v := retrypolicy.Classify(err, time.Minute); v.Retry {
		t.Error("it is repeated")
	}
}

// A whole turn meets its own list, attempt by attempt, with a file beside the prompt.
func TestATurnGoesThroughThePromptsFaults(t *testing.T) {
	a := open(t, Options{})
	policy := retrypolicy.DefaultPolicy()
	policy.Base, policy.LimitedBase = time.Millisecond, time.Millisecond
	request := agentclient.Request{Messages: []agentclient.Message{{Role: agentclient.User, Text: "fault: 500,cut@3,empty\nhello",
		Attachments: []agentclient.Attachment{{Name: "p.png", Media: "image/png", Data: []byte{1}}, {Name: "t.txt", Media: "text/plain", Data: []byte("fault: 400")}}}}}
	var causes []retrypolicy.Kind
	var ready agentclient.Ready
	var text string
	agentclient.Run(t.Context(), agentclient.Turn{ID: 1, Policy: policy, Request: request}, a, func(n agentclient.News) {
		switch n := n.(type) {
		case agentclient.RetryScheduled:
			causes = append(causes, n.Cause.Kind)
			text = ""
		case agentclient.Delta:
			text += n.Text
		case agentclient.Ready:
			ready = n
		}
	})
	if got := fmt.Sprint(causes); got != "[server truncated empty]" || ready.N != 4 {
		t.Errorf("retried for %s, %d attempts", got, ready.N)
	}
	if !strings.Contains(text, "> (attached: image_url)\n> File t.txt:\n> fault: 400\n> hello\n") {
		t.Errorf("the answer repeats %q", text)
	}
}

func TestScriptsAreBounded(t *testing.T) {
	var s scripts
	sum := func(n int) [sha256.Size]byte { return sha256.Sum256(fmt.Append(nil, n)) }
	for n := range MaxScripts {
		if got := s.met(sum(n)); got != 0 {
			t.Fatalf("body %d was met %d times before", n, got)
		}
	}
	if got := s.met(sum(0)); got != 1 { // now 1 is the one met longest ago
		t.Errorf("at the limit: met %d times, want 1", got)
	}
	s.met(sum(MaxScripts))
	if len(s.by) != MaxScripts || s.byAge.Len() != MaxScripts {
		t.Errorf("%d bodies are remembered", len(s.by))
	}
	if got := s.met(sum(0)); got != 2 {
		t.Errorf("one met lately was met %d times, want 2", got)
	}
	if got := s.met(sum(1)); got != 0 {
		t.Errorf("the one met longest ago is still remembered: %d", got)
	}
}
