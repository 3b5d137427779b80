package config

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"sort"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// MaxFileBytes bounds the user file; it holds settings, and parsing costs memory.
const MaxFileBytes = 256 << 10

func (l *loader) readUserFile(readFile func(string) ([]byte, error)) {
	if l.cfg.File == "" {
		return
	}
	doc, err := readFile(l.cfg.File)
	named := l.flags.ConfigFile != "" || l.env("BATON_CONFIG") != ""
	if errors.Is(err, fs.ErrNotExist) && !named {
		return
	}
	if err != nil {
		l.problem(Error{File: l.cfg.File, Msg: "cannot be read: " + reasonOnly(err)})
		return
	}
	l.layer, l.file = LayerFile, l.cfg.File
	l.readDocument(doc)
}

// readDocument reads one file's text.
func (l *loader) readDocument(doc []byte) {
	if len(doc) > MaxFileBytes {
		l.problem(Error{File: l.file, Msg: tooBig(MaxFileBytes)})
		return
	}
	doc = bytes.TrimPrefix(doc, []byte("\uFEFF"))
	var tree map[string]any
	if err := toml.Unmarshal(doc, &tree); err != nil {
		l.syntaxProblem(doc, err)
		return
	}
	l.marks = readMarks(doc)
	l.readTable(tree, nil)
}

func (l *loader) syntaxProblem(doc []byte, err error) {
	e := Error{File: l.file, Msg: "not valid TOML: " + printable(strings.TrimPrefix(err.Error(), "toml: "))}
	var at *toml.DecodeError
	if errors.As(err, &at) {
		var column int
		e.Line, column = at.Position()
		lines := bytes.SplitN(doc, []byte("\n"), e.Line+1)
		before := lines[e.Line-1]
		e.Column = len([]rune(string(before[:min(column-1, len(before))]))) + 1
	}
	l.problem(e)
}

// readTable reads one table of the file that is neither agents nor keys.
func (l *loader) readTable(table map[string]any, path []string) {
	for _, name := range l.inOrder(table, path) {
		here := append(path[:len(path):len(path)], name)
		full, value := strings.Join(here, "."), table[name]
		k, isKey := globalKey(full)
		sub, isTable := value.(map[string]any)
		switch {
		case strings.Contains(name, ".") || !isKey && !isSection(full):
			l.unknown(here, l.children(path))
		case isKey && l.mayNot(k.project):
			l.forbidden(here)
		case isKey:
			store(l, k, &l.cfg, here, value)
		case !isTable:
			l.problemAt(l.at(here), full, "must be a table", "write ["+full+"] on a line of its own")
		case full == "agents":
			l.readAgents(sub)
		case full == "keys":
			l.readKeys(sub)
		default:
			l.readTable(sub, here)
		}
	}
}

// store sets one key from the file.
func store[T any](l *loader, k key[T], t *T, path []string, value any) {
	full := strings.Join(path, ".")
	if msg := k.set(t, value); msg != "" {
		l.problemAt(l.at(path), full, msg, "")
		return
	}
	l.cfg.Sources[full] = l.at(path)
}

// readKeys reads [keys]: an action and its key or keys; an empty array unbinds it.
// Whether two actions share a key is for the key table to say.
func (l *loader) readKeys(table map[string]any) {
	for _, action := range l.inOrder(table, []string{"keys"}) {
		here := []string{"keys", action}
		if len(l.known.Actions) > 0 && !slices.Contains(l.known.Actions, action) {
			l.unknownAction(here, l.known.Actions)
			continue
		}
		bound, ok := stringsOf(table[action])
		if one, isString := table[action].(string); isString {
			bound, ok = []string{one}, true
		}
		for _, k := range bound {
			ok = ok && k != "" && !strings.ContainsFunc(k, func(r rune) bool { return r <= ' ' || r == 0x7f })
		}
		if !ok {
			l.problemAt(l.at(here), "keys."+printable(action), `must be a key or an array of keys, like ["ctrl+y"]`, "")
			continue
		}
		if l.misbound(here, action, bound) {
			continue
		}
		l.cfg.Keys[action] = bound
		l.cfg.Sources["keys."+action] = l.at(here)
	}
}

// misbound reports each key that an action cannot have.
func (l *loader) misbound(here []string, action string, keys []string) bool {
	if l.known.Bound == nil {
		return false
	}
	wrong, o := l.known.Bound(action, keys), l.at(here)
	for _, err := range wrong {
		l.problem(Error{File: o.Name, Line: o.Line, Column: o.Column, Key: "keys." + action, Msg: err.Error(), Next: "baton config keys lists actions and keys"})
	}
	return len(wrong) > 0
}

// at is the place of a value in the file.
func (l *loader) at(path []string) Origin {
	line, column := l.marks.value(path)
	return Origin{l.layer, l.file, line, column}
}

// unknown reports a key that is none, where it stands.
func (l *loader) unknown(path, siblings []string) {
	name := path[len(path)-1]
	line, column := l.marks.key(path)
	near := meant(name, siblings)
	e := Error{File: l.file, Line: line, Column: column, Key: strings.Join(path, "."), Msg: "unknown key " + quote(name) + near}
	switch {
	case len(path) > 1:
		e.Next = "known in [" + printable(strings.Join(path[:len(path)-1], ".")) + "]: " + list(siblings)
	default:
		e.Next = "known: " + list(siblings)
	}
	l.problem(e)
}

// unknownAction reports a name in [keys] that is no action's. It is not called a key there: keys are what actions
// are bound to. The actions are too many to be listed in a line.
func (l *loader) unknownAction(path, actions []string) {
	name := path[len(path)-1]
	line, column := l.marks.key(path)
	near := meant(name, actions)
	e := Error{File: l.file, Line: line, Column: column, Key: strings.Join(path, "."), Next: "baton config keys lists the actions"}
	e.Msg = "unknown action " + quote(name) + " in [keys]" + near
	if kin := akin(name, actions); near == "" && len(kin) > 0 {
		e.Next = "perhaps " + list(kin) + "; " + e.Next
	}
	l.problem(e)
}

// inOrder lists a table's keys as the file has them, so that problems are too.
func (l *loader) inOrder(table map[string]any, path []string) []string {
	prefix := pathKey(append(path[:len(path):len(path)], ""))
	names := make([]string, 0, len(table))
	for n := range table {
		names = append(names, n)
	}
	sort.Slice(names, func(i, j int) bool {
		a, b := l.marks.at[prefix+names[i]].key, l.marks.at[prefix+names[j]].key
		return a < b || a == b && names[i] < names[j]
	})
	return names
}

func globalKey(full string) (key[Config], bool) {
	for _, k := range keys {
		if k.name == full {
			return k, true
		}
	}
	return key[Config]{}, false
}

func isSection(full string) bool {
	if full == "agents" || full == "keys" {
		return true
	}
	for _, k := range keys {
		if strings.HasPrefix(k.name, full+".") {
			return true
		}
	}
	return false
}

// children lists the names that may stand in a table outside agents and keys.
func (l *loader) children(path []string) []string {
	prefix := strings.Join(append(path[:len(path):len(path)], ""), ".")
	var out []string
	for _, k := range keys {
		if l.mayNot(k.project) {
			continue
		}
		if rest, ok := strings.CutPrefix(k.name, prefix); ok {
			if name, _, _ := strings.Cut(rest, "."); !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	if len(path) == 0 {
		out = append(out, "agents", "keys")
	}
	return out
}
