package markdown

import (
	"strings"

	"baton/ui/sanitize"
)

// partKind says how a part is laid out.
type partKind uint8

const (
	prose partKind = iota // parsed, unless it is too heavy
	code                  // lines of a code block, or of a piece of one
	plain                 // shown as it is
)

// part is a piece of text that can be laid out by itself: a top-level block, some
// items of a top-level list, or a piece of something large. Parts never change. A
// megabyte has some ten thousand, so they are small.
type part struct {
	text   string      // without its last line end
	lang   *language   // of code, nil if it is not known
	from   sourceState // of code, at its beginning
	number int32       // the place of an ordered item in its list, else -1
	kind   partKind
	gap    bool // an empty line goes before it
}

// piece is about how much of a large block becomes one part. A block is cut
// when twice as much has arrived, so every part of it has some body.
const piece = MaxBlock / 2

// shortItems is how many bytes of list items go into one part.
const shortItems = 512

type state uint8

const (
	idle state = iota
	inParagraph
	inQuote
	inItem
	inIndented
	inFence
	inPlain // everything is one plain text
)

// splitter cuts printable text into parts, line by line. What it does with a
// line depends on the lines before it alone, so it does not matter how the text
// came. It is coarser than CommonMark where that is safe: a part may hold
// several blocks. It may be copied to look ahead.
type splitter struct {
	out []part

	state  state
	buf    []byte // what of the open block is in no part yet
	cut    bool   // parts of the open block were given off
	single bool   // the block ends with this line
	gap    bool   // for the next part
	number int    // for the next part
	blanks int    // empty lines that count only if the block goes on

	fence  byte
	run    int
	indent int
	lang   *language
	source sourceState // of the code that is in no part yet, at its beginning

	marker  byte
	content int
	next    int  // number of the next item of this list
	loose   bool // there are empty lines in this part
	begun   bool
}

// feed takes a piece of a line; first and last say where in the line it is.
func (s *splitter) feed(text string, first, last bool) {
	if first {
		var part bool
		if text, part = s.begin(text, last); !part {
			return
		}
	}
	if s.state == idle {
		return
	}
	s.add(text)
	if last {
		s.add("\n")
		if s.single {
			s.close()
		}
	}
}

// begin takes the first piece of a line and returns what of it belongs to the
// block that is open then; false if nothing does, not even an empty line.
func (s *splitter) begin(text string, whole bool) (string, bool) {
	if s.state == inPlain {
		return text, true
	}
	l := scan(text, whole)
	switch s.state {
	case inFence:
		if l.closes(s.fence, s.run) {
			s.close()
			return "", false
		}
		return outdent(text, s.indent), true
	case inIndented:
		if l.kind == isBlank {
			s.blanks++
			return "", false
		}
		if l.indent >= 4 {
			s.addBlanks()
			return outdent(text, 4), true
		}
	default:
		if l.kind == isBlank {
			s.blank()
			return "", false
		}
		if s.continues(l) {
			s.addBlanks()
			return text, true
		}
	}
	return s.open(l, text)
}

// blank takes an empty line. It ends everything but a list.
func (s *splitter) blank() {
	if s.state == inItem {
		s.blanks++
		return
	}
	s.close()
}

// continues reports whether a line that is not empty belongs to the open block.
func (s *splitter) continues(l line) bool {
	switch s.state {
	case inParagraph:
		if l.setext {
			s.single = true
			return true
		}
		return !l.interrupts()
	case inQuote:
		return l.kind == isQuote || !l.interrupts()
	case inItem:
		if l.indent >= s.content {
			return true
		}
		if s.joins(l) {
			s.content = l.content
			s.next++
			return true
		}
		return s.blanks == 0 && l.kind != isItem && !l.interrupts()
	}
	return false
}

// joins reports whether an item goes into the part of the item before it: short
// ones do, as long as no empty line sets them apart, since each part costs a parse.
func (s *splitter) joins(l line) bool {
	return l.kind == isItem && l.marker == s.marker && s.blanks == 0 && !s.loose &&
		len(s.buf) < shortItems && !s.cut
}

// open closes what is open and begins the block that l begins.
func (s *splitter) open(l line, text string) (string, bool) {
	sibling := s.state == inItem && l.kind == isItem && l.marker == s.marker
	tight, next := sibling && s.blanks == 0 && !s.loose, s.next
	s.close()
	s.gap, s.number, s.begun = s.begun && !tight, -1, true
	switch l.kind {
	case isFence:
		s.state, s.fence, s.run, s.indent = inFence, l.fence, l.run, l.indent
		s.lang = languageNamed(l.info)
		return "", false
	case isIndented:
		s.state = inIndented
		return outdent(text, 4), true
	case isQuote:
		s.state = inQuote
	case isItem:
		s.state, s.marker, s.content, s.loose = inItem, l.marker, l.content, false
		if !l.bullet() {
			if s.number = l.number; sibling {
				s.number = next
			}
			s.next = s.number + 1
		}
	default:
		s.state, s.single = inParagraph, l.kind == isHeading || l.kind == isRule
	}
	return text, true
}

func (s *splitter) addBlanks() {
	if s.blanks > 0 {
		s.add(strings.Repeat("\n", s.blanks))
		s.blanks, s.loose = 0, true
	}
}

// add puts text into the open block and gives off parts of what is large.
func (s *splitter) add(text string) {
	s.buf = append(s.buf, text...)
	if len(s.buf) <= MaxBlock {
		return
	}
	rest := string(s.buf)
	for len(rest) > MaxBlock {
		s.cut = true
		end, skip := cutAt(rest, s.kind() == plain)
		s.emit(rest[:end])
		if s.lang != nil {
			_, s.source = s.lang.colour(rest[:end+skip], s.source)
		}
		rest = rest[end+skip:]
	}
	s.buf = append(s.buf[:0:0], rest...)
}

// cutAt finds the end of the first piece of text: a line end, which is skipped,
// or within a very long line the end of a word or of a grapheme cluster.
func cutAt(text string, words bool) (end, skip int) {
	if i := strings.LastIndexByte(text[:piece], '\n'); i >= 0 {
		return i, 1
	}
	if i := strings.LastIndexByte(text[:piece], ' '); words && i > piece/2 {
		return i + 1, 0
	}
	for {
		cluster, _ := sanitize.Cluster(text[end:])
		if end+len(cluster) > piece {
			return end, 0
		}
		end += len(cluster)
	}
}

func (s *splitter) kind() partKind {
	switch {
	case s.state == inFence || s.state == inIndented:
		return code
	case s.state == inPlain || s.cut:
		return plain
	}
	return prose
}

// close ends the open block, if any.
func (s *splitter) close() {
	if s.state != idle {
		s.emit(strings.TrimSuffix(string(s.buf), "\n"))
	}
	s.state, s.buf, s.cut, s.single, s.blanks = idle, s.buf[:0:0], false, false, 0
	s.lang, s.source = nil, sourceState{}
}

func (s *splitter) emit(text string) {
	s.out = append(s.out, part{kind: s.kind(), text: text, lang: s.lang, from: s.source, gap: s.gap, number: int32(s.number)})
	s.gap = false
}
