package wire

import (
	"errors"
	"io"
	"strings"
	"time"
)

// afterFinish is how long a stream may go on after its finish reason, for the usage and
// the end marker; the answer is complete by then.
const afterFinish = 2 * time.Second

// Complete says that the answer is whole and that only an epilogue may follow, for a
// short time.
func (r *Relay) Complete() {
	r.complete = true
	r.answer.Within(afterFinish)
}

// Follow reads an event stream to the answer's end and hands each event on to take:
// its name, "" when it has none, and its data without white space around it. It ends
// without an error when take says that the answer ended, when the stream ends or breaks
// after Complete, and, if lenient, when it ends at all. Comments and events without data
// are signs of life.
func (r *Relay) Follow(lenient bool, take func(name, data string) (ended bool, err error)) error {
	events := NewEvents(r.answer)
	for {
		event, err := events.Next()
		switch {
		case err != nil && r.complete:
			return nil
		case err == io.EOF && lenient:
			return nil
		case err == io.EOF:
			return r.answer.Truncated()
		case errors.Is(err, ErrEventTooLong):
			return r.answer.Malformed(err)
		case err != nil:
			return err
		}
		data := strings.TrimSpace(string(event.Data))
		if event.Alive || data == "" {
			r.Alive()
			continue
		}
		if ended, err := take(event.Name, data); ended || err != nil {
			return err
		}
	}
}
