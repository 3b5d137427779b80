package command

import "fmt"

var _ = add(Command{Name: "retry", Args: "[info]", Help: "do what the retry key does; info lists what each attempt met",
	Now: func(h Host, args string) error {
		switch args {
		case "":
			h.RetryLast()
		case "info":
			return h.RetryInfo()
		default:
			return fmt.Errorf("/retry knows info, not %q", args)
		}
		return nil
	}})
