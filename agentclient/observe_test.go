package agentclient

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"baton/retrypolicy"
)

// Each kind of news passes on unchanged, once and in order, and leaves a line without any
// text; with nobody to read the log it costs nothing.
func TestObserved(t *testing.T) {
	const private = "a private text"
	failed := Attempt{N: 1, Took: 2 * time.Second, FirstByte: 30 * time.Millisecond, Bytes: 12,
		Cause: Cause{Kind: retrypolicy.Overloaded, Status: 503, Code: private, Message: private, NextStep: private, RequestID: "req-1"}}
	news := []News{
		AttemptStarted{Turn: 7, N: 1}, PhaseChanged{7, 1, Waiting}, Delta{7, 1, private, private},
		ToolActivity{7, 1, ToolPart{private, private, private, private}},
		RetryScheduled{Turn: 7, N: 1, Max: 5, Delay: 250 * time.Millisecond, Cause: failed.Cause, Attempt: failed},
		RetryStarted{7, 2, time.Second}, Ready{Turn: 7, N: 2, Finish: Finish{Reason: private, Usage: Usage{3, 4}}, Attempts: []Attempt{failed, {N: 2}}},
		Promote{7}, GaveUp{Turn: 7, N: 1, Max: 5, Cause: failed.Cause, Attempts: []Attempt{failed}}, Stopped{Turn: 7},
	}
	var b bytes.Buffer
	var got []News
	emit := Observed(slog.New(slog.NewJSONHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug})), func(n News) { got = append(got, n) })
	for _, n := range news {
		emit(n)
	}
	if len(got) != len(news) {
		t.Fatalf("%d of %d came through", len(got), len(news))
	}
	for i := range news {
		if got[i].About() != news[i].About() {
			t.Errorf("news %d is %#v", i, got[i])
		}
	}
	log := b.String()
	if strings.Contains(log, "private") {
		t.Errorf("a text is in the log:\n%s", log)
	}
	for _, want := range []string{
		`"msg":"attempt failed, another follows","turn":7,"attempt":1,"took_ms":2000,"first_byte_ms":30,"bytes":12,"kind":"overloaded","status":503,"code":"(left out)","request_id":"req-1","max":5,"delay_ms":250`,
		`"msg":"turn succeeded","turn":7,"attempt":2,`, `"input_tokens":3,"output_tokens":4`, `"level":"WARN","msg":"turn failed"`, `"msg":"turn stopped"`, `"msg":"wait over"`,
	} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %s:\n%s", want, log)
		}
	}
	if word(strings.Repeat("x", 81)) != "(left out)" || word(strings.Repeat("x", 80)) == "(left out)" {
		t.Error("the longest name is 80 bytes")
	}
	off := Observed(slog.New(slog.DiscardHandler), func(News) {})
	if n := testing.AllocsPerRun(50, func() { off(news[0]) }); n > 0 {
		t.Errorf("switched off it takes %v allocations", n)
	}
}
