package sanitize

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

const (
	zwnj   = '\u200c'
	zwj    = '\u200d'
	circle = '\u25cc' // the conventional seat of a mark shown alone
)

// Stream makes a text printable that arrives in pieces. For every way of cutting
// a text, the results of Feed and the last Flush put together equal Text of the
// whole. The zero value is ready. A Stream serves one goroutine.
type Stream struct {
	out  []byte
	tail []byte // the beginning of a character whose rest has not come yet
	held rune   // CR, ZWJ or ZWNJ: what it becomes depends on what follows

	// The grapheme cluster written last, as written. Whether the next code
	// point extends it is what the limits and the joiners depend on.
	cluster []byte
	count   int  // code points in cluster
	marks   int  // marks at the end of cluster
	prev    rune // last code point written
}

// Feed takes the next piece and returns what can be printed so far.
func (s *Stream) Feed(piece string) string {
	s.feed(piece)
	return s.take()
}

// Flush ends the text: it returns what Feed had to hold back and makes s ready
// for another text.
func (s *Stream) Flush() string {
	s.finish()
	out := s.take()
	*s = Stream{}
	return out
}

func (s *Stream) take() string {
	out := string(s.out)
	s.out = s.out[:0]
	return out
}

func (s *Stream) feed(piece string) {
	for len(s.tail) > 0 && len(piece) > 0 {
		s.tail = append(s.tail, piece[0])
		piece = piece[1:]
		s.drainTail(false)
	}
	for len(piece) > 0 {
		if s.held == 0 && piece[0] < utf8.RuneSelf {
			if piece = s.plain(piece); piece == "" {
				return
			}
		}
		if !utf8.FullRuneInString(piece) {
			s.tail = append(s.tail, piece...)
			return
		}
		r, n := utf8.DecodeRuneInString(piece)
		s.step(r, r == utf8.RuneError && n == 1)
		piece = piece[n:]
	}
}

// plain takes what most texts are made of: printable ASCII, each a cluster of its own
// whatever went before, which needs no look at each. It returns the rest.
func (s *Stream) plain(piece string) string {
	n := 0
	for n < len(piece) && piece[n] >= ' ' && piece[n] < 0x7f {
		n++
	}
	if n > 0 {
		s.out = append(s.out, piece[:n-1]...)
		s.start(rune(piece[n-1]))
	}
	return piece[n:]
}

// drainTail consumes whole characters from tail; at the end of the text also
// what can no longer become one.
func (s *Stream) drainTail(end bool) {
	for len(s.tail) > 0 && (end || utf8.FullRune(s.tail)) {
		r, n := utf8.DecodeRune(s.tail)
		s.step(r, r == utf8.RuneError && n == 1)
		s.tail = s.tail[n:]
	}
}

func (s *Stream) finish() {
	s.drainTail(true)
	s.settle(0)
}

// step consumes one code point; bad marks a byte that is not UTF-8.
func (s *Stream) step(r rune, bad bool) {
	s.settle(r)
	switch {
	case bad:
		s.start(utf8.RuneError)
	case r == '\n' || r == '\t':
		s.start(r)
		s.cluster = s.cluster[:0]
	case r == '\r' || r == zwj || r == zwnj:
		s.held = r
	case r < ' ':
		s.start(0x2400 + r)
	case r == 0x7f:
		s.start('\u2421')
	case unicode.Is(unicode.Variation_Selector, r):
		if s.count < MaxCluster && takes(s.prev, r) {
			s.extend(r)
		} else {
			s.show(r)
		}
	case hidden(r):
		s.show(r)
	default:
		s.letter(r)
	}
}

// settle decides about a held code point, now that next is known (0 at the end).
func (s *Stream) settle(next rune) {
	h := s.held
	s.held = 0
	switch {
	case h == 0 || h == '\r' && next == '\n':
	case h == '\r':
		s.start('\u240d')
	case s.count+2 <= MaxCluster && s.joins(h, next):
		s.extend(h)
	default:
		s.show(h)
	}
}

// joins reports whether joiner h belongs between what was written and next.
func (s *Stream) joins(h, next rune) bool {
	if h == zwj && pictographic(next) {
		return s.extends(h, next)
	}
	return len(s.cluster) > 0 && joining(s.prev) && joining(next) && unicode.IsLetter(next)
}

// letter writes an ordinary code point: one that starts a cluster, or one that
// extends the last as far as the limits allow.
func (s *Stream) letter(r rune) {
	switch {
	case own(r), quiet(s.prev) && quiet(r):
		s.start(r)
	case s.marks >= MaxMarks && unicode.Is(unicode.Mn, r):
		// Surplus, known without asking: every Mn extends (UAX 29, GB9).
	case s.extends(r):
		s.extendWithin(r)
	case unicode.Is(unicode.M, r):
		s.start(circle)
		if s.extends(r) {
			s.extend(r)
			return
		}
		s.show(r)
	case cells(r) == 0:
		s.show(r)
	default:
		s.start(r)
	}
}

func (s *Stream) extendWithin(r rune) {
	full := s.count >= MaxCluster
	switch {
	case mark(r) && (full || s.marks >= MaxMarks):
		// The surplus would change nothing that can be seen.
	case full:
		s.show(r)
	default:
		s.extend(r)
	}
}

// start writes r as the first code point of a cluster.
func (s *Stream) start(r rune) {
	s.cluster, s.count, s.marks = s.cluster[:0], 0, 0
	s.extend(r)
}

// extend writes r as part of the last cluster.
func (s *Stream) extend(r rune) {
	s.out = utf8.AppendRune(s.out, r)
	s.cluster = utf8.AppendRune(s.cluster, r)
	s.count++
	s.prev = r
	if mark(r) {
		s.marks++
	} else {
		s.marks = 0
	}
}

// extends reports whether the last cluster and rs would be one cluster.
func (s *Stream) extends(rs ...rune) bool {
	if len(s.cluster) == 0 {
		return false
	}
	b := s.cluster
	for _, r := range rs {
		b = utf8.AppendRune(b, r)
	}
	s.cluster = b[:len(s.cluster)] // keeps the grown array for the next time
	first, _ := ansi.FirstGraphemeCluster(b, ansi.GraphemeWidth)
	return len(first) == len(b)
}

// show writes the number of r, in ASCII.
func (s *Stream) show(r rune) {
	s.out = fmt.Appendf(s.out, "<U+%04X", r)
	s.start('>')
}
