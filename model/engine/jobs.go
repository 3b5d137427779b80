package engine

import (
	"context"
	"runtime/debug"
	"time"

	"baton/model/session"
)

// Job is something that takes time. It may run on any goroutine; its Result goes back
// to the engine's.
type Job func() Result

// Panic is a panic of a job, with the stack of where it began.
type Panic struct {
	Value any
	Stack []byte
}

// Origin is what the panic began with, and where.
func (p *Panic) Origin() (value any, stack []byte) { return p.Value, p.Stack }

// Guarded is a job whose panic comes out as a *Panic where its result is taken in, on the
// engine's goroutine: there somebody can put things in order before the program ends.
func Guarded(job Job) Job {
	return func() (r Result) {
		defer func() {
			if v := recover(); v != nil {
				p := &Panic{v, debug.Stack()}
				if from, ok := v.(interface{ Origin() (any, []byte) }); ok { // of another goroutine
					p.Value, p.Stack = from.Origin()
				}
				r = Result{Apply: func() Outcome { panic(p) }}
			}
		}()
		return job()
	}
}

// Result is what a job brings back.
type Result struct {
	Session string         // inputs for another session than the current one are dropped
	Apply   func() Outcome // to be called first, if set
	Heard   session.TurnID // the turn whose agent was heard, 0 for none
	Inputs  []session.Input
	Again   Job // to be run next, if set
}

// Take feeds a job's result in.
func (e *Engine) Take(r Result) Outcome {
	var all Outcome
	if r.Apply != nil {
		all = r.Apply()
	}
	if r.Heard != 0 && r.Heard == e.state.Work() && r.Session == e.state.Session {
		e.times.Heard = e.opt.Now()
	}
	for _, in := range r.Inputs {
		if r.Session != e.state.Session {
			break
		}
		point("before", in)
		all = all.Join(e.Step(in))
	}
	if r.Again != nil {
		all.Jobs = append(all.Jobs, r.Again)
	}
	if job := e.retryLog(); job != nil {
		all.Jobs = append(all.Jobs, job)
	}
	return all
}

// act turns effects into jobs.
func (e *Engine) act(effects []session.Effect, out *Outcome) {
	add := func(jobs ...Job) { out.Jobs = append(out.Jobs, jobs...) }
	for _, eff := range effects {
		switch eff := eff.(type) {
		case session.StartTurn:
			var jobs []Job
			jobs, out.Said = e.startTurn(eff.Turn)
			add(jobs...)
		case session.Prepare:
			add(e.prepare(eff))
		case session.RunCommand:
			add(e.command(eff))
		case session.CancelTurn:
			add(e.cancel(eff.Turn)...)
		case session.SkipWait:
			if e.run != nil && e.run.turn == eff.Turn {
				e.run.skipWait(eff.Attempt)
			}
		case session.Exit:
			out.Exit = true
		}
	}
}

// startTurn runs the turn in one job and listens to it in another.
func (e *Engine) startTurn(id session.TurnID) (jobs []Job, said string) {
	policy, said := e.policy()
	r := newRun(e, id, policy)
	e.run = r
	return []Job{r.perform, r.listen}, said
}

// cancel ends what runs under an id. A turn that does not answer counts as stopped
// after session.StopWait.
func (e *Engine) cancel(id session.TurnID) []Job {
	if cancel := e.work[id]; cancel != nil {
		cancel()
		delete(e.work, id)
		return nil
	}
	if e.run == nil || e.run.turn != id {
		return nil
	}
	e.run.cancel()
	sess, settled := e.state.Session, e.run.settled
	return []Job{func() Result {
		select {
		case <-settled:
			return Result{}
		case <-time.After(session.StopWait):
			return Result{Session: sess, Inputs: []session.Input{session.StopTimedOut{Turn: id}}}
		}
	}}
}

// begin registers cancellable work of the session. The returned function, called on
// the engine's goroutine, forgets it.
func (e *Engine) begin(id session.TurnID) (ctx context.Context, end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	work := e.work // each session has its own
	work[id] = cancel
	return ctx, func() {
		cancel()
		delete(work, id)
	}
}

func (e *Engine) command(eff session.RunCommand) Job {
	ctx, end := e.begin(eff.ID)
	sess, here, run := e.state.Session, e.here(), e.opt.Command
	return func() Result {
		finish, err := run(ctx, eff.Text, here)
		done := session.CommandDone{ID: eff.ID}
		if err != nil {
			done.Why = err.Error()
		}
		return Result{Session: sess, Inputs: []session.Input{done}, Apply: func() Outcome {
			end()
			// A command that was stopped meanwhile must not take effect.
			if finish != nil && err == nil && e.state.Work() == eff.ID && e.state.Session == sess {
				return finish(e)
			}
			return Outcome{}
		}}
	}
}
