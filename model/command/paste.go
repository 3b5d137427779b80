package command

var _ = add(Command{Name: "paste", Help: "send the clipboard's image along with the next prompt", Now: func(h Host, _ string) error {
	return h.PasteImage()
}})
