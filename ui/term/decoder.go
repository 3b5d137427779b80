package term

import (
	"bytes"
	"time"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	escWait   = 30 * time.Millisecond  // a lone ESC is a key unless more follows by then
	seqWait   = 300 * time.Millisecond // a sequence cut by a slow line may take this long: no key looks like its beginning
	pasteWait = 2 * time.Second        // a paste whose end got lost
	maxPaste  = 64 << 20               // bytes of one paste held back; a longer one comes in parts
	bulk      = 16                     // bytes of one read above which text is no longer a message per key: nobody types so fast
)

const esc = 0x1b

// mode is what the next byte belongs to.
type mode int

const (
	inText mode = iota
	inPaste
	inString // the body of an OSC, DCS, APC, PM or SOS: a reply, swallowed
	inParams // a control sequence too long to be one: swallowed up to its final byte
)

// Decoder turns what a terminal sends into messages: tea.KeyMsg (pastes with Paste set), tea.MouseMsg for the wheel,
// tea.FocusMsg and tea.BlurMsg. Replies to queries and sequences it does not know are swallowed, never typed. It is pure:
// no clock and no terminal. The zero value is ready. However the bytes are cut into reads, the messages say the same, but
// for what a terminal without bracketed paste pastes: a read in which text stands before and behind a tab or a line's end, or
// that holds much text and any control character, is a paste, but for a carriage return at its very end, which is Enter. A
// carriage return directly behind a paste's end is a newline (ctrl+j).
type Decoder struct {
	mode  mode
	rest  []byte // an incomplete sequence or character, or a possible beginning of the paste's end
	paste []byte
	limit int // of paste; 0 stands for maxPaste

	behindPaste bool // a paste ended in this read and nothing came since
	bulk        bool // this read is long
}

// Feed takes one read and returns the messages it completes.
func (d *Decoder) Feed(p []byte) []tea.Msg { return d.decode(p, false) }

// Flush returns what the incomplete rest stands for when nothing followed: call it once Pending has passed in silence.
func (d *Decoder) Flush() []tea.Msg {
	if d.mode == inPaste {
		d.paste = append(d.paste, d.rest...)
		d.rest = nil
		return d.endPaste(nil)
	}
	d.mode = inText
	return d.decode(nil, true)
}

// Pending returns how long to wait for more before Flush; 0 when nothing is incomplete.
func (d *Decoder) Pending() time.Duration {
	switch {
	case d.mode == inPaste:
		return pasteWait
	case d.mode != inText:
		return seqWait
	case len(d.rest) == 0:
		return 0
	case d.rest[0] == esc && (len(d.rest) <= 2 || len(d.rest) == 3 && (d.rest[1] == esc || d.rest[2] == esc)):
		return escWait // it may be a key
	}
	return seqWait
}

func (d *Decoder) decode(p []byte, final bool) (out []tea.Msg) {
	b := p
	if len(d.rest) > 0 {
		b = append(d.rest, p...)
		d.rest = nil
	}
	d.behindPaste, d.bulk = false, len(b) > bulk
	if d.mode == inText && !final {
		if n := unbracketed(b); n > 0 {
			out = append(out, pasted(b[:n]))
			b = b[n:]
		}
	}
	for len(b) > 0 {
		n, before := 0, d.mode
		switch d.mode {
		case inPaste:
			n, out = d.takePaste(b, out)
		case inString:
			n = d.skipString(b)
		case inParams:
			n = d.skipParams(b)
		default:
			var m tea.Msg
			if n, m = d.one(b, final); n > 0 {
				out = d.accept(m, out)
			}
		}
		if n == 0 && d.mode == before {
			d.rest = bytes.Clone(b)
			break
		}
		b = b[n:]
	}
	return out
}

// mark is what escape finds besides messages: a place where the decoder changes its mode.
type mark int

const (
	swallowed mark = iota
	pasteStart
	pasteEnd
	stringStart
	paramsStart
)

func (d *Decoder) accept(m tea.Msg, out []tea.Msg) []tea.Msg {
	d.behindPaste = false
	found, ok := m.(mark)
	if !ok {
		return append(out, m)
	}
	switch found {
	case pasteStart:
		d.mode = inPaste
	case stringStart:
		d.mode = inString
	case paramsStart:
		d.mode = inParams
	}
	return out
}

// one takes one event from b. n is 0 while b is incomplete, which it never is when final.
func (d *Decoder) one(b []byte, final bool) (n int, m tea.Msg) {
	switch c := b[0]; {
	case c == esc:
		return escape(b, final)
	case c == '\r':
		return d.carriageReturn(b)
	case c == 0x7f:
		return 1, key(tea.KeyBackspace, false)
	case c < 0x20:
		return 1, key(tea.KeyType(c), false)
	}
	return d.text(b, final)
}

func (d *Decoder) carriageReturn(b []byte) (int, tea.Msg) {
	switch {
	case !d.behindPaste && typed(b[1:]):
		return 1, key(tea.KeyEnter, false)
	case len(b) > 1 && b[1] == '\n':
		return 2, key(tea.KeyCtrlJ, false)
	}
	return 1, key(tea.KeyCtrlJ, false)
}

// typed tells from what stands behind a carriage return whether a person pressed Enter: nothing, or only further keys and
// reports, no text. The end of a paste behind it means that the paste carried an end mark of its own.
func typed(behind []byte) bool {
	for len(behind) > 0 {
		if behind[0] != esc {
			if behind[0] >= ' ' || behind[0] == '\n' {
				return false
			}
			behind = behind[1:]
			continue
		}
		n, m := escape(behind, false)
		if m == pasteEnd {
			return false
		}
		if n == 0 || m == stringStart || m == paramsStart {
			return true
		}
		behind = behind[n:]
	}
	return true
}

// text takes printable characters: one key of ASCII, a whole stretch of others (an input method sends several at once), or
// in a long read everything up to the next control, so that a paste without brackets stays cheap.
func (d *Decoder) text(b []byte, final bool) (int, tea.Msg) {
	if !d.bulk && b[0] < utf8.RuneSelf {
		if b[0] == ' ' {
			return 1, tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
		}
		return 1, runes(false, rune(b[0]))
	}
	lowest := byte(utf8.RuneSelf)
	if d.bulk {
		lowest = ' '
	}
	n := 0
	var rs []rune
	for n < len(b) && b[n] >= lowest && b[n] != 0x7f && (final || utf8.FullRune(b[n:])) {
		r, size := utf8.DecodeRune(b[n:])
		rs = append(rs, r)
		n += size
	}
	if n == 0 {
		return 0, nil
	}
	return n, runes(false, rs...)
}

func key(t tea.KeyType, alt bool) tea.KeyMsg { return tea.KeyMsg{Type: t, Alt: alt} }

func runes(alt bool, rs ...rune) tea.KeyMsg {
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: rs, Alt: alt}
}
