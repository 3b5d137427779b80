package cli

import (
	"os"
	"strings"
	"testing"
)

// TestReadmeNamesEveryCommand: its table is the whole command line.
func TestReadmeNamesEveryCommand(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := (&app{}).root().Commands()
	if len(commands) < 6 {
		t.Errorf("%d commands", len(commands))
	}
	for _, c := range commands {
		for _, leaf := range append(c.Commands(), c) {
			if !leaf.HasSubCommands() && leaf.Name() != "help" && !strings.Contains(string(readme), "| `"+leaf.CommandPath()) {
				t.Errorf("the README's commands lack %s", leaf.CommandPath())
			}
		}
	}
}
