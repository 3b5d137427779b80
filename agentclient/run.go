package agentclient

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/avast/retry-go/v4"

	"baton/retrypolicy"
)

// Turn is one prompt to be answered: what every attempt sends, and how long to go on.
type Turn struct {
	ID      TurnID
	Request Request
	Policy  retrypolicy.Policy
	// Limit bounds the whole turn, waits included; zero is no limit.
	Limit time.Duration
	// Skip ends a running wait at once. A value is the attempt whose failure was on
	// screen; one that belongs to another wait is dropped. May be nil.
	Skip <-chan int
	// Jitter returns a number in [0, 1); nil draws at random.
	Jitter func() float64
	// Now is the wall clock; nil is time.Now. Lengths are always measured by the
	// monotonic clock, which does not jump.
	Now func() time.Time
}

// errTurnLimit is the cause of a context that ended by Turn.Limit.
var errTurnLimit = errors.New("the turn took longer than its limit")

// Run performs the attempts of t and blocks until the turn is settled. It calls emit in
// order, on its own goroutine, and emits exactly one of Ready (with Promote directly
// after), GaveUp and Stopped, as the last thing.
//
// Cancelling ctx is the person's stop, in every phase: nothing is sent afterwards. An
// attempt that succeeds all the same is Ready, since its answer is worth keeping. A
// policy that does not validate is a GaveUp before the first attempt.
//
// emit has no way to fail, so that failing to show or record news is never taken for a
// failure of the provider. A panic of the agent is a defect of the program and passes
// through: an attempt that broke an invariant must not be repeated, and the stack is
// worth more than a row.
func Run(ctx context.Context, t Turn, a Agent, emit func(News)) {
	ctx, cancel := limited(ctx, t.Limit)
	defer cancel()
	r := &run{ctx: ctx, turn: t.withDefaults(), agent: a, emit: emit}
	if err := t.Policy.Validate(); err != nil {
		r.fail(err, retrypolicy.Verdict{Kind: retrypolicy.Internal})
		r.settle(err)
		return
	}
	// Not used, on purpose: MaxDelay would cut what a server asks, OnRetry knows no
	// delay and also speaks after the last failure, Unrecoverable is dead once RetryIf
	// is set, Attempts(0) would be unlimited.
	r.settle(retry.Do(r.attempt,
		retry.Context(ctx),
		retry.Attempts(uint(t.Policy.Attempts)),
		retry.RetryIf(func(error) bool { return r.ctx.Err() == nil && r.failed.repeat }),
		retry.DelayType(r.delay),
		retry.WithTimer((*timer)(r)),
		retry.LastErrorOnly(true),
	))
}

func limited(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit > 0 {
		return context.WithTimeoutCause(ctx, limit, errTurnLimit)
	}
	return context.WithCancel(ctx)
}

func (t Turn) withDefaults() Turn {
	if t.Jitter == nil {
		t.Jitter = rand.Float64
	}
	if t.Now == nil {
		t.Now = time.Now
	}
	return t
}

// run is one turn under way. Everything in it belongs to the goroutine of Run.
type run struct {
	ctx   context.Context
	turn  Turn
	agent Agent
	emit  func(News)

	n        int       // the attempt that runs or ran last
	attempts []Attempt // receipts of the attempts that ended
	finish   Finish
	failed   failed // the last failure that was not a stop
}

// failed is a judged failure.
type failed struct {
	kind      retrypolicy.Kind
	cause     Cause
	hint      retrypolicy.Hint
	repeat    bool // another attempt may follow, if any are left
	forGood   bool // decided while the turn was not stopped: the turn has failed
	exhausted bool
}

// attempt is what retry-go repeats. A cancelled context comes first, before anything is
// counted or told: when the end of a wait and the cancellation meet, retry-go picks one
// of them at random.
func (r *run) attempt() error {
	if cause := context.Cause(r.ctx); cause != nil {
		return cause
	}
	if r.n++; r.n > 1 {
		r.emit(RetryStarted{Turn: r.turn.ID, N: r.n, Waited: r.last().Waited})
	}
	r.emit(AttemptStarted{Turn: r.turn.ID, N: r.n})
	s := &seen{run: r, started: time.Now(), receipt: Attempt{N: r.n, Started: r.turn.Now()}}
	finish, err := r.agent.Send(r.ctx, r.turn.Request, s.take)
	s.close()
	if err == nil {
		err = s.nothing(finish)
	}
	switch cause := context.Cause(r.ctx); {
	case err == nil:
		r.finish = finish
	case cause != nil:
		end := r.end()
		s.receipt.Cause = CauseOf(end, r.turn.Policy.Judge(end), r.turn.Now())
		err = cause
	default:
		r.judge(err, s)
	}
	r.attempts = append(r.attempts, s.receipt)
	return err
}

// judge decides what a failed attempt means for the turn.
func (r *run) judge(err error, s *seen) {
	verdict := r.turn.Policy.Judge(err)
	if verdict.Kind == retrypolicy.Stopped {
		// Only a person stops a turn, by ctx, and ctx is alive.
		verdict = retrypolicy.Verdict{Kind: retrypolicy.Cancelled}
	}
	r.fail(err, verdict)
	f := &r.failed
	f.repeat = verdict.Retry && !s.tool && !r.turn.Policy.TooLong(f.hint)
	f.exhausted = f.repeat && r.n >= r.turn.Policy.Attempts
	f.forGood = !f.repeat || f.exhausted
	if verdict.Retry && s.tool {
		f.cause.NextStep = afterTool
	}
	s.receipt.Cause, s.receipt.Hint = f.cause, f.hint
}

func (r *run) fail(err error, verdict retrypolicy.Verdict) {
	r.failed = failed{kind: verdict.Kind, cause: CauseOf(err, verdict, r.turn.Now()), forGood: true}
	if f := (*retrypolicy.Failure)(nil); errors.As(err, &f) {
		r.failed.hint = believable(f.Hint, verdict)
	}
}

// settle tells how the turn ended, from what the last attempt decided: a context that
// ended later does not change it.
func (r *run) settle(err error) {
	if err != nil && !r.failed.forGood && r.outOfTime() {
		end := r.end()
		r.fail(end, r.turn.Policy.Judge(end))
	}
	switch f := r.failed; {
	case err == nil:
		r.emit(Ready{Turn: r.turn.ID, N: r.n, Finish: r.finish, Attempts: r.attempts})
		r.emit(Promote{Turn: r.turn.ID})
	case f.forGood:
		r.emit(GaveUp{
			Turn: r.turn.ID, N: r.n, Max: r.turn.Policy.Attempts, Exhausted: f.exhausted,
			Cause: f.cause, Hint: f.hint, Attempts: r.attempts,
		})
	default:
		r.emit(Stopped{Turn: r.turn.ID, N: r.n, Attempts: r.attempts})
	}
}

// end is the end of the context as a failure.
func (r *run) end() *retrypolicy.Failure {
	if !r.outOfTime() {
		return &retrypolicy.Failure{Condition: retrypolicy.CondStopped}
	}
	return &retrypolicy.Failure{
		Condition: retrypolicy.CondTurnTime, Err: errTurnLimit,
		Message: fmt.Sprintf("%v of %v", errTurnLimit, r.turn.Limit),
	}
}

func (r *run) outOfTime() bool { return errors.Is(context.Cause(r.ctx), errTurnLimit) }

func (r *run) last() *Attempt { return &r.attempts[len(r.attempts)-1] }
