package command

import (
	"fmt"
	"strconv"
	"strings"
)

const queueHelp = "say how the queue stands; or pause, resume, play, clear, undo, edit N TEXT, rm N, move N M, send N: rows by their numbers"

var _ = add(Command{Name: "queue", Args: "[WHAT]", Help: queueHelp, Words: []Word{{"pause", "hold the queue"}, {"resume", "let it go on"},
	{"play", "start its head"}, {"clear", "remove all rows"}, {"undo", "bring back what was lost last"}, {"edit", "N TEXT: another text for row N"},
	{"rm", "N: remove row N"}, {"move", "N M: put row N in place M"}, {"send", "N: send row N now"}}, Now: func(h Host, args string) error {
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
		return onRow(h, args)
	}
	return nil
}})

// onRow does something to the row that is named by its number.
func onRow(h Host, args string) error {
	verb, rest, _ := strings.Cut(args, " ")
	number, rest, _ := strings.Cut(strings.TrimSpace(rest), " ")
	rest = strings.TrimSpace(rest)
	n, err := strconv.Atoi(number)
	switch {
	case verb != "edit" && verb != "rm" && verb != "move" && verb != "send":
		return fmt.Errorf("/queue knows pause, resume, play, clear, undo, edit N TEXT, rm N, move N M and send N, not %q", args)
	case err != nil:
		return fmt.Errorf("/queue %s needs the number of a row", verb)
	case verb == "edit" && rest == "":
		return fmt.Errorf("/queue edit %d needs the new text behind the number", n)
	case verb == "edit":
		return h.EditRow(n, rest)
	case verb == "move":
		to, err := strconv.Atoi(rest)
		if err != nil {
			return fmt.Errorf("/queue move %d needs the number of the place it goes to", n)
		}
		return h.MoveRow(n, to)
	case rest != "":
		return fmt.Errorf("/queue %s takes one number, not %q", verb, number+" "+rest)
	case verb == "rm":
		return h.RemoveRow(n)
	}
	return h.SendRow(n)
}

// ForRow reports whether a text that is to wait in the queue is a command. One that does
// not wait is an error.
func ForRow(text string) (command bool, err error) {
	_, _, kind, err := Parse(text)
	if kind == Now {
		err = fmt.Errorf("that command runs at once and cannot wait in the queue")
	}
	return kind == Turn, err
}
