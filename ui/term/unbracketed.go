package term

import (
	"bytes"
	"unicode/utf8"
)

// unbracketed returns how many bytes at the beginning of a read are a paste that the terminal did not bracket, 0 when they
// are keys. A tab or a line's end between text is nobody's typing, nor is one before much text: taken for keys, pasted code
// would stop turns and remove rows. Other control characters stay keys, and so do those at the end.
func unbracketed(b []byte) int {
	if bytes.IndexByte(b, esc) >= 0 || bytes.IndexByte(b, 0x7f) >= 0 {
		return 0
	}
	end := len(b)
	if end > 0 && b[end-1] == '\r' {
		end-- // the Enter behind it
	}
	end -= partial(b[:end])
	printable, behind := 0, 0 // characters of text; the end of what is a paste, if anything is
	space, open, between := false, false, false
	for i, c := range b[:end] {
		switch {
		case c >= ' ':
			between = between || open
			printable++
			behind = i + 1
		case c == '\t' || c == '\n' || c == '\r':
			space, open = true, open || printable > 0
		default:
			return 0 // a key among the text: somebody typed it
		}
	}
	switch {
	case !between && !(space && behind > 0 && printable > bulk && b[0] < ' '):
		return 0
	case end < len(b): // an Enter, or the beginning of a character, stands behind
		return end
	}
	return behind
}

// partial returns how many bytes at the end of b are the beginning of a character.
func partial(b []byte) int {
	for back := 1; back < utf8.UTFMax && back <= len(b); back++ {
		if tail := b[len(b)-back:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return back
			}
			return 0
		}
	}
	return 0
}
