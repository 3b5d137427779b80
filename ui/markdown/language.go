package markdown

import (
	"strings"
	"sync"
)

// quote is a way to write strings.
type quote struct {
	open, end string
	escapes   bool // a backslash takes the meaning of what follows
	lines     bool // it may go on over line ends
	single    bool // it stands around one character; else the mark means something else
}

// language is what is known about a language.
type language struct {
	names    string // how code blocks call it, separated by spaces
	keywords string
	types    string // names of types and constants
	line     []string
	block    [2]string // marks around a comment
	quotes   []quote   // the longest mark first
	sigils   string    // what words may begin with besides letters
	joins    string    // what words may hold besides letters and digits
	keys     string    // what stands behind a key
	nests    bool      // comments nest
	anyCase  bool      // the case of keywords does not matter
	capitals bool      // types begin with a capital
	tags     bool      // only what is between < and > is code
	whole    func(line string) class

	once  sync.Once
	words map[string]class
}

// word looks a word up.
func (l *language) word(w string) (class, bool) {
	l.once.Do(func() {
		l.words = map[string]class{}
		for _, k := range strings.Fields(l.keywords) {
			l.words[k] = keywordClass
		}
		for _, t := range strings.Fields(l.types) {
			l.words[t] = typeClass
		}
	})
	if l.anyCase {
		w = strings.ToLower(w)
	}
	c, ok := l.words[w]
	return c, ok
}

// languageNamed finds the language that a code block names, nil if it names none or
// one that is not known. It is made at first use, so starting the program costs
// nothing for it.
func languageNamed(info string) *language {
	name := strings.TrimLeft(info, "{.")
	if i := strings.IndexAny(name, " ,:{}"); i >= 0 {
		name = name[:i]
	}
	if name == "" || len(name) > len("longest-name-there-is") {
		return nil
	}
	return byName()[strings.ToLower(name)]
}

var byName = sync.OnceValue(func() map[string]*language {
	all := map[string]*language{}
	for _, l := range languages() {
		for _, n := range strings.Fields(l.names) {
			all[n] = l
		}
	}
	return all
})

// ofPatch colours the lines of a patch.
func ofPatch(line string) class {
	switch {
	case line == "":
	case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), strings.HasPrefix(line, "diff "), strings.HasPrefix(line, "index "):
		return commentClass
	case line[0] == '+':
		return addedClass
	case line[0] == '-':
		return removedClass
	case line[0] == '@':
		return funcClass
	}
	return noClass
}

// ofConfig colours the lines that name a section.
func ofConfig(line string) class {
	if strings.HasPrefix(line, "[") && strings.HasSuffix(strings.TrimRight(line, " \t"), "]") {
		return keywordClass
	}
	return noClass
}
