package model

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"baton/model/engine"
	"baton/model/journal"
	"baton/model/session"
	"baton/queue"
)

// longSession writes a session of n turns and returns its directory and name.
func longSession(t *testing.T, n int) (dir, id string) {
	t.Helper()
	dir, id = t.TempDir(), "20000101-000000-long"
	w, err := journal.Create(dir, id, journal.Header{Created: time.Now(), App: "test"})
	if err != nil {
		t.Fatal(err)
	}
	put := func(evs ...session.Event) {
		var es []journal.Entry
		for _, ev := range evs {
			kind, data, ok, err := session.Encode(ev)
			if !ok || err != nil {
				t.Fatal(kind, err)
			}
			es = append(es, journal.Entry{Kind: kind, Data: json.RawMessage(data)})
		}
		if _, err := w.Append(time.Now(), es); err != nil {
			t.Fatal(err)
		}
	}
	put(session.SessionOpened{Session: id})
	for i := range n {
		turn := session.TurnID(i + 1)
		put(session.TurnStarted{Turn: turn, Chain: turn, Text: fmt.Sprint("prompt ", i)}, session.TurnSucceeded{Turn: turn, Answer: "# answer\n\n- one\n- two", N: 1}, session.BatonPassed{Turn: turn})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, id
}

// cost is what f allocates per call: objects and bytes.
func cost(f func()) (objects, bytes uint64) {
	const calls = 40
	f()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		f()
	}
	runtime.ReadMemStats(&after)
	return (after.Mallocs - before.Mallocs) / calls, (after.TotalAlloc - before.TotalAlloc) / calls
}

// actions are what must cost the same whatever is above and below.
func (p *pump) actions() map[string]func() {
	key := func(names ...string) func() {
		return func() {
			for _, n := range names {
				p.m.Update(keyOf(n))
				p.m.View()
			}
		}
	}
	return map[string]func(){
		"type":   key("x", "backspace"),
		"focus":  key("tab", "shift+tab"),
		"scroll": key("pgup", "pgdown"),
		"stream": func() {
			l, _ := p.state().Running()
			p.m.after(p.m.eng.Step(session.Delta{Turn: l.Turn, N: 1, Text: "word "}))
			p.m.refresh()
			p.m.View()
		},
	}
}

func compare(t *testing.T, few, many map[string][2]uint64) {
	t.Helper()
	for name, a := range few {
		b := many[name]
		if b[0] > 2*a[0]+50 || b[1] > 2*a[1]+16<<10 {
			t.Errorf("%s: %d objects and %d bytes, with little %d and %d", name, b[0], b[1], a[0], a[1])
		}
	}
}

// A key and a piece of an answer cost the same after ten turns and after five thousand.
func TestCostDoesNotGrowWithHistory(t *testing.T) {
	measure := func(turns int) map[string][2]uint64 {
		got := map[string][2]uint64{}
		bubble(t, func(t *testing.T) {
			dir, id := longSession(t, turns)
			a := &fake{script: []step{hangs}}
			e, err := engine.Resume(engineOptions(dir, a), id)
			if err != nil {
				t.Fatal(err)
			}
			p := around(t, e, a)
			p.say("go")
			for name, f := range p.actions() {
				o, b := cost(f)
				got[name] = [2]uint64{o, b}
			}
			p.end()
		})
		return got
	}
	compare(t, measure(10), measure(5000))
}

// The same with sixteen rows of the largest size, and with one of them open.
func TestCostDoesNotGrowWithRows(t *testing.T) {
	t.Run("case_39", func(t *testing.T) {
		measure := func(text string) map[string][2]uint64 {
			got := map[string][2]uint64{}
			bubble(t, func(t *testing.T) {
				p := open(t, hangs)
				p.say("go")
				for range queue.MaxRows {
					p.start(p.m.submit(session.Draft{Text: text}))
				}
				p.soon()
				for name, f := range p.actions() {
					o, b := cost(f)
					got[name] = [2]uint64{o, b}
				}
				p.press("alt+up")
				for name, f := range p.actions() {
					o, b := cost(f)
					got["open, "+name] = [2]uint64{o, b}
				}
				p.end()
			})
			return got
		}
		compare(t, measure("short row"), measure(strings.Repeat("long rows\n", queue.MaxBytes/10)))
	})
}
