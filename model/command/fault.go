package command

import "errors"

var _ = add(Command{Name: "fault", Protocol: "sandbox", Args: "LIST", Help: "make the next requests to the sandbox fail: 500,429:7,cut@20,empty,hang", Words: []Word{
	{"500", "a failure of the server"}, {"429:7", "too many requests; come back in 7 seconds"}, {"cut@20", "the answer breaks off after 20 words"},
	{"empty", "an answer without a text"}, {"hang", "no answer at all"}}, Examples: true, Now: func(h Host, args string) error {
	if args == "" {
		return errors.New("/fault needs a list such as 500,500 or 429:7 or cut@20")
	}
	if err := h.ArmFaults(args); err != nil {
		return err
	}
	h.Say("armed: " + args)
	return nil
}})
