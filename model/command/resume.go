package command

import (
	"context"

	"baton/model/engine"
)

var _ = add(Command{Name: "resume", Args: "[WORDS]", Help: "go on in the session with these words or that name, or one from a list; waiting rows stay here",
	Pick: func(h Host, words string) error { return h.PickSession(words) }, ByWords: true,
	Turn: func(ctx context.Context, w World, args string) (engine.Finish, error) {
		id := args
		if w.Meant != nil {
			var err error
			if id, err = w.Meant(ctx, args); err != nil {
				return nil, err
			}
		}
		return func(e *engine.Engine) engine.Outcome { return e.GoTo(id) }, nil
	}})
