package engine

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"baton/agentclient"
	"baton/model/journal"
	"baton/model/session"
	"baton/retrypolicy"
)

// Options is what an engine works with.
type Options struct {
	Dir      string // where sessions live; "" keeps everything in memory
	App      string // version of the program, for the log's header
	Agent    agentclient.Agent
	Policy   retrypolicy.Policy
	Limit    time.Duration // absolute limit of a turn; 0 is none
	Tireless bool          // no breaker: every turn gets all its attempts
	Settings session.Settings
	// Command runs a slash command: its slow part on any goroutine, the rest in the
	// returned function (which may be nil) on the engine's. An error blocks the
	// command's row.
	Command func(ctx context.Context, text string, here Here) (Finish, error)
	// Check says why a slash command that is to be run, or to wait its turn, can never
	// succeed, whatever comes before it; nil for one that may. It is quick.
	Check  func(text string, here Here) error
	Now    func() time.Time
	Random io.Reader    // for session ids
	Log    *slog.Logger // what happened, without texts; nil keeps none
}

// Here is where a command was given.
type Here struct {
	Session string
	Agent   agentclient.Info // the one in use
	// Turns is how many turns with numbers the session has, and can have when a command
	// that is entered now runs.
	Turns int
}

// Finish is the part of a command that changes the engine.
type Finish func(*Engine) Outcome

// Engine holds the state of one session and the log behind it.
type Engine struct {
	opt   Options
	state session.State
	log   *journal.Writer   // nil until there is something to keep
	held  [][]journal.Entry // batches of openings and notes, until then
	from  string            // the session whose rows this one took over

	agent    agentclient.Agent
	breakers breakers
	run      *run
	work     map[session.TurnID]context.CancelFunc // preparations and commands under way
	files    *files
	times    Times
	lost     error             // what a later run will not have
	noFile   error             // why there is a log in memory only
	former   []*journal.Writer // logs of sessions that were left and are not whole on disk yet
	retries  bool              // a job that retries the log is under way
	damage   string
	warned   string // the session of which was said that leaving loses it
	logged   string // the trouble that the log has, "" for none

	past    past // what of the log stands before the items in memory
	older   *remembered
	reading bool       // a job that reads older items is under way
	unread  bool       // the last such job failed
	snapped int64      // offset of the newest snapshot, 0 if there is none
	due     int64      // how long the log is to be before the next one
	texts   textPlaces // where in the log the long texts of rows and prompts stand

	asides session.TurnID // numbers, below 0, of the commands that ran beside a session that is only shown
	follow *following     // set while another process has the session: it is shown and not changed
}

// Times are for the display only.
type Times struct {
	Began   time.Time // when the running turn, preparation or command started
	Heard   time.Time // when the agent was heard last
	Settled time.Time // when the last turn settled
}

// Outcome is what an input led to.
type Outcome struct {
	Events  []session.Event
	Jobs    []Job
	Exit    bool             // the program is to end
	Refused *session.Refused // the input changed nothing, and why
	Said    string           // a word to the person, "" for none
}

// Join adds what a further input led to.
func (o Outcome) Join(p Outcome) Outcome {
	o.Events = append(o.Events, p.Events...)
	o.Jobs = append(o.Jobs, p.Jobs...)
	o.Exit = o.Exit || p.Exit
	if p.Refused != nil {
		o.Refused = p.Refused
	}
	if p.Said != "" {
		o.Said = p.Said
	}
	return o
}

// State returns the state. It is a value; later inputs do not change it.
func (e *Engine) State() session.State { return e.state }

// Times returns when things began.
func (e *Engine) Times() Times { return e.times }

// Agent returns the agent that later turns go to.
func (e *Engine) Agent() agentclient.Agent { return e.agent }

// Damage says in a line what could not be read from the log, or "".
func (e *Engine) Damage() string { return e.damage }

func (e *Engine) here() Here {
	return Here{e.state.Session, e.agent.Info(), e.state.Prompts + e.state.Queue.Len()}
}

// Session is the session's id.
func (e *Engine) Session() string { return e.state.Session }

// SetAgent sends later turns to another agent and says so in the session.
func (e *Engine) SetAgent(a agentclient.Agent) Outcome {
	e.agent = a
	return e.Step(session.AgentChanged{Agent: Name(a.Info())})
}

// Note puts a line into the transcript.
func (e *Engine) Note(text string) Outcome { return e.Step(session.Note{Text: text}) }

// Name is how an agent is called in the record: agent and model.
func Name(i agentclient.Info) string {
	if i.Model == "" {
		return i.Agent
	}
	return i.Agent + " · " + i.Model
}

// Step takes one input through decide, record, fold and act.
func (e *Engine) Step(in session.Input) Outcome {
	if e.follow != nil {
		return e.readOnly(in)
	}
	if refused := e.hopeless(in); refused != nil {
		return Outcome{Events: []session.Event{*refused}, Refused: refused}
	}
	events, effects := session.Decide(e.state, in)
	e.record(events)
	before := e.state
	out := Outcome{Events: events}
	for _, ev := range events {
		e.state = session.Apply(e.state, ev)
		if r, ok := ev.(session.Refused); ok {
			out.Refused = &r
		}
		e.settled(ev)
	}
	e.clock(before)
	point("folded", events...)
	e.act(effects, &out)
	point("acted", events...)
	e.snapshot()
	e.logTrouble()
	if job := e.retryLog(); job != nil {
		out.Jobs = append(out.Jobs, job)
	}
	return out
}

// clock notes when work began and ended.
func (e *Engine) clock(before session.State) {
	now := e.opt.Now()
	if work := e.state.Work(); work != 0 && work != before.Work() {
		e.times.Began, e.times.Heard = now, now
	}
	if before.Busy() && e.state.Work() != before.Work() {
		e.times.Settled = now
	}
}

// Close ends what runs and the log. It reports what could not be saved.
func (e *Engine) Close() error {
	if e.run != nil {
		e.run.cancel()
	}
	e.follow.close()
	for _, cancel := range e.work {
		cancel()
	}
	var errs []error
	for _, w := range append(e.former, e.log) {
		if w != nil {
			errs = append(errs, w.Close())
		}
	}
	return errors.Join(errs...)
}
