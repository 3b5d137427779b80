package term

import (
	"bytes"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// maxParams bounds a control sequence, in bytes. Real ones have less than 40.
const maxParams = 256

// escape takes the sequence at the beginning of b, which starts with ESC. n is 0 while it is incomplete; when final, the
// wait for more is over and the bytes are taken for the keys they may be. The message is a mark if nothing was typed.
func escape(b []byte, final bool) (n int, m tea.Msg) {
	if len(b) == 1 {
		return whenFinal(final, 1, key(tea.KeyEsc, false))
	}
	switch b[1] {
	case esc:
		return escapeTwice(b, final)
	case '[':
		return control(b, final)
	case 'O':
		return singleShift(b, final)
	case ']', 'P', '_', '^', 'X':
		return controlString(b, final)
	case 0x7f:
		return 2, key(tea.KeyBackspace, true)
	case ' ':
		return 2, tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}, Alt: true}
	}
	if b[1] < ' ' {
		return 2, key(tea.KeyType(b[1]), true)
	}
	if !utf8.FullRune(b[1:]) && !final {
		return 0, nil
	}
	r, size := utf8.DecodeRune(b[1:])
	return 1 + size, runes(true, r)
}

func whenFinal(final bool, n int, m tea.Msg) (int, tea.Msg) {
	if final {
		return n, m
	}
	return 0, nil
}

// escapeTwice reads ESC ESC. Some terminals (Terminal.app, PuTTY, rxvt) send alt with a cursor or function key that way.
func escapeTwice(b []byte, final bool) (int, tea.Msg) {
	lone := key(tea.KeyEsc, false)
	if len(b) == 2 {
		return whenFinal(final, 1, lone)
	}
	if b[2] != '[' && b[2] != 'O' {
		return 1, lone
	}
	n, m := escape(b[1:], false)
	if n == 0 {
		return whenFinal(final, 1, lone)
	}
	if k, ok := m.(tea.KeyMsg); ok && k.Type != tea.KeyRunes && !k.Alt {
		k.Alt = true
		return n + 1, k
	}
	return 1, lone
}

// singleShift reads SS3, which is how cursor and function keys come in application mode.
func singleShift(b []byte, final bool) (int, tea.Msg) {
	alt := runes(true, 'O')
	if len(b) == 2 {
		return whenFinal(final, 2, alt)
	}
	if t, ok := shifted[b[2]]; ok {
		return 3, key(t, false)
	}
	return 2, alt
}

// controlString reads the beginning of OSC, DCS, APC, PM or SOS. A string has a body at once; an alt key has none.
func controlString(b []byte, final bool) (int, tea.Msg) {
	alt := runes(true, rune(b[1]))
	switch {
	case len(b) == 2:
		return whenFinal(final, 2, alt)
	case b[2] == '\a':
		return 3, swallowed
	case b[2] == esc && len(b) == 3:
		return whenFinal(final, 2, alt)
	case b[2] == esc && b[3] == '\\':
		return 4, swallowed
	case b[2] < ' ':
		return 2, alt
	}
	return 2, stringStart
}

// skipString swallows a string up to its terminator, ST or BEL. CAN, SUB and a new sequence end it too.
func (d *Decoder) skipString(b []byte) int {
	i := bytes.IndexAny(b, "\a\x18\x1a\x1b")
	switch {
	case i < 0:
		return len(b)
	case b[i] != esc:
		d.mode = inText
		return i + 1
	case i+1 == len(b):
		return i // the ESC waits for the next read
	case b[i+1] == '\\':
		d.mode = inText
		return i + 2
	}
	d.mode = inText
	return i
}

// control reads CSI: parameters, intermediates, one final byte (ECMA-48 §5.4).
func control(b []byte, final bool) (int, tea.Msg) {
	if len(b) == 2 {
		return whenFinal(final, 2, runes(true, '['))
	}
	i := 2
	for i < len(b) && b[i] >= 0x20 && b[i] <= 0x3f {
		i++
		if i == maxParams {
			return i, paramsStart
		}
	}
	if i == len(b) {
		return whenFinal(final, i, swallowed)
	}
	if b[i] < 0x40 || b[i] > 0x7e {
		return i, swallowed // ended by a control or a character that belongs to what follows
	}
	if i == 2 {
		switch b[i] {
		case '[':
			return linuxFunction(b, final)
		case 'M':
			return oldMouse(b, final)
		}
	}
	return i + 1, controlMessage(string(b[2:i]), b[i])
}

// skipParams swallows the rest of a sequence that is too long.
func (d *Decoder) skipParams(b []byte) int {
	i := 0
	for i < len(b) && b[i] >= 0x20 && b[i] <= 0x3f {
		i++
	}
	if i < len(b) {
		d.mode = inText
		if b[i] >= 0x40 && b[i] <= 0x7e {
			i++
		}
	}
	return i
}

// linuxFunction reads CSI [ A to CSI [ E, F1 to F5 on the Linux console.
func linuxFunction(b []byte, final bool) (int, tea.Msg) {
	if len(b) == 3 {
		return whenFinal(final, 3, swallowed)
	}
	if b[3] >= 'A' && b[3] <= 'E' {
		return 4, key(tea.KeyF1-tea.KeyType(b[3]-'A'), false)
	}
	return 3, swallowed
}

// oldMouse reads CSI M and three bytes, which terminals without SGR coordinates send.
func oldMouse(b []byte, final bool) (int, tea.Msg) {
	if len(b) < 6 {
		return whenFinal(final, len(b), swallowed)
	}
	return 6, wheel(int(b[3])-32, int(b[4])-32, int(b[5])-32)
}
