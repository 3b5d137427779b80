package config

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"
)

// marks remembers where a document names each key and where its value begins. The
// decoder knows positions only of what it refuses itself; a value that is out of range
// needs one too.
type marks struct {
	doc   []byte
	lines []int // offset of each line's first byte
	at    map[string]mark
}

// mark holds byte offsets.
type mark struct{ key, value int }

func pathKey(path []string) string { return strings.Join(path, "\x00") }

// readMarks walks a document that is already known to be valid TOML.
func readMarks(doc []byte) *marks {
	m := &marks{doc: doc, lines: []int{0}, at: map[string]mark{}}
	for i, b := range doc {
		if b == '\n' {
			m.lines = append(m.lines, i+1)
		}
	}
	var p unstable.Parser
	p.Reset(doc)
	var table []string
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table, _ = m.names(nil, e.Key())
		case unstable.KeyValue:
			m.keyValue(table, e)
		}
	}
	return m
}

// deepest is the longest path of a key that exists (agents.NAME.headers.NAME). Longer
// ones are unknown at an earlier part, and marking them would cost their square.
const deepest = 4

// names appends a dotted key to path and marks each of its parts where it stands
// first. It returns the offset of the last part.
func (m *marks) names(path []string, parts unstable.Iterator) ([]string, int) {
	path, last := append([]string(nil), path...), 0
	for parts.Next() {
		n := parts.Node()
		path, last = append(path, string(n.Data)), int(n.Raw.Offset)
		if len(path) > deepest {
			continue
		}
		if _, seen := m.at[pathKey(path)]; !seen {
			m.at[pathKey(path)] = mark{last, last}
		}
	}
	return path, last
}

func (m *marks) keyValue(table []string, e *unstable.Node) {
	if len(table) >= deepest {
		return
	}
	path, last := m.names(table, e.Key())
	if len(path) > deepest {
		return
	}
	v := e.Value()
	for n := v; n != nil && n.Valid(); n = n.Child() { // arrays have no place, their first item has
		if n.Raw.Length > 0 {
			m.at[pathKey(path)] = mark{last, int(n.Raw.Offset)}
			break
		}
	}
	if v.Kind != unstable.InlineTable {
		return
	}
	for it := v.Children(); it.Next(); {
		if it.Node().Kind == unstable.KeyValue {
			m.keyValue(path, it.Node())
		}
	}
}

// position returns line and column, from 1, the column in characters.
func (m *marks) position(offset int) (line, column int) {
	line = sort.SearchInts(m.lines, offset+1)
	start := m.lines[line-1]
	return line, utf8.RuneCount(m.doc[start:offset]) + 1
}

func (m *marks) key(path []string) (line, column int) {
	return m.position(m.at[pathKey(path)].key)
}

func (m *marks) value(path []string) (line, column int) {
	return m.position(m.at[pathKey(path)].value)
}
