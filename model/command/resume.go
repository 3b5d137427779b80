package command

import (
	"context"

	"baton/model/engine"
)

var _ = add(Command{Name: "resume", Args: "[SESSION]", Help: "go on in another session; waiting rows stay here",
	Pick: func(h Host) error { return h.PickSession() },
	Turn: func(_ context.Context, _ World, args string) (engine.Finish, error) {
		return func(e *engine.Engine) engine.Outcome { return e.GoTo(args) }, nil
	}})
