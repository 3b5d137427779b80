package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestWorkflows: what is fetched is named by its commit, since a tag can be moved; nothing
// is allowed that a job does not ask for; and the scripts that are called are there.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob(".github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatal("there is no workflow", err)
	}
	uses := regexp.MustCompile(`(?m)\buses:\s*(.*)$`)
	pinned := regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	script := regexp.MustCompile(`\.ci/[\w-]+`)
	least := regexp.MustCompile(`(?m)^permissions:\n  contents: read\n\n`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range uses.FindAllSubmatch(text, -1) {
			if !pinned.Match(m[1]) {
				t.Errorf("%s: %q is not pinned to a commit with its version behind it", file, m[1])
			}
		}
		for _, name := range script.FindAllString(string(text), -1) {
			if _, err := os.Stat(name); err != nil {
				t.Errorf("%s calls %s, which is not there", file, name)
			}
		}
		if !least.Match(text) {
			t.Errorf("%s does not start from permission to read alone", file)
		}
	}
}
