package command

var _ = add(Command{Name: "keys", Help: "show the keys", Now: func(h Host, _ string) error {
	h.ShowHelp()
	return nil
}})
