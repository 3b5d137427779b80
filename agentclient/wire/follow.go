package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
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
// its name, "" when it has none, and its data without white space around it, which is
// valid until take returns. It ends without an error when take says that the answer ended,
// when the stream ends or breaks after Complete, and, if lenient, when it ends at all.
// Comments and events without data are signs of life. An error that stands in the stream
// as bare JSON fails it, even after Complete: who sends one takes back what was said.
func (r *Relay) Follow(lenient bool, take func(name string, data []byte) (ended bool, err error)) error {
	events := NewEvents(r.answer)
	return follow(r, lenient, events.Next, func(e Event) (bool, error) {
		if e.Stray {
			return false, r.stray(e.Data)
		}
		data := bytes.TrimSpace(e.Data)
		if e.Alive || len(data) == 0 {
			r.Alive()
			return false, nil
		}
		return take(e.Name, data)
	})
}

// stray returns the error that bare JSON describes; JSON of another kind means nothing.
func (r *Relay) stray(data []byte) error {
	var body struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(data, &body) == nil && Present(body.Error) {
		return r.answer.StreamError(data)
	}
	r.Alive()
	return nil
}

// FollowLines reads a stream of one JSON text a line as Follow reads events; blank lines
// are signs of life. A line is valid until take returns.
func (r *Relay) FollowLines(lenient bool, take func(line []byte) (ended bool, err error)) error {
	return follow(r, lenient, NewLines(r.answer).Next, func(line []byte) (bool, error) {
		if len(line) == 0 {
			r.Alive()
			return false, nil
		}
		return take(line)
	})
}

// follow takes what next reads, to the answer's end.
func follow[T any](r *Relay, lenient bool, next func() (T, error), take func(T) (bool, error)) error {
	for {
		one, err := next()
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
		if ended, err := take(one); ended || err != nil {
			return err
		}
	}
}
