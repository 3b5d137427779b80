package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Follow reads the complete lines behind end, which is Contents.End of Tail, next of the call before, or 0 for the
// beginning, and returns the offset where to go on. An unfinished last line waits for a later call, so nothing of a line that is being
// written, or that failed and is taken back, is ever seen. ErrReplaced tells that the file under the session's name
// is another one now, is gone, or ends before end.
func (r *Reader) Follow(end int64) (c Contents, next int64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	end = max(end, r.first)
	ready, err := r.same(end)
	if err != nil {
		return Contents{Header: r.header, From: end, End: end}, end, r.failed(err)
	}
	read := reading{c: Contents{Header: r.header, From: end, End: end}}
	if !ready {
		return read.c, end, nil
	}
	start := read
	if r.follow.at == end {
		start.last, start.whole = r.follow.last, r.follow.whole
	}
	start.end.end = end
	for range 2 {
		read = start
		if err := read.complete(linesFrom(r.f, end, 0, block)); err != nil {
			return read.c, end, r.failed(err)
		}
		if len(read.c.Damage) == 0 {
			break
		}
		// A line may have been read while it took the place of one that failed: only what is damaged twice is.
	}
	r.follow = read.spot()
	return read.c, read.end.end, nil
}

// spot returns where reading goes on.
func (r *reading) spot() spot {
	p := spot{at: r.end.end, open: r.end.end, last: r.last, whole: r.whole}
	if n := len(r.c.Batches); n > 0 && r.end.newline {
		p.open = r.c.Batches[n-1].Offset
	}
	return p
}

// complete takes lines as long as they have an end.
func (r *reading) complete(s *scanner) error {
	for {
		line, err := s.next(MaxLine)
		if errors.Is(err, io.EOF) || err == nil && !line.ended {
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

// same reports whether end is still the end of a line of the session's file, and whether there may be more behind it.
func (r *Reader) same(end int64) (more bool, err error) {
	now, err := os.Lstat(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("%w: it is gone", ErrReplaced)
	}
	if err != nil {
		return false, err
	}
	own, err := r.file.Stat()
	if err != nil {
		return false, err
	}
	if !os.SameFile(now, own) {
		return false, fmt.Errorf("%w: another file has its name", ErrReplaced)
	}
	if own.Size() < end && end == r.follow.at && own.Size() >= r.follow.open {
		return false, nil // a line that lacked but its line feed was taken back: the same bytes will follow
	}
	if own.Size() < end {
		return false, fmt.Errorf("%w: it has %d bytes, %d were read", ErrReplaced, own.Size(), end)
	}
	return r.border(end)
}

// border looks at the bytes around end. The line before may lack its line feed, as long as nothing but that, or NUL
// bytes that the next line will cover, stands there.
func (r *Reader) border(end int64) (more bool, err error) {
	var around [2]byte
	n, err := r.f.ReadAt(around[:], end-1)
	switch {
	case n == 0 && err != nil:
		return false, err
	case n == 1 && errors.Is(err, io.EOF):
		return false, nil
	case n < 2:
		return false, err
	case around[0] == '\n' || around[1] == '\n':
		return true, nil
	case around[1] == 0:
		return false, nil
	}
	return false, fmt.Errorf("%w: no line ends at %d", ErrReplaced, end)
}
