package command

import "errors"

var _ = add(Command{Name: "fault", Args: "LIST", Help: "make the next requests to the sandbox fail: 500,429:7,cut@20,empty,hang", Now: func(h Host, args string) error {
	if args == "" {
		return errors.New("/fault needs a list such as 500,500 or 429:7 or cut@20")
	}
	if err := h.ArmFaults(args); err != nil {
		return err
	}
	h.Say("armed: " + args)
	return nil
}})
