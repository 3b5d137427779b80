package command

import "fmt"

var _ = add(Command{Name: "queue", Args: "[pause|resume|play|clear|undo]", Help: "say how the queue stands, or change it", Now: func(h Host, args string) error {
	switch args {
	case "":
		h.Say(h.DescribeQueue())
	case "pause":
		h.PauseQueue(true)
	case "resume":
		h.PauseQueue(false)
	case "play":
		h.PlayQueue()
	case "clear":
		h.ClearQueue()
	case "undo":
		h.UndoQueue()
	default:
		return fmt.Errorf("/queue knows pause, resume, play, clear and undo, not %q", args)
	}
	return nil
}})
