package journal

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"sync/atomic"
)

// Reader reads parts of one session without locking or changing it, also beside its writer in this process or
// another. Its methods may be called from any goroutine. Numbers of lines in what it returns count from
// Contents.From.
type Reader struct {
	path   string
	header Header
	first  int64 // offset behind the header
	file   *os.File
	f      counted

	mu     sync.Mutex
	starts map[int64]uint64 // numbers of the batches at offsets where reading began
	follow spot
}

// spot is where Follow goes on, and what it needs to see whether a batch is missing there.
type spot struct {
	at    int64
	open  int64 // where the line before begins if it lacks its line feed, else at
	last  uint64
	whole bool
}

// counted counts the bytes that were read.
type counted struct {
	io.ReaderAt
	n *atomic.Int64
}

func (c counted) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, at)
	c.n.Add(int64(n))
	return n, err
}

// OpenReader opens a session's file for reading and checks its header. Errors are those of Read; with a damaged
// header there is no Reader.
func OpenReader(dir, id string) (*Reader, error) { return openReader(dir, id, plain) }

func openReader(dir, id string, d disk) (*Reader, error) {
	path, err := pathOf(dir, id)
	if err != nil {
		return nil, err
	}
	f, _, err := d.openRegular(path, os.O_RDONLY)
	if err != nil {
		return nil, fmt.Errorf("reading session %s: %w", id, err)
	}
	r := &Reader{path: path, file: f, f: counted{f, new(atomic.Int64)}, starts: map[int64]uint64{}}
	read, end, err := readHeader(r.f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("reading session %s: %w", id, err)
	}
	r.header, r.first = read.c.Header, end
	r.follow = read.spot()
	return r, nil
}

// Header returns the session's header.
func (r *Reader) Header() Header { return r.header }

// Close ends reading.
func (r *Reader) Close() error { return r.file.Close() }

// BytesRead returns how many bytes were read from the file so far.
func (r *Reader) BytesRead() int64 { return r.f.n.Load() }

// Tail reads from the last batch whose first entry is of kind mark to the end, or the whole file if there is none.
// A mark whose line is damaged is passed over. What is unfinished at the end, and a last line without its line
// feed, count as they do for Read.
func (r *Reader) Tail(mark string) (Contents, error) {
	info, err := r.file.Stat()
	if err != nil {
		return Contents{}, r.failed(err)
	}
	read, err := readTail(r.f, info.Size(), mark)
	read.c.WideMode = wideMode(info)
	if err != nil {
		return read.c, r.failed(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.began(read.c)
	r.follow = read.spot()
	return read.c, nil
}

// Before is the offset of the last whole batch before offset whose first entry is of kind mark; 0 if there is none.
func (r *Reader) Before(offset int64, mark string) (int64, error) {
	at, _, err := lastMark(r.f, r.first, offset, mark)
	if err != nil {
		return 0, r.failed(err)
	}
	return at, nil
}

// Range reads the lines that begin in [from, to); the header, which every Reader has, is no batch. Where the range
// ends at the beginning of what was read before, batches that are missing between both are reported as well.
func (r *Reader) Range(from, to int64) (Contents, error) {
	read, s, err := r.between(from, to)
	if err == nil {
		err = read.all(s, to)
	}
	if err != nil {
		return read.c, r.failed(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if next, known := r.starts[s.offset]; known && read.whole {
		read.meet(s, next)
	}
	r.began(read.c)
	return read.c, nil
}

// between returns a scanner at the first line that begins at from or behind it. What stands behind to is read only
// if the last line reaches there.
func (r *Reader) between(from, to int64) (reading, *scanner, error) {
	begin := max(from-1, 0)
	to = max(to, begin)
	s := scannerOf(io.MultiReader(io.NewSectionReader(r.f, begin, to-begin), behind(r.f, to)), begin, 0, block)
	read := reading{c: Contents{Header: r.header}}
	if from <= 0 {
		read.whole = true
		return read, s, read.header(s)
	}
	// The rest of the line before: no more than its line feed, if a line begins at from.
	if _, err := s.next(0); err != nil && !errors.Is(err, io.EOF) {
		return read, s, err
	}
	s.number = 0
	read.c.From, read.end.end = s.offset, s.offset
	return read, s, nil
}

// meet reports what lies between the lines read and batch number next behind them.
func (r *reading) meet(s *scanner, next uint64) {
	switch {
	case next <= r.last:
		r.c.Damage = append(r.c.Damage, Damage{Line: s.number + 1, Lines: 1, Offset: s.offset, Reason: repeats(next)})
	case next != r.last+1:
		r.missing(s.number+1, s.offset, next)
	}
}

// began remembers the number of the batch that c begins with; r.mu is held.
func (r *Reader) began(c Contents) {
	if len(c.Batches) > 0 && c.Batches[0].Offset == c.From {
		r.starts[c.From] = c.Batches[0].Seq
	}
}

// At reads the batch whose line begins at offset. Where none begins or it is damaged, the error is ErrDamaged.
func (r *Reader) At(offset int64) (Batch, error) {
	if offset <= 0 {
		return Batch{}, r.failed(fmt.Errorf("%w at %d: no batch begins there", ErrDamaged, offset))
	}
	s := linesFrom(r.f, offset-1, 0, smallBlock)
	before, err := s.next(0)
	if err == nil && (before.size > 0 || !before.ended) {
		err = fmt.Errorf("%w at %d: no line begins there", ErrDamaged, offset)
	}
	if err != nil {
		return Batch{}, r.failed(ended(err, offset))
	}
	line, err := s.next(MaxLine)
	if err != nil {
		return Batch{}, r.failed(ended(err, offset))
	}
	read := reading{}
	batch, why := read.batch(line)
	if why != "" {
		return Batch{}, r.failed(fmt.Errorf("%w at %d: it %s", ErrDamaged, offset, why))
	}
	return batch, nil
}

// ended says in words that the file ends before offset.
func ended(err error, offset int64) error {
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w at %d: the file ends before it", ErrDamaged, offset)
	}
	return err
}

func (r *Reader) failed(err error) error {
	return fmt.Errorf("reading session %s: %w", r.header.Session, err)
}

// Head reads the header and the batches that end within the first limit bytes of a session, without locking or
// changing it. Its errors are those of Read.
func Head(dir, id string, limit int64) (Contents, error) {
	path, err := pathOf(dir, id)
	if err != nil {
		return Contents{}, err
	}
	f, info, err := plain.openRegular(path, os.O_RDONLY)
	if err != nil {
		return Contents{}, fmt.Errorf("reading session %s: %w", id, err)
	}
	defer f.Close()
	read, behind, bad := readHeader(f)
	if bad == nil || errors.Is(bad, ErrHeader) {
		if info.Size() <= limit {
			limit = math.MaxInt64
		}
		err := read.within(linesFrom(io.NewSectionReader(f, 0, max(limit, behind)), behind, 1, block), limit)
		bad = errors.Join(bad, err)
	}
	read.c.WideMode = wideMode(info)
	if bad != nil {
		return read.c, fmt.Errorf("reading session %s: %w", id, bad)
	}
	return read.c, nil
}

// within takes the lines that end within the first limit bytes. A line that is cut by the limit is not looked at.
func (r *reading) within(s *scanner, limit int64) error {
	for {
		line, err := s.next(MaxLine)
		if errors.Is(err, io.EOF) || err == nil && !line.ended && s.offset >= limit {
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
