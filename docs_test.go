package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func pages(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			texts[filepath.ToSlash(name)] = string(raw)
		}
	}
	if len(texts) < 8 {
		t.Fatalf("only %d pages", len(texts))
	}
	return texts
}

var (
	link   = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	code   = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	goFile = regexp.MustCompile("`([a-z0-9_]+/)[a-z0-9_/]*\\.go`")
)

// TestPagesPointSomewhere: links between pages, and the files that they name, exist.
func TestPagesPointSomewhere(t *testing.T) {
	for page, text := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			}
		}
		for _, m := range goFile.FindAllString(text, -1) {
			if _, err := os.Stat(filepath.FromSlash(strings.Trim(m, "`"))); err != nil {
				t.Errorf("%s names %s: %v", page, m, err)
			}
		}
	}
}

// TestTestCommand: the README names one command for the tests, near its top, and CI runs
// it as its last check, so that what people see is what CI saw.
func TestTestCommand(t *testing.T) {
	const command = "go test ./..."
	readme := pages(t)["README.md"]
	if n := strings.Count(readme, command); n != 1 {
		t.Errorf("README.md names %s %d times, want once", command, n)
	}
	if top, _, _ := strings.Cut(readme, "\n\n## "); !strings.Contains(top, command) || !strings.Contains(top, "go run .") {
		t.Error("README.md does not begin with how to run and how to test")
	}
	ci, err := os.ReadFile(".ci/run")
	if err != nil {
		t.Fatal(err)
	}
	steps := regexp.MustCompile(`(?m)^step .*$`).FindAllString(string(ci), -1)
	if len(steps) == 0 || !strings.HasSuffix(steps[len(steps)-1], " "+command) {
		t.Errorf("the last step of .ci/run is not %s: %q", command, steps)
	}
}

// TestContractIsWhole: the README has each promise once, in order, and some test of the
// module names each.
func TestContractIsWhole(t *testing.T) {
	rows := regexp.MustCompile(`(?m)^\| (C\d+) \|`).FindAllStringSubmatch(pages(t)["README.md"], -1)
	if len(rows) != 15 {
		t.Fatalf("%d promises, want 15", len(rows))
	}
	named := map[string]bool{}
	id := regexp.MustCompile(`C\d+`)
	for _, s := range sources(t) {
		if !s.test || s.file == "docs_test.go" {
			continue
		}
		raw, err := os.ReadFile(s.file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range id.FindAllString(string(raw), -1) {
			named[m] = true
		}
	}
	for i, row := range rows {
		if want := "C" + thousands(int64(i+1)); row[1] != want {
			t.Errorf("promise %d is %s, want %s", i+1, row[1], want)
		}
		if !named[row[1]] {
			t.Errorf("%s is named by no test", row[1])
		}
	}
}
