package session

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"baton/queue"
)

// stored takes a snapshot through its encoding.
func stored(t tester, x Snapshot) Snapshot { return written(t, []Event{x})[0].(Snapshot) }

// full is a snapshot with every field set, as far as they can be at once.
func full() Snapshot {
	var x Snapshot
	fill(reflect.ValueOf(&x).Elem(), "Snapshot", 0)
	x.Rows[0].Generated, x.Rows[1].Generated, x.Undo.Rows[0].Row.Generated, x.Undo.Rows[1].Row.Generated = 2, 0, 0, 0
	x.Turns = []EarlierTurn{
		{Turn: 2, Chain: 1, Outcome: Failed, Compact: true, Tool: true, Tokens: 7},
		{Turn: 3, Chain: 1, Outcome: Succeeded},
		{Turn: 5, Chain: 4, Outcome: Stopped, Text: "P", Attachments: withFile("").Attachments, Compact: true, Tool: true, Tokens: 8},
	}
	x.Before, x.Refs = 0, nil
	return x
}

// TestSnapshotKeepsAll: every field goes into the state and comes back out of it.
func TestSnapshotKeepsAll(t *testing.T) {
	x := full()
	s := stored(t, x).State(Settings{Drain: true})
	if !s.Settings.Drain || s.Items.Start() != x.Items || s.Items.Len() != x.Items {
		t.Errorf("settings %+v, items %d to %d of %d", s.Settings, s.Items.Start(), s.Items.Len(), x.Items)
	}
	again, ok := s.Snapshot()
	if d := cmp.Diff(x, again); d != "" || !ok {
		t.Error(ok, d)
	}
}

// TestSnapshotKnowsTheState: a field that is new in the state must be named here, once it
// is decided whether a snapshot keeps it.
func TestSnapshotKnowsTheState(t *testing.T) {
	known := strings.Fields("Session Agent Next Prompts Queue Gate Due Awaiting Editing Draft Mark Undo CarryTo" + // kept
		" Life Items older" + // kept as Failed, Items and Turns
		" Settings Quitting live") // not recorded at all, or of something that runs
	for i := range reflect.TypeFor[State]().NumField() {
		if name := reflect.TypeFor[State]().Field(i).Name; !slices.Contains(known, name) {
			t.Errorf("does a snapshot keep the field %s of the state?", name)
		}
	}
}

// TestSnapshotOnlyWhileIdle: what runs is in no snapshot.
func TestSnapshotOnlyWhileIdle(t *testing.T) {
	idle := with(New(Settings{}), Opened{Session: "s"})
	for name, c := range map[string]struct {
		s  State
		ok bool
	}{
		"not open":  {New(Settings{}), false},
		"idle":      {idle, true},
		"turn":      {with(idle, Submit{Draft{Text: "P"}}), false},
		"preparing": {with(idle, Submit{withFile("P")}), false},
		"command":   {with(idle, Submit{Draft{Text: "/x", Command: true}}), false},
		"failed":    {with(idle, Submit{Draft{Text: "P"}}, GaveUp{Turn: 1}), true},
		"stopped":   {with(idle, Submit{Draft{Text: "P"}}, Stop{1}, StopTimedOut{1}), true},
		"ending":    {with(idle, Quit{}), false},
	} {
		t.Run(name, func(t *testing.T) {
			if _, ok := c.s.Snapshot(); ok != c.ok {
				t.Errorf("a snapshot can be taken: %v", ok)
			}
		})
	}
}

// longTexts is a snapshot with a text of that length in every place, each its own.
func longTexts(length int) Snapshot {
	x := full()
	for i, f := range x.texts() {
		*f.text = strings.Repeat(string(rune('a'+i)), length)
	}
	return x
}

func TestLimitOfSnapshotTexts(t *testing.T) {
	for length, out := range map[int]bool{OwnText - 1: false, OwnText: false, OwnText + 1: true} {
		x := longTexts(length)
		x.Elide(func(string) (int64, bool) { return 7, true })
		if got := len(x.Refs); (got == len(x.texts())) != out || (got == 0) == out {
			t.Errorf("%d of %d texts of %d bytes are left out", got, len(x.texts()), length)
		}
	}
}

// TestSnapshotOfOddText: what a log cannot hold as it is comes back as the log has it.
func TestSnapshotOfOddText(t *testing.T) {
	x := Snapshot{Rows: []queue.Row{{Text: strings.Repeat("\xff", OwnText+1)}}}
	x.Elide(func(string) (int64, bool) { return 7, true })
	x = stored(t, x)
	err := x.Fill(func(int64) ([]string, error) { return nil, nil })
	if err != nil || x.Rows[0].Text != strings.Repeat("\ufffd", OwnText+1) {
		t.Errorf("%q %v", x.Rows[0].Text, err)
	}
}

// TestSnapshotTexts leaves texts out and puts them back.
func TestSnapshotTexts(t *testing.T) {
	whole := longTexts(OwnText + 1)
	at := map[string]int64{}
	for i, text := range Texts(whole) {
		at[text] = int64(1000 * i)
	}
	delete(at, whole.Draft.Text) // which the log has nowhere else
	find := func(text string) (int64, bool) { o, ok := at[text]; return o, ok }
	x := whole
	x.Elide(find)
	if d := cmp.Diff(longTexts(OwnText+1), whole); d != "" {
		t.Fatalf("what the snapshot was taken from has changed: %s", d)
	}
	if own := Texts(x); len(own) != 1 || own[0] != whole.Draft.Text {
		t.Errorf("it carries %q itself", own)
	}
	for name, c := range map[string]struct {
		texts func(int64) ([]string, error)
		want  string // in the error; "" for none
	}{
		"all there": {func(o int64) ([]string, error) {
			ts := []string{"other", strings.Repeat("!", OwnText+1)}
			for text, p := range at {
				if p == o {
					ts = append(ts, text)
				}
			}
			return ts, nil
		}, ""},
		"gone":       {func(int64) ([]string, error) { return nil, nil }, "is not at offset"},
		"others":     {func(int64) ([]string, error) { return []string{strings.Repeat("!", OwnText+1)}, nil }, "is not at offset"},
		"unreadable": {func(int64) ([]string, error) { return nil, errors.New("line damaged") }, "line damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			y := stored(t, x)
			err := y.Fill(c.texts)
			switch {
			case c.want == "":
				if d := cmp.Diff(whole, y); d != "" || err != nil {
					t.Errorf("%v %s", err, d)
				}
			case err == nil || !strings.Contains(err.Error(), c.want):
				t.Errorf("error %v, want one that says %q", err, c.want)
			}
		})
	}
	t.Run("no such place", func(t *testing.T) {
		y := x
		y.Refs = append(slices.Clone(x.Refs), Ref{Text: "rows.9"})
		if err := y.Fill(func(o int64) ([]string, error) { return Texts(whole), nil }); err == nil || !strings.Contains(err.Error(), "rows.9") {
			t.Errorf("error %v", err)
		}
	})
}

// TestTextsOfEvents lists what each kind of event carries, so that no kind is forgotten.
func TestTextsOfEvents(t *testing.T) {
	want := map[string]int{"row.queued": 1, "row.edited": 1, "turn.started": 1, "editor.opened": 1, "undo.used": 1, "undo.kept": 3, SnapshotKind: 8}
	for _, e := range samples() {
		kind, _ := KindOf(e)
		got := Texts(e)
		for _, text := range got {
			if text != "TEXT" {
				t.Errorf("%s carries %q", kind, text)
			}
		}
		if len(got) != want[kind] {
			t.Errorf("%s carries %d texts, want %d", kind, len(got), want[kind])
		}
	}
}

// TestLaterFieldsOfASnapshot: one of a later version is read for what is known here.
func TestLaterFieldsOfASnapshot(t *testing.T) {
	e, known, err := Decode(SnapshotKind, []byte(`{"items":3,"session":"s","next":4,"mood":"fine","rows":[{"id":"s.1","text":"a","colour":"red"}],"turns":[{"turn":2,"chain":2,"outcome":"failed","text":"P","x":1}]}`))
	if !known || err != nil {
		t.Fatal(known, err)
	}
	s := e.(Snapshot).State(Settings{})
	last, _ := s.LastTurn()
	if r, _ := s.Queue.Head(); r.Text != "a" || last.Text != "P" || s.Items.Len() != 3 || s.Next != 4 {
		t.Errorf("%+v", s)
	}
}

// TestSnapshotsReadAsTheWhole goes through histories from each moment at which nothing
// ran: a reader that begins there has the same items behind it, the older pages make them
// whole, and what it would write into the next snapshot is the same too.
func TestSnapshotsReadAsTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLog(t)
		var marks []int
		for n := range len(l.batches) + 1 {
			if _, ok := l.idle[n]; ok {
				marks = append(marks, n)
			}
		}
		whole := foldAll(New(Settings{}), l.events()).Items
		tail, end := Items{}, len(l.batches)
		for i, from := range slices.Backward(marks) {
			s := l.restored(t, from)
			first := s.Items.Start()
			for n := from; n < len(l.batches); n++ {
				s = foldAll(s, l.batches[n])
				if then, ok := l.idle[n+1]; ok {
					sameSnapshot(t, then, s)
				}
				if n+1 == end && end < len(l.batches) {
					tail = Apply(State{Items: tail}, HistoryRead{s.Items}).Items
				}
			}
			if end == len(l.batches) {
				tail = s.Items
			}
			end = from
			for n, it := range s.Items.All() {
				if !reflect.DeepEqual(whole.At(n), it) {
					t.Fatalf("item %d, read from batch %d on: %s", n, from, cmp.Diff(whole.At(n), it))
				}
			}
			if tail.Start() != first || tail.Len() != whole.Len() || s.Items.Len() != whole.Len() {
				t.Fatalf("snapshot %d: items %d to %d, want %d to %d", i, tail.Start(), tail.Len(), first, whole.Len())
			}
		}
		tail = tail.Prepend(window(0, slices.Concat(l.batches[:end]...)))
		if d := cmp.Diff(listed(whole), listed(tail)); d != "" || tail.Start() != 0 {
			t.Fatalf("begins at %d: %s", tail.Start(), d)
		}
	})
}

// restored is the state behind that many batches as a reader has it that begins there.
func (l log) restored(t tester, batches int) State {
	x, ok := l.idle[batches].Snapshot()
	if !ok {
		t.Fatalf("no snapshot of an idle state")
	}
	x.Elide(func(text string) (int64, bool) {
		for n, b := range l.batches[:batches] {
			for _, e := range b {
				if slices.Contains(Texts(e), text) {
					return int64(n), true
				}
			}
		}
		return 0, false
	})
	x = stored(t, x)
	for _, text := range Texts(x) {
		if len(text) > OwnText {
			t.Fatalf("a text of %d bytes is in no event", len(text))
		}
	}
	err := x.Fill(func(at int64) (texts []string, err error) {
		for _, e := range l.batches[at] {
			texts = append(texts, Texts(e)...)
		}
		return texts, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return x.State(l.idle[batches].Settings)
}

func sameSnapshot(t tester, a, b State) {
	x, _ := a.Snapshot()
	y, ok := b.Snapshot()
	if x, y = stored(t, x), stored(t, y); !ok || !reflect.DeepEqual(x, y) {
		t.Fatalf("another snapshot: %v %s", ok, cmp.Diff(x, y))
	}
}

// TestRetryOfATurnBeforeTheWindow: the last turn is run again with its text, its files and
// its chain, and consent for its tools, whether or not its item is here.
func TestRetryOfATurnBeforeTheWindow(t *testing.T) {
	open := with(New(Settings{}), Opened{Session: "s"})
	plain := with(open, Submit{Draft{Text: "P"}}, AttemptStarted{1, 1}, GaveUp{Turn: 1, N: 1, Max: 1})
	files := with(open, Submit{withFile("P")}, Prepared{2, withFile("").Attachments}, AttemptStarted{2, 1}, GaveUp{Turn: 2, N: 1, Max: 1})
	tools := with(open, Submit{Draft{Text: "P"}}, AttemptStarted{1, 1}, ToolActivity{1, 1, ToolPart{ID: "x"}}, GaveUp{Turn: 1, N: 1, Max: 1})
	for name, c := range map[string]struct {
		s    State
		in   Retry
		want string
	}{
		"text":  {plain, Retry{Turn: 1}, "session.TurnStarted{Turn:2, Chain:1, Text:\"P\""},
		"files": {files, Retry{Turn: 2}, "session.PrepareStarted{Turn:3, Row:\"\", Chain:2}"},
		"tools": {tools, Retry{Turn: 1}, "consent"},
	} {
		t.Run(name, func(t *testing.T) {
			x, _ := c.s.Snapshot()
			evs, effs := Decide(stored(t, x).State(Settings{}), c.in)
			if !strings.Contains(fmt.Sprintf("%#v", evs), c.want) {
				t.Errorf("%#v", evs)
			}
			if wantEvs, wantEffs := Decide(c.s, c.in); !reflect.DeepEqual(evs, wantEvs) || !reflect.DeepEqual(effs, wantEffs) {
				t.Errorf("%#v\n%#v\nwant %#v\n%#v", evs, effs, wantEvs, wantEffs)
			}
		})
	}
}

// TestGeneratedRowBeforeTheWindow: the row that a failure made goes with the success of
// its chain, also when both lie before the window and the row was open then.
func TestGeneratedRowBeforeTheWindow(t *testing.T) {
	s := with(New(Settings{}), Opened{Session: "s"}, Submit{Draft{Text: "P"}}, Submit{Draft{Text: "Q"}}, AttemptStarted{1, 1}, GaveUp{Turn: 1, N: 1, Max: 1})
	head, _ := s.Queue.Head()
	reopen := func(s State) State {
		x, ok := s.Snapshot()
		if !ok {
			t.Fatal("busy")
		}
		return stored(t, x).State(Settings{})
	}
	s = reopen(with(s, BeginEdit{head.ID}))
	s = reopen(with(s, Retry{Turn: 1}, AttemptStarted{4, 1}, Ready{Turn: 4, N: 1}))
	s = reopen(with(s, Submit{Draft{Text: "R"}}, AttemptStarted{5, 1}, Ready{Turn: 5, N: 1}))
	s = with(s, EndEdit{Row: head.ID, Draft: draftOf(head)})
	if _, there := s.Queue.Get(head.ID); head.Text != ContinueText || there {
		t.Errorf("the row %q is in the queue: %v", head.Text, there)
	}
}
