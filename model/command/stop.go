package command

var _ = add(Command{Name: "stop", Help: "stop the turn; the queue is held", Now: func(h Host, _ string) error {
	h.StopTurn()
	return nil
}})
