package theme

import (
	"runtime"
	"strconv"
	"strings"

	"github.com/muesli/termenv"
)

// Profile tells from the environment alone how many colours may be used:
// termenv.Ascii (none: NO_COLOR is set and not empty, or TERM is dumb or
// missing), ANSI (16) or ANSI256. More than 256 are never used. NO_COLOR is
// the convention of no-color.org. getenv is os.Getenv or a stand-in.
func Profile(getenv func(string) string) termenv.Profile {
	term := strings.ToLower(getenv("TERM"))
	switch {
	case getenv("NO_COLOR") != "" || term == "dumb":
		return termenv.Ascii
	case term == "" && runtime.GOOS != "windows": // Windows sets no TERM
		return termenv.Ascii
	case term == "linux": // the text console maps 256 colours badly
		return termenv.ANSI
	case strings.Contains(term, "256color") || getenv("COLORTERM") != "" || runtime.GOOS == "windows":
		return termenv.ANSI256
	}
	for _, modern := range []string{"kitty", "ghostty", "alacritty", "foot", "wezterm", "direct"} {
		if strings.Contains(term, modern) {
			return termenv.ANSI256
		}
	}
	return termenv.ANSI
}

// Dark tells whether the background is dark by COLORFGBG ("15;0": the last
// field is the background's palette number). Anything unreadable is dark.
func Dark(getenv func(string) string) bool {
	fields := strings.Split(getenv("COLORFGBG"), ";")
	bg, err := strconv.Atoi(fields[len(fields)-1])
	if err != nil || bg < 0 || bg > 15 {
		return true
	}
	return bg < 7 || bg == 8
}
