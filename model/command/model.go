package command

import (
	"context"
	"errors"
	"fmt"

	"baton/model/engine"
)

var _ = add(Command{Name: "model", Args: "NAME", Help: "use another model of the same agent",
	Check: func(w World, args string) error {
		switch {
		case args != "":
			return nowhere(w, args)
		case w.Current.Model == "":
			return errors.New("/model needs the name of a model behind it")
		}
		return fmt.Errorf("/model needs the name of a model behind it; %s is in use", w.Current.Model)
	},
	Turn: func(ctx context.Context, w World, args string) (engine.Finish, error) {
		return switchTo(ctx, w, w.Current.Agent, args)
	}})

// nowhere says why a model cannot be used, if that is so of every agent: an /agent may come before the /model.
func nowhere(w World, model string) error {
	for _, name := range w.Agents {
		if known(w, name, model) == nil {
			return nil
		}
	}
	return known(w, w.Current.Agent, model)
}
