package engine

import (
	"context"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"baton/agentclient"
	"baton/model/session"
	"baton/queue"
	"baton/retrypolicy"
)

// moody is an agent whose every answer is drawn.
func moody(rt *rapid.T) step {
	kinds := []func(d time.Duration) step{
		func(d time.Duration) step { return after(d, says("answer")) },
		func(d time.Duration) step { return and("part ", after(d, says("answer"))) },
		func(d time.Duration) step { return and("lost", after(d, status(503))) },
		func(d time.Duration) step { return after(d, status(401)) },
		func(time.Duration) step { return hangs },
		func(time.Duration) step { return and("partial", deaf) },
		func(d time.Duration) step {
			return func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
				sink(agentclient.Piece{Tool: &agentclient.ToolPart{ID: "1", Name: "read"}})
				return after(d, status(500))(ctx, sink)
			}
		},
		func(d time.Duration) step {
			return after(d, fails(retrypolicy.Failure{Status: 429, Hint: retrypolicy.Hint{Wait: 7 * time.Second, Until: time.Now().Add(7 * time.Second)}}))
		},
	}
	plan := rapid.SliceOfN(rapid.IntRange(0, len(kinds)-1), 1, 12).Draw(rt, "answers")
	pauses := rapid.SliceOfN(rapid.IntRange(0, 1500), 1, 5).Draw(rt, "pauses")
	n := 0
	return func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
		n++ // one attempt runs at a time, but for a deaf one that has used its number
		return kinds[plan[n%len(plan)]](time.Duration(pauses[n%len(pauses)])*time.Millisecond)(ctx, sink)
	}
}

// anyInput is what a person may do next, sensible or late.
func anyInput(rt *rapid.T, s session.State) session.Input {
	row := queue.ID("gone")
	if rows := s.Queue.Rows(); len(rows) > 0 {
		row = rows[rapid.IntRange(0, len(rows)-1).Draw(rt, "row")].ID
	}
	turn := s.Work()
	if rapid.IntRange(0, 9).Draw(rt, "late") == 0 {
		turn = session.TurnID(rapid.IntRange(0, 4).Draw(rt, "turn"))
	}
	text := func() string {
		return rapid.SampledFrom([]string{"a", "b\nc", "  d ", "/x", "//y", "é世\u2028", ""}).Draw(rt, "text")
	}
	draft := func() session.Draft {
		t := text()
		return session.Draft{Text: t, Command: t == "/x"}
	}
	last, _ := s.LastTurn()
	attempt := 0
	if l, ok := s.Running(); ok {
		attempt = l.Attempt
	}
	yes := rapid.Bool().Draw(rt, "yes")
	all := []func() session.Input{
		func() session.Input { return session.Submit{Draft: draft()} },
		func() session.Input { return session.Submit{Draft: draft()} },
		func() session.Input { return session.Submit{Draft: draft()} },
		func() session.Input { return session.Stop{Turn: turn} },
		func() session.Input { return session.Retry{Turn: last.ID} },
		func() session.Input {
			return session.RetryNow{Turn: turn, Attempt: attempt, At: time.Now(), Confirmed: yes}
		},
		func() session.Input { return session.BeginEdit{Row: row} },
		func() session.Input { return session.EndEdit{Row: s.Editing, Save: yes, Draft: draft()} },
		func() session.Input { return session.RemoveRow{Row: row} },
		func() session.Input { return session.MoveRow{Row: row, To: rapid.IntRange(0, 3).Draw(rt, "to")} },
		func() session.Input { return session.ClearRows{} },
		func() session.Input { return session.UndoLast{} },
		func() session.Input { return session.Play{} },
		func() session.Input { return session.SendNow{Row: row, Turn: turn, Confirmed: yes} },
		func() session.Input { return session.SetPaused{On: yes} },
		func() session.Input { return session.AgentChanged{Agent: "other"} },
		func() session.Input { return session.Note{Text: "noted"} },
	}
	return all[rapid.IntRange(0, len(all)-1).Draw(rt, "input")]()
}

// undated hides the methods of a test that a bubble does not allow.
type undated struct{ *testing.T }

// Whatever a person and an agent do, the log read back is the live state, at every
// instant; and every kill is a resume that sends nothing and holds every row.
func TestReplayIsTheLiveState(t *testing.T) {
	bubble(t, func(t *testing.T) {
		dir := t.TempDir()
		rapid.Check(undated{t}, func(rt *rapid.T) {
			d := open(t, dir, moody(rt))
			d.opt.Settings.Drain = rapid.Bool().Draw(rt, "drain")
			d.state.Settings.Drain = d.opt.Settings.Drain
			d.opt.Command = func(context.Context, string, Here) (Finish, error) { return nil, nil }
			defer func() {
				d.t = ignore{t}
				d.end()
			}()
			for range rapid.IntRange(1, 25).Draw(rt, "inputs") {
				d.in(anyInput(rt, d.State()))
				d.run(time.Duration(rapid.IntRange(0, 900).Draw(rt, "time")) * time.Millisecond)
				if !d.Saved() {
					continue
				}
				live := d.State()
				back, damage := Replay(session.New(d.opt.Settings), logged(t, dir, d.Session()))
				if a, b := view(live), view(back); a != b || damage != "" {
					rt.Fatalf("live:\n%s\nread back: %s\n%s", a, damage, b)
				}
				checkResume(rt, live, back)
			}
		})
	})
}

// ignore takes what is left to say after a property has failed.
type ignore struct{ *testing.T }

func (ignore) Error(...any) {}

// checkResume opens what a kill at this instant would leave.
func checkResume(rt *rapid.T, live, back session.State) {
	events, effects := session.Decide(back, session.Opened{Session: live.Session})
	s := back
	for _, ev := range events {
		s = session.Apply(s, ev)
	}
	if len(effects) > 0 || s.Busy() || s.Due || s.Awaiting != 0 {
		rt.Fatalf("resume: effects %v, busy %v, due %v, awaiting %v", effects, s.Busy(), s.Due, s.Awaiting)
	}
	var was, is []string
	for _, r := range live.Queue.Rows() {
		was = append(was, string(r.ID)+" "+r.Text)
	}
	for _, r := range s.Queue.Rows() {
		is = append(is, string(r.ID)+" "+r.Text)
	}
	if strings.Join(was, "\n") != strings.Join(is, "\n") || len(is) > 0 && s.Gate.Open() {
		rt.Fatalf("rows %q were %q, gate %+v", is, was, s.Gate)
	}
}
