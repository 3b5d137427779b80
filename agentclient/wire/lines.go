package wire

import (
	"bytes"
	"encoding/json"
	"io"
)

// Lines reads a stream of one JSON text a line (NDJSON): lines end in LF or CRLF, a byte
// order mark at the start is dropped. The last line needs no end
// when it is whole JSON; an unfinished one is discarded, so that a stream cut there reads
// as one cut before it. However the bytes are cut into reads, the lines are the same;
// memory is bounded by MaxEvent.
type Lines struct {
	feed
	line    []byte // a line that spans reads
	started bool   // the first line is complete, so a byte order mark is past
}

// NewLines returns a reader of the lines in src.
func NewLines(src io.Reader) *Lines {
	return &Lines{feed: newFeed(src)}
}

// Next returns the next line without its end and without white space around it; it is
// valid until the next call, and empty where a line is blank. At the end of the stream it
// returns io.EOF, after an oversized line ErrEventTooLong, else the source's own error.
func (l *Lines) Next() ([]byte, error) {
	line, err := l.next()
	return bytes.TrimSpace(line), err
}

func (l *Lines) next() ([]byte, error) {
	l.line = l.line[:0]
	for {
		end := bytes.IndexByte(l.rest, '\n')
		if piece := max(end, 0); end < 0 && len(l.line)+len(l.rest) > MaxEvent || len(l.line)+piece > MaxEvent {
			return nil, ErrEventTooLong
		}
		if end >= 0 {
			line := l.rest[:end]
			l.rest = l.rest[end+1:]
			return l.complete(line), nil
		}
		l.line = append(l.line, l.rest...)
		if err := l.fill(); err != nil {
			if line := l.complete(nil); err == io.EOF && json.Valid(line) {
				return line, nil
			}
			return nil, err
		}
	}
}

func (l *Lines) complete(tail []byte) []byte {
	line := tail
	if len(l.line) > 0 {
		l.line = append(l.line, tail...)
		line = l.line
	}
	if !l.started {
		l.started = true
		line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
	}
	return line
}
