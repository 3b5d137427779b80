package command

var _ = add(Command{Name: "copy", Help: "copy the last answer to the clipboard", Now: func(h Host, _ string) error {
	return h.CopyAnswer()
}})
