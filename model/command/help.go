package command

var _ = add(Command{Name: "help", Help: "show the keys and commands", Now: func(h Host, _ string) error {
	h.ShowHelp()
	return nil
}})
