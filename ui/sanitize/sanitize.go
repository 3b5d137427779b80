// Package sanitize turns text from outside (a model, a server, a file name, the
// clipboard) into text that is safe to print and shows everything it holds.
// It must not style, wrap or interpret text, and it never drops a control
// character silently: what a terminal would obey or hide is replaced by
// something a person can see.
//
// What the result may hold, and what becomes of the rest:
//
//	LF, TAB              kept by Text; tabs are expanded by whoever lays text out
//	CR LF                LF; a CR alone is shown as ␍
//	other C0, DEL        the control picture of the same number (␀ … ␟, ␡)
//	C1 (U+0080..U+009F)  <U+009B>
//	invalid UTF-8        U+FFFD, one per byte
//	format characters    <U+202E>: bidi controls, zero width space, soft hyphen,
//	                     byte order mark, tags, fillers, line separators and every
//	                     other default ignorable code point
//	ZWJ, ZWNJ            kept inside an emoji sequence or between letters of a
//	                     script that needs them, else <U+200D>, <U+200C>
//	variation selectors  kept directly after a base that takes them
//	combining marks      at most MaxMarks in a row, the surplus is left out; a mark
//	                     with nothing to sit on gets a dotted circle
//	grapheme clusters    at most MaxCluster code points (UAX 29)
//
// Every grapheme cluster of the result is at least one cell wide, except LF and
// TAB. Sanitising printable text changes nothing.
package sanitize

import "strings"

const (
	// MaxMarks is how many combining marks in a row are kept on one base. More
	// is decoration that draws over the neighbouring lines of some terminals.
	MaxMarks = 8
	// MaxCluster is the longest grapheme cluster, in code points. The longest
	// emoji sequence in use has ten.
	MaxCluster = 32
)

// Text returns s made printable. It may hold several lines: LF and TAB are kept,
// everything else follows the table of the package comment. The time taken is
// linear in len(s). A text that arrives in pieces goes through a Stream instead,
// because a piece can end inside a character or an emoji sequence.
func Text(s string) string {
	if clean(s) {
		return s
	}
	var st Stream
	st.out = make([]byte, 0, len(s)+len(s)/4)
	st.feed(s)
	st.finish()
	return string(st.out)
}

// Line returns s made printable on a single line: runs of space, TAB, LF and
// CR LF become one space and those at either end go. A CR alone is shown.
func Line(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return Text(strings.Join(strings.FieldsFunc(s, blank), " "))
}

func blank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }

// clean reports whether s is plain ASCII that needs no change.
func clean(s string) bool {
	for i := range len(s) {
		if b := s[i]; (b < ' ' && b != '\n' && b != '\t') || b > '~' {
			return false
		}
	}
	return true
}
