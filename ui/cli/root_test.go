package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeNamesEveryCommand: its table is the whole command line.
func TestReadmeNamesEveryCommand(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := (&app{}).tree().Commands()
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

// TestReadmeNamesEveryCode: the manual page and the README tell of the same exit codes.
func TestReadmeNamesEveryCode(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(readme), "| exit code | means |\n|---|---|\n")
	if !ok {
		t.Fatal("the README has no table of exit codes")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	rows := regexp.MustCompile(`(?m)^\| ([0-9, ]+) \|`).FindAllStringSubmatch(table, -1)
	if len(rows) != len(codes) {
		t.Fatalf("the README has %d exit codes, the manual page %d", len(rows), len(codes))
	}
	for i, row := range rows {
		if row[1] != codes[i][0] {
			t.Errorf("exit code %d is %s in the README, %s in the manual page", i, row[1], codes[i][0])
		}
	}
}
