package termtest

import (
	"slices"
	"strconv"
	"strings"
)

// allowedModes are the DEC private modes a program may set and reset: wrap, cursor, mouse, focus, wheel arrows,
// alternate screen, bracketed paste, synchronized update.
var allowedModes = []int{7, 25, 1000, 1004, 1006, 1007, 1049, 2004, 2026}

// csi takes a control sequence. There is no query among those it knows: DA, DSR, DECRQM, XTVERSION and the size reports
// of CSI t all end up as violations.
func (s *Screen) csi(seq string) {
	body, final := seq[2:len(seq)-1], seq[len(seq)-1]
	if private, ok := strings.CutPrefix(body, "?"); ok && (final == 'h' || final == 'l') {
		for _, n := range numbers(private) {
			s.setMode(n, final == 'h', seq)
		}
		return
	}
	if strings.Trim(body, "0123456789;:") != "" || final != 'm' && strings.Contains(body, ":") {
		s.violate("sequence %q", seq)
		return
	}
	s.move(body, final, seq)
}

// move takes the sequences that have numbers only.
func (s *Screen) move(body string, final byte, seq string) {
	n := append(numbers(body), 0, 0)
	switch final {
	case 'm':
		pen := s.now.pen.with(numbers(body))
		s.main.pen, s.alt.pen = pen, pen
	case 'H':
		s.now.moveTo(max(n[1], 1)-1, max(n[0], 1)-1)
	case 'K':
		s.now.eraseLine(n[0])
	case 'J':
		s.now.eraseScreen(n[0])
	case 'r':
		s.now.setRegion(n[0], n[1])
	case 'S':
		s.now.scroll(min(max(n[0], 1), s.now.h))
	case 'T':
		s.now.scroll(-min(max(n[0], 1), s.now.h))
	case 't':
		s.titleStack(body, seq)
	default:
		s.violate("sequence %q", seq)
	}
}

func (s *Screen) titleStack(body, seq string) {
	switch {
	case body == "22;0" || body == "22;2":
		s.titles = append(s.titles, s.title)
	case (body == "23;0" || body == "23;2") && len(s.titles) > 0:
		last := len(s.titles) - 1
		s.title, s.titles = s.titles[last], s.titles[:last]
	default:
		s.violate("sequence %q", seq)
	}
}

func (s *Screen) setMode(n int, on bool, seq string) {
	if !slices.Contains(allowedModes, n) {
		s.violate("sequence %q", seq)
		return
	}
	s.modes[n] = on
	switch {
	case n == 1049 && on && s.now == s.main:
		s.alt = newGrid(s.main.w, s.main.h)
		s.alt.pen = s.main.pen
		s.now = s.alt
	case n == 1049 && !on:
		s.now = s.main
	case n == 2026 && on && s.frozen == nil:
		s.frozen = s.now.lines()
	case n == 2026 && !on:
		s.frozen = nil
	}
}

// text takes an OSC, DCS, APC, PM or SOS string.
func (s *Screen) text(seq string) {
	body, isOSC := strings.CutPrefix(seq, "\x1b]")
	body = strings.TrimSuffix(strings.TrimSuffix(body, "\a"), "\x1b\\")
	code, arg, _ := strings.Cut(body, ";")
	if !isOSC || strings.ContainsFunc(arg, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }) {
		s.violate("sequence %q", seq)
		return
	}
	data, clip := strings.CutPrefix(arg, "c;")
	switch {
	case code == "0" || code == "2":
		s.title = arg
	case notifies(code, arg):
		s.notices = append(s.notices, strings.TrimPrefix(arg, "notify;"))
	case code == "52" && clip && data != "?": // "?" asks for the clipboard
		s.clipboard = append(s.clipboard, data)
	default:
		s.violate("sequence %q", seq)
	}
}

// notifies reports whether an OSC shows a notification. Behind 9 a digit would be another command.
func notifies(code, arg string) bool {
	switch code {
	case "9":
		return arg == "" || arg[0] < '0' || arg[0] > '9'
	case "777":
		return strings.HasPrefix(arg, "notify;")
	}
	return false
}

// other takes an escape sequence of no other kind: none is allowed.
func (s *Screen) other(seq string) { s.violate("sequence %q", seq) }

// numbers reads parameters; what is missing or beyond an int counts as 0.
func numbers(params string) []int {
	var n []int
	for p := range strings.SplitSeq(params, ";") {
		v, _ := strconv.Atoi(p)
		n = append(n, v)
	}
	return n
}
