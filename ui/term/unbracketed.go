package term

import "unicode/utf8"

// unbracketed returns how many bytes at the beginning of a read are a paste that the terminal did not bracket, 0 when they
// are keys. A tab or a line's end between text is nobody's typing, nor is one before much text: taken for keys, pasted code
// would stop turns and remove rows. Other control characters stay keys, and so do those at the end.
func unbracketed(b []byte) int {
	end := len(b)
	if end > 0 && b[end-1] == '\r' {
		end-- // the Enter behind it
	}
	end -= partial(b[:end])
	r := look(b[:end])
	switch {
	case r.key || !r.between && !(r.space && r.text > bulk && b[0] < ' '):
		return 0
	case end < len(b): // an Enter, or the beginning of a character, stands behind
		return end
	}
	return r.end
}

// read is what a read holds.
type read struct {
	text    int  // characters of text
	end     int  // behind the last of them
	space   bool // tabs or line ends
	between bool // some of these between text
	key     bool // a key or a sequence
}

func look(b []byte) read {
	var r read
	open := false
	for i, c := range b {
		switch {
		case c == 0x7f || c < ' ' && c != '\t' && c != '\n' && c != '\r':
			r.key = true // among text: somebody typed it
		case c >= ' ':
			r.between = r.between || open
			r.text++
			r.end = i + 1
		default:
			r.space, open = true, open || r.text > 0
		}
	}
	return r
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
