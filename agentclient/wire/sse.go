package wire

import (
	"bytes"
	"errors"
	"io"
)

// Event is one event of a stream, or a sign of life.
type Event struct {
	Name  string // the event field, "" when absent
	Data  []byte // the data lines joined by LF; valid until the next call
	Alive bool   // a comment: bytes arrived that carry nothing else
	Stray bool   // Data is JSON that stood in the stream without any field
}

// ErrEventTooLong says a line or an event passed MaxEvent.
var ErrEventTooLong = errors.New("an event of the stream is longer than 4 MB")

// Events reads an event stream by the WHATWG rules ("Server-sent events", parsing):
// lines end in LF, CR or CRLF, a byte order mark at the start is dropped, one space
// after a field's colon is dropped, an event ends at an empty line, an unfinished one
// at the end of the stream is discarded. id and retry fields are ignored. However the
// bytes are cut into reads, the events are the same; memory is bounded by MaxEvent.
//
// One thing goes beyond those rules, which ignore it: JSON that stands in the stream by
// itself. Some servers break off with an error written so.
type Events struct {
	feed
	line    []byte // an unfinished line
	data    []byte
	name    string
	stray   []byte // lines of JSON without a field
	started bool   // the first line is complete, so a byte order mark is past
	afterCR bool   // a LF now belongs to the CR before it
	emitted bool   // data was handed out and is cleared on the next call
}

// NewEvents returns a reader of the events in src.
func NewEvents(src io.Reader) *Events {
	return &Events{feed: newFeed(src)}
}

// Next returns the next event or comment. At the end of the stream it returns io.EOF,
// after an oversized line or event ErrEventTooLong, else the source's own error.
func (e *Events) Next() (Event, error) {
	if e.emitted {
		e.data, e.name, e.emitted = e.data[:0], "", false
	}
	for {
		line, err := e.nextLine()
		if err == io.EOF {
			e.keepStray(e.line) // its last line may have no end
		}
		if err != nil || len(line) == 0 {
			if event := e.takeStray(); event.Stray {
				return event, nil // err comes again with the next call
			}
		}
		switch {
		case err != nil:
			return Event{}, err
		case len(line) > 0 && line[0] == ':':
			return Event{Alive: true}, nil
		case len(line) > 0:
			err = e.field(line)
		case len(e.data) == 0:
			e.name = "" // an event without data is none
		default:
			e.emitted = true
			return Event{Name: e.name, Data: e.data[:len(e.data)-1]}, nil
		}
		if err != nil {
			return Event{}, err
		}
	}
}

// takeStray hands out the JSON that has gathered, if any.
func (e *Events) takeStray() Event {
	data := e.stray
	e.stray = nil
	return Event{Data: data, Stray: len(data) > 0}
}

func (e *Events) field(line []byte) error {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
		if len(e.data)+len(value)+1 > MaxEvent {
			return ErrEventTooLong
		}
		e.data = append(append(e.data, value...), '\n')
	case "event":
		e.name = string(value)
	case "id", "retry":
	default:
		e.keepStray(line)
	}
	return nil
}

// keepStray adds a line to JSON without a field, or begins one.
func (e *Events) keepStray(line []byte) {
	if (len(e.stray) > 0 || bytes.HasPrefix(line, []byte("{"))) && len(e.stray)+len(line) < MaxErrorBody {
		e.stray = append(append(e.stray, line...), '\n')
	}
}

// nextLine returns the next line without its end. It is valid until the next call.
func (e *Events) nextLine() ([]byte, error) {
	e.line = e.line[:0]
	for {
		if e.afterCR && len(e.rest) > 0 {
			if e.rest[0] == '\n' {
				e.rest = e.rest[1:]
			}
			e.afterCR = false
		}
		end := bytes.IndexAny(e.rest, "\r\n")
		if end >= 0 {
			line := e.rest[:end]
			e.afterCR = e.rest[end] == '\r'
			e.rest = e.rest[end+1:]
			return e.complete(line)
		}
		if len(e.line)+len(e.rest) > MaxEvent {
			return nil, ErrEventTooLong
		}
		e.line = append(e.line, e.rest...)
		if err := e.fill(); err != nil {
			return nil, err
		}
	}
}

func (e *Events) complete(tail []byte) ([]byte, error) {
	line := tail
	if len(e.line) > 0 {
		e.line = append(e.line, tail...)
		line = e.line
	}
	if len(line) > MaxEvent {
		return nil, ErrEventTooLong
	}
	if !e.started {
		e.started = true
		line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
	}
	return line, nil
}

// feed cuts a source into the pieces its reads bring.
type feed struct {
	src  io.Reader
	buf  []byte
	rest []byte // bytes of buf not yet looked at
	err  error  // the source's error, told after the bytes before it
}

func newFeed(src io.Reader) feed { return feed{src: src, buf: make([]byte, 32<<10)} }

// fill waits for more bytes in rest, whose former ones must have been used up.
func (f *feed) fill() error {
	f.rest = nil
	for f.err == nil {
		n, err := f.src.Read(f.buf)
		f.err = err
		if n > 0 {
			f.rest = f.buf[:n]
			return nil
		}
	}
	return f.err
}
