package theme

import (
	"strings"
	"sync"
)

// twins has an ASCII twin, as wide, for every character beyond ASCII that the program draws by itself. A new one that has
// no twin fails a test.
var twins = sync.OnceValue(func() map[rune]rune {
	return map[rune]rune{
		// The marks of states and rows.
		'◌': '.', '○': 'o', '●': '*', '✗': 'x', '∴': '~', '◆': '+', '↻': '@', '■': '#', '▸': '>', '▾': 'v', '›': '>', '↓': 'v', '↑': '^', '↳': '\\', '⏎': '/', '→': '>',
		// Lines, dots and what is cut off.
		'┃': '|', '┆': ':', '│': '|', '─': '-', '━': '=', '┼': '+', '·': '-', '•': '*', '…': '~',
		// What turns while something goes on.
		'⠋': '|', '⠙': '/', '⠹': '-', '⠸': '\\', '⠼': '|', '⠴': '/', '⠦': '-', '⠧': '\\', '⠇': '|', '⠏': '/',
		// What stands for bytes that are no text.
		'\uFFFD': '?',
	}
})

// ASCII draws a picture with the ASCII twins of the program's own characters, in the same cells. Control pictures
// (U+2400 to U+2421), which stand for control characters, become question marks. Other text stays as it is.
func ASCII(picture string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x80:
			return r
		case r >= 0x2400 && r <= 0x2421:
			return '?'
		}
		if twin, ok := twins()[r]; ok {
			return twin
		}
		return r
	}, picture)
}

// NeedsASCII tells from the environment whether characters beyond ASCII would not be shown: on the text console of Linux,
// whose fonts lack most of them, and where the locale names another encoding than UTF-8. A locale that is not set says
// nothing. getenv is os.Getenv or a stand-in.
func NeedsASCII(getenv func(string) string) bool {
	if getenv("TERM") == "linux" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // the order of POSIX
		if locale := strings.ToLower(getenv(name)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return false
}
