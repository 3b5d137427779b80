package command

var _ = add(Command{Name: "theme", Args: "NAME", Help: "change the colours", Now: func(h Host, args string) error {
	return h.SetTheme(args)
}})
