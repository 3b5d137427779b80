package engine

import (
	"fmt"

	"baton/model/session"
	"baton/retrypolicy"
)

// breakers are per agent and model, and last as long as the process.
type breakers map[string]retrypolicy.Breaker

// breakerKey names what the agent in use talks to.
func (e *Engine) breakerKey() string {
	i := e.agent.Info()
	return i.Origin + " " + i.Model
}

// settled tells the breaker how a turn ended. A failure that is not worth repeating
// says nothing about whether the server is up.
func (e *Engine) settled(ev session.Event) {
	switch ev := ev.(type) {
	case session.TurnSucceeded:
		delete(e.breakers, e.breakerKey())
	case session.TurnFailed:
		if ev.Exhausted {
			e.breakers[e.breakerKey()] = e.breakers[e.breakerKey()].Exhausted(e.opt.Now())
		}
	}
}

// policy is how often the turn that starts now may try, and what to say if that is less
// than usual.
func (e *Engine) policy() (p retrypolicy.Policy, said string) {
	p = e.opt.Policy
	until, open := e.breakers[e.breakerKey()].Open(e.opt.Now())
	if !open || p.Attempts <= 1 || e.opt.Tireless {
		return p, ""
	}
	p.Attempts = 1
	return p, fmt.Sprintf("the last turns ran out of attempts: one attempt for each turn until %s", until.Local().Format("15:04:05"))
}
