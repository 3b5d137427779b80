// Command cases requires a test for every case from the field: it reads the table in
// testdata/cases.md and runs the tests named there, package by package. Each of them must
// have run and passed, skipped nothing, and hold its case's number in a subtest's name.
//
// It must not know what a case is about: that stands in the table and in the tests. Words
// on the command line choose the cases of these numbers.
package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "cases:", err)
		os.Exit(1)
	}
}

func run(chosen []string) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(root, "testdata", "cases.md"))
	if err != nil {
		return err
	}
	cases, problems := parse(string(text))
	problems = append(problems, complete(cases)...)
	start, tests := time.Now(), wanted(cases, chosen, protocols(root))
	if len(tests) == 0 {
		return errors.New("no case was chosen")
	}
	count := 0
	for _, pkg := range slices.Sorted(maps.Keys(tests)) {
		began := time.Now()
		failed := try(root, pkg, tests[pkg])
		fmt.Printf("%-36s %3d tests, %d of them wrong, %.1fs\n", pkg, len(tests[pkg]), len(failed), time.Since(began).Seconds())
		problems, count = append(problems, failed...), count+len(tests[pkg])
	}
	fmt.Printf("%d rows, %d tests in %d packages, %.0fs\n", len(cases), count, len(tests), time.Since(start).Seconds())
	for _, p := range problems {
		fmt.Println("WRONG", p)
	}
	if len(problems) > 0 {
		return fmt.Errorf("%d things are wrong", len(problems))
	}
	return nil
}

// wanted are the tests of the chosen cases by package, each once.
func wanted(cases []entry, chosen, protocols []string) map[string][]string {
	tests := map[string][]string{}
	add := func(pkg, name string) {
		if !slices.Contains(tests[pkg], name) {
			tests[pkg] = append(tests[pkg], name)
		}
	}
	for _, c := range cases {
		if len(chosen) > 0 && !slices.Contains(chosen, c.id) {
			continue
		}
		for _, t := range c.tests {
			if !strings.Contains(t.pkg, everyProtocol) {
				add(t.pkg, t.name)
				continue
			}
			for _, p := range protocols {
				add(strings.ReplaceAll(t.pkg, everyProtocol, p), t.name)
			}
		}
	}
	return tests
}

func moduleRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	mod := strings.TrimSpace(string(out))
	if err != nil || mod == "" || mod == os.DevNull {
		return "", fmt.Errorf("not inside the module: %q %w", mod, err)
	}
	return filepath.Dir(mod), nil
}
