package markdown

import (
	"bytes"

	"baton/ui/sanitize"
)

// fragment is the longest piece of a line that is held back until its end comes.
const fragment = 4096

// Stream is a text that may still be arriving, cut into parts that are laid out
// one by one when their lines are asked for. All parts but the last few are
// final: Append never changes them. For every way of cutting a text into
// appends, the lines after End equal those of Render. A Stream serves one
// goroutine.
type Stream struct {
	styles  Styles
	clean   sanitize.Stream
	split   splitter
	pending []byte // the piece of a line whose end has not come
	midLine bool   // pieces of the same line went before
	ended   bool

	done []view
	tail []view // what the open block would be if the text ended here
	peek bool   // tail is up to date

	laid []int // the parts of done that have lines, in the order of their layout
	rows int   // of those
}

// keptLines is how many lines of final parts are kept at most, but for those of the
// part laid out last. It is far more than a screen has, and less than a text may have
// that is read from end to end.
const keptLines = 10_000

// view is a part with its lines.
type view struct {
	part
	*laid // nil until they are asked for
}

// laid is the lines of a part for the width and look last asked for.
type laid struct {
	width int
	look  string
	lines []string
}

// New returns an empty markdown text.
func New(st Styles) *Stream { return &Stream{styles: st} }

// NewPlain returns an empty text that is shown as it is: white space is kept and
// nothing is markup.
func NewPlain(st Styles) *Stream {
	return &Stream{styles: st, split: splitter{state: inPlain, begun: true, number: -1}}
}

// Append adds text to the end, raw as it came from outside. It may end anywhere,
// also within a character. After End it does nothing. The time taken depends on
// text alone, not on what came before.
func (s *Stream) Append(text string) {
	if s.ended || text == "" {
		return
	}
	s.take(s.clean.Feed(text))
}

// End says that the text is complete.
func (s *Stream) End() {
	if s.ended {
		return
	}
	s.take(s.clean.Flush())
	if len(s.pending) > 0 || s.midLine {
		s.split.feed(string(s.pending), !s.midLine, true)
	}
	s.split.close()
	s.collect()
	s.pending, s.ended = nil, true
}

// take moves whole lines, and pieces of very long ones, into the splitter.
func (s *Stream) take(clean string) {
	s.peek = false
	s.pending = append(s.pending, clean...)
	rest := s.pending
	for {
		window := rest[:min(len(rest), fragment)]
		if end := bytes.IndexByte(window, '\n'); end >= 0 {
			s.split.feed(string(rest[:end]), !s.midLine, true)
			rest, s.midLine = rest[end+1:], false
			continue
		}
		if len(window) < fragment {
			break
		}
		s.split.feed(string(window), !s.midLine, false)
		rest, s.midLine = rest[fragment:], true
	}
	s.pending = append(s.pending[:0], rest...)
	s.collect()
}

func (s *Stream) collect() {
	for _, p := range s.split.out {
		s.done = append(s.done, view{part: p})
	}
	s.split.out = nil
}

// Len returns the number of parts, those of the open block included.
func (s *Stream) Len() int {
	s.look()
	return len(s.done) + len(s.tail)
}

// Lines lays out part i for width cells (below 1 counts as 1). The lines are kept
// until many others were laid out (keptLines) and must not be changed. The time taken
// depends on the part, whose size is bounded, not on the text.
func (s *Stream) Lines(i, width int) []string {
	s.look()
	v := s.at(i)
	width = max(width, 1)
	if before := v.laid; before == nil || before.width != width || before.look != s.styles.id {
		v.laid = &laid{width, s.styles.id, layOut(v.part, width, &s.styles)}
		if i < len(s.done) {
			s.keep(i, before)
		}
	}
	return v.lines
}

// keep counts the lines of part i, which replace others, and lets the oldest go.
func (s *Stream) keep(i int, before *laid) {
	if before == nil {
		s.laid = append(s.laid, i)
	} else {
		s.rows -= len(before.lines)
	}
	s.rows += len(s.done[i].lines)
	for s.rows > keptLines && s.laid[0] != i {
		old := &s.done[s.laid[0]]
		s.rows -= len(old.lines)
		old.laid = nil
		s.laid = s.laid[1:]
	}
}

func (s *Stream) at(i int) *view {
	if i < len(s.done) {
		return &s.done[i]
	}
	return &s.tail[i-len(s.done)]
}

// Restyle changes the look. Parts are laid out again when next asked for.
func (s *Stream) Restyle(st Styles) { s.styles = st }

// look finds out what the open block and the line that is not complete would be.
// Both are bounded in size. What did not change keeps its lines.
func (s *Stream) look() {
	if s.peek {
		return
	}
	s.peek = true
	if s.ended {
		s.tail = nil
		return
	}
	ahead := s.split // what it adds behind the end of buf is written over later
	if len(s.pending) > 0 {
		ahead.feed(string(s.pending), !s.midLine, true)
	}
	ahead.close()
	old := s.tail
	s.tail = make([]view, len(ahead.out))
	for i, p := range ahead.out {
		if i < len(old) && old[i].part == p {
			s.tail[i] = old[i]
		}
		s.tail[i].part = p
	}
}
