package command

import (
	"context"
	"fmt"
	"strconv"

	"baton/model/engine"
)

var _ = add(Command{Name: "fork", Args: "[TURN]", Help: "go on in a copy of the session that ends with a turn; waiting rows stay here",
	Pick: func(h Host, _ string) error { return h.PickTurn() },
	Turn: func(ctx context.Context, w World, args string) (engine.Finish, error) {
		turn, err := strconv.Atoi(args)
		if err != nil || turn < 1 {
			return nil, fmt.Errorf("/fork takes the number of a turn, not %q; /fork alone lists them", args)
		}
		id, err := w.Fork(ctx, turn)
		if err != nil {
			return nil, err
		}
		return func(e *engine.Engine) engine.Outcome { return e.GoToCopy(id) }, nil
	}})
