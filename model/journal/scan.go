package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// scanner cuts a stream at line feeds only. It holds at most limit bytes of a line.
type scanner struct {
	r      *bufio.Reader
	offset int64 // of the next line
	number int64 // of the last line returned
	buf    []byte
}

// rawLine is one line without its line feed. data is valid until the next call.
type rawLine struct {
	number, offset, size int64 // size without the line feed
	data                 []byte
	ended                bool // a line feed follows
	long                 bool // over the limit: data holds the beginning only
}

func newScanner(r io.Reader) *scanner { return &scanner{r: bufio.NewReaderSize(r, 64<<10)} }

// next returns io.EOF when no byte is left.
func (s *scanner) next(limit int) (rawLine, error) {
	s.buf = s.buf[:0]
	line := rawLine{number: s.number + 1, offset: s.offset}
	for {
		part, err := s.r.ReadSlice('\n')
		if len(part) > 0 && part[len(part)-1] == '\n' {
			part, line.ended = part[:len(part)-1], true
		}
		line.size += int64(len(part))
		if line.size <= int64(limit) {
			s.buf = append(s.buf, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return line, err
		}
		break
	}
	if line.size == 0 && !line.ended {
		return line, io.EOF
	}
	line.data, line.long = s.buf, line.size > int64(limit)
	s.number++
	s.offset += line.size
	if line.ended {
		s.offset++
	}
	return line, nil
}

// tail says where the next record goes.
type tail struct {
	end     int64 // behind the last byte that is kept
	newline bool  // the record before has no line feed: write one first
}

// scan reads a whole file. With ErrHeader the batches are there all the same, for showing; with ErrNewer and read
// errors what is there is incomplete.
func scan(r io.Reader) (Contents, tail, error) {
	var c Contents
	s := newScanner(r)
	first, err := s.next(maxHeader)
	if errors.Is(err, io.EOF) {
		return c, tail{}, ErrEmpty
	}
	if err != nil {
		return c, tail{}, err
	}
	end := tail{}
	var bad error
	c.Header, bad = decodeHeader(c.settle(first, &end))
	if errors.Is(bad, ErrNewer) {
		return c, tail{}, bad
	}
	if bad != nil {
		c.reject(first, &end, "is not a header")
	}
	// whole: no line since the last batch was skipped, so a jump in the numbers means that lines were taken out.
	whole, last := bad == nil, uint64(0)
	for {
		line, err := s.next(MaxLine)
		if errors.Is(err, io.EOF) {
			return c, end, bad
		}
		if err != nil {
			return c, end, err
		}
		batch, why := c.batch(line, &end, last)
		switch {
		case line.size == 0: // left by a repaired line end
		case why != "":
			c.reject(line, &end, why)
			whole = false
		default:
			if whole && batch.Seq != last+1 {
				c.missing(line, last+1, batch.Seq-1)
			}
			c.Batches = append(c.Batches, batch)
			whole, last = true, batch.Seq
		}
	}
}

// settle assumes that the line is a record: it moves the end behind it and returns its text. NUL bytes behind a
// last record are what some file systems leave after a power loss; they are torn, the record is not.
func (c *Contents) settle(line rawLine, end *tail) []byte {
	if line.ended {
		*end = tail{end: line.offset + line.size + 1}
		return line.data
	}
	text := bytes.TrimRight(line.data, "\x00")
	*end = tail{end: line.offset + int64(len(text)), newline: true}
	c.Torn = line.size - int64(len(text))
	return text
}

// reject counts a last line without an end as torn and every other as damage.
func (c *Contents) reject(line rawLine, end *tail, why string) {
	if !line.ended {
		*end = tail{end: line.offset}
		c.Torn = line.size
		return
	}
	if n := len(c.Damage); n > 0 {
		// A run of equal damage is one report, so that the list cannot outgrow the file.
		if d := &c.Damage[n-1]; d.Reason == why && d.Lines > 0 && d.Line+d.Lines == line.number {
			d.Lines++
			return
		}
	}
	c.Damage = append(c.Damage, Damage{Line: line.number, Lines: 1, Offset: line.offset, Reason: why})
}

func (c *Contents) missing(line rawLine, from, to uint64) {
	reason := fmt.Sprintf("batches %d to %d are missing before it", from, to)
	if from == to {
		reason = fmt.Sprintf("batch %d is missing before it", from)
	}
	c.Damage = append(c.Damage, Damage{Line: line.number, Offset: line.offset, Reason: reason})
}

// batch decodes the line; numbers only grow, so a line that was written twice counts once.
func (c *Contents) batch(line rawLine, end *tail, last uint64) (Batch, string) {
	text := c.settle(line, end)
	if line.long {
		return Batch{}, "is longer than a line may be"
	}
	batch, why := decodeBatch(text)
	if why == "" && batch.Seq <= last {
		why = fmt.Sprintf("repeats batch number %d", batch.Seq)
	}
	batch.Offset = line.offset
	return batch, why
}
