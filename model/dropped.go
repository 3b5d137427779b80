package model

import (
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"
)

const (
	// maxDropped is the longest paste, in bytes, that is looked at for paths, and
	// maxDroppedFiles how many it may hold: each is looked up on disk.
	maxDropped      = 8 << 10
	maxDroppedFiles = 32
)

// droppedPaths returns the absolute paths that a paste consists of, nil if it holds
// anything else: quoted, with escaped spaces, as file:// addresses, or one as it is. They
// need not exist.
func droppedPaths(pasted string) []string {
	text := strings.TrimSpace(pasted)
	if text == "" || len(pasted) > maxDropped {
		return nil
	}
	if one, ok := pathOf(text); ok && plainFile(one) { // spaces and quotes are the name's own
		return []string{one}
	}
	words, ok := shellWords(text)
	if !ok || len(words) > maxDroppedFiles {
		return nil
	}
	for i, w := range words {
		p, ok := pathOf(w)
		if !ok {
			return nil
		}
		words[i] = p
	}
	return words
}

func plainFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// pathOf reads one word: an absolute path, or the file:// address of one (RFC 8089).
func pathOf(word string) (path string, ok bool) {
	if strings.HasPrefix(word, "file://") {
		u, err := url.Parse(word)
		if err != nil || u.Host != "" && u.Host != "localhost" || u.RawQuery != "" || u.Fragment != "" {
			return "", false
		}
		word = filepath.FromSlash(u.Path)
		if runtime.GOOS == "windows" { // /C:/x
			word = strings.TrimPrefix(word, `\`)
		}
	}
	return filepath.Clean(word), filepath.IsAbs(word) && !strings.ContainsAny(word, "\n\x00")
}

// shellWords divides a text as a shell would: at white space that is neither quoted nor
// escaped. ok is false for a quote that does not end.
func shellWords(text string) (words []string, ok bool) {
	var word strings.Builder
	inside, escaped, begun := rune(0), false, false
	end := func() {
		if begun {
			words = append(words, word.String())
		}
		word.Reset()
		begun = false
	}
	escapes := runtime.GOOS != "windows" // there it divides the parts of a path
	for _, r := range text {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && inside != '\'' && escapes:
			escaped, begun = true, true
		case inside != 0 && r == inside:
			inside = 0
		case inside == 0 && (r == '\'' || r == '"'):
			inside, begun = r, true
		case inside == 0 && unicode.IsSpace(r):
			end()
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	end()
	return words, inside == 0 && !escaped
}
