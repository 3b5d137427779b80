package config

import (
	"io/fs"
	"path/filepath"
	"testing"
)

var home = filepath.FromSlash("/home/ada")

// known is what a program with three kinds of agents would pass.
var known = Known{
	Protocols: []Protocol{{"sandbox", InProcess}, {"openai-chat", ByURL}, {"acp", ByCommand}},
	Themes:    []string{"ansi16", "mono"},
	Actions:   []string{"retry", "stop"},
}

// setup is one situation Load meets. file "" means there is no file.
type setup struct {
	file  string
	env   map[string]string
	flags Flags
}

func (s setup) load() (Config, error) {
	path := Path(s.getenv, home, s.flags)
	return Load(s.getenv, home, s.flags, func(p string) ([]byte, error) {
		if s.file == "" || p != path {
			return nil, &fs.PathError{Op: "open", Path: p, Err: fs.ErrNotExist}
		}
		return []byte(s.file), nil
	}, known)
}

func (s setup) getenv(name string) string { return s.env[name] }

func mustLoad(t *testing.T, s setup) Config {
	t.Helper()
	c, err := s.load()
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
	return c
}
