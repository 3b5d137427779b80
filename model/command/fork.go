package command

import (
	"context"
	"fmt"
	"strconv"

	"baton/model/engine"
)

var _ = add(Command{Name: "fork", Args: "[TURN]", Help: "go on in a copy of the session that ends with a turn; waiting rows stay here",
	Pick: func(h Host, _ string) error { return h.PickTurn() },
	Check: func(w World, args string) error {
		switch turn, err := strconv.Atoi(args); {
		case err != nil || turn < 1:
			return fmt.Errorf("/fork takes the number of a turn, not %q; /fork alone lists them", args)
		case turn > w.Turns:
			return fmt.Errorf("there is no turn %d in this session; /fork lists them", turn)
		}
		return nil
	},
	Turn: func(ctx context.Context, w World, args string) (engine.Finish, error) {
		turn, err := strconv.Atoi(args)
		if err != nil {
			return nil, err // Check has refused it
		}
		id, err := w.Fork(ctx, turn)
		if err != nil {
			return nil, err
		}
		return func(e *engine.Engine) engine.Outcome { return e.GoToCopy(id) }, nil
	}})
