//go:build unix

package tour

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Script is one file: steps, and the texts that they name.
type Script struct {
	File  string
	Steps []Step
	Texts map[string]string // by the name behind "--"
}

// Step is one line.
type Step struct {
	Line int
	Verb string
	Args []string
	Text string // the line itself
}

// Claim says that a step tries one key of the table: in a scope it does an action. Place is where, if the script says so.
type Claim struct {
	Scope, Action, Key, Place string
	Line                      int
}

// Parse reads a script. The error names file and line, in the form that editors follow.
func Parse(file, source string) (*Script, error) {
	s := &Script{File: file, Texts: map[string]string{}}
	var section *strings.Builder
	name := ""
	done := func() {
		if section != nil {
			s.Texts[name] = strings.TrimSuffix(section.String(), "\n")
		}
	}
	for i, line := range strings.Split(strings.TrimSuffix(source, "\n"), "\n") {
		if n, ok := heading(line); ok {
			done()
			if _, twice := s.Texts[n]; twice {
				return nil, fmt.Errorf("%s:%d: there are two texts called %s", file, i+1, n)
			}
			name, section = n, &strings.Builder{}
			continue
		}
		if section != nil {
			section.WriteString(line + "\n")
			continue
		}
		if err := s.step(i+1, line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
	}
	done()
	return s, s.check()
}

// heading reads `-- name --`, which begins a text.
func heading(line string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(line, "-- ")
	name, end := strings.CutSuffix(rest, " --")
	return name, ok && end && name != ""
}

func (s *Script) step(n int, line string) error {
	text := strings.TrimSpace(line)
	if text == "" || text[0] == '#' {
		return nil
	}
	words, err := split(text)
	if err != nil {
		return err
	}
	v, ok := verbs[words[0]]
	switch args := len(words) - 1; {
	case !ok:
		return fmt.Errorf("there is no step called %s", words[0])
	case args < v.least || v.most >= 0 && args > v.most:
		return fmt.Errorf("the step is written: %s %s", words[0], v.usage)
	}
	s.Steps = append(s.Steps, Step{n, words[0], words[1:], text})
	return nil
}

// split cuts a line into words. A word in double quotes is a string as Go writes it.
func split(line string) ([]string, error) {
	var words []string
	for line = strings.TrimLeft(line, " \t"); line != ""; line = strings.TrimLeft(line, " \t") {
		if line[0] != '"' {
			end := strings.IndexAny(line+" ", " \t")
			words, line = append(words, line[:end]), line[end:]
			continue
		}
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return nil, fmt.Errorf("a quote is not closed, or not a string of Go: %s", line)
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", quoted, err)
		}
		words, line = append(words, word), line[len(quoted):]
	}
	return words, nil
}

// check looks at what one line alone does not tell: texts that are named exist, and what a key does is looked at.
func (s *Script) check() error {
	for i, st := range s.Steps {
		for _, a := range st.Args {
			if name, ok := strings.CutPrefix(a, "@"); ok && verbs[st.Verb].texts {
				if _, there := s.Texts[name]; !there {
					return fmt.Errorf("%s:%d: there is no text called %s", s.File, st.Line, name)
				}
			}
		}
		if at := slices.Index(st.Args, "esc"); st.Verb == "press" && at >= 0 && (at < len(st.Args)-1 || len(s.checksBehind(i)) == 0) {
			return fmt.Errorf("%s:%d: nothing looks at what esc did before the next key: both together may be another one", s.File, st.Line)
		}
		if st.Verb != "try" {
			continue
		}
		if _, err := st.claim(); err != nil {
			return fmt.Errorf("%s:%d: %w", s.File, st.Line, err)
		}
		if len(s.checksBehind(i)) == 0 {
			return fmt.Errorf("%s:%d: nothing looks at what the key did", s.File, st.Line)
		}
	}
	return nil
}

// checksBehind are the steps right behind number i that look at something.
func (s *Script) checksBehind(i int) []Step {
	end := i + 1
	for end < len(s.Steps) && verbs[s.Steps[end].Verb].check != nil {
		end++
	}
	return s.Steps[i+1 : end]
}

// Claims lists the keys that the script tries.
func (s *Script) Claims() []Claim {
	var all []Claim
	for _, st := range s.Steps {
		if st.Verb == "try" {
			c, _ := st.claim() // Parse has looked at it
			all = append(all, c)
		}
	}
	return all
}

// claim reads `SCOPE ACTION KEY [in PLACE] [as BYTES]`.
func (st Step) claim() (Claim, error) {
	c := Claim{Scope: st.Args[0], Action: st.Args[1], Key: st.Args[2], Line: st.Line}
	for rest := st.Args[3:]; len(rest) > 0; rest = rest[2:] {
		switch {
		case len(rest) == 1 || rest[0] != "in" && rest[0] != "as":
			return c, fmt.Errorf("behind the key may stand: in PLACE, and as BYTES")
		case rest[0] == "in":
			c.Place = rest[1]
		}
	}
	return c, nil
}

// sent is the key that is pressed, or the bytes that are sent instead.
func (st Step) sent() (key, bytes string) {
	if st.Verb != "try" {
		return st.Args[0], ""
	}
	for i := 3; i+1 < len(st.Args); i += 2 {
		if st.Args[i] == "as" {
			bytes = st.Args[i+1]
		}
	}
	return st.Args[2], bytes
}
