package command

import "errors"

var _ = add(Command{Name: "attach", Args: "PATH", Help: "send a file along with the next prompt", Now: func(h Host, args string) error {
	if args == "" {
		return errors.New("/attach needs the path of a file")
	}
	return h.Attach(args)
}})
