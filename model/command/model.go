package command

import (
	"context"
	"errors"
	"fmt"

	"baton/model/engine"
)

var _ = add(Command{Name: "model", Args: "NAME", Help: "use another model of the same agent",
	Check: func(w World, args string) error { // whether there is such a model is not known: another /agent may come before
		switch {
		case args != "":
			return nil
		case w.Current.Model == "":
			return errors.New("/model needs the name of a model behind it")
		}
		return fmt.Errorf("/model needs the name of a model behind it; %s is in use", w.Current.Model)
	},
	Turn: func(ctx context.Context, w World, args string) (engine.Finish, error) {
		return switchTo(ctx, w, w.Current.Agent, args)
	}})
