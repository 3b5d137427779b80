package engine

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"baton/agentclient"
	"baton/model/journal"
	"baton/model/session"
)

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Command == nil {
		o.Command = func(context.Context, string, agentclient.Info) (Finish, error) {
			return nil, fmt.Errorf("commands are not available here")
		}
	}
	return o
}

func newEngine(o Options) *Engine {
	o = o.withDefaults()
	return &Engine{opt: o, agent: o.Agent, state: session.New(o.Settings), work: map[session.TurnID]context.CancelFunc{}, breakers: breakers{}, files: newFiles()}
}

// New opens a new session. It makes no file until there is something to keep.
func New(o Options) (*Engine, error) {
	e := newEngine(o)
	id, err := journal.NewID(e.opt.Now(), e.opt.Random)
	if err != nil {
		return nil, fmt.Errorf("name a session: %w", err)
	}
	e.Step(session.Opened{Session: id, Agent: Name(e.agent.Info())})
	e.retries = false // its job was dropped with the outcome: nobody runs jobs yet
	return e, nil
}

// Resume opens a session that was kept. What ran when it ended is settled, its rows
// are held, and nothing is sent. Errors are those of journal.Open.
func Resume(o Options, id string) (*Engine, error) {
	e := newEngine(o)
	w, kept, err := journal.Open(o.Dir, id)
	if err != nil {
		return nil, fmt.Errorf("open session %s: %w", id, err)
	}
	e.log = w
	e.state.Session = id // numbers of rows are read with it, also when the opening is damaged
	e.state, e.damage = Replay(e.state, kept)
	e.finishCarry()
	e.Step(session.Opened{Session: id, Agent: Name(e.agent.Info())})
	e.retries = false // its job was dropped with the outcome: nobody runs jobs yet
	return e, nil
}

// Replay folds a log. What cannot be read is told in a line; kinds of events that this
// version does not know are skipped.
func Replay(s session.State, kept journal.Contents) (session.State, string) {
	unread := len(kept.Damage)
	for _, b := range kept.Batches {
		evs, ok := decode(b.Entries)
		if !ok { // a batch is applied whole or not at all
			unread++
			continue
		}
		for _, ev := range evs {
			s = session.Apply(s, ev)
		}
	}
	if unread == 0 {
		return s, ""
	}
	return s, fmt.Sprintf("%d damaged part(s) of this session's log were skipped", unread)
}

func decode(entries []journal.Entry) ([]session.Event, bool) {
	var evs []session.Event
	for _, en := range entries {
		ev, known, err := session.Decode(en.Kind, en.Data)
		if err != nil {
			return nil, false
		}
		if known {
			evs = append(evs, ev)
		}
	}
	return evs, true
}
