package command

import (
	"context"
	"fmt"
	"strings"

	"baton/model/engine"
)

var _ = add(Command{Name: "agent", Args: "NAME [MODEL]", Help: "talk to another agent",
	Check: func(w World, args string) error {
		name, model := agentAndModel(args)
		if name == "" {
			return fmt.Errorf("/agent needs the name of an agent: %s", Agents(w.Agents))
		}
		return known(w, name, model)
	},
	Turn: func(ctx context.Context, w World, args string) (engine.Finish, error) {
		name, model := agentAndModel(args)
		return switchTo(ctx, w, name, model)
	}})

func agentAndModel(args string) (name, model string) {
	name, model, _ = strings.Cut(args, " ")
	return name, strings.TrimSpace(model)
}

// Agents lists the agents there are for a person who named none of them. Where there is no choice it says how to get one.
func Agents(names []string) string {
	if len(names) == 1 {
		return "there is none but " + names[0] + "; baton config init makes a file to add others"
	}
	return "there are " + strings.Join(names, ", ")
}

// known says why an agent or its model cannot be opened, as far as that is known.
func known(w World, name, model string) error {
	if w.Known == nil {
		return nil
	}
	return w.Known(name, model)
}

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
