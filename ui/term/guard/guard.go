// Package guard settles the background colour before Bubble Tea's own init can ask the terminal for it, a question that
// costs up to five seconds on a terminal that does not answer. It must import lipgloss and nothing else: Go initialises
// packages that are ready in the order of their paths, and one more import would make this one ready too late.
package guard

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
