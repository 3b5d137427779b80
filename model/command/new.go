package command

import (
	"context"

	"baton/model/engine"
)

var _ = add(Command{Name: "new", Help: "open a new session; waiting rows come along",
	Turn: func(context.Context, World, string) (engine.Finish, error) {
		return func(e *engine.Engine) engine.Outcome { return e.NewSession() }, nil
	}})
