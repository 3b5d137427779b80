package command

import "fmt"

var _ = add(Command{Name: "retry", Args: "[now|info]", Help: "end the wait before a retry, or run the last turn again; info lists what each attempt met",
	Words: []Word{{"now", "do what the key does"}, {"info", "list what each attempt met"}},
	Now: func(h Host, args string) error {
		switch args {
		case "", "now":
			h.RetryLast()
		case "info":
			return h.RetryInfo()
		default:
			return fmt.Errorf("/retry knows now and info, not %q", args)
		}
		return nil
	}})
