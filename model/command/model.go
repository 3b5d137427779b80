package command

import (
	"context"
	"errors"

	"baton/model/engine"
)

var _ = add(Command{Name: "model", Args: "NAME", Help: "use another model of the same agent",
	Turn: func(ctx context.Context, w World, args string) (engine.Finish, error) {
		if args == "" {
			return nil, errors.New("/model needs the name of a model")
		}
		return switchTo(ctx, w, w.Current.Agent, args)
	}})
