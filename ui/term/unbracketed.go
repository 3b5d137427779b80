package term

import (
	"bytes"
	"unicode/utf8"
)

// unbracketed returns how many bytes at the beginning of a read are a paste that the terminal did not bracket, 0 when they
// are keys. A tab or a line's end between text is nobody's typing, nor is any control character among much text: taken
// for keys, pasted code would stop turns and remove rows.
func unbracketed(b []byte) int {
	if bytes.IndexByte(b, esc) >= 0 || bytes.IndexByte(b, 0x7f) >= 0 {
		return 0
	}
	end := len(b)
	if end > 0 && b[end-1] == '\r' {
		end-- // the Enter behind it
	}
	end -= partial(b[:end])
	printable, open, between, control := 0, false, false, false
	for _, c := range b[:end] {
		switch {
		case c >= ' ':
			between = between || open
			printable++
		case c == '\t' || c == '\n' || c == '\r':
			open = open || printable > 0
			control = true
		default:
			control = true
		}
	}
	if between || control && printable > bulk {
		return end
	}
	return 0
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
