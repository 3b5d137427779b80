package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
)

// MaxProblems is how many problems one Load reports; a file of nonsense should not
// fill a screen.
const MaxProblems = 20

// Error is one thing wrong with the configuration. Its text never holds the value
// that was refused if that value could be a secret.
type Error struct {
	File         string // path of the file, or "" when a variable or flag is wrong
	Line, Column int    // from 1, in characters; 0 when the whole file is meant
	Key          string // dotted key, "$VARIABLE" or "--flag"
	Msg          string // what is wrong
	Next         string // what the person can do, or ""
}

// Error is one line: `config.toml:7:3: unknown key "retyr" (did you mean "retry"?)`.
func (e *Error) Error() string {
	if e.File != "" {
		return place(e.File, e.Line, e.Column) + ": " + e.Msg
	}
	return e.Msg
}

// Problems are all things found wrong, in the order they were met; never empty as an
// error. errors.As finds the first *Error in it.
type Problems []*Error

// Error is the first problem in one line, with the number of the others.
func (p Problems) Error() string {
	switch len(p) {
	case 0:
		return "no problem"
	case 1:
		return p[0].Error()
	}
	return fmt.Sprintf("%s (and %d more)", p[0], len(p)-1)
}

// Unwrap returns every problem.
func (p Problems) Unwrap() []error {
	errs := make([]error, len(p))
	for i, e := range p {
		errs[i] = e
	}
	return errs
}

// quote shows outside text in a message: quoted, control characters escaped, and cut,
// since one line has to hold it.
func quote(s string) string {
	const most = 64
	if r := []rune(s); len(r) > most {
		return strconv.QuoteToGraphic(string(r[:most])) + "…"
	}
	return strconv.QuoteToGraphic(s)
}

// printable puts a visible replacement for what would not print as it stands.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if strconv.IsGraphic(r) {
			return r
		}
		return '\uFFFD'
	}, s)
}

func baseName(path string) string {
	return filepath.Base(filepath.ToSlash(path))
}

// reasonOnly is a file error without the path.
func reasonOnly(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return printable(err.Error())
}

// list joins names for a sentence.
func list(names []string) string { return strings.Join(names, ", ") }
