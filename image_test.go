package main

import (
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestImageContext: .dockerignore lets through what the program is made of, and lets
// nothing else through, so that no key and no session in a checkout gets into a layer.
func TestImageContext(t *testing.T) {
	file, err := os.ReadFile(".dockerignore")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"go.mod": true, "go.sum": true}
	for _, s := range sources(t) {
		if !s.test {
			top, _, _ := strings.Cut(s.file, "/")
			want[top] = true
		}
	}
	shut := false
	for line := range strings.Lines(string(file)) {
		line = strings.TrimSpace(line)
		name, let := strings.CutPrefix(line, "!")
		switch {
		case line == "*":
			shut = true
		case !let:
		case !shut || !want[path.Clean(name)]:
			t.Errorf("%q lets something through that the program is not made of", line)
		default:
			delete(want, name)
		}
	}
	for name := range want {
		t.Errorf("%s is kept from the build", name)
	}
}

// TestImageGo: the image is built with the Go that go.mod asks for, since it takes no other.
func TestImageGo(t *testing.T) {
	found := map[string]string{}
	for file, of := range map[string]*regexp.Regexp{
		"go.mod":     regexp.MustCompile(`(?m)^go (\d+\.\d+)`),
		"Dockerfile": regexp.MustCompile(`(?m)^FROM golang:(\d+\.\d+)-`),
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := of.FindSubmatch(text)
		if m == nil {
			t.Fatalf("%s names no version of Go", file)
		}
		found[file] = string(m[1])
	}
	if found["go.mod"] != found["Dockerfile"] {
		t.Errorf("go.mod asks for Go %s, the Dockerfile brings %s", found["go.mod"], found["Dockerfile"])
	}
}
