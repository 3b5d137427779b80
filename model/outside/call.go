package outside

import (
	"sync/atomic"

	"baton/model/engine"
)

// Call is a request on its way to the program, and the replies on their way back. A call
// is either taken by the program or given up by the connection, never both: nothing is done
// of which the caller was told that it is not.
type Call struct {
	Request Request
	replies chan Reply
	begun   chan struct{} // closed when it is taken
	state   atomic.Int32

	panicked *engine.Panic // set if it is no call but the end of a goroutine that serves them
}

const (
	waiting int32 = iota
	taken
	givenUp
)

// replyRoom holds all that one call can be told without anybody reading.
const replyRoom = 8

// NewCall makes a call.
func NewCall(r Request) *Call {
	return &Call{Request: r, replies: make(chan Reply, replyRoom), begun: make(chan struct{})}
}

// Replies are what the caller is told, in order.
func (c *Call) Replies() <-chan Reply { return c.replies }

func (c *Call) take() bool {
	if !c.state.CompareAndSwap(waiting, taken) {
		return false
	}
	close(c.begun)
	return true
}

func (c *Call) giveUp() bool { return c.state.CompareAndSwap(waiting, givenUp) }

// reply never waits: a caller that does not read is nobody's concern.
func (c *Call) reply(r Reply) {
	r.Version = Version
	select {
	case c.replies <- r:
	default:
	}
}
