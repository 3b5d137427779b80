package session

import (
	"flag"
	"fmt"
	"hash/maphash"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"baton/queue"
)

// The small-scope check walks every state that a few texts, turns and rows can
// reach, with crashes, and holds each step against the contract. The rules are
// written here a second time, from the outside: what must hold of a step, not how
// it is decided.

var exploreStates = flag.Int("session.states", 8_000, "states per start that the small-scope check visits at most")

const scopeRows = 3

// scope bounds a walk.
type scope struct{ texts, turns int }

var small = scope{texts: 3, turns: 3}

var epoch = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// node is a state, the state a crash would leave, and what the checker remembers.
type node struct {
	s, disk  State
	scope    scope
	texts    int  // texts entered so far
	due      bool // the checker's own view of a due promotion
	stopOpen bool // the gate was open when the running turn was told to stop
	halted   bool // a stop settled and the person has not acted since
	from     *node
	in       Input
	events   []Event // that led here, until the reader has them
	reader   reader  // the same states for one that has not read everything
}

func newNode(set Settings, within scope) *node {
	return &node{s: New(set), disk: New(set), scope: within, reader: reader{s: New(set), disk: New(set), here: true}}
}

func (n *node) trail() string {
	var ls []string
	for ; n != nil; n = n.from {
		ls = append([]string{fmt.Sprintf("%T%+v\n      → %s", n.in, n.in, key(n.s))}, ls...)
	}
	return strings.Join(ls, "\n")
}

// key is a state as text: equal keys are equal states.
func key(s State) string { return string(appendKey(nil, s)) }

// appendKey is written by hand because the walk spends its time here.
func appendKey(b []byte, s State) []byte {
	num := func(ns ...int) {
		for _, n := range ns {
			b = append(strconv.AppendInt(b, int64(n), 10), ' ')
		}
	}
	flags := func(fs ...bool) {
		for _, f := range fs {
			b = append(b, "-+"[map[bool]int{true: 1}[f]])
		}
	}
	str := func(ss ...string) {
		for _, s := range ss {
			b = append(append(b, s...), '|')
		}
	}
	draft := func(text string, files int, command bool) {
		str(text)
		num(files)
		flags(command)
	}
	life := func(l Lifecycle) {
		switch l := l.(type) {
		case LifeReady:
			str("ready")
		case LifeError:
			str("error")
			num(int(l.Turn))
		}
	}
	life(s.Life)
	switch l := s.Life.(type) {
	case LifePreparing:
		str("preparing", string(l.Row))
		num(int(l.Turn), int(l.Chain))
		life(l.Before)
	case LifeCommand:
		str("command", string(l.Row))
		num(int(l.ID))
		life(l.Before)
	case LifeTurn:
		str("turn", phaseName(l.Phase))
		st, _ := l.Phase.(Stopping)
		flags(st.Open)
		num(int(l.Turn), l.Attempt)
		flags(l.Tool)
	}
	row := func(r queue.Row) {
		str(string(r.ID))
		draft(r.Text, len(r.Attachments), r.Command)
		num(r.Generated)
	}
	gate := func(g Gate) {
		flags(g.Failed, g.Stopped, !g.Limit.IsZero(), g.Restored, g.Paused)
		for _, bl := range g.Blocked {
			str(string(bl.Row), bl.Why)
		}
	}
	str("queue")
	for i := range s.Queue.Len() {
		row(s.Queue.At(i))
	}
	gate(s.Gate)
	flags(s.Due, s.Quitting)
	str(string(s.Editing), string(s.Mark.Row))
	num(int(s.Mark.Turn), int(s.Awaiting), s.Next)
	if s.Draft != nil {
		str("draft")
		draft(s.Draft.Text, len(s.Draft.Attachments), s.Draft.Command)
	}
	if u := s.Undo; u != nil {
		str("undo", string(u.Row))
		for _, p := range u.Rows {
			num(p.Index)
			row(p.Row)
		}
		if u.Draft != nil {
			draft(u.Draft.Text, len(u.Draft.Attachments), u.Draft.Command)
		}
		gate(u.Gate)
	}
	for _, it := range s.Items.All() {
		if it.Turn != nil {
			num(int(it.Turn.ID), int(it.Turn.Chain))
			str(it.Turn.Text, string(it.Turn.Outcome))
		}
	}
	num(s.live.attempt)
	flags(s.live.failed)
	return b
}

// lasting is what a crash must not take: all but the standing of the running attempt
// and a quit that has not come to pass.
func lasting(s State) string {
	if l, ok := s.Life.(LifeTurn); ok {
		_, stopping := l.Phase.(Stopping)
		s.Life = LifeTurn{Turn: l.Turn, Tool: l.Tool}
		if stopping {
			s.Life = LifeTurn{Turn: l.Turn, Tool: l.Tool, Phase: l.Phase}
		}
	}
	s.Quitting, s.live = false, live{}
	return key(s)
}

func phaseName(p Phase) string {
	switch p.(type) {
	case Connecting:
		return "connecting"
	case Waiting:
		return "waiting"
	case Streaming:
		return "streaming"
	case ToolRunning:
		return "tool"
	case Approval:
		return "approval"
	case Backoff:
		return "backoff"
	case Stopping:
		return "stopping"
	}
	return "?"
}

func TestContractSmallScope(t *testing.T) {
	broken := t.Failed // by any of the walks; the others need not go on
	full := []Input{Opened{Session: "s"}, Submit{Draft{Text: "p"}}, Submit{Draft{Text: "q"}}, Submit{Draft{Text: "r"}}, Submit{Draft{Text: "s"}}}
	for name, c := range map[string]struct {
		set   Settings
		start []Input
	}{
		"empty":        {Settings{Rows: scopeRows}, []Input{Opened{Session: "s"}}},
		"empty, drain": {Settings{Rows: scopeRows, Drain: true}, []Input{Opened{Session: "s"}}},
		"full, busy":   {Settings{Rows: scopeRows}, full},
		"full, drain":  {Settings{Rows: scopeRows, Drain: true}, full},
		"full, held":   {Settings{Rows: scopeRows}, append(append([]Input{}, full...), AttemptStarted{1, 1}, GaveUp{Turn: 1, N: 1, Max: 1})},
		"full, files":  {Settings{Rows: scopeRows}, []Input{Opened{Session: "s"}, Submit{Draft{Text: "p"}}, Submit{withFile("q")}, Submit{withFile("r")}, Submit{Draft{Text: "/x", Command: true}}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNode(c.set, small)
			for _, in := range c.start {
				n = stepNode(t, n, in)
			}
			seen, deepest := explore(t, broken, n)
			t.Logf("%d states, %d steps deep", seen, deepest)
			if seen < 1000 && !broken() {
				t.Fatalf("only %d states: the walk is stuck", seen)
			}
		})
	}
}

func withFile(text string) Draft {
	return Draft{Text: text, Attachments: []queue.Attachment{{Path: "notes.png"}}}
}

// explore walks breadth first from a node.
func explore(t *testing.T, broken func() bool, start *node) (seen, deepest int) {
	seed := maphash.MakeSeed()
	visited := map[uint64]bool{}
	var buf []byte
	id := func(n *node) uint64 {
		buf = appendKey(buf[:0], n.s)
		buf = appendKey(buf, n.disk)
		buf = append(buf, byte(n.texts))
		for _, f := range []bool{n.due, n.stopOpen, n.halted} {
			buf = strconv.AppendBool(buf, f)
		}
		return maphash.Bytes(seed, buf)
	}
	visited[id(start)] = true
	level := []*node{start}
	for len(level) > 0 && len(visited) < *exploreStates && !broken() {
		var next []*node
		for _, n := range level {
			for _, in := range inputs(n) {
				m := stepNode(t, n, in)
				if broken() {
					return len(visited), deepest
				}
				if h := id(m); !visited[h] && len(visited) < *exploreStates {
					visited[h] = true
					next = append(next, m)
				}
			}
			checkReachable(t, n)
		}
		level = next
		deepest++
	}
	return len(visited), deepest
}

// crash ends the process and opens the session again.
type crash struct{}

func (crash) decide(*decider) {}

// tester is what both kinds of walk offer.
type tester interface {
	Fatalf(format string, args ...any)
	Fatal(args ...any)
}

// stepNode takes one step and checks it.
func stepNode(t tester, n *node, in Input) *node {
	m := &node{s: n.s, disk: n.disk, scope: n.scope, texts: n.texts, due: n.due, stopOpen: n.stopOpen, halted: n.halted, from: n, in: in}
	from, real := n.s, in
	if _, ok := in.(crash); ok {
		from, real = n.disk, Opened{Session: "s"}
	}
	steps.Add(1)
	sample := steps.Load()%64 == 0
	before := ""
	if sample {
		before = key(from)
	}
	evs, effs := Decide(from, real)
	if sample && key(from) != before {
		t.Fatalf("Decide changed its state:\n%s", m.trail())
	}
	m.events = evs
	n.read(t)
	n.reader.decide(t, m, evs, effs)
	m.s = from
	for _, e := range evs {
		m.s = Apply(m.s, e)
	}
	m.disk = replay(t, n.disk, evs, sample)
	if sample && lasting(m.s) != lasting(m.disk) {
		t.Fatalf("C3: a crash would lose something\nhere    %s\non disk %s\n%s", lasting(m.s), lasting(m.disk), m.trail())
	}
	c := &step{node: m, before: from, after: m.s, in: real, events: evs, effects: effs}
	c.remember(n)
	if msg := c.check(n); msg != "" {
		t.Fatalf("%s\nevents %+v\neffects %+v\n%s", msg, evs, effs, m.trail())
	}
	return m
}

var steps atomic.Int64

// replay folds what a journal would hold; every so often through its encoding.
func replay(t tester, s State, evs []Event, encoded bool) State {
	for _, e := range evs {
		if _, ok := byType[reflect.TypeOf(e)]; !ok {
			continue
		}
		if !encoded {
			s = Apply(s, e)
			continue
		}
		kind, data, ok, err := Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			continue
		}
		back, known, err := Decode(kind, data)
		if err != nil || !known {
			t.Fatal(kind, known, err)
		}
		s = Apply(s, back)
	}
	return s
}

// inputs lists what can happen in a node: everything a person can press, every
// answer that can still come, and answers that come too late.
func inputs(n *node) []Input {
	s, ins := n.s, []Input{Play{}, UndoLast{}, ClearRows{}, SetPaused{true}, SetPaused{false}, AgentChanged{"b"}, Quit{}, crash{}}
	text := string(rune('a' + n.texts%20))
	if n.texts >= 20 {
		text += strconv.Itoa(n.texts)
	}
	turns := 0
	for _, it := range s.Items.All() {
		if it.Turn != nil {
			turns++
		}
	}
	fresh := n.texts < n.scope.texts
	command := "/" + text
	if n.texts%2 == 1 {
		command = "/compact " + text // the one command that is a turn
	}
	if fresh {
		ins = append(ins, Submit{Draft{Text: text}}, Submit{withFile(text)}, Submit{Draft{Text: command, Command: true}},
			Park{Draft{Text: text}, true}, Park{Draft{Text: text}, false})
	}
	if _, stopping := stoppingTurn(s); stopping && fresh { // elsewhere it is Submit
		ins = append(ins, Add{Draft{Text: text}})
	}
	ins = append(ins, Submit{Draft{Text: " \n"}}, Park{Draft{Text: " "}, true})
	for _, r := range s.Queue.Rows() {
		if fresh {
			ins = append(ins, Rewrite{Row: r.ID, Text: text})
		}
	}
	if turns >= n.scope.turns {
		ins = []Input{SetPaused{true}, UndoLast{}, ClearRows{}, Quit{}, crash{}} // no further starts
	}
	work := s.Work()
	ins = append(ins, Stop{work}, Stop{work + 7}, StopTimedOut{work}, StopTimedOut{work + 7})
	for _, r := range s.Queue.Rows() {
		ins = append(ins, BeginEdit{r.ID}, RemoveRow{Row: r.ID}, MoveRow{Row: r.ID}, MoveRow{Row: r.ID, To: 9}, MoveRow{r.ID, 0, true}, RemoveRows{[]queue.ID{r.ID, r.ID}})
		if turns < n.scope.turns {
			ins = append(ins, SendNow{Row: r.ID, Turn: work}, SendNow{Row: r.ID, Turn: work + 7}, SendNow{Row: r.ID, Turn: work, Confirmed: true})
		}
	}
	if r, ok := s.Queue.Get(s.Editing); ok {
		ins = append(ins, EndEdit{Row: r.ID, Save: true, Draft: draftOf(r)}, EndEdit{Row: r.ID, Draft: draftOf(r)}, EndEdit{Row: r.ID, Save: true})
		if fresh {
			d := Draft{Text: text}
			ins = append(ins, EndEdit{Row: r.ID, Save: true, Draft: d}, EndEdit{Row: r.ID, Draft: d}, RemoveRow{r.ID, &d}, ClearRows{&d}, KeepEdit{r.ID, d})
		}
	}
	ins = append(ins, EndEdit{Row: "gone", Save: true, Draft: Draft{Text: "z"}})
	if t, ok := s.LastTurn(); ok && turns < n.scope.turns {
		ins = append(ins, Retry{Turn: t.ID}, Retry{Turn: t.ID, Confirmed: true}, Retry{Turn: t.ID + 7}, Promote{t.ID}, Promote{t.ID + 7})
		if t.ID > 1 {
			ins = append(ins, Promote{1}, Ready{Turn: 1, N: 1}, GaveUp{Turn: 1, N: 1, Max: 2})
		}
	}
	switch l := s.Life.(type) {
	case LifePreparing:
		ins = append(ins, Prepared{l.Turn, []queue.Attachment{{Path: "notes.png", Size: 3}}}, Prepared{Turn: l.Turn + 7}, Unprepared{l.Turn, "missing notes.png"})
	case LifeCommand:
		ins = append(ins, CommandDone{ID: l.ID}, CommandDone{ID: l.ID, Leave: true}, CommandDone{ID: l.ID + 7}, CommandDone{ID: l.ID, Why: "no such agent"})
	case LifeTurn:
		ins = append(ins, news(l)...)
	}
	return ins
}

// news lists the agent's possible reports about a running turn.
func news(l LifeTurn) []Input {
	if l.Attempt == 0 {
		return []Input{AttemptStarted{l.Turn, 1}, StoppedByClient{Turn: l.Turn}}
	}
	ins := []Input{
		GaveUp{Turn: l.Turn, N: l.Attempt, Max: 2}, StoppedByClient{Turn: l.Turn},
		GaveUp{Turn: l.Turn, N: l.Attempt + 1, Max: 2}, Ready{Turn: l.Turn, N: l.Attempt + 1}, Delta{Turn: l.Turn, N: l.Attempt + 1, Text: "stale", At: epoch},
	}
	if b, ok := l.Phase.(Backoff); ok {
		return append(ins, RetryStarted{Turn: l.Turn, N: l.Attempt + 1}, RetryNow{Turn: l.Turn, Attempt: b.Failed, At: epoch}, RetryNow{Turn: l.Turn, Attempt: 9})
	}
	ins = append(ins, Ready{Turn: l.Turn, N: l.Attempt}, GaveUp{Turn: l.Turn, N: l.Attempt, Max: 2, Until: epoch})
	if l.Attempt == 1 {
		ins = append(ins, RetryScheduled{Turn: l.Turn, N: 1, Max: 2, Attempt: Attempt{N: 1, Cause: Cause{Kind: "server"}}}, ToolActivity{l.Turn, 1, ToolPart{ID: "x"}})
	}
	return ins
}

// TestContractLongHistories takes random walks, far longer than the exhaustive ones.
func TestContractLongHistories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set := Settings{Rows: rapid.SampledFrom([]int{1, 2, 5, queue.MaxRows}).Draw(t, "rows"), Drain: rapid.Bool().Draw(t, "drain")}
		n := newNode(set, scope{texts: 1000, turns: 1000})
		n = stepNode(t, n, Opened{Session: "s"})
		if rapid.Bool().Draw(t, "full") {
			n = stepNode(t, n, Submit{Draft{Text: "p"}})
			for n.s.Queue.Len() < n.s.Queue.Cap() {
				n = stepNode(t, n, Submit{Draft{Text: fmt.Sprintf("row %d", n.texts)}})
			}
		}
		for range rapid.IntRange(20, 120).Draw(t, "steps") {
			ins := slices.DeleteFunc(inputs(n), func(in Input) bool { // the walk goes on
				_, quit := in.(Quit)
				return quit
			})
			n = stepNode(t, n, ins[rapid.IntRange(0, len(ins)-1).Draw(t, "input")])
		}
	})
}
