package command

var _ = add(Command{Name: "retry", Help: "retry now while a retry waits; retry the last unsuccessful turn when idle", Now: func(h Host, _ string) error {
	h.RetryLast()
	return nil
}})
