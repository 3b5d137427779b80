package command

var _ = add(Command{Name: "export", Args: "[FILE]", Help: "write the session to a file: .md, .html or .jsonl", Now: func(h Host, args string) error {
	return h.Export(args)
}})
