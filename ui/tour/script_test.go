//go:build unix

package tour

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Each mistake in a script is told with its line, before anything is played.
func TestMistakesInScripts(t *testing.T) {
	for source, want := range map[string]string{
		"start\nsea \"x\"\n":                      `x.tour:2: there is no step called sea`,
		"# words\n\nsize 80\n":                    `x.tour:3: the step is written: size WIDTH HEIGHT`,
		"see \"x\n":                               `x.tour:1: a quote is not closed`,
		"start\ntype @nothing\n":                  `x.tour:2: there is no text called nothing`,
		"try global stop esc\npress x\n":          `x.tour:1: nothing looks at what the key did`,
		"try global stop\nsee x\n":                `x.tour:1: the step is written: try SCOPE ACTION KEY`,
		"try global stop esc on help\nsee x\n":    `x.tour:1: behind the key may stand`,
		"start\npress esc x\nsee x\n":             `x.tour:2: nothing looks at what esc did`,
		"start\npress esc\ntype x\n":              `x.tour:2: nothing looks at what esc did`,
		"start\n-- a --\nsea\n-- b --\n-- a --\n": `x.tour:5: there are two texts called a`,
	} {
		_, err := Parse("x.tour", source)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", source, err, want)
		}
	}
}

func TestScript(t *testing.T) {
	s, err := Parse("x.tour", "# a comment\nstart  --plain\n\ttry text newline ctrl+j in \"a place\" as \"\\x1b[13;2u\"\ndraft \"a\\n|\"\nsee x\npress a b\n-- one --\n\n# text\n-- two --\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%d %s %q %d %d", s.Steps[1].Line, s.Steps[0].Args, s.Steps[2].Args[0], len(s.checksBehind(1)), len(s.Steps)); got != `3 [--plain] "a\n|" 2 5` {
		t.Errorf("%q", got)
	}
	if got := s.Claims(); !slices.Equal(got, []Claim{{"text", "newline", "ctrl+j", "a place", 3}}) {
		t.Errorf("%+v", got)
	}
	if key, bytes := s.Steps[1].sent(); key != "ctrl+j" || bytes != "\x1b[13;2u" {
		t.Errorf("%q %q", key, bytes)
	}
	if s.Texts["one"] != "\n# text" || s.Texts["two"] != "" || len(s.Texts) != 2 {
		t.Errorf("%q", s.Texts)
	}
}
