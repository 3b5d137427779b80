package sanitize

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

const ellipsis = "…"

// Width returns how many cells printable text takes, by grapheme clusters
// (UAX 29) and East Asian width (UAX 11, ambiguous is narrow). Styling sequences
// count nothing, LF and TAB count nothing.
func Width(s string) int { return ansi.StringWidth(s) }

// Cluster returns the first grapheme cluster of s and its cells (0, 1, 2 or,
// with spacing marks, more). It returns "", 0 for an empty s. Added up over a
// printable text the cells equal Width.
func Cluster(s string) (cluster string, width int) {
	switch {
	case s == "":
		return "", 0
	case s[0] < ' ':
		return s[:1], 0
	case s[0] < 0x80 && (len(s) == 1 || s[1] < 0x80):
		return s[:1], 1
	}
	cluster, width = ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	if s[0] < 0x80 {
		// Widths are taken from the first code point, yet StringWidth counts
		// what follows an ASCII base on its own: agree with it.
		width = ansi.StringWidth(cluster)
	}
	return cluster, width
}

// Truncate returns printable, unstyled text cut to at most cells cells. Where
// something was cut off, the last cell shows an ellipsis. A cluster is never cut
// in two. The time taken depends on cells, not on len(s).
func Truncate(s string, cells int) string {
	if cells <= 0 {
		return ""
	}
	used, end := 0, 0 // end: how much of s leaves a cell for the ellipsis
	for pos := 0; pos < len(s); {
		cluster, width := Cluster(s[pos:])
		if used += width; used > cells {
			return s[:end] + ellipsis
		}
		if pos += len(cluster); used < cells {
			end = pos
		}
	}
	return s
}

// TruncateWords is Truncate that leaves out a word rather than show its beginning, as long
// as half of the cells stay in use.
func TruncateWords(s string, cells int) string {
	cut := Truncate(s, cells)
	if cut == s || cut == "" {
		return cut
	}
	kept := strings.TrimSuffix(cut, ellipsis)
	if i := strings.LastIndex(kept, " "); !strings.HasPrefix(s[len(kept):], " ") && 2*Width(kept[:max(i, 0)]) >= cells {
		kept = kept[:i]
	}
	return strings.TrimRight(kept, " ") + ellipsis
}

// Wrap lays a line of printable, unstyled text out in at most lines lines of at most cells cells, broken behind a word or its
// hyphen, or where a word is longer than a line, anywhere but in a cluster. Spaces at a break are left out. What is beyond the
// last line is cut off, with an ellipsis, which also stands for a cluster that is wider than a line.
func Wrap(s string, cells, lines int) (out []string) {
	if cells < 1 {
		return nil
	}
	for s = strings.Trim(s, " "); s != "" && len(out) < lines; s = strings.TrimLeft(s, " ") {
		n := len(s)
		if len(out) < lines-1 {
			n = fitting(s, cells)
		}
		out = append(out, Truncate(strings.TrimRight(s[:n], " "), cells))
		s = s[n:]
	}
	return out
}

// fitting is how much of a text, in bytes, is a line of its own: what has room up to the last place to break, but one cluster at
// least.
func fitting(s string, cells int) int {
	used, end, word := 0, 0, false // end: behind the last place to break
	for pos := 0; pos < len(s); {
		cluster, width := Cluster(s[pos:])
		switch used += width; {
		case cluster == " ":
			end = pos
		case used > cells && end > 0:
			return end
		case used > cells && pos > 0:
			return pos
		case used > cells:
			return len(cluster)
		case cluster == "-" && word: // not before a flag
			end = pos + 1
		}
		word = cluster != " " && cluster != "-"
		pos += len(cluster)
	}
	return len(s)
}

// cells is the width of one code point that stands alone.
func cells(r rune) int {
	_, width := ansi.FirstGraphemeCluster(string(r), ansi.GraphemeWidth)
	return width
}
