package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
)

// event is a line of go test -json.
type event struct {
	Action, Test, Output string
}

// try runs the named tests of one package and returns what is wrong with them.
func try(root, pkg string, names []string) (problems []string) {
	c := exec.Command("go", "test", "-json", "-timeout=5m", "-run="+pattern(names), pkg)
	c.Dir = root
	out, err := c.CombinedOutput()
	ends, said := map[string]string{}, map[string]string{}
	for line := range bytes.Lines(out) {
		var e event
		if json.Unmarshal(line, &e) != nil {
			said[""] += string(line) // a compiler's words
			continue
		}
		switch e.Action {
		case "output", "build-output":
			said[e.Test] += e.Output
		case "pass", "fail", "skip":
			ends[e.Test] = e.Action
		}
	}
	for _, name := range names {
		switch end := ends[name]; end {
		case "pass":
		case "":
			problems = append(problems, fmt.Sprintf("%s %s did not run", pkg, name))
		default:
			problems = append(problems, fmt.Sprintf("%s %s: %s\n%s", pkg, name, end, said[name]))
		}
	}
	if err != nil {
		problems = append(problems, fmt.Sprintf("%s: %v\n%s", pkg, err, said[""]))
	}
	return problems
}

// pattern is what go test -run takes for exactly these tests.
func pattern(names []string) string {
	var all []string
	for _, name := range names {
		parts := strings.Split(name, "/")
		for i, p := range parts {
			parts[i] = "^" + regexp.QuoteMeta(p) + "$"
		}
		all = append(all, strings.Join(parts, "/"))
	}
	return strings.Join(all, "|")
}
