package session

import (
	"fmt"
	"strings"
	"time"

	"baton/retrypolicy"
)

// RowKind says what a transcript row shows.
type RowKind string

// The kinds of transcript rows.
const (
	UserRow      RowKind = "user"
	ReasoningRow RowKind = "reasoning"
	AgentRow     RowKind = "agent"
	ToolRow      RowKind = "tool"
	RetryRow     RowKind = "retry"
	ErrorRow     RowKind = "error"
	NoticeRow    RowKind = "notice"
)

// Row is one row of the transcript. It is derived from the events of its own turn
// alone, so that a part of the log shows what the whole log shows.
type Row struct {
	ID          string // stable: turn and kind
	Kind        RowKind
	Text        string
	Details     []string // shown when unfolded
	Failed      bool     // text of a failed attempt; it is in no request
	Interrupted bool
}

// Rows lists the rows of an item. Text that still streams is not among them.
func (it Item) Rows(n int) []Row {
	if it.Turn == nil {
		return []Row{{ID: fmt.Sprintf("note-%d", n), Kind: NoticeRow, Text: it.Note}}
	}
	return it.Turn.rows()
}

func (t Turn) rows() []Row {
	var rs []Row
	add := func(k RowKind, r Row) {
		r.ID, r.Kind = fmt.Sprintf("%d-%s", t.ID, k), k
		rs = append(rs, r)
	}
	if !t.Retry() {
		add(UserRow, Row{Text: t.Text, Details: t.files()})
	}
	if t.Outcome != Unsettled && t.Reasoning != "" { // before the tools, as it mostly came
		add(ReasoningRow, Row{Text: t.Reasoning})
	}
	for _, p := range t.Tools {
		rs = append(rs, Row{ID: fmt.Sprintf("%d-tool-%s", t.ID, p.ID), Kind: ToolRow,
			Text: strings.TrimSpace(p.Name + " " + p.Title), Details: []string{p.Status}})
	}
	if t.Outcome == Unsettled {
		return rs
	}
	switch {
	case t.Lost != "":
		add(AgentRow, Row{Text: t.Lost, Failed: true})
	case t.Answer != "":
		add(AgentRow, Row{Text: t.Answer, Interrupted: t.Outcome == Stopped})
	}
	switch {
	case t.N > 1:
		add(RetryRow, Row{Text: fmt.Sprintf("Retried model request (%d/%d)", t.N-1, t.Max-1), Details: t.receipts()})
	case t.Outcome == Stopped && t.failedOnce():
		add(RetryRow, Row{Text: "Model request failed, stopped before a retry", Details: t.receipts()})
	}
	if t.Outcome == Failed {
		add(ErrorRow, Row{Text: t.failure(), Details: nonEmpty(t.Cause.NextStep)})
	} else if text := t.notice(); text != "" {
		add(NoticeRow, Row{Text: text})
	}
	return rs
}

// notice is what stands below an answer that is not the whole of what was asked, "" for nothing.
func (t Turn) notice() string {
	switch {
	case t.Outcome == Stopped && t.Interrupted:
		return "Interrupted: baton ended while this turn ran; it can be retried"
	case t.Outcome == Stopped:
		return "Stopped"
	case t.Cut && t.Compact:
		return "The summary reached the output limit and was cut off; the turns before it stay in use"
	case t.Stands():
		return "From here on the summary stands for all before it; the session keeps everything"
	case t.Cut:
		return "The answer reached the output limit and was cut off"
	}
	return ""
}

func (t Turn) files() []string {
	var names []string
	for _, a := range t.Attachments {
		names = append(names, a.Path)
	}
	return names
}

func (t Turn) failedOnce() bool {
	return len(t.Attempts) > 0 && t.Attempts[0].Cause.Kind != "" && t.Attempts[0].Cause.Kind != retrypolicy.Stopped
}

// failure is the terminal error row: kind, status or code, message, attempts.
func (t Turn) failure() string {
	parts := []string{"Turn failed", strings.ReplaceAll(string(t.Cause.Kind), "_", " ")}
	switch {
	case t.Cause.Status != 0:
		parts = append(parts, fmt.Sprint(t.Cause.Status))
	case t.Cause.Code != "":
		parts = append(parts, t.Cause.Code)
	}
	parts = append(parts, nonEmpty(t.Cause.Message)...)
	switch {
	case t.N == 1:
		parts = append(parts, "1 attempt")
	case t.N > 1:
		parts = append(parts, fmt.Sprintf("%d attempts", t.N))
	}
	return strings.Join(parts, " · ")
}

// receipts is what the retry row unfolds to: a line for each attempt.
func (t Turn) receipts() []string {
	var ls []string
	for _, a := range t.Attempts {
		ls = append(ls, a.line())
	}
	return ls
}

// Line names a cause in a few words: "503 overloaded: message".
func (c Cause) Line() string {
	s := strings.ReplaceAll(string(c.Kind), "_", " ")
	if c.Status != 0 {
		s = fmt.Sprintf("%d %s", c.Status, s)
	}
	if c.Message != "" {
		s += ": " + c.Message
	}
	return s
}

func short(d time.Duration) string {
	if d < time.Second {
		return d.Round(time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// Short names a cause in the fewest words: "503 overloaded".
func (c Cause) Short() string {
	c.Message = ""
	return c.Line()
}
