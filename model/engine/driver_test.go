package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"baton/agentclient"
	"baton/model/journal"
	"baton/model/session"
	"baton/retrypolicy"
)

// step is what a fake agent does with one request.
type step func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error)

// fake is an agent that follows a script; the last step repeats.
type fake struct {
	mu     sync.Mutex
	script []step
	sent   []agentclient.Request
	takes  func(a agentclient.Attachment) error // nil takes all
}

func (f *fake) Takes(a agentclient.Attachment) error {
	if f.takes == nil {
		return nil
	}
	return f.takes(a)
}

func (f *fake) Info() agentclient.Info { return agentclient.Info{Agent: "fake", Model: "one"} }

func (f *fake) Send(ctx context.Context, r agentclient.Request, sink agentclient.Sink) (agentclient.Finish, error) {
	f.mu.Lock()
	f.sent = append(f.sent, r)
	do := f.script[min(len(f.sent), len(f.script))-1]
	f.mu.Unlock()
	return do(ctx, sink)
}

func (f *fake) requests() []agentclient.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]agentclient.Request(nil), f.sent...)
}

// texts are the messages of a request, one a line.
func texts(r agentclient.Request) string {
	var ls []string
	for _, m := range r.Messages {
		ls = append(ls, string(m.Role)+": "+m.Text)
	}
	return strings.Join(ls, "\n")
}

func says(text string) step {
	return func(_ context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
		sink(agentclient.Piece{Text: text})
		return agentclient.Finish{}, nil
	}
}

// after waits first, unless it is stopped meanwhile.
func after(d time.Duration, then step) step {
	return func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
		select {
		case <-ctx.Done():
			return agentclient.Finish{}, ctx.Err()
		case <-time.After(d):
			return then(ctx, sink)
		}
	}
}

// and says something before it goes on.
func and(text string, then step) step {
	return func(ctx context.Context, sink agentclient.Sink) (agentclient.Finish, error) {
		sink(agentclient.Piece{Text: text})
		return then(ctx, sink)
	}
}

func fails(f retrypolicy.Failure) step {
	return func(context.Context, agentclient.Sink) (agentclient.Finish, error) { return agentclient.Finish{}, &f }
}

func status(code int) step { return fails(retrypolicy.Failure{Status: code}) }

// hangs until it is stopped.
func hangs(ctx context.Context, _ agentclient.Sink) (agentclient.Finish, error) {
	<-ctx.Done()
	return agentclient.Finish{}, ctx.Err()
}

// deaf does not hear a stop for a minute.
func deaf(context.Context, agentclient.Sink) (agentclient.Finish, error) {
	time.Sleep(time.Minute)
	return agentclient.Finish{}, errors.New("late")
}

// driver is the loop around an engine, as the screen and the headless runner have it.
type driver struct {
	t testing.TB
	*Engine
	agent   *fake
	results chan Result
	got     []Result // in the order they came
	at      []time.Time
	events  []session.Event
	exit    bool
}

func options(t testing.TB, dir string, script ...step) (Options, *fake) {
	t.Helper()
	a := &fake{script: script}
	return Options{
		Dir: dir, App: "test", Agent: a, Policy: retrypolicy.DefaultPolicy(), Now: time.Now,
		Random: bytes.NewReader(bytes.Repeat([]byte("random bytes for session names! "), 64)),
	}, a
}

func open(t testing.TB, dir string, script ...step) *driver {
	t.Helper()
	o, a := options(t, dir, script...)
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return drive(t, e, a)
}

func drive(t testing.TB, e *Engine, a *fake) *driver {
	d := &driver{t: t, Engine: e, agent: a, results: make(chan Result)}
	t.Cleanup(func() {
		if t.Failed() { // a test that broke off: let the bubble say why
			d.in(session.Quit{})
			_ = d.Close()
			d.run(5 * time.Minute)
		}
	})
	return d
}

// in feeds an input.
func (d *driver) in(in session.Input) Outcome { return d.took(d.Step(in)) }

func (d *driver) took(o Outcome) Outcome {
	d.events = append(d.events, o.Events...)
	d.exit = d.exit || o.Exit
	for _, job := range o.Jobs {
		go func() { d.results <- job() }()
	}
	return o
}

// say submits a prompt, command a slash command.
func (d *driver) say(text string) Outcome {
	return d.in(session.Submit{Draft: session.Draft{Text: text, Command: strings.HasPrefix(text, "/")}})
}

// run takes results for a while.
func (d *driver) run(long time.Duration) {
	end := time.After(long)
	for {
		select {
		case r := <-d.results:
			d.got, d.at = append(d.got, r), append(d.at, time.Now())
			d.took(d.Take(r))
		case <-end:
			return
		}
	}
}

// soon lets everything happen that takes no time to speak of.
func (d *driver) soon() { d.run(20 * time.Millisecond) }

// end quits, closes the engine and lets what is left come to its end, so that the bubble
// finds a goroutine that does not.
func (d *driver) end() {
	d.in(session.Quit{})
	d.run(session.StopWait + time.Second)
	if err := d.Close(); err != nil {
		d.t.Error(err)
	}
	d.run(2 * time.Minute)
}

func (d *driver) rows() string {
	var all []string
	for _, r := range d.State().Queue.Rows() {
		all = append(all, r.Text)
	}
	return strings.Join(all, ",")
}

func (d *driver) life() string {
	return strings.TrimPrefix(fmt.Sprintf("%T", d.State().Life), "session.Life")
}

// want compares, naming what.
func (d *driver) want(what, want, got string) {
	d.t.Helper()
	if want != got {
		d.t.Fatalf("%s: want %q, got %q", what, want, got)
	}
}

// counted returns how many events of a type there were.
func counted[E session.Event](d *driver) int {
	n := 0
	for _, ev := range d.events {
		if _, ok := ev.(E); ok {
			n++
		}
	}
	return n
}

// logged reads a log back.
func logged(t testing.TB, dir, id string) journal.Contents {
	t.Helper()
	c, err := journal.Read(dir, id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// kindsOf lists the entries of a batch.
func kindsOf(b journal.Batch) string {
	var all []string
	for _, e := range b.Entries {
		all = append(all, e.Kind)
	}
	return strings.Join(all, " ")
}

// view is what two states must have in common when one was live and the other is read
// back: all but what is gone with a process.
func view(s session.State) string {
	var rows []session.Row
	for n, it := range s.Items.All() {
		rows = append(rows, it.Rows(n)...)
	}
	running, _ := s.Running()
	v := map[string]any{
		"session": s.Session, "next": s.Next, "life": fmt.Sprintf("%T %d", s.Life, s.Work()), "queue": s.Queue.Rows(), "gate": s.Gate,
		"due": s.Due, "awaiting": s.Awaiting, "editing": s.Editing, "mark": s.Mark, "undo": s.Undo, "rows": rows, "agent": s.Agent,
		"carry": s.CarryTo, "tool": running.Tool,
	}
	for i, it := range s.Items.All() {
		if it.Turn != nil {
			v[fmt.Sprintf("turn %d", i)] = it.Turn
		}
	}
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		panic(err)
	}
	return string(b)
}

// bubble runs f where time is virtual and every goroutine must end.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}
