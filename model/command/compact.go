package command

import (
	"context"
	"errors"

	"baton/model/engine"
)

// The session itself runs /compact, as a turn; it comes here only where there is nobody
// to ask.
var _ = add(Command{Name: "compact", Args: "[WHAT MATTERS]", Help: "let the agent summarize; the summary stands for what came before",
	Turn: func(context.Context, World, string) (engine.Finish, error) {
		return nil, errors.New("nothing can be summarized here: the session is only shown")
	}})
