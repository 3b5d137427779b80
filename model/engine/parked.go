package engine

import (
	"context"
	"fmt"

	"baton/agentclient"
	"baton/model/session"
)

// Parked opens a session that nobody has open, to change its rows and nothing else. What ran when it ended is settled as
// Resume settles it, and its agent stays the one it talked to. Nothing may be fed that starts a turn: there is no agent.
// The session does not become the one used last by it. Errors are those of journal.Open.
func Parked(o Options, id string) (*Engine, error) {
	o.Agent = nobody{}
	e := newEngine(o)
	if err := e.take(id); err != nil {
		return nil, err // which names the session
	}
	e.log.BesideUse()
	e.finishCarry()
	e.Step(session.Opened{Session: e.state.Session, Agent: e.state.Agent})
	e.retries = false // its job was dropped with the outcome: nobody runs jobs here
	return e, nil
}

// nobody is the agent of a session in which nothing is sent.
type nobody struct{}

func (nobody) Info() agentclient.Info { return agentclient.Info{Agent: "nobody"} }

func (nobody) Send(context.Context, agentclient.Request, agentclient.Sink) (agentclient.Finish, error) {
	return agentclient.Finish{}, fmt.Errorf("nothing is sent from a session that is not open")
}

// AsTakenUp is a session's state as whoever takes it up finds it: what ran is interrupted, rows are held. Nothing is
// written, and it does not matter who has it.
func AsTakenUp(s session.State) session.State {
	events, _ := session.Decide(s, session.Opened{Session: s.Session, Agent: s.Agent})
	for _, ev := range events {
		s = session.Apply(s, ev)
	}
	return s
}
