package engine

import (
	"fmt"

	"baton/queue"
)

// Row is the row with a number as a person counts, from 1. The error is for people.
func (e *Engine) Row(n int) (queue.Row, error) {
	q := e.state.Queue
	switch {
	case q.Len() == 0:
		return queue.Row{}, fmt.Errorf("there is no row %d: the queue is empty", n)
	case n < 1 || n > q.Len():
		return queue.Row{}, fmt.Errorf("there is no row %d: there are %d", n, q.Len())
	}
	return q.At(n - 1), nil
}
