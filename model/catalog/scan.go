package catalog

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"

	"baton/model/journal"
	"baton/model/session"
)

// session looks through the texts of one session. Its log is read line by line, and only a line whose bytes may hold a
// word is decoded. A log that cannot be read holds nothing. The error is ctx's.
func (s *search) session(ctx context.Context, dir string, l look) error {
	for _, row := range l.state.Queue.Rows() {
		if s.text(row.Text) {
			return nil
		}
	}
	if s.text(l.state.LiveText()) {
		return nil
	}
	r, err := journal.OpenReader(dir, l.info.ID)
	if err != nil {
		return ctx.Err()
	}
	defer r.Close()
	f, err := openLog(dir, l.info.ID)
	if err != nil {
		return ctx.Err()
	}
	defer f.Close()
	lines := lineReader{r: bufio.NewReaderSize(f, 64<<10)}
	for ctx.Err() == nil {
		at, line, ok := lines.next()
		if !ok || s.mayHold(line) && s.batch(r, at) {
			break
		}
	}
	return ctx.Err()
}

// openLog opens a session's file to look at its bytes. Nothing but a regular file is opened.
func openLog(dir, id string) (*os.File, error) {
	if err := journal.ValidID(id); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, id+".jsonl")
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, journal.ErrNotRegular)
	}
	return os.Open(path)
}

// lineReader cuts a log at its line feeds. Of a line that is longer than the journal has them, only a part is seen.
type lineReader struct {
	r      *bufio.Reader
	offset int64 // of the next line
	buf    []byte
}

// keptBytes is the most that is kept between lines: a very long one is rare.
const keptBytes = 1 << 20

// next returns a line, which is valid until the next call, and where it begins; false at the end.
func (l *lineReader) next() (at int64, line []byte, ok bool) {
	if cap(l.buf) > keptBytes {
		l.buf = nil
	}
	at, l.buf = l.offset, l.buf[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		l.offset += int64(len(part))
		if len(l.buf)+len(part) <= journal.MaxLine+1 {
			l.buf = append(l.buf, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return at, l.buf, err == nil || len(l.buf) > 0
		}
	}
}

// mayHold reports whether a line's bytes may hold a word that was not met yet, or all of them, which is better than having
// them in several places. What it denies is certain; JSON's \u escapes may spell anything.
func (s *search) mayHold(line []byte) bool {
	all := true
	for _, w := range s.words {
		if all || !s.seen[w] {
			here := w.raw == nil || w.raw.isIn(line)
			if here && !s.seen[w] {
				return true
			}
			all = all && here
		}
	}
	return all || bytes.Contains(line, []byte(`\u`))
}

// batch takes up the texts of the events of the line at an offset, if it is whole. It reports whether nothing better can
// come.
func (s *search) batch(r *journal.Reader, at int64) (done bool) {
	b, err := r.At(at)
	if err != nil {
		return false
	}
	events, ok := decode(b.Entries)
	if !ok {
		return false
	}
	for _, e := range events {
		if s.text(spoken(e)) {
			return true
		}
	}
	return false
}

// spoken is the prompt or the answer that an event brings, "" for none. Texts of rows are the queue's, as they are now.
func spoken(e session.Event) string {
	switch e := e.(type) {
	case session.TurnStarted:
		return e.Text
	case session.TurnSucceeded:
		return e.Answer
	case session.TurnStopped:
		return e.Partial
	}
	return ""
}
