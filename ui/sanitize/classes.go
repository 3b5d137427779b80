package sanitize

import (
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// hidden reports whether r is obeyed or swallowed by a terminal instead of drawn:
// C1, format characters, separators, fillers and noncharacters. Joiners and
// variation selectors are decided by their context instead.
func hidden(r rune) bool {
	switch {
	case r >= 0x80 && r <= 0x9f, r == '\u2028', r == '\u2029':
		return true
	case r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef:
		return true
	case unicode.Is(unicode.Cf, r):
		return !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
	}
	return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// takes reports whether a variation selector means something after base.
func takes(base, selector rune) bool {
	switch {
	case selector == 0xfe0e || selector == 0xfe0f:
		return base >= '0' && base <= '9' || base == '#' || base == '*' || pictographic(base)
	case selector >= 0x180b && selector <= 0x180f:
		return unicode.Is(unicode.Mongolian, base) && unicode.IsLetter(base)
	case selector >= 0xfe00 && selector <= 0xfe0d && unicode.Is(unicode.Sm, base):
		return true
	}
	return unicode.Is(unicode.Han, base) && unicode.IsLetter(base)
}

// pictographic reports whether r has the property Extended_Pictographic. The
// segmenter is asked, so that the answer agrees with the widths: only such a
// code point continues a cluster after a ZWJ (UAX 29, GB11).
func pictographic(r rune) bool {
	if r < 0xa9 {
		return false
	}
	probe := string(r) + "\u200d\u2764"
	first, _ := ansi.FirstGraphemeCluster(probe, ansi.GraphemeWidth)
	return len(first) == len(probe)
}

// joining reports whether r belongs to a script in which ZWJ and ZWNJ choose
// between shapes of its letters.
func joining(r rune) bool {
	return r >= 0x600 && (unicode.IsLetter(r) || unicode.Is(unicode.M, r)) && unicode.In(r,
		unicode.Arabic, unicode.Syriac, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
		unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
		unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Mongolian)
}

// mark reports whether r changes the look of its base only.
func mark(r rune) bool {
	return r >= 0x300 && (unicode.Is(unicode.M, r) || r >= 0x1f3fb && r <= 0x1f3ff)
}

// quiet reports whether r is of a kind that never joins another of that kind in
// a cluster. It only saves time: such a pair needs no segmenter.
func quiet(r rune) bool {
	switch {
	case r < 0x80:
		return r >= ' '
	case r < 0x300:
		return r >= 0xa0 && r != 0xa9 && r != 0xae
	case r < 0x3041:
		return r >= 0x388 && r <= 0x481 || r >= 0x48a && r <= 0x52f
	}
	return r <= 0x3096 || r >= 0x30a1 && r <= 0x30fa || r >= 0x4e00 && r <= 0x9fff ||
		r >= 0xac00 && r <= 0xd7a3
}

// own reports whether r is among what this package writes as a replacement. Such
// a code point always passes, which keeps sanitising twice equal to once.
func own(r rune) bool {
	return r >= ' ' && r <= '~' || r >= 0x2400 && r <= 0x2421 || r == circle || r == unicode.ReplacementChar
}
