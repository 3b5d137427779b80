package command

import (
	"context"
	"fmt"
	"strings"

	"baton/model/engine"
)

var _ = add(Command{Name: "agent", Args: "NAME [MODEL]", Help: "talk to another agent",
	Turn: func(ctx context.Context, w World, args string) (engine.Finish, error) {
		name, model, _ := strings.Cut(args, " ")
		if name == "" {
			return nil, fmt.Errorf("/agent needs a name: %s", strings.Join(w.Agents, ", "))
		}
		return switchTo(ctx, w, name, strings.TrimSpace(model))
	}})

// switchTo opens an agent and hands later turns to it.
func switchTo(ctx context.Context, w World, name, model string) (engine.Finish, error) {
	a, err := w.Open(ctx, name, model)
	if err != nil {
		return nil, err
	}
	return func(e *engine.Engine) engine.Outcome {
		out := e.SetAgent(a)
		i := a.Info()
		return out.Join(e.Note("Now talking to " + engine.Name(i) + " · " + i.Origin))
	}, nil
}
