package session

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"baton/queue"
)

// held builds a state with three rows and every reason in its gate. The first row
// is the blocked one.
func held(life Lifecycle) State {
	s := New(Settings{})
	for _, e := range []Event{
		SessionOpened{Session: "s"},
		TurnStarted{Turn: 1, Chain: 1, Text: "P"},
		TurnFailed{Turn: 1},
		RowQueued{Row: queue.Row{ID: "s.2", Text: "A", Attachments: []queue.Attachment{{Path: "a.png"}}}},
		RowQueued{Row: queue.Row{ID: "s.3", Text: "B"}, Index: 1},
		RowQueued{Row: queue.Row{ID: "s.4", Text: "/c", Command: true}, Index: 2},
		GateChanged{Gate{Failed: true, Stopped: true, Limit: epoch.Add(time.Hour), Restored: true, Paused: true,
			Blocked: []Block{{"s.2", "missing a.png"}}}},
	} {
		s = Apply(s, e)
	}
	switch life.(type) {
	case LifeTurn:
		s = Apply(s, TurnStarted{Turn: 5, Chain: 5, Text: "Q"})
	case LifePreparing:
		s = Apply(s, PrepareStarted{Turn: 5, Row: "s.2"})
	case LifeCommand:
		s = Apply(s, CommandStarted{ID: 5, Row: "s.4"})
	}
	return s
}

// with folds inputs over a state.
func with(s State, ins ...Input) State {
	for _, in := range ins {
		s = fold(s, in)
	}
	return s
}

const everything = "failed stopped limit restored paused blocked"

func reasons(g Gate) string {
	var rs []string
	for _, r := range []struct {
		is   bool
		name string
	}{{g.Failed, "failed"}, {g.Stopped, "stopped"}, {!g.Limit.IsZero(), "limit"}, {g.Restored, "restored"}, {g.Paused, "paused"}, {len(g.Blocked) > 0, "blocked"}} {
		if r.is {
			rs = append(rs, r.name)
		}
	}
	return strings.Join(rs, " ")
}

// TestGateTable is the table of what each input takes away and puts in, starting
// from a gate that holds every reason. left is what stays.
func TestGateTable(t *testing.T) {
	idle, turn, preparing, command := held(nil), held(LifeTurn{}), held(LifePreparing{}), held(LifeCommand{})
	stopping := with(turn, Stop{5})
	editing := with(idle, BeginEdit{"s.2"})
	backoff := with(turn, AttemptStarted{5, 1}, RetryScheduled{Turn: 5, N: 1, Max: 5})
	file := func(path string) Draft { return Draft{Text: "A", Attachments: []queue.Attachment{{Path: path}}} }
	rows := []struct {
		name string
		s    State
		in   Input
		left string
	}{
		{"success", turn, Ready{Turn: 5}, "restored paused blocked"},
		{"success while stopping", stopping, Ready{Turn: 5}, "stopped restored paused blocked"},
		{"failure", turn, GaveUp{Turn: 5}, "failed stopped restored paused blocked"},
		{"failure with a time", turn, GaveUp{Turn: 5, Until: epoch}, "stopped limit restored paused blocked"},
		{"failure while stopping", stopping, GaveUp{Turn: 5}, everything},
		{"stopped", stopping, StoppedByClient{Turn: 5}, everything},
		{"silence", stopping, StopTimedOut{5}, everything},
		{"play", idle, Play{}, "paused"},
		{"play while busy", turn, Play{}, everything},
		{"send now", idle, SendNow{Row: "s.3"}, "paused"},
		{"send now while busy", turn, SendNow{Row: "s.3", Turn: 5}, "paused"},
		{"send now while preparing", preparing, SendNow{Row: "s.3", Turn: 5}, "paused"},
		{"send now, stale", turn, SendNow{Row: "s.3", Turn: 1}, everything},
		{"unpause", idle, SetPaused{false}, "failed stopped limit restored blocked"},
		{"pause", idle, SetPaused{true}, everything},
		{"text", idle, Submit{Draft{Text: "X"}}, everything},
		{"text while busy", turn, Submit{Draft{Text: "X"}}, everything},
		{"text with a file", idle, Submit{file("x")}, everything},
		{"command", idle, Submit{Draft{Text: "/x", Command: true}}, everything},
		{"retry", idle, Retry{Turn: 1}, everything},
		{"retry now", backoff, RetryNow{Turn: 5, Attempt: 1}, everything},
		{"stop", turn, Stop{5}, everything},
		{"stop while preparing", preparing, Stop{5}, everything},
		{"another agent", idle, AgentChanged{"b"}, "failed stopped restored paused blocked"},
		{"opened", turn, Opened{Session: "s"}, everything},
		{"promote", fold(turn, Ready{Turn: 5}), Promote{5}, "restored paused blocked"},
		{"prepared", preparing, Prepared{Turn: 5}, "failed stopped limit restored paused"}, // its row left
		{"unprepared", preparing, Unprepared{5, "missing"}, everything},
		{"command done", command, CommandDone{ID: 5}, everything},
		{"command failed", command, CommandDone{ID: 5, Why: "no"}, everything},
		{"open the editor", idle, BeginEdit{"s.2"}, everything},
		{"save the same", editing, EndEdit{Row: "s.2", Save: true, Draft: file("a.png")}, everything},
		{"save another text", editing, EndEdit{Row: "s.2", Save: true, Draft: Draft{Text: "A2", Attachments: file("a.png").Attachments}}, everything},
		{"save another file", editing, EndEdit{Row: "s.2", Save: true, Draft: file("b.png")}, "failed stopped limit restored paused"},
		{"save without the file", editing, EndEdit{Row: "s.2", Save: true, Draft: Draft{Text: "A"}}, "failed stopped limit restored paused"},
		{"discard", editing, EndEdit{Row: "s.2", Draft: file("b.png")}, everything},
		{"move", idle, MoveRow{Row: "s.2", To: 2}, everything},
		{"keep an edit", fold(idle, BeginEdit{"s.2"}), KeepEdit{"s.2", Draft{Text: "x"}}, everything},
		{"remove the blocked row", idle, RemoveRow{Row: "s.2"}, "failed stopped limit restored paused"},
		{"remove the blocked row with others", idle, RemoveRows{[]queue.ID{"s.2", "s.3"}}, "failed stopped limit restored paused"},
		{"rewrite the blocked row", idle, Rewrite{Row: "s.2", Text: "A2"}, everything},
		{"text from outside", idle, Add{Draft{Text: "X"}}, everything},
		{"text from outside while busy", turn, Add{Draft{Text: "X"}}, everything},
		{"park", idle, Park{Draft{Text: "X"}, false}, everything},
		{"park while busy", turn, Park{Draft{Text: "X"}, true}, everything},
		{"remove another row", idle, RemoveRow{Row: "s.3"}, everything},
		{"clear", idle, ClearRows{}, "failed stopped limit"},
		{"undo of a clear", fold(idle, ClearRows{}), UndoLast{}, everything},
		{"undo of a removal", fold(idle, RemoveRow{Row: "s.2"}), UndoLast{}, everything},
		{"attempt", turn, AttemptStarted{5, 1}, everything},
		{"phase", turn, PhaseChanged{5, 0, Waiting{}}, everything},
		{"delta", turn, Delta{Turn: 5, Text: "x"}, everything},
		{"tool", turn, ToolActivity{5, 0, ToolPart{ID: "t"}}, everything},
		{"retry scheduled", turn, RetryScheduled{Turn: 5, N: 0, Max: 5}, everything},
		{"retry started", backoff, RetryStarted{Turn: 5, N: 2}, everything},
		{"note", idle, Note{"x"}, everything},
		{"quit", idle, Quit{}, everything},
		{"carried", Apply(idle, CarryStarted{"s2"}), Carried{}, "failed stopped limit"},
		{"adopt", New(Settings{}), Adopt{Session: "s", Rows: idle.Queue.Rows()}, "restored"},
	}
	listed := map[string]bool{}
	for _, r := range rows {
		listed[reflect.TypeOf(r.in).Name()] = true
		t.Run(r.name, func(t *testing.T) {
			if got := reasons(fold(r.s, r.in).Gate); got != r.left {
				t.Errorf("left %q, want %q", got, r.left)
			}
		})
	}
	for _, name := range inputTypes(t) {
		if !listed[name] {
			t.Errorf("%s is not in the table: say what it takes away", name)
		}
	}
}

// TestTimeRemovesNothing: a limit that has passed is only said to have.
func TestTimeRemovesNothing(t *testing.T) {
	s := New(Settings{})
	s = with(s, Opened{Session: "s"}, Submit{Draft{Text: "P"}}, AttemptStarted{1, 1}, Submit{Draft{Text: "A"}}, GaveUp{Turn: 1, N: 1, Until: epoch})
	before := key(s)
	if w := s.Word(s.Queue.At(0).ID, epoch.AddDate(1, 0, 0)); w != "held: limit passed" {
		t.Error(w)
	}
	if key(s) != before || s.Gate.Open() {
		t.Error("looking at the time changed the gate")
	}
}

// inputTypes lists the types with a decide method, from the source.
func inputTypes(t *testing.T) (names []string) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == "decide" && fn.Recv != nil {
				names = append(names, fn.Recv.List[0].Type.(*ast.Ident).Name)
			}
		}
	}
	slices.Sort(names)
	return names
}
