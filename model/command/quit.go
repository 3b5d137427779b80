package command

var _ = add(Command{Name: "quit", Help: "stop what runs and leave", Now: func(h Host, _ string) error {
	h.Quit()
	return nil
}})
