package keymap

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// aliases are spellings people use for keys that Bubble Tea names otherwise,
// or that arrive as the same byte (ctrl+i is tab).
var aliases = map[string]string{
	"space": " ", "escape": "esc", "return": "enter", "del": "delete", "ins": "insert",
	"pageup": "pgup", "pagedown": "pgdown", "pgdn": "pgdown", "bs": "backspace",
	"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc", "ctrl+space": "ctrl+@", "ctrl+/": "ctrl+_",
	"shift+enter": "ctrl+j", // the reader of the terminal delivers it so
}

// named holds every name Bubble Tea gives to a key that is no character.
var named = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{" ": true}
	for t := tea.KeyType(-200); t <= 127; t++ {
		if s := t.String(); s != "" && t != tea.KeyRunes {
			names[s] = true
		}
	}
	return names
})

// parseKey turns a key as people write it into the name it is bound by.
func parseKey(s string) (key string, ok bool) {
	if s == "" {
		return "", false
	}
	if one(s) {
		return s, true
	}
	prefix, rest := "", s
	if len(s) > 4 && strings.EqualFold(s[:4], "alt+") {
		prefix, rest = "alt+", s[4:]
	}
	if prefix != "" && one(rest) {
		return prefix + rest, true
	}
	rest = strings.ToLower(rest)
	if a, found := aliases[rest]; found {
		rest = a
	}
	return prefix + rest, named()[rest]
}

// one tells whether s is a single printable character.
func one(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return n == len(s) && r != utf8.RuneError && unicode.IsPrint(r)
}

// Label is a bound key as people read and write it.
func Label(key string) string {
	if strings.HasSuffix(key, " ") {
		return strings.TrimSuffix(key, " ") + "space"
	}
	return key
}

// nearest is the candidate with the fewest edits from s; of equals the
// first in the alphabet.
func nearest(s string, candidates []string) string {
	best, least := "", 0
	for _, c := range candidates {
		if d := edits(s, c); best == "" || d < least || d == least && c < best {
			best, least = c, d
		}
	}
	return best
}

// edits is the Levenshtein distance in characters.
func edits(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range y {
			change := diagonal
			if r != s {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}
