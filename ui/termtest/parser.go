package termtest

import "unicode/utf8"

// parser cuts output into text, controls and sequences (ECMA-48), however it was cut into writes.
type parser struct {
	state state
	seq   []byte // the sequence so far, its ESC included
	char  []byte // an incomplete UTF-8 character
}

type state int

const (
	ground   state = iota
	escaped        // ESC
	csi            // ESC [ … up to 0x40-0x7e
	text           // OSC, DCS, APC, PM, SOS: up to BEL or ESC \
	textEsc        // ESC within text
	nfEscape       // ESC with intermediates 0x20-0x2f
)

// maxSequence is longer than any sequence a program has reason to send but a clipboard.
const maxSequence = 1 << 20

func (p *parser) feed(b byte, s *Screen) {
	if p.state == ground {
		p.ground(b, s)
		return
	}
	if b == 0x18 || b == 0x1a {
		s.violate("sequence %q was cancelled", p.seq)
		p.state = ground
		return
	}
	p.seq = append(p.seq, b)
	if len(p.seq) > maxSequence {
		s.violate("a sequence without an end: %q…", p.seq[:32])
		p.state = ground
		return
	}
	switch p.state {
	case escaped:
		p.escape(b, s)
	case csi:
		p.control(b, s)
	case nfEscape:
		if b < 0x20 || b > 0x2f {
			p.end(s.other)
		}
	case text, textEsc:
		p.text(b, s)
	}
}

func (p *parser) control(b byte, s *Screen) {
	switch {
	case b >= 0x40 && b <= 0x7e:
		p.end(s.csi)
	case b < 0x20 || b > 0x7e:
		s.violate("sequence %q holds %#x", p.seq, b)
		p.state = ground
	}
}

func (p *parser) text(b byte, s *Screen) {
	switch {
	case p.state == text && b == '\a', p.state == textEsc && b == '\\':
		p.end(s.text)
	case p.state == textEsc:
		s.violate("sequence %q is broken off", p.seq)
		p.state = ground
	case b == 0x1b:
		p.state = textEsc
	}
}

func (p *parser) end(take func(seq string)) {
	p.state = ground
	take(string(p.seq))
}

func (p *parser) escape(b byte, s *Screen) {
	switch {
	case b == '[':
		p.state = csi
	case b == ']' || b == 'P' || b == '_' || b == '^' || b == 'X':
		p.state = text
	case b >= 0x20 && b <= 0x2f:
		p.state = nfEscape
	default:
		p.end(s.other)
	}
}

func (p *parser) ground(b byte, s *Screen) {
	if len(p.char) > 0 {
		if b&0xc0 == 0x80 {
			p.char = append(p.char, b)
			if utf8.FullRune(p.char) {
				p.character(s)
			}
			return
		}
		p.broken(s)
	}
	switch {
	case b == 0x1b:
		p.state, p.seq = escaped, append(p.seq[:0], b)
	case b < 0x20 || b == 0x7f:
		s.control(b)
	case b < 0x80:
		s.now.put(rune(b), s.modes[7])
	default:
		p.char = append(p.char, b)
		if utf8.FullRune(p.char) {
			p.character(s)
		}
	}
}

func (p *parser) character(s *Screen) {
	r, size := utf8.DecodeRune(p.char)
	if size < len(p.char) || r == utf8.RuneError && size == 1 {
		p.broken(s)
		return
	}
	p.char = p.char[:0]
	s.printed(r)
}

func (p *parser) broken(s *Screen) {
	for _, b := range p.char {
		s.badByte(b)
	}
	p.char = p.char[:0]
}
