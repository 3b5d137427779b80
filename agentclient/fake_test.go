package agentclient

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"baton/retrypolicy"
)

// step is what a fake agent does with one request.
type step func(ctx context.Context, sink Sink) (Finish, error)

// fake is an agent that follows a script; the last step repeats.
type fake struct {
	script []step
	sent   []Request
	at     []time.Time
}

func (f *fake) Info() Info { return Info{Agent: "fake"} }

func (f *fake) Send(ctx context.Context, r Request, sink Sink) (Finish, error) {
	f.sent, f.at = append(f.sent, r), append(f.at, time.Now())
	return f.script[min(len(f.sent), len(f.script))-1](ctx, sink)
}

// gaps are the times between the requests.
func (f *fake) gaps() []time.Duration {
	var gaps []time.Duration
	for i := 1; i < len(f.at); i++ {
		gaps = append(gaps, f.at[i].Sub(f.at[i-1]))
	}
	return gaps
}

func says(text string) step {
	return func(_ context.Context, sink Sink) (Finish, error) {
		sink(Piece{Phase: Streaming})
		sink(Piece{Text: text})
		return Finish{Reason: "stop", RequestID: "r-ok"}, nil
	}
}

func fails(f retrypolicy.Failure) step {
	return func(context.Context, Sink) (Finish, error) { return Finish{}, &f }
}

func status(code int) step { return fails(retrypolicy.Failure{Status: code}) }

func asks(code int, wait time.Duration) step {
	return func(context.Context, Sink) (Finish, error) {
		return Finish{}, &retrypolicy.Failure{
			Status: code, Hint: retrypolicy.Hint{Wait: wait, Until: time.Now().Add(wait), Source: "Retry-After"},
		}
	}
}

// hangs until the context ends, in the given phase.
func hangs(p Piece) step {
	return func(ctx context.Context, sink Sink) (Finish, error) {
		sink(p)
		<-ctx.Done()
		return Finish{}, ctx.Err()
	}
}

// plain is a turn without jitter.
func plain() Turn {
	return Turn{ID: 7, Policy: retrypolicy.DefaultPolicy(), Jitter: func() float64 { return 0.5 }}
}

// play runs a turn to its end and returns its news and the agent.
func play(ctx context.Context, turn Turn, script ...step) ([]News, *fake) {
	agent := &fake{script: script}
	var all []News
	Run(ctx, turn, agent, func(n News) { all = append(all, n) })
	return all, agent
}

// bubble runs a subtest in virtual time.
func bubble(t *testing.T, name string, f func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

// only returns the news of one type.
func only[T News](all []News) []T {
	var some []T
	for _, n := range all {
		if n, ok := n.(T); ok {
			some = append(some, n)
		}
	}
	return some
}

// told writes news as one short line, for comparing.
func told(all []News) string {
	var words []string
	for _, n := range all {
		name := strings.TrimPrefix(fmt.Sprintf("%T", n), "agentclient.")
		switch n := n.(type) {
		case AttemptStarted:
			name += fmt.Sprint(n.N)
		case RetryScheduled:
			name += fmt.Sprintf("%d/%d", n.N, n.Max)
		case RetryStarted:
			name += fmt.Sprint(n.N)
		case Delta, PhaseChanged:
			continue
		}
		words = append(words, name)
	}
	return strings.Join(words, " ")
}
