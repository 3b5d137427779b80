package theme

import (
	"runtime"
	"strconv"
	"strings"

	"github.com/muesli/termenv"
)

// Profile tells from the environment alone how many colours may be used: termenv.Ascii (none), ANSI (16) or ANSI256.
// More than 256 are never used. What is said first counts: NO_COLOR (not empty: none, no-color.org), FORCE_COLOR (0: none,
// 2 or 3: 256, any other: 16 at least), CLICOLOR_FORCE (not 0: 16 at least), CLICOLOR (0: none), TERM and COLORTERM.
// getenv is os.Getenv or a stand-in.
func Profile(getenv func(string) string) termenv.Profile {
	able, force := terminal(getenv), strings.ToLower(getenv("FORCE_COLOR"))
	switch {
	case getenv("NO_COLOR") != "":
		return termenv.Ascii
	case force == "0" || force == "false":
		return termenv.Ascii
	case force == "2" || force == "3":
		return termenv.ANSI256
	case force != "" || getenv("CLICOLOR_FORCE") != "" && getenv("CLICOLOR_FORCE") != "0":
		return min(able, termenv.ANSI) // fewer colours are a greater profile
	case getenv("CLICOLOR") == "0":
		return termenv.Ascii
	}
	return able
}

// terminal is what the terminal is able to show.
func terminal(getenv func(string) string) termenv.Profile {
	term := strings.ToLower(getenv("TERM"))
	switch {
	case term == "dumb":
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
