// Command bare is the smallest Bubble Tea program there is, with the options that baton gives to its own: what it takes from
// exec to the first frame is the price of the framework and of Go.
//
// It must not do anything that baton could do without.
package main

import (
	_ "baton/ui/term/guard" // no question to the terminal, as in baton

	"fmt"
	"io"
	"os"

	tea "github.com/charmbracelet/bubbletea"
)

// model is drawn once and then waits to be ended.
type model struct{ drawn bool }

func (m *model) Init() tea.Cmd                           { return nil }
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) { return m, nil }

// View writes the frame itself: Bubble Tea's renderer is off, as it is in baton.
func (m *model) View() string {
	if !m.drawn {
		m.drawn = true
		_, _ = os.Stdout.WriteString("first frame")
	}
	return ""
}

func main() {
	p := tea.NewProgram(&model{}, tea.WithInput(nil), tea.WithOutput(io.Discard),
		tea.WithoutRenderer(), tea.WithoutSignalHandler(), tea.WithoutCatchPanics())
	if _, err := p.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "bare:", err)
		os.Exit(1)
	}
}
