package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"baton/model/owner"
)

// ProjectFile is the name of a project's file.
const ProjectFile = ".baton.toml"

// maxFolders bounds the way up from a working directory.
const maxFolders = 64

// Project is a project's file as it was read. The zero value is no file.
type Project struct {
	Path string // absolute, without links on the way
	Text []byte
}

// Hash is the SHA-256 of the text in hex: the very bytes that are applied.
func (p Project) Hash() string {
	sum := sha256.Sum256(p.Text)
	return hex.EncodeToString(sum[:])
}

// FindProject returns the path of the nearest ProjectFile from dir upwards to the root
// of the repository that dir is in, the folder with .git; outside of a repository only
// dir itself counts. It is "" if there is none, and opens nothing.
func FindProject(dir string) string {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil || !filepath.IsAbs(dir) {
		return ""
	}
	nearest, start := "", dir
	for range maxFolders {
		if path := filepath.Join(dir, ProjectFile); nearest == "" && there(path) {
			nearest = path
		}
		up := filepath.Dir(dir)
		switch {
		case there(filepath.Join(dir, ".git")):
			return nearest
		case up == dir:
			return inside(nearest, start)
		}
		dir = up
	}
	return inside(nearest, start)
}

// inside is path if it stands in dir itself, else "".
func inside(path, dir string) string {
	if path != "" && filepath.Dir(path) != dir {
		return ""
	}
	return path
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// ProjectPath is the absolute path of a project's file, without links on the way to it. A
// folder stands for the file in it.
func ProjectPath(path string) (string, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, ProjectFile)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, filepath.Base(abs)), nil
}

// ReadProject reads a project's file. A link, a file of another user, one that everybody
// may change, and what is no regular file of at most MaxFileBytes is refused with an
// *Error: what stands there is not for the person alone to say.
func ReadProject(path string) (Project, error) {
	abs, err := ProjectPath(path)
	var text []byte
	if err == nil {
		text, err = readOwn(abs, MaxFileBytes)
	}
	if err != nil {
		return Project{}, &Error{File: path, Msg: "is not read: " + reasonOnly(err), Next: "it must be a plain file of your own that only you or your group can change"}
	}
	return Project{Path: abs, Text: text}, nil
}

// Reasons for not reading what somebody else may have put there.
var (
	errLink    = errors.New("it is a symbolic link")
	errNoFile  = errors.New("it is no regular file")
	errFolder  = errors.New("it is a folder")
	errForeign = errors.New("it belongs to another user")
)

// readOwn reads a regular file of the person's own, at most limit bytes.
func readOwn(path string, limit int) ([]byte, error) {
	f, err := openOwn(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errNoFile
	case !owner.Mine(info):
		return nil, errForeign
	case openToAll(info.Mode()):
		return nil, fmt.Errorf("everybody can change it (mode %s)", octal(info.Mode()))
	}
	return readUpTo(f, limit)
}

// readProject reads a project's file over the user's.
func (l *loader) readProject(p Project) {
	if p.Path == "" {
		return
	}
	l.cfg.Project, l.layer, l.file = p.Path, LayerProject, p.Path
	l.readDocument(p.Text)
}

// mayNot says whether the file that is being read may not set a key.
func (l *loader) mayNot(project bool) bool { return l.layer == LayerProject && !project }

// forbidden reports a key that is not a project's to set.
func (l *loader) forbidden(path []string) {
	line, column := l.marks.key(path)
	full := printable(strings.Join(path, "."))
	l.problem(Error{File: l.file, Line: line, Column: column, Key: full,
		Msg: full + " cannot be set by a project's file", Next: "set it in your own configuration, if you want it"})
}

// tune changes what a project may change of an agent that the person has.
func (l *loader) tune(name string, table map[string]any, here []string) {
	a, ok := l.cfg.Agents[name]
	if !ok {
		l.problemAt(l.keyAt(here), "agents."+name, "is no agent of your configuration", "a project's file can tune your agents, not bring its own")
		return
	}
	for _, k := range l.inOrder(table, here) {
		path := append(here[:len(here):len(here)], k)
		i := slices.IndexFunc(agentKeys, func(known key[AgentConfig]) bool { return known.name == k })
		switch {
		case i >= 0 && agentKeys[i].project:
			store(l, agentKeys[i], &a, path, table[k])
		case i >= 0 || k == "headers" || slices.Contains(pastedKeys, k):
			l.forbidden(path)
		default:
			l.unknown(path, projectAgentKeys())
		}
	}
	l.cfg.Agents[name] = a
}

func projectAgentKeys() []string {
	var names []string
	for _, k := range agentKeys {
		if k.project {
			names = append(names, k.name)
		}
	}
	return names
}
