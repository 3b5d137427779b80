// Package keymap is the one table of keys: which key does what, where, and
// the words that help and hints use for it.
// It must not act on a key; it only names the action.
package keymap

import (
	"slices"
	"strings"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
)

// Scope is where a key counts.
type Scope string

// The scopes. A key is looked up in the scope that has the focus and then in
// those behind it:
//
//	composer   → text → global
//	editor     → text → global
//	popup      → composer → text → global   (a completion list over the composer)
//	queue      → global
//	transcript → global                     (also used by the help overlay)
//
// Keys that type text (a character or space, without alt) are never looked up
// where text is typed, that is in composer, editor and popup: they are text.
const (
	Global     Scope = "global"
	Text       Scope = "text" // shared by composer and row editor
	Composer   Scope = "composer"
	Editor     Scope = "editor" // the row editor
	Queue      Scope = "queue"
	Transcript Scope = "transcript"
	Popup      Scope = "popup"
)

var behind = map[Scope][]Scope{
	Global:     {Global},
	Text:       {Text, Global},
	Composer:   {Composer, Text, Global},
	Editor:     {Editor, Text, Global},
	Queue:      {Queue, Global},
	Transcript: {Transcript, Global},
	Popup:      {Popup, Composer, Text, Global},
}

// typesText tells whether keys that type text belong to the text there.
func typesText(s Scope) bool {
	return s != Global && s != Queue && s != Transcript
}

// Action is the id of what a key does, as the [keys] table of the
// configuration spells it.
type Action string

// Row is one line of the table.
type Row struct {
	Scope  Scope
	Action Action
	Keys   []string // as tea.KeyMsg.String() names them; none = not bound
	Help   string   // a phrase for the help overlay and the documentation
	Short  string   // one or two words for a hint beside the key
}

// Map is the table with the keys in force. It never changes once built.
type Map struct {
	rows  []Row
	bound map[Scope]map[string]Action
}

// Default is the table as shipped.
func Default() Map { return shipped() }

var shipped = sync.OnceValue(func() Map { return build(table, nil) })

// build indexes rows. Where two rows of one scope have the same key, a row
// named in first wins, then the upper one.
func build(rows []Row, first map[Action]bool) Map {
	m := Map{rows: rows, bound: map[Scope]map[string]Action{}}
	for _, pass := range []bool{true, false} {
		for _, r := range rows {
			if first[r.Action] != pass {
				continue
			}
			if m.bound[r.Scope] == nil {
				m.bound[r.Scope] = map[string]Action{}
			}
			for _, k := range r.Keys {
				if _, taken := m.bound[r.Scope][k]; !taken {
					m.bound[r.Scope][k] = r.Action
				}
			}
		}
	}
	return m
}

// Action names what msg does while s has the focus. ok is false for a key that
// is not bound, for pasted text, and for text where text is typed.
func (m Map) Action(s Scope, msg tea.KeyMsg) (a Action, ok bool) {
	key, text := nameOf(msg)
	if key == "" || text && typesText(s) {
		return "", false
	}
	for _, scope := range behind[s] {
		if a, ok := m.bound[scope][key]; ok {
			return a, true
		}
	}
	return "", false
}

// nameOf gives the name a key is bound by, "" when the message is no single
// key press, and whether the key types text. Several characters read at once
// are text too, even when they spell the name of a key ("up").
func nameOf(msg tea.KeyMsg) (name string, text bool) {
	chars := msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace
	if msg.Paste || chars && len(msg.Runes) > 1 {
		return "", true
	}
	return msg.String(), chars && !msg.Alt
}

// Keys lists the keys bound to a, for hints; nil when it has none.
func (m Map) Keys(a Action) []string {
	for _, r := range m.rows {
		if r.Action == a {
			return slices.Clone(r.Keys)
		}
	}
	return nil
}

// Hint is the key to name on the screen for a: its first, or "".
func (m Map) Hint(a Action) string {
	if k := m.Keys(a); len(k) > 0 {
		return Label(k[0])
	}
	return ""
}

// Does words keys for a hint beside what they do: "esc closes", "up/down choose". It is "" where
// one of the actions has no key.
func (m Map) Does(does string, actions ...Action) string {
	keys := make([]string, len(actions))
	for i, a := range actions {
		if keys[i] = m.Hint(a); keys[i] == "" {
			return ""
		}
	}
	return strings.Join(keys, "/") + " " + does
}

// Table lists every row with the keys in force, in the order of the help.
func (m Map) Table() []Row {
	rows := slices.Clone(m.rows)
	for i := range rows {
		rows[i].Keys = slices.Clone(rows[i].Keys)
	}
	return rows
}
