package command

import "errors"

var _ = add(Command{Name: "paste", Help: "send the clipboard's image along with the next prompt", Now: func(h Host, args string) error {
	if args != "" {
		return errors.New("/paste takes no argument; /attach sends a file along")
	}
	return h.PasteImage()
}})
