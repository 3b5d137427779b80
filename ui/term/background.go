package term

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// SetBackground tells lipgloss which background to design for, without asking the terminal, and returns whether it is
// dark. setting is the person's word, "dark" or "light"; anything else leaves the choice to colorFGBG, the value of the
// variable COLORFGBG as rxvt and others set it ("15;0", "0;default;15"). Without either the background is taken as dark.
func SetBackground(setting, colorFGBG string) (dark bool) {
	switch setting {
	case "dark":
		dark = true
	case "light":
		dark = false
	default:
		dark = darkByEnv(colorFGBG)
	}
	lipgloss.SetHasDarkBackground(dark)
	return dark
}

// darkByEnv reads the last field, an index into the 16 ANSI colours: 7 and 9 to 15 are the bright ones.
func darkByEnv(v string) bool {
	n, err := strconv.Atoi(v[strings.LastIndexByte(v, ';')+1:])
	return err != nil || n < 7 || n == 8 || n > 15
}
