package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
)

// readAll reads a whole file. With ErrHeader the batches are there all the same, for showing; with ErrNewer and
// errors of reading what is there is incomplete.
func readAll(f io.ReaderAt) (reading, error) { return readTail(f, 0, "") }

// readTail reads the header, and the rest from the last whole batch on whose first entry is of kind mark. Without
// one, or with mark "", it reads the whole file as readAll does. size is the offset where the search for the mark
// begins; whatever stands behind it is read as well.
func readTail(f io.ReaderAt, size int64, mark string) (reading, error) {
	read, behind, bad := readHeader(f)
	if bad != nil && !errors.Is(bad, ErrHeader) {
		return read, bad
	}
	number := int64(1)
	if bad == nil && mark != "" {
		at, found, err := lastMark(f, behind, size, mark)
		if err != nil {
			return read, err
		}
		if found {
			read = reading{c: Contents{Header: read.c.Header, From: at}}
			behind, number = at, 0
		}
	}
	if err := read.all(linesFrom(f, behind, number, block), math.MaxInt64); err != nil {
		bad = err
	}
	return read, bad
}

// largeBlock is the largest block of a search. They double from block up to it, so that a mark near the end costs
// little and a log without one few calls.
const largeBlock = 4 << 20

// lastMark searches backwards for the line behind low that is a whole batch and begins with an entry of this kind.
// It holds one block and one line at most.
func lastMark(f io.ReaderAt, low, size int64, kind string) (at int64, found bool, err error) {
	quoted, err := json.Marshal(kind)
	if err != nil {
		return 0, false, err
	}
	b := backward{f: f, low: low, at: size, step: block}
	for {
		line, err := b.next()
		if errors.Is(err, io.EOF) {
			return 0, false, nil
		}
		if err != nil {
			return 0, false, err
		}
		// Most lines need no decoding: one that lacks the word cannot be it.
		if line.long || !bytes.Contains(line.data, quoted) {
			continue
		}
		batch, why := decodeBatch(line.text())
		if why == "" && len(batch.Entries) > 0 && batch.Entries[0].Kind == kind {
			return line.offset, true, nil
		}
	}
}

// backward yields lines from the last to the first, as scanner does forwards.
type backward struct {
	f    io.ReaderAt
	low  int64 // offset of the first line that is wanted
	at   int64 // offset of held[0], or of what was dropped of a long line
	step int   // bytes to read next
	held []byte
	bare int // how many bytes at the end of held are known to hold no line feed
	// ended: a line feed stands behind what is held and dropped. It is false for the end of the file alone.
	ended   bool
	dropped int64 // bytes of a line that is too long to be held
}

// next returns io.EOF when no line is left.
func (b *backward) next() (rawLine, error) {
	for {
		if i := bytes.LastIndexByte(b.held[:len(b.held)-b.bare], '\n'); i >= 0 {
			return b.cut(i), nil
		}
		if len(b.held) > MaxLine {
			b.dropped += int64(len(b.held))
			b.held = nil
		}
		b.bare = len(b.held)
		if b.at <= b.low {
			if len(b.held) == 0 && b.dropped == 0 && !b.ended {
				return rawLine{}, io.EOF
			}
			line := b.cut(-1)
			b.ended = false
			return line, nil
		}
		if err := b.more(); err != nil {
			return rawLine{}, err
		}
	}
}

// cut takes the line behind the line feed at i from what is held. Its data is valid until the next call.
func (b *backward) cut(i int) rawLine {
	text := b.held[i+1:]
	line := rawLine{offset: b.at + int64(i) + 1, size: int64(len(text)) + b.dropped, data: text, ended: b.ended}
	line.long = line.size > MaxLine
	b.held, b.bare, b.dropped, b.ended = b.held[:max(i, 0)], 0, 0, true
	return line
}

// more reads the block before what is held.
func (b *backward) more() error {
	n := min(int64(max(b.step, len(b.held))), b.at-b.low)
	b.step = min(2*b.step, largeBlock)
	held := make([]byte, n+int64(len(b.held)))
	if _, err := b.f.ReadAt(held[:n], b.at-n); err != nil {
		if errors.Is(err, io.EOF) { // cut short while it was read
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	copy(held[n:], b.held)
	b.held, b.at = held, b.at-n
	return nil
}
