package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"baton/agentclient"
	"baton/model/session"
	"baton/retrypolicy"
)

var (
	noon    = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	hint    = retrypolicy.Hint{Wait: time.Second, Until: noon, Source: "Retry-After"}
	cause   = agentclient.Cause{Kind: retrypolicy.Server, Status: 500, Code: "c", Message: "m", NextStep: "n", RequestID: "r"}
	receipt = agentclient.Attempt{N: 2, Started: noon, FirstByte: 1, Took: 2, Bytes: 3, Cause: cause, Hint: hint, Delay: 4, Waited: 5}

	sessionCause   = session.Cause{Kind: retrypolicy.Server, Status: 500, Code: "c", Message: "m", NextStep: "n", RequestID: "r"}
	sessionAttempt = session.Attempt{N: 2, Started: noon, FirstByte: 1, Took: 2, Bytes: 3, Cause: sessionCause, Hint: hint, Delay: 4, Waited: 5}
)

// translations has a row for each kind of news.
var translations = []struct {
	news agentclient.News
	want session.Input
}{
	{agentclient.AttemptStarted{Turn: 3, N: 2}, session.AttemptStarted{Turn: 3, N: 2}},
	{agentclient.PhaseChanged{Turn: 3, N: 2, Phase: agentclient.Waiting}, session.PhaseChanged{Turn: 3, N: 2, Phase: session.Waiting{}}},
	{agentclient.Delta{Turn: 3, N: 2, Text: "t", Reasoning: "r"}, session.Delta{Turn: 3, N: 2, Text: "t", Reasoning: "r", At: noon}},
	{agentclient.ToolActivity{Turn: 3, N: 2, Part: agentclient.ToolPart{ID: "i", Name: "n", Title: "t", Status: "s"}},
		session.ToolActivity{Turn: 3, N: 2, Part: session.ToolPart{ID: "i", Name: "n", Title: "t", Status: "s"}}},
	{agentclient.RetryScheduled{Turn: 3, N: 2, Max: 5, Delay: 7, Due: noon, Hint: hint, Cause: cause, Attempt: receipt},
		session.RetryScheduled{Turn: 3, N: 2, Max: 5, Delay: 7, Due: noon, Hint: hint, Attempt: sessionAttempt}},
	{agentclient.RetryStarted{Turn: 3, N: 2, Waited: 7}, session.RetryStarted{Turn: 3, N: 2, Waited: 7}},
	{agentclient.Ready{Turn: 3, N: 2, Finish: agentclient.Finish{Cut: true, Usage: agentclient.Usage{Input: 3, Output: 4}}, Attempts: []agentclient.Attempt{receipt}},
		session.Ready{Turn: 3, N: 2, Cut: true, Tokens: 7, Attempts: []session.Attempt{sessionAttempt}}},
	{agentclient.Promote{Turn: 3}, session.Promote{Turn: 3}},
	{agentclient.GaveUp{Turn: 3, N: 2, Max: 5, Exhausted: true, Cause: cause, Hint: hint, Attempts: []agentclient.Attempt{receipt}},
		session.GaveUp{Turn: 3, N: 2, Max: 5, Exhausted: true, Cause: sessionCause, Until: noon, Attempts: []session.Attempt{sessionAttempt}}},
	{agentclient.Stopped{Turn: 3, N: 2, Attempts: []agentclient.Attempt{receipt}}, session.StoppedByClient{Turn: 3, Attempts: []session.Attempt{sessionAttempt}}},
}

func TestTranslate(t *testing.T) {
	for _, c := range translations {
		if d := cmp.Diff(c.want, Translate(c.news, noon)); d != "" {
			t.Errorf("%T (-want +got):\n%s", c.news, d)
		}
	}
	j := &joined{Delta: agentclient.Delta{Turn: 3, N: 2}}
	j.add(agentclient.Delta{Text: "a", Reasoning: "x"})
	j.add(agentclient.Delta{})
	j.add(agentclient.Delta{Text: "b", Reasoning: "y"})
	if d := cmp.Diff(session.Input(session.Delta{Turn: 3, N: 2, Text: "ab", Reasoning: "xy", At: noon}), Translate(j, noon)); d != "" {
		t.Errorf("joined deltas (-want +got):\n%s", d)
	}
}

// The table above, and so Translate, knows every type that is news.
func TestTranslateKnowsAllNews(t *testing.T) {
	files, err := parser.ParseDir(token.NewFileSet(), "../../agentclient", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var declared, known []string
	for _, f := range files["agentclient"].Files {
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Name.Name == "news" && fn.Recv != nil {
				declared = append(declared, fn.Recv.List[0].Type.(*ast.Ident).Name)
			}
		}
	}
	for _, c := range translations {
		known = append(known, reflect.TypeOf(c.news).Name())
	}
	sort.Strings(declared)
	sort.Strings(known)
	if d := cmp.Diff(declared, known); d != "" || len(declared) < 10 {
		t.Errorf("news (-declared +translated):\n%s", d)
	}
}

// News that has no input is a defect and shows as one.
func TestUnknownNewsPanics(t *testing.T) {
	defer func() {
		if p := recover(); p == nil || !strings.Contains(p.(string), "has no input") {
			t.Errorf("%v", p)
		}
	}()
	type odd struct{ agentclient.Promote }
	Translate(odd{}, noon)
}

func TestPhases(t *testing.T) {
	for p, want := range map[agentclient.Phase]session.Phase{
		agentclient.Connecting: session.Connecting{}, agentclient.Waiting: session.Waiting{}, agentclient.Streaming: session.Streaming{},
		agentclient.Tool: session.ToolRunning{}, agentclient.Approval: session.Approval{}, "": session.Connecting{},
	} {
		if got := phase(p); got != want {
			t.Errorf("%q: %T", p, got)
		}
	}
}
