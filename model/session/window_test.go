package session

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"baton/retrypolicy"
)

// log is what a journal holds: the durable events of a history, a batch for each step.
type log struct {
	batches [][]Event
	idle    map[int]State // what nothing ran in, by the batches before it
}

func (l log) events() []Event { return slices.Concat(l.batches...) }

func foldAll(s State, evs []Event) State {
	for _, e := range evs {
		s = Apply(s, e)
	}
	return s
}

// window reads events as a part of a log whose earlier part has items of that number.
func window(items int, evs []Event) Items {
	return foldAll(Snapshot{Items: items}.State(Settings{}), evs).Items
}

func itemRows(x Items) (rs []Row) {
	for i, it := range x.All() {
		rs = append(rs, it.Rows(i)...)
	}
	return rs
}

// talk lists what an agent and a person can say in a node that makes a transcript.
func talk(n *node, nth int) []Input {
	text := fmt.Sprintf("%d: %.*s", nth, nth%7*60, filler)
	at := epoch.Add(time.Duration(nth) * time.Second)
	ins := []Input{Submit{Draft{Text: text}}, Note{text}}
	if t, ok := n.s.LastTurn(); ok {
		ins = append([]Input{Promote{t.ID}, Retry{Turn: t.ID, Confirmed: true}, Submit{Draft{Text: text}}}, ins...)
	}
	l, ok := n.s.Running()
	switch {
	case !ok:
		return append(append(ins, Play{}, BeginEdit{"s.2"}), inputs(n)...)
	case l.Attempt == 0:
		return append([]Input{AttemptStarted{l.Turn, 1}, AttemptStarted{l.Turn, 1}, AttemptStarted{l.Turn, 1}}, ins...)
	}
	cause := Cause{Kind: retrypolicy.Server, Status: 500, Message: text, RequestID: fmt.Sprint("r", nth)}
	attempt := Attempt{N: l.Attempt, Started: at, Took: time.Second, Delay: time.Second, Waited: time.Second, Cause: cause}
	if _, waits := l.Phase.(Backoff); waits {
		again := RetryStarted{l.Turn, l.Attempt + 1, 2 * time.Second}
		return append([]Input{again, again, again, StoppedByClient{l.Turn, []Attempt{attempt}}, crash{}}, ins...)
	}
	tool := ToolPart{ID: string(rune('a' + nth%3)), Name: "ls", Title: text, Status: "done"}
	return append([]Input{
		Ready{Turn: l.Turn, N: l.Attempt, Tokens: int64(nth), Cut: nth%2 == 0, Attempts: []Attempt{attempt}},
		Delta{Turn: l.Turn, N: l.Attempt, Text: text, At: at}, Delta{Turn: l.Turn, N: l.Attempt, Reasoning: text, At: at},
		RetryScheduled{Turn: l.Turn, N: l.Attempt, Max: 5, Attempt: attempt}, ToolActivity{l.Turn, l.Attempt, tool},
		GaveUp{Turn: l.Turn, N: l.Attempt, Max: 5, Cause: cause, Attempts: []Attempt{attempt}},
		Stop{l.Turn}, StoppedByClient{Turn: l.Turn}, ToolActivity{l.Turn, l.Attempt, tool},
		RetryScheduled{Turn: l.Turn, N: l.Attempt, Max: 5, Attempt: attempt},
	}, ins...)
}

const filler = "a text of some length, since what is short stays in a snapshot and what is long is left out of it; it is as long as it must be for the purpose, and that is all that can be said of it: a text of some length, since what is short stays in a snapshot and what is long is left out of it"

// drawLog takes a random walk and keeps what it would have written. Every step is held
// against the contract too.
func drawLog(t *rapid.T) log {
	l := log{idle: map[int]State{}}
	set := Settings{Drain: rapid.Bool().Draw(t, "drain")}
	n := newNode(set, scope{texts: 1000, turns: 1000})
	step := func(in Input) {
		from, real := n.s, in
		if _, ok := in.(crash); ok {
			from, real = n.disk, Opened{Session: "s"}
		}
		evs, _ := Decide(from, real)
		n = stepNode(t, n, in)
		evs = slices.DeleteFunc(evs, func(e Event) bool {
			_, ok := KindOf(e)
			return !ok
		})
		if len(evs) == 0 {
			return
		}
		l.batches = append(l.batches, written(t, evs))
		if idle(n.s) {
			l.idle[len(l.batches)] = n.s
		}
	}
	step(Opened{Session: "s"})
	for i := range rapid.IntRange(40, 90).Draw(t, "steps") {
		ins := talk(n, i)
		if rapid.IntRange(0, 5).Draw(t, "who") == 5 { // small numbers come more often
			ins = inputs(n)
		}
		in := ins[rapid.IntRange(0, len(ins)-1).Draw(t, "input")]
		if _, quit := in.(Quit); !quit { // the walk goes on
			step(in)
		}
	}
	return l
}

// written takes events through their encoding.
func written(t tester, evs []Event) (back []Event) {
	for _, e := range evs {
		kind, data, ok, err := Encode(e)
		if !ok || err != nil {
			t.Fatal(kind, ok, err)
		}
		e, known, err := Decode(kind, data)
		if !known || err != nil {
			t.Fatal(kind, known, err)
		}
		back = append(back, e)
	}
	return back
}

// TestWindowsShowTheWhole cuts histories everywhere. A turn that settled behind the cut
// reads as in the whole log, but for what only earlier events said; and once the older
// pages are there all is as in the whole log.
func TestWindowsShowTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		evs := drawLog(t).events()
		whole := foldAll(New(Settings{}), evs)
		want := itemRows(whole.Items)
		front := New(Settings{})
		for cut := range len(evs) + 1 {
			tail := window(front.Items.Len(), evs[cut:])
			checkSettled(t, whole, tail, evs[cut:])
			checkRows(t, cut, want, tail.Prepend(front.Items))
			checkRows(t, cut, want, window(0, evs[cut:]).Prepend(front.Items))
			if cut < len(evs) {
				front = Apply(front, evs[cut])
			}
		}
		for range 8 {
			cuts := rapid.SliceOfN(rapid.IntRange(0, len(evs)), 1, 6).Draw(t, "cuts")
			slices.Sort(cuts)
			slices.Reverse(cuts)
			x, end := window(0, evs[cuts[0]:]), cuts[0]
			for _, from := range append(cuts[1:], 0) {
				x, end = x.Prepend(window(0, evs[from:end])), from
			}
			checkRows(t, cuts[0], want, x)
		}
	})
}

func checkRows(t *rapid.T, cut int, want []Row, x Items) {
	if got := itemRows(x); !slices.EqualFunc(want, got, sameRow) || x.Start() != 0 {
		t.Fatalf("cut at event %d, begins at %d: %s", cut, x.Start(), cmp.Diff(want, got))
	}
}

func sameRow(a, b Row) bool {
	same := slices.Equal(a.Details, b.Details)
	a.Details, b.Details = nil, nil
	return same && a.ID == b.ID && a.Kind == b.Kind && a.Text == b.Text && a.Failed == b.Failed && a.Interrupted == b.Interrupted
}

// checkSettled compares the turns that settle in a tail with those of the whole log.
func checkSettled(t *rapid.T, whole State, tail Items, evs []Event) {
	began, tools := map[TurnID]bool{}, map[string]bool{}
	for _, e := range evs {
		switch e := e.(type) {
		case TurnStarted:
			began[e.Turn] = true
		case ToolSeen:
			tools[fmt.Sprintf("%d-tool-%s", e.Turn, e.Part.ID)] = true
		}
	}
	for _, it := range tail.All() {
		if it.Turn == nil || it.Turn.Outcome == Unsettled {
			continue
		}
		full, ok := whole.Turn(it.Turn.ID)
		if !ok {
			t.Fatalf("turn %d is in no whole log", it.Turn.ID)
		}
		want := slices.DeleteFunc(full.rows(), func(r Row) bool {
			return r.Kind == UserRow && !began[full.ID] || r.Kind == ToolRow && !tools[r.ID]
		})
		byID := func(a, b Row) int { return cmpText(a.ID, b.ID) }
		got := it.Turn.rows()
		slices.SortFunc(want, byID)
		slices.SortFunc(got, byID)
		if !slices.EqualFunc(want, got, sameRow) {
			t.Fatalf("turn %d of a tail of %d events: %s", full.ID, len(evs), cmp.Diff(want, got))
		}
	}
}

func cmpText(a, b string) int {
	if a < b {
		return -1
	}
	return 1
}

// exhausted is the log of a turn that was given up after four retries.
func exhausted() []Event {
	evs := []Event{SessionOpened{Session: "s"}, Noted{Text: "hello"}, TurnStarted{Turn: 1, Chain: 1, Text: "P"}, Noted{Text: "meanwhile"}}
	failed := func(n int) Attempt {
		return Attempt{N: n, Cause: Cause{Kind: retrypolicy.Server, Status: 500, Message: "broken"}}
	}
	var all []Attempt
	for n := 1; n < 5; n++ {
		all = append(all, failed(n))
		evs = append(evs, TurnPartial{Turn: 1, N: n, Text: "ha"}, RetryPlanned{Turn: 1, N: n, Max: 5, Attempt: failed(n)}, RetryBegan{Turn: 1, N: n + 1})
	}
	all = append(all, failed(5))
	return append(evs, TurnFailed{Turn: 1, N: 5, Max: 5, Exhausted: true, Cause: Cause{Kind: retrypolicy.Server, Status: 500, Code: "oops", Message: "broken"}, Attempts: all},
		GateChanged{Gate{Failed: true}}, SessionOpened{Session: "s"}, Noted{Text: "again"})
}

// TestTheClosingRowStays loads the log of a turn that was given up from each of its
// events on, as a restart or a reader of the end of a long log does.
func TestTheClosingRowStays(t *testing.T) {
	evs := journal(t, exhausted()...)
	settled := slices.IndexFunc(evs, func(e Event) bool { _, ok := e.(TurnFailed); return ok })
	whole := itemRows(foldAll(New(Settings{}), evs).Items)
	const closing = "Turn failed · server · 500 · broken · 5 attempts"
	both := func(t *testing.T, rs []Row) {
		t.Helper()
		retry := slices.IndexFunc(rs, func(r Row) bool { return r.Kind == RetryRow && r.Text == "Retried model request (4/4)" })
		failed := slices.IndexFunc(rs, func(r Row) bool { return r.Kind == ErrorRow && r.Text == closing })
		if retry < 0 || failed != retry+1 || len(rs[retry].Details) != 5 {
			t.Errorf("the closing row and the retries are not side by side:\n%s", lines(rs))
		}
	}
	t.Run("case 98, from any event on", func(t *testing.T) {
		both(t, whole)
		for from := range settled + 1 {
			both(t, itemRows(window(0, evs[from:])))
		}
	})
	t.Run("J7, the failed event alone", func(t *testing.T) {
		rs := itemRows(window(7, evs[settled:settled+1]))
		both(t, rs)
		if len(rs) != 2 {
			t.Errorf("it shows\n%s", lines(rs))
		}
	})
	t.Run("J7, then the older page", func(t *testing.T) {
		for cut := range len(evs) + 1 {
			front := foldAll(New(Settings{}), evs[:cut]).Items
			for _, items := range []int{0, front.Len()} {
				got := window(items, evs[cut:]).Prepend(front)
				if d := cmp.Diff(whole, itemRows(got)); d != "" {
					t.Errorf("cut at event %d: %s", cut, d)
				}
			}
		}
	})
}

// TestATurnInTwoPages: what later events said of a turn wins, and only what nothing but
// the beginning said comes from there.
func TestATurnInTwoPages(t *testing.T) {
	evs := journal(t, TurnStarted{Turn: 3, Chain: 2, Text: "P", Attachments: withFile("").Attachments, Compact: true},
		ToolSeen{3, 1, ToolPart{ID: "a", Status: "running"}}, ToolSeen{3, 1, ToolPart{ID: "b"}},
		RetryPlanned{Turn: 3, N: 1, Max: 5, Attempt: overloaded}, Noted{Text: "between"},
		ToolSeen{3, 2, ToolPart{ID: "c"}}, ToolSeen{3, 2, ToolPart{ID: "a", Status: "done"}},
		RetryPlanned{Turn: 3, N: 2, Max: 5, Attempt: cutOff},
		TurnSucceeded{Turn: 3, Answer: "A", Reasoning: "R", Cut: true, Tokens: 4, N: 3, Max: 5, Attempts: []Attempt{overloaded, cutOff, answers}})
	for end := 1; end <= len(evs); end++ {
		want := listed(foldAll(New(Settings{}), evs[:end]).Items)
		for cut := range end {
			got := listed(window(0, evs[cut:end]).Prepend(window(0, evs[:cut])))
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("cut at %d of %d: %s", cut, end, d)
			}
		}
	}
}
