package termtest

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Screen is a terminal of our own: two grids, the modes a full-screen program uses, and a list of everything it was sent
// that is not on the allow-list. It never answers. It is not safe for concurrent use.
type Screen struct {
	main, alt *grid
	now       *grid
	parser    parser

	modes      map[int]bool // DEC private modes that are set
	title      string
	titles     []string // pushed
	notices    []string // OSC 9 and OSC 777
	clipboard  []string // OSC 52, still in base64
	bells      int
	violations []string
	frozen     []string // what is shown during a synchronized update (mode 2026)
}

// maxViolations bounds the list; a broken program breaks thousands of times.
const maxViolations = 50

// NewScreen returns an empty screen of a size in cells, at least 1x1.
func NewScreen(w, h int) *Screen {
	w, h = max(w, 1), max(h, 1)
	s := &Screen{main: newGrid(w, h), alt: newGrid(w, h), modes: map[int]bool{7: true, 25: true, 1007: true}}
	s.now = s.main
	return s
}

// Write takes output as a terminal does, cut anywhere. It never fails.
func (s *Screen) Write(p []byte) (int, error) {
	for _, b := range p {
		s.parser.feed(b, s)
	}
	return len(p), nil
}

// Resize changes the size in cells, at least 1x1.
func (s *Screen) Resize(w, h int) {
	w, h = max(w, 1), max(h, 1)
	s.main.resize(w, h)
	s.alt.resize(w, h)
	if s.frozen != nil {
		s.frozen = s.now.lines()
	}
}

// Lines returns what a person sees, one string a row, blanks at the ends removed. While an update is being drawn
// (mode 2026) it is what stood there before.
func (s *Screen) Lines() []string {
	if s.frozen != nil {
		return append([]string(nil), s.frozen...)
	}
	return s.now.lines()
}

// Cursor returns the cursor's column and row from 0, and whether it is shown.
func (s *Screen) Cursor() (x, y int, shown bool) {
	return min(s.now.x, s.now.w-1), s.now.y, s.modes[25]
}

// Mode reports whether a DEC private mode is set.
func (s *Screen) Mode(n int) bool { return s.modes[n] }

// AltScreen reports whether the alternate screen is shown.
func (s *Screen) AltScreen() bool { return s.now == s.alt }

// Unrestored lists what differs from a terminal that was never touched: modes, scroll region, pushed titles.
func (s *Screen) Unrestored() []string {
	var found []string
	for mode, want := range map[int]bool{7: true, 25: true, 1000: false, 1004: false, 1006: false, 1007: true, 1049: false, 2004: false, 2026: false} {
		if s.modes[mode] != want {
			found = append(found, fmt.Sprintf("mode %d is %t", mode, s.modes[mode]))
		}
	}
	if s.now.top != 0 || s.now.bottom != s.now.h-1 {
		found = append(found, "a scroll region is set")
	}
	if len(s.titles) > 0 {
		found = append(found, "a title is still pushed")
	}
	return found
}

func (s *Screen) violate(format string, args ...any) {
	if len(s.violations) < maxViolations {
		s.violations = append(s.violations, fmt.Sprintf(format, args...))
	}
}

// printed takes one code point of text.
func (s *Screen) printed(r rune) {
	switch {
	case unicode.Is(unicode.Cc, r):
		s.violate("control character %U", r)
	case invisible(r):
		s.violate("invisible character %U", r)
	default:
		s.now.put(r, s.modes[7])
	}
}

// control takes one C0 control. A full-screen program addresses the cursor, so line controls belong to the main screen.
func (s *Screen) control(b byte) {
	if b != '\a' && (s.AltScreen() || b != '\r' && b != '\n') {
		s.violate("control character %q", b)
	}
	switch b {
	case '\a':
		s.bells++
	case '\r':
		s.now.moveTo(0, s.now.y)
	case '\n':
		s.now.lineFeed()
	}
}

// badByte takes a byte that is not UTF-8; some terminals take 0x80 to 0x9f for controls.
func (s *Screen) badByte(b byte) {
	s.violate("byte %#x", b)
	s.now.put(utf8.RuneError, s.modes[7])
}

// invisible reports whether r is a format character or separator that could hide or reorder text. Joiners and the marks
// that are drawn around digits belong to scripts.
func invisible(r rune) bool {
	joiner := r == '\u200c' || r == '\u200d' || r == '\u00ad'
	return unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) && !joiner && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}
