package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
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

// text is what can be the record of a last line without an end: NUL bytes behind it are none of it.
func (l rawLine) text() []byte {
	if l.ended {
		return l.data
	}
	return bytes.TrimRight(l.data, "\x00")
}

// How many bytes are read at once: of many lines, and of one that is likely short.
const (
	block      = 64 << 10
	smallBlock = 4 << 10
)

func newScanner(r io.Reader) *scanner { return &scanner{r: bufio.NewReaderSize(r, block)} }

// linesFrom scans f from offset, where the line behind line number begins.
func linesFrom(f io.ReaderAt, offset, number int64, size int) *scanner {
	return scannerOf(behind(f, offset), offset, number, size)
}

func scannerOf(r io.Reader, offset, number int64, size int) *scanner {
	return &scanner{r: bufio.NewReaderSize(r, size), offset: offset, number: number}
}

func behind(f io.ReaderAt, offset int64) io.Reader {
	return io.NewSectionReader(f, offset, math.MaxInt64-offset)
}

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
			if len(s.buf)+len(part) > cap(s.buf) {
				s.buf = slices.Grow(s.buf, max(len(s.buf), len(part))) // twice as long, so that a long line is copied seldom
			}
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

// reading gathers the lines of a file, or of a part of it.
type reading struct {
	c     Contents
	end   tail
	last  uint64 // number of the last batch
	whole bool   // no line since then was skipped, so a jump in the numbers means that lines were taken out
}

// readHeader reads the first line and returns the offset behind it. With ErrHeader what follows can be read all the
// same.
func readHeader(f io.ReaderAt) (reading, int64, error) {
	s := linesFrom(f, 0, 0, smallBlock)
	r := reading{whole: true}
	err := r.header(s)
	return r, s.offset, err
}

func (r *reading) header(s *scanner) error {
	first, err := s.next(maxHeader)
	if errors.Is(err, io.EOF) {
		return ErrEmpty
	}
	if err != nil {
		return err
	}
	var bad error
	r.c.Header, bad = decodeHeader(r.settle(first))
	if errors.Is(bad, ErrHeader) {
		r.reject(first, "is not a header")
		r.whole = false
	}
	r.c.End = r.end.end
	return bad
}

// all takes the lines that begin before the offset to.
func (r *reading) all(s *scanner, to int64) error {
	for s.offset < to {
		line, err := s.next(MaxLine)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		r.take(line)
	}
	r.c.End = r.end.end
	return nil
}

func (r *reading) take(line rawLine) {
	batch, why := r.batch(line)
	switch {
	case line.size == 0: // left by a repaired line end
	case why != "":
		r.reject(line, why)
		r.whole = r.whole && !line.ended
	default:
		if r.whole && batch.Seq != r.last+1 {
			r.missing(line.number, line.offset, batch.Seq)
		}
		r.c.Batches = append(r.c.Batches, batch)
		r.whole, r.last = true, batch.Seq
	}
}

// settle assumes that the line is a record: it moves the end behind it and returns its text. NUL bytes behind a
// last record are what some file systems leave after a power loss; they are torn, the record is not.
func (r *reading) settle(line rawLine) []byte {
	if line.ended {
		r.end = tail{end: line.offset + line.size + 1}
		return line.data
	}
	text := line.text()
	r.end = tail{end: line.offset + int64(len(text)), newline: true}
	r.c.Torn = line.size - int64(len(text))
	return text
}

// reject counts a last line without an end as torn and every other as damage.
func (r *reading) reject(line rawLine, why string) {
	if !line.ended {
		r.end = tail{end: line.offset}
		r.c.Torn = line.size
		return
	}
	if n := len(r.c.Damage); n > 0 {
		// A run of equal damage is one report, so that the list cannot outgrow the file.
		if d := &r.c.Damage[n-1]; d.Reason == why && d.Lines > 0 && d.Line+d.Lines == line.number {
			d.Lines++
			return
		}
	}
	r.c.Damage = append(r.c.Damage, Damage{Line: line.number, Lines: 1, Offset: line.offset, Reason: why})
}

// missing reports the batches between the last one and number next.
func (r *reading) missing(line, offset int64, next uint64) {
	from, to := r.last+1, next-1
	reason := fmt.Sprintf("batches %d to %d are missing before it", from, to)
	if from == to {
		reason = fmt.Sprintf("batch %d is missing before it", from)
	}
	r.c.Damage = append(r.c.Damage, Damage{Line: line, Offset: offset, Reason: reason})
}

// batch decodes the line; numbers only grow, so a line that was written twice counts once.
func (r *reading) batch(line rawLine) (Batch, string) {
	text := r.settle(line)
	if line.long {
		return Batch{}, "is longer than a line may be"
	}
	batch, why := decodeBatch(text)
	if why == "" && batch.Seq <= r.last {
		why = repeats(batch.Seq)
	}
	batch.Offset = line.offset
	return batch, why
}

func repeats(seq uint64) string { return fmt.Sprintf("repeats batch number %d", seq) }
