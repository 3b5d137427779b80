package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// mutation is one patch and what it says about itself.
type mutation struct {
	name, file      string
	rule, pkg, test string
	args            []string
	changes         []string // files, relative to the module's root
}

// readMutations reads the patches whose names hold one of the chosen words.
func readMutations(dir string, chosen []string) ([]*mutation, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.patch"))
	if err != nil {
		return nil, err
	}
	var all []*mutation
	for _, f := range files {
		m, err := readMutation(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(f), err)
		}
		if m.chosenBy(chosen) {
			all = append(all, m)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("no patches")
	}
	return all, nil
}

func (m *mutation) chosenBy(words []string) bool {
	for _, w := range words {
		if strings.Contains(m.name, w) {
			return true
		}
	}
	return len(words) == 0
}

func readMutation(file string) (*mutation, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m := &mutation{name: strings.TrimSuffix(filepath.Base(file), ".patch"), file: file}
	for l := range strings.Lines(string(raw)) {
		l = strings.TrimRight(l, "\r\n")
		for head, field := range map[string]*string{"# rule: ": &m.rule, "# package: ": &m.pkg, "# test: ": &m.test} {
			if s, ok := strings.CutPrefix(l, head); ok {
				*field = strings.TrimSpace(s)
			}
		}
		if s, ok := strings.CutPrefix(l, "# args: "); ok {
			m.args = strings.Fields(s)
		}
		if s, ok := strings.CutPrefix(l, "+++ b/"); ok {
			m.changes = append(m.changes, s)
		}
	}
	if m.rule == "" || m.pkg == "" || m.test == "" || len(m.changes) == 0 {
		return nil, errors.New("a patch needs the lines rule, package and test, and a change")
	}
	return m, nil
}
