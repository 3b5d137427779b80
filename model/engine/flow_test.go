package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"baton/agentclient"
	"baton/model/session"
	"baton/retrypolicy"
)

// A prompt is in the log and in the state before the agent is asked, and the request is
// made of the state as it is then.
func TestDecideRecordFoldAct(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		var d *driver
		var id string // read before the agent's goroutine starts: the engine belongs to this one
		var found []string
		look := func(_ context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
			for _, b := range logged(t, dir, id).Batches {
				found = append(found, kindsOf(b))
			}
			sink(agentclient.Piece{Text: "an answer"})
			return agentclient.Finish{}, nil
		}
		a := &fake{script: []step{look}}
		o, _ := options(t, dir)
		o.Agent = a
		folded, stepping := 0, false
		o.Now = func() time.Time {
			if stepping && d.State().Busy() && folded == 0 {
				folded = len(logged(t, dir, id).Batches)
			}
			return time.Now()
		}
		e, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		id, d = e.Session(), drive(t, e, a)
		stepping = true
		out := d.Step(session.Submit{Draft: session.Draft{Text: "a prompt"}})
		stepping = false // the agent's goroutine asks for the time as well, and must not read the engine
		d.want("batches when the state was first seen busy", "2", fmt.Sprint(folded))
		if len(out.Jobs) == 0 || !d.State().Busy() || len(d.agent.requests()) != 0 {
			t.Fatalf("%d jobs, busy %v, %d requests: the step itself acts on nothing", len(out.Jobs), d.State().Busy(), len(d.agent.requests()))
		}
		d.took(out)
		d.soon()
		d.want("in the log when the agent is asked", "[session.opened turn.started]", fmt.Sprint(found))
		d.want("sent", "user: a prompt", texts(d.agent.requests()[0]))
		d.want("lifecycle", "Ready", d.life())
		d.end()
	})
}

// Ready and Promote come in one result, in this order, however long the client takes
// between them: nothing can come between an answer and the row it lets go.
func TestReadyAndPromoteComeTogether(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := open(t, t.TempDir(), and("first", after(time.Second, says(" end"))), after(time.Second, says("second")))
		d.say("one")
		d.say("two")
		d.run(5 * time.Second)
		var seen int
		for _, r := range d.got {
			for i, in := range r.Inputs {
				if ready, ok := in.(session.Ready); ok {
					seen++
					if i+1 >= len(r.Inputs) || r.Inputs[i+1] != (session.Promote{Turn: ready.Turn}) || i+2 != len(r.Inputs) {
						t.Fatalf("behind Ready: %v", r.Inputs[i+1:])
					}
				}
			}
		}
		if seen != 2 || counted[session.TurnSucceeded](d) != 2 {
			t.Fatalf("%d results with Ready, %d turns", seen, counted[session.TurnSucceeded](d))
		}
		d.want("second request", "user: one\nassistant: first end\nuser: two", texts(d.agent.requests()[1]))
		d.end()
	})
}

// What is posted between Ready and Promote waits for the Promote.
func TestReadyWaitsForItsPromote(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := &run{turn: 1, now: time.Now, wake: make(chan struct{}, 1), urgent: make(chan struct{}, 1)}
		r.post(agentclient.Delta{Turn: 1, N: 1, Text: "x"})
		r.post(agentclient.Ready{Turn: 1, N: 1})
		if res := r.listen(); len(res.Inputs) != 1 || res.Again == nil {
			t.Fatalf("%v", res.Inputs)
		}
		go func() {
			time.Sleep(time.Hour)
			r.post(agentclient.Promote{Turn: 1})
		}()
		var ins []session.Input
		for next := r.listen; next != nil; {
			res := next()
			next = res.Again
			ins = append(ins, res.Inputs...)
		}
		n := len(ins)
		if n < 2 || ins[n-1] != (session.Promote{Turn: 1}) {
			t.Fatalf("%v", ins)
		}
		if _, ok := ins[n-2].(session.Ready); !ok {
			t.Fatalf("%v", ins)
		}
	})
}

// streams says n words, one every pause.
func streams(n int, pause time.Duration, word string) step {
	return func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
		for range n {
			sink(agentclient.Piece{Text: word})
			time.Sleep(pause)
		}
		return agentclient.Finish{}, nil
	}
}

// Streamed text comes at most once a frame, and everything there is comes at once.
func TestDeltasAreJoined(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := open(t, t.TempDir(), streams(3000, time.Millisecond, "w"))
		d.say("go")
		d.run(3 * time.Second)
		var frames int
		var last time.Time
		for i, r := range d.got {
			deltas := 0
			for _, in := range r.Inputs {
				if _, ok := in.(session.Delta); ok {
					deltas++
				}
			}
			if len(r.Inputs) == 0 && r.Again != nil {
				t.Fatal("a result that holds nothing")
			}
			if deltas == 0 {
				continue
			}
			frames++
			if deltas > 1 {
				t.Fatalf("%d deltas in one result", deltas)
			}
			if gap := d.at[i].Sub(last); i > 2 && gap < frame {
				t.Fatalf("result %d came %v after the one before", i, gap)
			}
			last = d.at[i]
		}
		if frames < 150 || frames > 181 {
			t.Fatalf("%d results with text in 3 s", frames)
		}
		d.soon()
		turn, _ := d.State().LastTurn()
		d.want("the answer", strings.Repeat("w", 3000), turn.Answer)
		d.end()
	})
}

// What is more than text does not wait for a frame, also right behind text, and hurries
// only itself.
func TestUrgentNewsComesAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		agent := func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
			time.Sleep(time.Second)
			sink(agentclient.Piece{Text: "a"})
			time.Sleep(time.Millisecond)
			sink(agentclient.Piece{Text: "b"})
			time.Sleep(time.Millisecond)
			sink(agentclient.Piece{Tool: &agentclient.ToolPart{ID: "1", Name: "read"}})
			time.Sleep(time.Millisecond)
			sink(agentclient.Piece{Text: "c"})
			return hangs(ctx, sink)
		}
		d := open(t, t.TempDir(), agent)
		began := time.Now()
		d.say("go")
		d.run(1500 * time.Millisecond)
		var told []string
		for i, r := range d.got {
			at := d.at[i].Sub(began) - time.Second
			for _, in := range r.Inputs {
				switch in := in.(type) {
				case session.Delta:
					told = append(told, fmt.Sprintf("%s@%v", in.Text, at.Round(time.Millisecond)))
				case session.ToolActivity:
					told = append(told, fmt.Sprintf("tool@%v", at.Round(time.Millisecond)))
				}
			}
		}
		d.want("when what came", "[a@0s b@2ms tool@2ms c@19ms]", fmt.Sprint(told))
		d.in(session.Stop{Turn: 1})
		d.soon()
		d.end()
	})
}

// partials are the texts of the recorded parts of a turn.
func partials(t *testing.T, dir, id string) []string {
	t.Helper()
	var all []string
	for _, b := range logged(t, dir, id).Batches {
		evs, _ := decode(b.Entries)
		for _, ev := range evs {
			if p, ok := ev.(session.TurnPartial); ok {
				all = append(all, p.Text)
			}
		}
	}
	return all
}

// Text is in the log about a second after it came, whatever comes behind it: nothing,
// signs of life, tools, or more text. Each record holds only what came since the last.
func TestTextIsRecordedWithinAboutASecond(t *testing.T) {
	quiet := func(ctx context.Context, sink agentclient.Sink) { time.Sleep(3 * time.Second) }
	for name, behind := range map[string]func(context.Context, agentclient.Sink){
		"silence": quiet,
		"life": func(_ context.Context, sink agentclient.Sink) {
			for range 30 {
				time.Sleep(100 * time.Millisecond)
				sink(agentclient.Piece{Alive: true})
			}
		},
		"tools": func(_ context.Context, sink agentclient.Sink) {
			for range 30 {
				time.Sleep(100 * time.Millisecond)
				sink(agentclient.Piece{Tool: &agentclient.ToolPart{ID: "1", Name: "read"}})
			}
		},
		"phases": func(_ context.Context, sink agentclient.Sink) {
			for range 30 {
				time.Sleep(100 * time.Millisecond)
				sink(agentclient.Piece{Phase: agentclient.Streaming})
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				dir := t.TempDir()
				d := open(t, dir, func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
					for _, w := range []string{"a", "b", "c", "d", "e"} { // within two frames
						sink(agentclient.Piece{Text: w})
						time.Sleep(5 * time.Millisecond)
					}
					behind(ctx, sink)
					return hangs(ctx, sink)
				})
				d.say("go")
				d.run(500 * time.Millisecond)
				d.want("shown", "abcde", d.State().LiveText())
				d.run(700 * time.Millisecond)
				d.want("recorded", "abcde", strings.Join(partials(t, dir, d.Session()), ""))
				d.in(session.Stop{Turn: 1})
				d.run(4 * time.Second)
				d.end()
			})
		})
	}
}

// At every instant of a long stream, text that was on the screen 1.5 s ago is on disk,
// with about one record a second.
func TestStreamIsRecordedAsItComes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		d := open(t, dir, streams(400, 50*time.Millisecond, "word "))
		d.say("go")
		var shown []string
		for range 190 {
			d.run(100 * time.Millisecond)
			shown = append(shown, d.State().LiveText())
			if n := len(shown); n > 15 {
				if saved := strings.Join(partials(t, dir, d.Session()), ""); len(saved) < len(shown[n-16]) || !strings.HasPrefix(shown[n-1], saved) {
					t.Fatalf("after %d ms: %d bytes saved of %d shown 1.5 s before", n*100, len(saved), len(shown[n-16]))
				}
			}
		}
		if n := len(partials(t, dir, d.Session())); n < 15 || n > 21 {
			t.Fatalf("%d records in 19 s", n)
		}
		d.run(5 * time.Second)
		d.end()
	})
}

// A turn that does not answer a stop counts as stopped after two seconds; what it says
// later changes nothing.
func TestStopTimesOut(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := open(t, t.TempDir(), and("part", deaf), says("again"))
		d.say("go")
		d.say("row")
		d.run(time.Second)
		d.in(session.Stop{Turn: 1})
		d.run(session.StopWait - 10*time.Millisecond)
		d.want("before the time", "Turn", d.life())
		d.run(20 * time.Millisecond)
		d.want("after it", "Ready", d.life())
		d.want("queue", "row", d.rows())
		turn, _ := d.State().LastTurn()
		d.want("kept", "stopped part", string(turn.Outcome)+" "+turn.Answer)
		heard := d.Times().Heard
		d.run(2 * time.Minute)
		d.want("late news", "Ready row", d.life()+" "+d.rows())
		if !d.Times().Heard.Equal(heard) {
			t.Error("late news counts as heard")
		}
		d.end()
	})
}

// A stop that is answered needs no timeout.
func TestStopIsAnswered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := open(t, t.TempDir(), hangs)
		d.say("go")
		d.soon()
		d.in(session.Stop{Turn: 1})
		d.soon()
		d.want("lifecycle", "Ready", d.life())
		d.run(5 * time.Second)
		if n := counted[session.TurnStopped](d); n != 1 {
			t.Errorf("settled %d times", n)
		}
		d.end()
	})
}

// A wait that is skipped ends at once; a wish for an older wait does not end this one.
func TestSkipWait(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := open(t, t.TempDir(), fails(retrypolicy.Failure{Status: 503, Hint: retrypolicy.Hint{Wait: 30 * time.Second}}))
		d.say("go")
		d.run(2 * time.Second)
		d.want("requests", "1", fmt.Sprint(len(d.agent.requests())))
		d.in(session.RetryNow{Turn: 1, Attempt: 1, Confirmed: true})
		d.soon()
		d.want("requests after the key", "2", fmt.Sprint(len(d.agent.requests())))
		d.act([]session.Effect{session.SkipWait{Turn: 1, Attempt: 1}}, &Outcome{})
		d.run(time.Second)
		d.want("requests after a late wish", "2", fmt.Sprint(len(d.agent.requests())))
		d.act([]session.Effect{session.SkipWait{Turn: 9, Attempt: 2}}, &Outcome{})
		d.run(time.Second)
		d.want("requests after another turn's wish", "2", fmt.Sprint(len(d.agent.requests())))
		d.act([]session.Effect{session.SkipWait{Turn: 1, Attempt: 1}}, &Outcome{})
		d.act([]session.Effect{session.SkipWait{Turn: 1, Attempt: 2}}, &Outcome{})
		d.soon()
		d.want("requests after the right one", "3", fmt.Sprint(len(d.agent.requests())))
		d.in(session.Stop{Turn: 1})
		d.soon()
		d.end()
	})
}

// Results of a session that is left change nothing in the next one, though turns and
// preparations there have the same numbers.
func TestResultsOfAnotherSessionAreDropped(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := openWithNew(t, t.TempDir(), and("old", deaf), hangs)
		d.say("one")
		d.soon()
		d.in(session.Stop{Turn: 1})
		d.run(3 * time.Second)
		late := Result{Session: d.Session(), Heard: 1, Inputs: []session.Input{session.Ready{Turn: 1, N: 1}, session.Promote{Turn: 1}}}
		d.say("/new")
		d.soon()
		d.say("uno")
		d.say("due")
		d.soon()
		before := view(d.State())
		d.took(d.Take(late))
		d.run(2 * time.Minute)
		d.want("state", before, view(d.State()))
		d.in(session.Stop{Turn: 1})
		d.soon()
		d.end()
	})
}

// A command that was stopped takes no effect, though it ends well; one that was not
// takes it before its row leaves.
func TestStoppedCommandTakesNoEffect(t *testing.T) {
	bubble(t, func(t *testing.T) {
		o, a := options(t, t.TempDir(), says("x"))
		effects := 0
		o.Command = func(ctx context.Context, text string, _ Here) (Finish, error) {
			time.Sleep(time.Second)
			return func(e *Engine) Outcome {
				effects++
				return e.Note("done")
			}, nil
		}
		e, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		d := drive(t, e, a)
		d.say("/slow")
		d.run(500 * time.Millisecond)
		d.want("runs", "Command", d.life())
		d.in(session.Stop{Turn: d.State().Work()})
		d.run(2 * time.Second)
		if effects != 0 || d.State().Busy() {
			t.Fatalf("%d effects of a stopped command, %s", effects, d.life())
		}
		d.say("/slow")
		d.run(2 * time.Second)
		if effects != 1 || counted[session.Noted](d) != 1 || d.State().Busy() {
			t.Fatalf("%d effects, %s", effects, d.life())
		}
		d.end()
	})
}

// A command that fails leaves its row held with the reason.
func TestFailedCommandHoldsItsRow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := open(t, t.TempDir(), after(time.Second, says("x")))
		d.say("go")
		d.say("/nothing")
		d.run(3 * time.Second)
		d.want("queue", "/nothing", d.rows())
		row, _ := d.State().Queue.Head()
		d.want("word", "held: commands are not available here", d.State().Word(row.ID, time.Now()))
		d.end()
	})
}

// The clock of the display: work began, was heard, and settled.
func TestTimes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := open(t, t.TempDir(), after(time.Second, and("x", after(time.Second, says("y")))))
		d.run(time.Second)
		at := time.Now()
		d.say("go")
		d.run(1500 * time.Millisecond)
		if got := d.Times(); !got.Began.Equal(at) || got.Heard.Sub(at) != time.Second || !got.Settled.IsZero() {
			t.Errorf("while it runs: %v %v %v", got.Began.Sub(at), got.Heard.Sub(at), got.Settled)
		}
		d.run(time.Second)
		if got := d.Times(); got.Settled.Sub(at) != 2*time.Second {
			t.Errorf("settled after %v", got.Settled.Sub(at))
		}
		d.end()
	})
}

// A quit waits for the stop, a second one does not.
func TestQuit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := open(t, t.TempDir(), deaf)
		d.say("go")
		d.say("row")
		d.soon()
		d.in(session.Quit{})
		d.run(time.Second)
		if d.exit {
			t.Fatal("it did not wait for the stop")
		}
		d.run(1100 * time.Millisecond)
		if !d.exit {
			t.Fatal("it waits longer than a stop may take")
		}
		d.want("queue", "row", d.rows())
		d.end()

		d = open(t, t.TempDir(), deaf)
		d.say("go")
		d.in(session.Quit{})
		d.in(session.Quit{})
		if !d.exit {
			t.Fatal("a second quit waits")
		}
		d.end()
	})
}

// Later turns go to the agent that was switched to, and the session says so.
func TestSetAgent(t *testing.T) {
	bubble(t, func(t *testing.T) {
		d := open(t, t.TempDir(), says("one"))
		d.say("a")
		d.soon()
		other := &fake{script: []step{says("two")}}
		d.took(d.SetAgent(other))
		d.say("b")
		d.soon()
		d.want("asked", "1 1", fmt.Sprint(len(d.agent.requests()), len(other.requests())))
		d.want("context", "user: a\nassistant: one\nuser: b", texts(other.requests()[0]))
		d.want("agent", "fake · one", d.State().Agent)
		d.end()
	})
}
