package termtest

import "strings"

// named are the keys that are not a character, as xterm sends them.
var named = map[string]string{
	"enter": "\r", "esc": "\x1b", "tab": "\t", "shift+tab": "\x1b[Z", "space": " ", "backspace": "\x7f",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F",
	"pgup": "\x1b[5~", "pgdown": "\x1b[6~", "insert": "\x1b[2~", "delete": "\x1b[3~",
	"f1": "\x1bOP", "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS", "f5": "\x1b[15~",
	"alt+up": "\x1b[1;3A", "alt+down": "\x1b[1;3B", "alt+enter": "\x1b\r", "shift+enter": "\x1b[13;2u",
	"ctrl+left": "\x1b[1;5D", "ctrl+right": "\x1b[1;5C", "ctrl+home": "\x1b[1;5H", "ctrl+end": "\x1b[1;5F",
	"wheelup": "\x1b[<64;1;1M", "wheeldown": "\x1b[<65;1;1M",
}

// keyBytes returns what a terminal sends for a key: a name from the table, one character, or ctrl+ or alt+ before one.
func keyBytes(key string) (string, bool) {
	if b, ok := named[key]; ok {
		return b, true
	}
	if c, ok := strings.CutPrefix(key, "ctrl+"); ok && len(c) == 1 && (c[0] >= 'a' && c[0] <= 'z' || strings.Contains(`@[\]^_`, c)) {
		return string(rune(c[0] & 0x1f)), true
	}
	if c, ok := strings.CutPrefix(key, "alt+"); ok && len(c) == 1 {
		return "\x1b" + c, true
	}
	return key, len([]rune(key)) == 1
}
