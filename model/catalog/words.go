package catalog

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"baton/ui/sanitize"
)

// word is one word of a query, ready to be looked for in either case (simple folding, as strings.EqualFold has it).
type word struct {
	plain string // as it was asked for
	fold  []rune
	first [256]bool // bytes that an occurrence may begin with
	raw   *word     // the longest part of it that JSON never escapes; nil if there is none
}

func wordsOf(query string) []*word {
	var ws []*word
	for _, f := range strings.Fields(query) {
		w := newWord(f)
		parts := strings.FieldsFunc(f, escapable)
		longest := ""
		for _, p := range parts {
			if len(p) > len(longest) {
				longest = p
			}
		}
		if longest != "" {
			w.raw = newWord(longest)
		}
		ws = append(ws, w)
	}
	return ws
}

// escapable reports whether JSON may write a character otherwise than as itself, \u escapes left aside.
func escapable(r rune) bool {
	return r < ' ' || r == '"' || r == '\\' || r == '/' || r == utf8.RuneError
}

func newWord(text string) *word {
	w := &word{plain: text}
	for _, r := range text {
		w.fold = append(w.fold, folded(r))
	}
	for r, again := w.fold[0], true; again; again = r != w.fold[0] {
		w.first[string(r)[0]] = true
		r = unicode.SimpleFold(r)
	}
	if w.fold[0] == utf8.RuneError { // any byte that is no character reads as this
		for b := 0x80; b < 0x100; b++ {
			w.first[b] = true
		}
	}
	return w
}

// folded is the same for all characters that differ in case alone: the least of them.
func folded(r rune) rune {
	if r < utf8.RuneSelf {
		if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		}
		return r
	}
	least := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		least = min(least, f)
	}
	return least
}

// find returns where the word stands first in text; at is -1 if it does not.
func (w *word) find(text []byte) (at, end int) {
	for i, b := range text {
		if w.first[b] {
			if n := w.prefix(text[i:]); n > 0 {
				return i, i + n
			}
		}
	}
	return -1, -1
}

// prefix is how many bytes of text's beginning are the word, 0 if it does not begin with it.
func (w *word) prefix(text []byte) int {
	n := 0
	for _, want := range w.fold {
		if n == len(text) {
			return 0
		}
		r, size := rune(text[n]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[n:])
		}
		if folded(r) != want {
			return 0
		}
		n += size
	}
	return n
}

// in reports whether a text has the word.
func (w *word) in(text string) bool { return w.isIn([]byte(text)) }

func (w *word) isIn(text []byte) bool {
	at, _ := w.find(text)
	return at >= 0
}

// Cells of an excerpt, and of what stands before the hit in it.
const (
	excerptCells = 80
	beforeCells  = 24
)

// excerpt is one printable line of text around the bytes from at to end.
func excerpt(text []byte, at, end int) string {
	from, to := at, end
	for from > 0 && at-from < 8*beforeCells {
		_, n := utf8.DecodeLastRune(text[:from])
		from -= n
	}
	for to < len(text) && to-at < 8*excerptCells {
		_, n := utf8.DecodeRune(text[to:])
		to += n
	}
	before := sanitize.Line(string(text[from:at]) + "|") // what keeps a space before the hit
	before = lastCells(strings.TrimSuffix(before, "|"), beforeCells, from > 0)
	return sanitize.TruncateWords(before+sanitize.Line(string(text[at:to])), excerptCells)
}

// lastCells is the end of a printable text, with an ellipsis where something was cut off.
func lastCells(text string, cells int, cut bool) string {
	width := sanitize.Width(text)
	for width > cells {
		cluster, w := sanitize.Cluster(text)
		text, width, cut = text[len(cluster):], width-w, true
	}
	if !cut {
		return text
	}
	if _, rest, ok := strings.Cut(text, " "); ok && rest != "" { // what is left of a word
		text = rest
	}
	return "…" + text
}
