//go:build unix

package term

import (
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// inbox is the queue between the reader, which must never wait, and the loop. It has no limit: what a person typed is not
// dropped, and a terminal cannot be typed at faster than memory grows.
type inbox struct {
	mu   sync.Mutex
	msgs []inputMsg
	wake chan struct{}
}

func newInbox() *inbox { return &inbox{wake: make(chan struct{}, 1)} }

// push takes what came at the time given.
func (q *inbox) push(msgs []tea.Msg, at time.Time) {
	if len(msgs) == 0 {
		return
	}
	q.mu.Lock()
	for _, m := range msgs {
		q.msgs = append(q.msgs, inputMsg{msg: m, at: at})
	}
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// feed sends one message after the other, telling each whether more wait behind it, until done is closed.
func (q *inbox) feed(done <-chan struct{}, send func(tea.Msg)) {
	for {
		select {
		case <-done:
			return
		case <-q.wake:
		}
		for batch := q.take(); len(batch) > 0; batch = q.take() {
			for i, m := range batch {
				m.more = i < len(batch)-1 || q.waiting()
				send(m)
			}
		}
	}
}

func (q *inbox) take() []inputMsg {
	q.mu.Lock()
	defer q.mu.Unlock()
	batch := q.msgs
	q.msgs = nil
	return batch
}

func (q *inbox) waiting() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.msgs) > 0
}
