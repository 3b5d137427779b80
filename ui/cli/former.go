package cli

import (
	"context"
	"fmt"
	"strings"

	"baton/agentclient"
	"baton/model/config"
	"baton/model/engine"
	"baton/model/journal"
)

// takeUp names the session to take up and the agent it talked to last, both "" for a new
// session. A session that cannot be read is reported when it is opened.
func (a *app) takeUp(s *setup, id string) (session, agent string, err error) {
	if !a.cont {
		return "", "", nil
	}
	if id == "" {
		if id, err = a.latest(s.sessions()); err != nil {
			return "", "", err
		}
	}
	state, _, err := engine.Peek(s.sessions(), id)
	if err != nil {
		return id, "", nil
	}
	return id, state.Agent, nil
}

// latest is the session that was used last.
func (a *app) latest(dir string) (string, error) {
	id, ok, err := journal.Latest(dir)
	switch {
	case err != nil:
		return "", failure("baton starts a new session", "cannot look for sessions: %w", err)
	case !ok:
		return "", failure("baton starts one", "there is no session to take up yet")
	}
	return id, nil
}

// returnTo opens the agent that a session talked to, unless the person named another for
// this run. said tells if it is another all the same.
func (g *agents) returnTo(ctx context.Context, former string, named bool) (a agentclient.Agent, said string, err error) {
	name, model, _ := strings.Cut(former, " · ")
	why := ""
	if former != "" && !named {
		a, err := g.byName(ctx, name, model)
		if err == nil {
			return a, "", nil
		}
		why = " (" + err.Error() + ")"
	}
	a, err = g.first(ctx)
	if err != nil || former == "" || engine.Name(a.Info()) == former {
		return a, "", err
	}
	return a, fmt.Sprintf("This session talked to %s%s; from here on it talks to %s · %s", former, why, engine.Name(a.Info()), a.Info().Origin), nil
}

// agentNamed reports whether the person named an agent for this very run.
func (s *setup) agentNamed(f config.Flags) bool {
	return f.Agent != "" || f.BaseURL != "" || f.Model != "" || s.conf.Sources["agent"].Layer == config.LayerEnv
}
