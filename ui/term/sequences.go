package term

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-osc52/v2"
)

// Control sequences (ECMA-48, xterm's ctlseqs). Entering and leaving mirror each other; TestLeaveUndoesEnter holds them to it.
const (
	pushTitle = "\x1b[22;0t"
	popTitle  = "\x1b[23;0t"

	// Alternate screen, bracketed paste, focus reports, no arrows for the wheel, no automatic wrap.
	setModes   = "\x1b[?1049h\x1b[?2004h\x1b[?1004h\x1b[?1007l\x1b[?7l"
	setMouse   = "\x1b[?1000h\x1b[?1006h"
	resetMouse = "\x1b[?1006l\x1b[?1000l"
	eraseAll   = "\x1b[m\x1b[r\x1b[2J\x1b[H"
	resetModes = "\x1b[?2026l\x1b[m\x1b[r\x1b[?7h\x1b[?1007h" + resetMouse + "\x1b[?1004l\x1b[?2004l\x1b[?25h" + popTitle + "\x1b[?1049l"

	beginFrame = "\x1b[?2026h"
	endFrame   = "\x1b[?2026l"

	// cancel ends a sequence that was cut off in its middle (CAN).
	cancel = "\x18"
)

// maxPlain bounds titles and notifications, in characters.
const maxPlain = 200

// plain drops everything that a terminal could take for a command or that could reorder the text around it.
func plain(s string) string {
	var b strings.Builder
	count := 0
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			continue // a stray byte, perhaps an 8-bit control
		}
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) && r != '\u200d' {
			continue
		}
		if count++; count > maxPlain {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}

func titleSequence(s string) string {
	if s == "" {
		return "" // an untitled window keeps the title it had
	}
	return "\x1b]2;" + s + "\a"
}

// clipboard is OSC 52. tmux takes it itself or passes it on, each only when so configured, so it gets both forms.
func clipboard(text string, getenv func(string) string) string {
	s := osc52.New(text)
	switch {
	case getenv("TMUX") != "":
		return s.String() + s.Tmux().String()
	case strings.HasPrefix(getenv("TERM"), "screen"):
		return s.Screen().String()
	}
	return s.String()
}
