package theme

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// attr is a set of text attributes; every terminal with colours has them.
type attr uint8

const (
	bold attr = 1 << iota
	faint
	italic
	underline
	reverse
	strike
)

// token says how one kind of thing looks. Colours are palette numbers in
// decimal, "" is the terminal's own.
type token struct {
	fg, bg string
	attr   attr
}

// tokens is a token table: slot name → look.
type tokens map[string]token

// set is a theme: its name and a table for each kind of background.
type set struct {
	name        string
	dark, light func() tokens
}

func (k token) style(r *lipgloss.Renderer) lipgloss.Style {
	s := r.NewStyle()
	if k.fg != "" {
		s = s.Foreground(lipgloss.Color(k.fg))
	}
	if k.bg != "" {
		s = s.Background(lipgloss.Color(k.bg))
	}
	if k.attr&bold != 0 {
		s = s.Bold(true)
	}
	if k.attr&faint != 0 {
		s = s.Faint(true)
	}
	if k.attr&italic != 0 {
		s = s.Italic(true)
	}
	if k.attr&reverse != 0 {
		s = s.Reverse(true)
	}
	if on := k.lines(); on != "" {
		s = s.Transform(func(text string) string { return wrapLines(text, on) })
	}
	return s
}

// lines is the SGR sequence (ECMA-48 §8.3.117) for underline and strike. They
// do not go through lipgloss, which styles underlined text rune by rune and so
// tears joined emoji and combining marks apart.
func (k token) lines() string {
	var on string
	if k.attr&underline != 0 {
		on += "\x1b[4m"
	}
	if k.attr&strike != 0 {
		on += "\x1b[9m"
	}
	return on
}

// wrapLines puts on before each line that has text; the style's own reset, or
// the one added here, ends it.
func wrapLines(text, on string) string {
	parts := strings.Split(text, "\n")
	for i, p := range parts {
		if p != "" {
			parts[i] = on + p + "\x1b[0m"
		}
	}
	return strings.Join(parts, "\n")
}
